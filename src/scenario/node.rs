//! Parts of RON text as slices: the address of a slice is its position.

use std::fmt;
use std::marker::PhantomData;

use ron::value::RawValue;
use serde::Deserialize;
use serde::de::{Deserializer as _, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

/// A part of the text of a source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    /// The index of the source.
    pub source: usize,
    /// A slice of the text of the source.
    pub text: &'a str,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub name: &'a str,
    /// The name of the field at its position.
    pub key: Node<'a>,
    pub value: Node<'a>,
    /// White space and comments after the value.
    pub behind: &'a str,
    /// True if set from outside the text.
    pub overridden: bool,
}

impl<'a> Field<'a> {
    /// Creates a field set from outside the text.
    pub fn set(name: &'a str, value: Node<'a>) -> Self {
        Self { name, key: value, value, behind: "", overridden: true }
    }
}

impl<'a> Node<'a> {
    /// Creates a text without a source.
    pub fn alone(text: &'a str) -> Self {
        Self { source: 0, text }
    }

    fn part(self, text: &'a str) -> Self {
        Self { text, ..self }
    }

    fn raw(self, raw: &'a RawValue) -> Self {
        self.part(raw.trim().get_ron())
    }
}

/// The parts of a list, or `None` for other values.
pub(crate) fn list(node: Node<'_>) -> Option<Vec<Node<'_>>> {
    let mut ron = ron::Deserializer::from_str(node.text).ok()?;
    let parts = ron.deserialize_seq(Parts).ok()?;
    Some(parts.into_iter().map(|raw| node.raw(raw)).collect())
}

/// The entries of a map, or `None` for other values.
pub(crate) fn map(node: Node<'_>) -> Option<Vec<(Node<'_>, Node<'_>)>> {
    let mut ron = ron::Deserializer::from_str(node.text).ok()?;
    let entries = ron.deserialize_map(Entries::<&RawValue>(PhantomData)).ok()?;
    Some(entries.into_iter().map(|(key, value)| (node.raw(key), node.raw(value))).collect())
}

/// The parts of a tuple, or `None` for other values.
pub(crate) fn tuple(node: Node<'_>) -> Option<Vec<Node<'_>>> {
    let mut ron = ron::Deserializer::from_str(node.text).ok()?;
    let parts = ron.deserialize_tuple(0, Parts).ok()?;
    Some(parts.into_iter().map(|raw| node.raw(raw)).collect())
}

/// The named fields in parentheses, or `None` for other values.
pub(crate) fn named(node: Node<'_>) -> Option<Vec<Field<'_>>> {
    let mut ron = ron::Deserializer::from_str(node.text).ok()?;
    let fields = ron.deserialize_struct("", &[], Entries::<Name<'_>>(PhantomData)).ok()?;
    let mut found = Vec::with_capacity(fields.len());
    for (Name(name), raw) in fields {
        let (key, value, text) = (node.part(name), node.raw(raw), raw.get_ron());
        let end = value.text.as_ptr().addr() - text.as_ptr().addr() + value.text.len();
        found.push(Field { name, key, value, behind: &text[end..], overridden: false });
    }
    Some(found)
}

/// Splits a value into its leading name and the contents after the name.
pub(crate) fn split(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let mut ron = ron::Deserializer::from_str(node.text).ok()?;
    let name = ron.deserialize_enum("", &[], AnyVariant).ok()?;
    // Called only to skip white space and comments: the remainder is the contents.
    ron.end().ok();
    let rest = ron.remainder();
    let rest = if rest.starts_with('(') { rest } else { &rest[..0] };
    Some((node.part(name.0), node.part(rest)))
}

/// The first character of a value.
pub(crate) fn first_letter(node: Node<'_>) -> Node<'_> {
    let length = node.text.chars().next().map_or(0, char::len_utf8);
    node.part(&node.text[..length])
}

/// An identifier as a slice of the text.
struct Name<'a>(&'a str);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(NameVisitor)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Name<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }
    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Name<'de>, E> {
        Ok(Name(name))
    }
}

struct AnyVariant;

impl<'de> Visitor<'de> for AnyVariant {
    type Value = Name<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a variant")
    }
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Name<'de>, A::Error> {
        let (name, contents) = access.variant()?;
        contents.unit_variant()?;
        Ok(name)
    }
}

struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Vec<&'de RawValue>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = seq.next_element()? {
            parts.push(part);
        }
        Ok(parts)
    }
}

/// The keys and values of a map, or the names and values of fields.
struct Entries<K>(PhantomData<K>);

impl<'de, K: Deserialize<'de>> Visitor<'de> for Entries<K> {
    type Value = Vec<(K, &'de RawValue)>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("names and values")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}
