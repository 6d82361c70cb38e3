//! How the screen looks and how its run begins: options of the command line, and fields of the
//! configuration file with the same names.

use clap::Args;

use super::setting::{pace, truth, whole, word};
use super::words::words;
use crate::live::{self, Pace};
use crate::scenario::reader::{Fields, Reader};
use crate::session::tape::Keep;
use crate::tui::bindings::Keymap;
use crate::tui::layout::Preset;
use crate::tui::theme::{Depth, Kind, Ramp};
use crate::tui::{self, Shelf};

/// Declares the options: each with its default and how it stands in a configuration file.
macro_rules! screen {
    ({$($(#[$how:meta])* $field:ident: $kind:ty = $default:expr, $setting:expr;)+}
     $(#[$flag:meta])* $no:ident;
     {$($(#[$how_too:meta])* $also:ident: $kind_too:ty = $default_too:expr, $setting_too:expr;)+}) => {
        /// How the screen looks and how its run begins. What is not said is left to the configuration
        /// file, and then to the default.
        #[derive(Args, Clone, Copy, PartialEq, Default, Debug)]
        #[command(next_help_heading = "Screen")]
        pub struct Screen {
            $($(#[$how])* pub $field: Option<$kind>,)+
            $(#[$flag])*
            pub $no: bool,
            $($(#[$how_too])* pub $also: Option<$kind_too>,)+
        }

        impl Screen {
            /// The names of the fields in a configuration file.
            pub const FIELDS: &[&'static str] = &[$(stringify!($field),)+ $(stringify!($also)),+];

            /// What is said here, and where nothing is, what `other` says.
            #[must_use]
            pub fn or(self, other: Self) -> Self {
                let mouse = self.mouse.or(self.no_mouse.then_some(false));
                let this = Self { mouse, ..self };
                Self {
                    $($field: this.$field.or(other.$field),)+
                    $no: false,
                    $($also: this.$also.or(other.$also),)+
                }
            }

            /// The same with the default wherever nothing is said.
            #[must_use]
            pub fn filled(self) -> Self {
                self.or(Self {
                    $($field: Some($default),)+
                    $no: false,
                    $($also: Some($default_too),)+
                })
            }

            /// The fields of a configuration file that say the same, each with its value in RON.
            pub fn fields(&self) -> Vec<(&'static str, String)> {
                let fields = [
                    $((stringify!($field), self.$field.map($setting.written)),)+
                    $((stringify!($also), self.$also.map($setting_too.written)),)+
                ];
                fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
            }

            /// What the fields of a configuration file say.
            pub(in crate::cli) fn read<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>) -> Self {
                Self {
                    $($field: $setting.read(reader, fields, stringify!($field)),)+
                    $no: false,
                    $($also: $setting_too.read(reader, fields, stringify!($also)),)+
                }
            }
        }
    };
}

screen! {{
    /// Colours for a dark or a light background, or none [default: auto]
    #[arg(long, value_enum)]
    theme: ThemeChoice = ThemeChoice::Auto, word();
    /// How many colours the terminal can show [default: auto]
    #[arg(long, value_enum)]
    color: ColorChoice = ColorChoice::Auto, word();
    /// The colours of heat [default: viridis]
    #[arg(long, value_enum)]
    palette: Ramp = Ramp::Viridis, word();
    /// Draw with ASCII characters only [default: as the locale says]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    ascii: bool = false, truth();
    /// What lines between switches are drawn with [default: braille]
    #[arg(long, value_enum)]
    marker: Marker = Marker::Braille, word();
    /// How the panes are arranged [default: balanced]
    #[arg(long, value_enum)]
    layout: Preset = Preset::Balanced, word();
    /// Frames per second, at most [default: 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=240))]
    fps: u16 = 30, whole::<_, 1, 240>();
    /// Take the mouse [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    mouse: bool = true, truth();
}
    /// Leave the mouse to the terminal
    #[arg(long, conflicts_with = "mouse")]
    no_mouse;
{
    /// Memory for going back in time, in megabytes [default: 256]
    #[arg(long, value_name = "MB")]
    history: u32 = 256, whole::<_, 0, { u32::MAX }>();
    /// Cycles per second (of circuits: units of time), `natural` or `max` [default: natural]
    #[arg(long, value_name = "PACE")]
    pace: Pace = Pace::Natural, pace();
    /// Cycles over which the utilisation is averaged [default: 256]
    #[arg(long, value_name = "CYCLES", value_parser = clap::value_parser!(u32).range(1..))]
    window: u32 = live::WINDOW as u32, whole::<_, 1, { u32::MAX }>();
}}

impl Screen {
    /// How to show a run, with scenarios from `shelf`.
    pub fn options(self, shelf: Shelf, keys: Keymap) -> tui::Options {
        let this = self.filled();
        let history = this.history.unwrap_or_default() as usize * 1_000_000;
        tui::Options {
            theme: this
                .theme
                .filter(|_| this.color != Some(ColorChoice::Never))
                .map_or(Some(Kind::Mono), ThemeChoice::kind),
            color: this.color.and_then(ColorChoice::depth),
            ramp: this.palette.unwrap_or_default(),
            ascii: this.ascii == Some(true),
            braille: this.marker != Some(Marker::Strokes),
            layout: this.layout.unwrap_or_default(),
            fps: u32::from(this.fps.unwrap_or(1)),
            mouse: this.mouse == Some(true),
            pace: this.pace.unwrap_or_default(),
            window: this.window.map_or(live::WINDOW, u64::from),
            keys,
            live: live::Options {
                keep: Keep { bytes: history, ..Keep::default() },
                ..live::Options::default()
            },
            ..tui::Options::new(shelf)
        }
    }
}

/// What lines that are neither level nor upright are drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    /// Braille characters.
    Braille,
    /// Box-drawing characters.
    Strokes,
}

/// The background for which colours are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThemeChoice {
    /// As the terminal answers.
    Auto,
    /// Dark.
    Dark,
    /// Light.
    Light,
    /// No colour.
    Mono,
}

impl ThemeChoice {
    fn kind(self) -> Option<Kind> {
        match self {
            Self::Auto => None,
            Self::Dark => Some(Kind::Dark),
            Self::Light => Some(Kind::Light),
            Self::Mono => Some(Kind::Mono),
        }
    }
}

/// How many colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorChoice {
    /// As many as the environment promises.
    Auto,
    /// None.
    Never,
    /// The terminal's own 16.
    Sixteen,
    /// 256.
    Xterm,
    /// Any.
    True,
}

impl ColorChoice {
    fn depth(self) -> Option<Depth> {
        match self {
            Self::Auto | Self::Never => None,
            Self::Sixteen => Some(Depth::Sixteen),
            Self::Xterm => Some(Depth::Xterm),
            Self::True => Some(Depth::True),
        }
    }
}

words! {
    ThemeChoice {
        Auto = "auto", "The terminal is asked";
        Dark = "dark", "Dark";
        Light = "light", "Light";
        Mono = "mono", "No colour";
    }
    ColorChoice {
        Auto = "auto", "As many as the environment promises";
        Never = "never", "None";
        Sixteen = "16", "The terminal's own 16";
        Xterm = "256", "256";
        True = "truecolor", "Any";
    }
    Ramp {
        Viridis = "viridis", "From violet over green to yellow";
        Cividis = "cividis", "From blue over grey to yellow, for people who see fewer hues";
    }
    Marker {
        Braille = "braille", "The dots of braille characters";
        Strokes = "strokes", "Strokes, for fonts without braille";
    }
    Preset {
        Balanced = "balanced", "Something of everything";
        Network = "network", "The network large";
        Statistics = "statistics", "Figures and charts large";
        Teaching = "teaching", "Histogram and curve large";
    }
}

#[cfg(test)]
mod tests;
