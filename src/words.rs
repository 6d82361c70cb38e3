//! Vocabulary of scenarios: names, meanings and limits of all fields and values.
//!
//! `words!` declares a type and its descriptor together: names are taken from the Rust code, help
//! from the documentation, and `serde` converts text to values and back. The name used in messages,
//! the limits and the default follow each type.

use ron::extensions::Extensions;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A field of a struct or variant.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in a scenario's text.
    pub name: &'static str,
    pub help: &'static str,
    /// Treatment of a missing field.
    pub need: Need,
    pub kind: Kind,
}

/// Treatment of a missing field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// An error; an example of a value.
    Example(&'static str),
    /// The default value.
    Default(&'static str),
    /// A default that depends on other fields, as described in the help.
    Open,
}

/// Valid values.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number.
    Whole {
        /// Name in messages.
        called: &'static str,
        /// The minimum and the maximum.
        limits: (u64, u64),
    },
    Number {
        /// Name in messages.
        called: &'static str,
        /// Example of a value.
        example: &'static str,
        limits: Limits,
    },
    /// One line of text; the name in messages.
    Text(&'static str),
    /// One of several values, listed in groups.
    Choice(&'static [&'static [Value]]),
    /// Fields in parentheses, listed in groups.
    Fields(&'static [&'static [Field]]),
    /// A value with a parser of its own: its description, and its structure.
    Own(&'static str, Structure),
}

/// The structure of a value with a parser of its own.
#[derive(Clone, Copy, Debug)]
pub enum Structure {
    /// `true` or `false`.
    Truth,
    /// A list of values of one kind, with its minimum and maximum length.
    List(&'static Kind, (usize, usize)),
    /// Values in parentheses, with their minimum and maximum number. Each has a kind of its own, those
    /// behind the last kind that kind.
    Tuple(&'static [Kind], (usize, usize)),
    /// A value of any of several kinds.
    Either(&'static [Kind]),
    /// Texts as keys, each with a value of one kind.
    Map(&'static Kind),
    /// Paths of fields as keys, each with a value; in a study with a list of cases, with a text.
    Settings(&'static [Field]),
    /// Paths of fields as keys, or several separated by commas, each with a list of values.
    Axes(&'static [Field]),
    /// Fields parsed by `serde`, with texts, numbers, booleans and lists as values, except the
    /// fields listed here.
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

    /// A number above 0 and below a limit.
    pub const fn below(called: &'static str, example: &'static str, limit: f64) -> Self {
        Self::Number { called, example, limits: Limits::Below(limit) }
    }

    /// A number from one limit to another, in a given unit.
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
    /// Above 0 and up to a maximum.
    Positive(f64),
    /// Above 0 and below a limit.
    Below(f64),
    /// A minimum, a maximum, and the unit.
    Within(f64, f64, &'static str),
}

/// A value of an enum.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Name in a scenario's text.
    pub name: &'static str,
    pub help: &'static str,
    pub contents: Contents,
}

/// Contents after the name of a value.
#[derive(Clone, Copy, Debug)]
pub enum Contents {
    /// No contents.
    Nothing,
    /// One value without a name: an example including the name, and the kind.
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

/// Reason for an invalid combination, with a remedy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}; {help}")]
pub struct Misfit {
    /// The problem, in numbers.
    pub what: String,
    /// The smallest change that solves the problem.
    pub help: String,
    /// The field at fault, if any.
    pub field: Option<&'static str>,
}

impl Misfit {
    /// Returns an error with a reason and a remedy.
    pub fn because<T>(what: impl Into<String>, help: impl Into<String>) -> Result<T, Self> {
        Err(Self { what: what.into(), help: help.into(), field: None })
    }
}

/// Formats a value as in a scenario, on one line.
pub fn written(value: &impl Serialize) -> String {
    let one_line = ron::ser::PrettyConfig::new().depth_limit(0);
    options().to_string_pretty(value, one_line).unwrap_or_default()
}

/// Parses the text of a value validated before.
pub fn value<T: DeserializeOwned>(text: &str) -> Option<T> {
    options().from_str(text).ok()
}

fn options() -> ron::Options {
    ron::Options::default().with_default_extension(
        Extensions::UNWRAP_NEWTYPES
            | Extensions::UNWRAP_VARIANT_NEWTYPES
            | Extensions::IMPLICIT_SOME,
    )
}

/// An enum with values that appear in a scenario's text.
pub trait Words: 'static {
    const ABOUT: &'static str;
    /// Fields of every value in addition to its own.
    const BESIDES: &'static [Field] = &[];
    const VALUES: &'static [Value];
    const KIND: Kind = Kind::Choice(&[Self::VALUES]);
    /// The name of the value.
    fn word(&self) -> &'static str;
}

/// Declares structs, each with its `FIELDS`, and enums that implement [`Words`]. The expressions
/// after a field's type are its [`Need`] and its [`Kind`]. A value declared as `Name(struct Type)` has
/// the fields of the struct.
macro_rules! words {
    () => {};
    (
        $(#[doc = $about:literal])+
        $(#[derive($($Extra:ident),+)])?
        $scope:vis enum $Type:ident $(with $Besides:ident)? {$(
            $(#[doc = $help:literal])+
            $Name:ident
            $({$( $(#[doc = $says:literal])+ $field:ident : $T:ty = $need:expr, $kind:expr; )+})?
            $((struct $Held:ident))?
            $(($One:ty = $example:expr, $one:expr))?
        ,)+}
        $($rest:tt)*
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        $(#[derive($($Extra),+)])?
        $scope enum $Type {$(
            $(#[doc = $help])+
            $Name $({$( $(#[doc = $says])+ $field: $T, )+})? $(($Held))? $(($One))?
        ,)+}
        impl $crate::words::Words for $Type {
            const ABOUT: &'static str = concat!($($about),+);
            $(const BESIDES: &'static [$crate::words::Field] = $Besides;)?
            const VALUES: &'static [$crate::words::Value] = &[$($crate::words::Value {
                name: stringify!($Name),
                help: concat!($($help),+),
                contents: $crate::words::words!(@contents
                    $({$( $(#[doc = $says])+ $field = $need, $kind; )+})?
                    $(struct $Held)?
                    $(($example, $one))?),
            }),+];
            fn word(&self) -> &'static str {
                match self { $(Self::$Name { .. } => stringify!($Name)),+ }
            }
        }
        $crate::words::words!($($rest)*);
    };
    (
        $(#[doc = $about:literal])+
        $(#[derive($($Extra:ident),+)])?
        $scope:vis struct $Type:ident {$(
            $(#[doc = $help:literal])+
            pub $field:ident : $T:ty = $need:expr, $kind:expr;
        )+}
        $($rest:tt)*
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        $(#[derive($($Extra),+)])?
        $scope struct $Type {$( $(#[doc = $help])+ pub $field: $T, )+}
        impl $Type {
            /// The fields in a scenario's text.
            $scope const FIELDS: &'static [$crate::words::Field] =
                $crate::words::words!(@fields $( $(#[doc = $help])+ $field = $need, $kind; )+);

            /// The fields for display: `release: Sent`.
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
    (@contents struct $Held:ident) => { $crate::words::Contents::Fields(&[$Held::FIELDS]) };
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
