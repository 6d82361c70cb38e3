//! The text of a scenario with the fields that are set from outside written into it.

use super::node::{Node, named, split};
use super::{Override, Scenario, body};

impl Scenario {
    /// The value `Scenario(...)` in RON, with these fields in addition to those set from outside; the
    /// leading comments are left out. The text may be invalid where two fields exclude each other.
    pub fn text_with(&self, set: impl IntoIterator<Item = Override>) -> String {
        let set = Override::joined(&self.overrides, set);
        set.iter().fold(body(&self.text), |text, it| {
            let path: Vec<&str> = it.path.split('.').collect();
            with(&text, &path, &it.value)
        })
    }

    /// The text of the value of a field, such as `traffic.lengths`, if it is given.
    pub fn text_of(&self, path: &str) -> Option<String> {
        let text = self.text_with([]);
        let mut node = Node::alone(&text);
        for name in path.split('.') {
            node = fields(node)?.into_iter().find(|field| field.name == name)?.value;
        }
        Some(node.text.to_owned())
    }
}

/// The fields of a value, after its name.
fn fields(node: Node<'_>) -> Option<Vec<super::node::Field<'_>>> {
    named(node).or_else(|| named(split(node)?.1))
}

/// A text with another value at a path.
fn with(text: &str, path: &[&str], value: &str) -> String {
    let [name, rest @ ..] = path else { return value.to_owned() };
    let node = Node::alone(text);
    let known = fields(node).unwrap_or_default();
    if let Some(field) = known.iter().find(|field| field.name == *name) {
        let start = field.value.text.as_ptr().addr() - text.as_ptr().addr();
        let end = start + field.value.text.len();
        return format!(
            "{}{}{}",
            &text[..start],
            with(field.value.text, rest, value),
            &text[end..]
        );
    }
    // Only the machine may be omitted while its fields are set.
    let nothing = if *name == "switching" && !rest.is_empty() { "Wormhole()" } else { "()" };
    let inner = if rest.is_empty() { value.to_owned() } else { with(nothing, rest, value) };
    match split(node) {
        Some((variant, contents)) if contents.text.is_empty() => {
            format!("{}({name}: {inner})", variant.text)
        }
        _ => {
            let open = text.find('(').map_or(0, |at| at + 1);
            let comma = if known.is_empty() { "" } else { ", " };
            format!("{}{name}: {inner}{comma}{}", &text[..open], &text[open..])
        }
    }
}

#[cfg(test)]
mod tests;
