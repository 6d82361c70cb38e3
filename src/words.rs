//! The words of a scenario: what each field and value is called, what it means, and what it may be.
//!
//! `words!` declares a type and its descriptor at once: names are those of the Rust code, help is the
//! documentation, and `serde` turns text into values and back. What a message calls a field, its limits
//! and its default are written beside its type.

use ron::extensions::Extensions;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A field of a struct or variant.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in the text.
    pub name: &'static str,
    pub help: &'static str,
    /// What happens where it is left out.
    pub need: Need,
    pub kind: Kind,
}

/// Whether a field may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// It must be there, for example with this value.
    Example(&'static str),
    /// It then has this value.
    Default(&'static str),
    /// What it then is depends on other fields; the help says how.
    Open,
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number.
    Whole {
        /// What a message calls it.
        called: &'static str,
        /// The least and the most.
        limits: (u64, u64),
    },
    Number {
        /// What a message calls it.
        called: &'static str,
        /// A value that it may well have.
        example: &'static str,
        limits: Limits,
    },
    /// One line of text, and what a message calls it.
    Text(&'static str),
    /// One of these values, listed in groups.
    Choice(&'static [&'static [Value]]),
    /// Fields in parentheses, listed in groups.
    Fields(&'static [&'static [Field]]),
    /// A value with a reader of its own: its description, and its structure.
    Own(&'static str, Structure),
}

/// The structure of a value with a reader of its own.
#[derive(Clone, Copy, Debug)]
pub enum Structure {
    /// `true` or `false`.
    Truth,
    /// A list of such values, its least and its greatest length.
    List(&'static Kind, (usize, usize)),
    /// Such values in parentheses, the least and the greatest number of them.
    Tuple(&'static Kind, (usize, usize)),
    /// A value of one of these kinds.
    Either(&'static [Kind]),
    /// Texts as keys, each with such a value.
    Map(&'static Kind),
    /// Paths of these fields as keys, each with a value; in a study with a list of cases, with a text.
    Settings(&'static [Field]),
    /// Paths of these fields as keys, or several with commas, each with a list of values.
    Axes(&'static [Field]),
    /// Fields that `serde` reads. Their values are texts, numbers, truths and lists, except these.
    Plain(&'static [(&'static str, Kind)]),
}

impl Kind {
    /// A whole number within limits.
    pub const fn whole(called: &'static str, least: u32, most: u32) -> Self {
        Self::Whole { called, limits: (least as u64, most as u64) }
    }

    /// A list of values of one kind.
    pub const fn list(called: &'static str, of: &'static Self) -> Self {
        Self::Own(called, Structure::List(of, (0, usize::MAX)))
    }

    /// A number above 0 up to a limit.
    pub const fn positive(called: &'static str, example: &'static str, most: f64) -> Self {
        Self::Number { called, example, limits: Limits::Positive(most) }
    }

    /// A number from one limit to another, in this unit.
    pub const fn within(
        called: &'static str,
        example: &'static str,
        (least, most): (f64, f64),
        unit: &'static str,
    ) -> Self {
        Self::Number { called, example, limits: Limits::Within(least, most, unit) }
    }
}

/// The limits of a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Limits {
    /// Above 0 and at most this.
    Positive(f64),
    /// From the first to the second, in units of the third.
    Within(f64, f64, &'static str),
}

/// One of several values.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Its name in the text.
    pub name: &'static str,
    pub help: &'static str,
    pub contents: Contents,
}

/// What follows the name of a value.
#[derive(Clone, Copy, Debug)]
pub enum Contents {
    /// Nothing.
    Nothing,
    /// One value without a name; an example of the whole, and what it may be.
    One(&'static str, Kind),
    /// Named fields, listed in groups.
    Fields(&'static [&'static [Field]]),
}

/// A value's name as words: `bit reversal` for `BitReversal`.
pub fn spaced(name: &str) -> String {
    let mut spaced = String::new();
    for letter in name.chars() {
        let space = letter.is_uppercase() && !spaced.is_empty();
        spaced.extend(space.then_some(' ').into_iter().chain(letter.to_lowercase()));
    }
    spaced
}

/// Why something does not fit what it is used with, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}; {help}")]
pub struct Misfit {
    /// What is wrong, in numbers.
    pub what: String,
    /// The smallest change that mends it.
    pub help: String,
    /// The field that is to blame, if it is one.
    pub field: Option<&'static str>,
}

impl Misfit {
    /// Refuses, for a reason.
    pub fn because<T>(what: impl Into<String>, help: impl Into<String>) -> Result<T, Self> {
        Err(Self { what: what.into(), help: help.into(), field: None })
    }
}

/// A value as a scenario says it, on one line.
pub fn written(value: &impl Serialize) -> String {
    let one_line = ron::ser::PrettyConfig::new().depth_limit(0);
    options().to_string_pretty(value, one_line).unwrap_or_default()
}

/// The value that a text says, where it is one that has been checked.
pub fn value<T: DeserializeOwned>(text: &str) -> Option<T> {
    options().from_str(text).ok()
}

fn options() -> ron::Options {
    ron::Options::default()
        .with_default_extension(Extensions::UNWRAP_NEWTYPES | Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// An enum whose values stand in a scenario's text.
pub trait Words: 'static {
    const ABOUT: &'static str;
    /// Fields that every value has besides its own.
    const BESIDES: &'static [Field] = &[];
    const VALUES: &'static [Value];
    const KIND: Kind = Kind::Choice(&[Self::VALUES]);
    /// The name of this one.
    fn word(&self) -> &'static str;
}

/// Declares structs, each with its `FIELDS`, and enums, which are [`Words`]. The expressions behind a
/// field's type are its [`Need`] and its [`Kind`].
macro_rules! words {
    () => {};
    (
        $(#[doc = $about:literal])+
        $(#[derive($($Extra:ident),+)])?
        $scope:vis enum $Type:ident $(with $Besides:ident)? {$(
            $(#[doc = $help:literal])+
            $Name:ident
            $({$( $(#[doc = $says:literal])+ $field:ident : $T:ty = $need:expr, $kind:expr; )+})?
            $(($One:ty = $example:expr, $one:expr))?
        ,)+}
        $($rest:tt)*
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        $(#[derive($($Extra),+)])?
        $scope enum $Type {$(
            $(#[doc = $help])+
            $Name $({$( $(#[doc = $says])+ $field: $T, )+})? $(($One))?
        ,)+}
        impl $crate::words::Words for $Type {
            const ABOUT: &'static str = concat!($($about),+);
            $(const BESIDES: &'static [$crate::words::Field] = $Besides;)?
            const VALUES: &'static [$crate::words::Value] = &[$($crate::words::Value {
                name: stringify!($Name),
                help: concat!($($help),+),
                contents: $crate::words::words!(@contents
                    $({$( $(#[doc = $says])+ $field = $need, $kind; )+})? $(($example, $one))?),
            }),+];
            fn word(&self) -> &'static str {
                match self { $(Self::$Name { .. } => stringify!($Name)),+ }
            }
        }
        $crate::words::words!($($rest)*);
    };
    (
        $(#[doc = $about:literal])+
        $scope:vis struct $Type:ident {$(
            $(#[doc = $help:literal])+
            pub $field:ident : $T:ty = $need:expr, $kind:expr;
        )+}
        $($rest:tt)*
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        $scope struct $Type {$( $(#[doc = $help])+ pub $field: $T, )+}
        impl $Type {
            /// The fields in a scenario's text.
            $scope const FIELDS: &'static [$crate::words::Field] =
                $crate::words::words!(@fields $( $(#[doc = $help])+ $field = $need, $kind; )+);

            /// Its fields for people: `release: Sent`.
            $scope fn told(&self) -> Vec<String> {
                vec![$(
                    format!("{}: {}", stringify!($field), $crate::words::written(&self.$field))
                ),+]
            }
        }
        $crate::words::words!($($rest)*);
    };
    (@contents) => {
        match Self::BESIDES {
            [] => $crate::words::Contents::Nothing,
            _ => $crate::words::Contents::Fields(&[Self::BESIDES]),
        }
    };
    (@contents ($example:expr, $one:expr)) => { $crate::words::Contents::One($example, $one) };
    (@contents {$($fields:tt)+}) => {
        match Self::BESIDES {
            [] => $crate::words::Contents::Fields(&[$crate::words::words!(@fields $($fields)+)]),
            _ => $crate::words::Contents::Fields(&[
                $crate::words::words!(@fields $($fields)+),
                Self::BESIDES,
            ]),
        }
    };
    (@fields $( $(#[doc = $help:literal])+ $field:ident = $need:expr, $kind:expr; )+) => {
        &[$($crate::words::Field {
            name: stringify!($field),
            help: concat!($($help),+),
            need: $need,
            kind: $kind,
        }),+]
    };
}

pub(crate) use words;
