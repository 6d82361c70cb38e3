//! Options of the screen and of its run.
//!
//! Each is an option of the command line and a configuration field of the same name.

use clap::Args;

use super::Failure;
use super::setting::{Setting, Words, given, named, pace, truth, whole, word, written};
use super::themes::{RequestedTheme, Themes, theme};
use crate::live::{self, Pace};
use crate::scenario::reader::{Fields, Reader};
use crate::session::tape::Keep;
use crate::tui::bindings::Keymap;
use crate::tui::layout::Preset;
use crate::tui::theme::looks::Look;
use crate::tui::theme::{Depth, Kind, Ramp};
use crate::tui::{self, Shelf};

/// Declares the options, each with a default and a conversion for configuration files.
macro_rules! screen {
    ({$($(#[$how:meta])* $field:ident: $kind:ty = $default:expr, $setting:expr;)+}
     $(#[$flag:meta])* $no:ident;
     {$($(#[$how_too:meta])* $also:ident: $kind_too:ty = $default_too:expr, $setting_too:expr;)+}) => {
        /// The appearance of the screen and the start of its run. Unset options are taken from the
        /// configuration file, then from the defaults.
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

            /// Fills unset options from `other`.
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

            /// Fills unset options with their defaults.
            #[must_use]
            pub fn filled(self) -> Self {
                self.or(Self {
                    $($field: Some($default),)+
                    $no: false,
                    $($also: Some($default_too),)+
                })
            }

            /// The equivalent fields of a configuration file, each with its value in RON.
            pub fn fields(&self) -> Vec<(&'static str, String)> {
                let fields = [
                    $((stringify!($field), self.$field.map($setting.written)),)+
                    $((stringify!($also), self.$also.map($setting_too.written)),)+
                ];
                fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
            }

            /// Reads the fields of a configuration file.
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
    /// Colours for a dark or a light background, for colour deficiencies, none, or a theme of your
    /// configuration [default: auto]
    #[arg(long, value_parser = Themes)]
    theme: RequestedTheme = RequestedTheme::Auto, theme();
    /// The number of colours that the terminal can show [default: auto]
    #[arg(long, value_parser = given(COLOURS))]
    color: Colours = (true, None), word!(COLOURS);
    /// The colours of heat [default: those of the theme]
    #[arg(long, value_parser = given(RAMPS))]
    palette: Heat = None, word!(RAMPS);
    /// Draw with ASCII characters only [default: as the locale says]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    ascii: bool = false, truth();
    /// The characters of lines between switches [default: braille]
    #[arg(long, value_parser = given(MARKERS))]
    marker: bool = true, word!(MARKERS);
    /// The arrangement of the panes [default: balanced]
    #[arg(long, value_parser = given(LAYOUTS))]
    layout: Preset = Preset::Balanced, word!(LAYOUTS);
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
    /// Resolves a theme name among the user's themes.
    pub(in crate::cli) fn with_themes(self, own: &[&'static Look]) -> Result<Self, Failure> {
        let theme = self.theme.map(|wanted| {
            wanted.among(own).map_err(|help| {
                let name = wanted.name().escape_debug();
                Failure::usage(format!("there is no theme `{name}`"), &help)
            })
        });
        Ok(Self { theme: theme.transpose()?, ..self })
    }

    /// Converts to options of the screen, with scenarios from `shelf`.
    pub fn options(self, shelf: Shelf, keys: Keymap) -> tui::Options {
        let this = self.filled();
        let (colours, depth) = this.color.unwrap_or((true, None));
        let history = this.history.unwrap_or_default() as usize * 1_000_000;
        tui::Options {
            theme: match this.theme {
                _ if !colours => Some(Kind::Mono),
                Some(RequestedTheme::Ground(kind)) => Some(kind),
                Some(RequestedTheme::Auto | RequestedTheme::Look(_) | RequestedTheme::Named(_))
                | None => None,
            },
            look: match this.theme {
                Some(RequestedTheme::Look(look)) if colours => Some(look),
                Some(_) | None => None,
            },
            color: depth,
            ramp: this.palette.flatten(),
            ascii: this.ascii == Some(true),
            braille: this.marker == Some(true),
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

/// A palette, or `None` for the palette of the theme.
type Heat = Option<Ramp>;
/// True if colours are allowed, with their number; `None` for the number supported by the
/// environment.
type Colours = (bool, Option<Depth>);

const COLOURS: Words<Colours> = &[
    ("auto", "As many as the environment promises", (true, None)),
    ("never", "None", (false, None)),
    ("16", "The terminal's own 16", (true, Some(Depth::Sixteen))),
    ("256", "256", (true, Some(Depth::Xterm))),
    ("truecolor", "Any", (true, Some(Depth::True))),
];
const RAMPS: Words<Heat> = &[
    ("auto", "Those of the theme", None),
    ("viridis", "From violet over green to yellow", Some(Ramp::Viridis)),
    ("cividis", "From blue over grey to yellow, for colour deficiencies", Some(Ramp::Cividis)),
];
const MARKERS: Words<bool> = &[
    ("braille", "The dots of braille characters", true),
    ("strokes", "Strokes, for fonts without braille", false),
];
const LAYOUTS: Words<Preset> = &[
    ("balanced", "Something of everything", Preset::Balanced),
    ("network", "The network large", Preset::Network),
    ("statistics", "Figures and charts large", Preset::Statistics),
    ("teaching", "Histogram and curve large", Preset::Teaching),
];

#[cfg(test)]
mod tests;
