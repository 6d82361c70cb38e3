//! Words of options for values of types that know no command line.

/// The words for the values of a type, each with its help.
macro_rules! words {
    ($($kind:ident { $($value:ident = $word:literal, $help:literal;)+ })+) => {$(
        impl clap::ValueEnum for $kind {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self::$value),+]
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                Some(match self { $(Self::$value => clap::builder::PossibleValue::new($word).help($help)),+ })
            }
        }
    )+};
}

pub(in crate::cli) use words;
