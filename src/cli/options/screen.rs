//! How the screen looks and how its run begins: options of the command line, and fields of the
//! configuration file with the same names.

use clap::{Args, ValueEnum};

use crate::live::{self, Pace};
use crate::session::tape::Keep;
use crate::tui::bindings::Keymap;
use crate::tui::layout::Preset;
use crate::tui::theme::{Depth, Kind, Ramp};
use crate::tui::{self, Shelf};

/// How the screen looks and how its run begins. What is not said is left to the configuration file,
/// and then to the default.
#[derive(Args, Clone, Copy, PartialEq, Default, Debug)]
#[command(next_help_heading = "Screen")]
pub struct Screen {
    /// Colours for a dark or a light background, or none [default: auto]
    #[arg(long, value_enum)]
    pub theme: Option<Theme>,
    /// How many colours the terminal can show [default: auto]
    #[arg(long, value_enum)]
    pub color: Option<Colours>,
    /// The colours of heat [default: viridis]
    #[arg(long, value_enum)]
    pub palette: Option<Palette>,
    /// Draw with ASCII characters only [default: as the locale says]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub ascii: Option<bool>,
    /// What lines between switches are drawn with [default: braille]
    #[arg(long, value_enum)]
    pub marker: Option<Marker>,
    /// How the panes are arranged [default: balanced]
    #[arg(long, value_enum)]
    pub layout: Option<Layout>,
    /// Frames per second, at most [default: 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=240))]
    pub fps: Option<u16>,
    /// Take the mouse [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub mouse: Option<bool>,
    /// Leave the mouse to the terminal
    #[arg(long, conflicts_with = "mouse")]
    pub no_mouse: bool,
    /// Memory for going back in time, in megabytes [default: 256]
    #[arg(long, value_name = "MB")]
    pub history: Option<u32>,
    /// Cycles per second (of circuits: units of time), `natural` or `max` [default: natural]
    #[arg(long, value_name = "PACE")]
    pub pace: Option<Pace>,
    /// Cycles over which the utilisation is averaged [default: 256]
    #[arg(long, value_name = "CYCLES", value_parser = clap::value_parser!(u32).range(1..))]
    pub window: Option<u32>,
}

impl Screen {
    /// What is said here, and where nothing is, what `other` says.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let mouse = self.mouse.or(self.no_mouse.then_some(false));
        Self {
            theme: self.theme.or(other.theme),
            color: self.color.or(other.color),
            palette: self.palette.or(other.palette),
            ascii: self.ascii.or(other.ascii),
            marker: self.marker.or(other.marker),
            layout: self.layout.or(other.layout),
            fps: self.fps.or(other.fps),
            mouse: mouse.or(other.mouse),
            no_mouse: false,
            history: self.history.or(other.history),
            pace: self.pace.or(other.pace),
            window: self.window.or(other.window),
        }
    }

    /// The same with the default wherever nothing is said.
    #[must_use]
    pub fn filled(self) -> Self {
        self.or(Self {
            theme: Some(Theme::default()),
            color: Some(Colours::default()),
            palette: Some(Palette::default()),
            ascii: Some(false),
            marker: Some(Marker::default()),
            layout: Some(Layout::default()),
            fps: Some(30),
            mouse: Some(true),
            no_mouse: false,
            history: Some(256),
            pace: Some(Pace::default()),
            window: Some(live::WINDOW as u32),
        })
    }

    /// The fields of a configuration file that say the same, each with its value in RON.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        fn word<T: ValueEnum>(value: Option<T>) -> Option<String> {
            let name = value?.to_possible_value()?;
            Some(format!("\"{}\"", name.get_name()))
        }
        fn plain<T: ToString>(value: Option<T>) -> Option<String> {
            value.map(|value| value.to_string())
        }
        let pace = self.pace.map(|pace| match pace {
            Pace::PerSecond(_) => pace.to_string(),
            Pace::Natural | Pace::Max => format!("\"{pace}\""),
        });
        let fields = [
            ("theme", word(self.theme)),
            ("color", word(self.color)),
            ("palette", word(self.palette)),
            ("ascii", plain(self.ascii)),
            ("marker", word(self.marker)),
            ("layout", word(self.layout)),
            ("fps", plain(self.fps)),
            ("mouse", plain(self.mouse)),
            ("history", plain(self.history)),
            ("pace", pace),
            ("window", plain(self.window)),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// How to show a run, with scenarios from `shelf`.
    pub fn options(self, shelf: Shelf, keys: Keymap) -> tui::Options {
        let this = self.filled();
        let history = this.history.unwrap_or_default() as usize * 1_000_000;
        tui::Options {
            theme: if this.color == Some(Colours::Never) {
                Some(Kind::Mono)
            } else {
                this.theme.and_then(Theme::kind)
            },
            color: this.color.and_then(Colours::depth),
            ramp: match this.palette.unwrap_or_default() {
                Palette::Viridis => Ramp::Viridis,
                Palette::Cividis => Ramp::Cividis,
            },
            ascii: this.ascii == Some(true),
            braille: this.marker != Some(Marker::Strokes),
            layout: match this.layout.unwrap_or_default() {
                Layout::Balanced => Preset::Balanced,
                Layout::Network => Preset::Network,
                Layout::Statistics => Preset::Statistics,
                Layout::Teaching => Preset::Teaching,
            },
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

/// The colours of heat.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Palette {
    /// From violet over green to yellow
    #[default]
    Viridis,
    /// From blue over grey to yellow, for people who see fewer hues
    Cividis,
}

/// What lines that are neither level nor upright are drawn with.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Marker {
    /// The dots of braille characters
    #[default]
    Braille,
    /// Strokes, for fonts without braille
    Strokes,
}

/// How the panes are arranged.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Layout {
    /// Something of everything
    #[default]
    Balanced,
    /// The network large
    Network,
    /// Figures and charts large
    Statistics,
    /// Histogram and curve large
    Teaching,
}

/// The background for which colours are chosen.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Theme {
    /// The terminal is asked
    #[default]
    Auto,
    /// Dark
    Dark,
    /// Light
    Light,
    /// No colour
    Mono,
}

impl Theme {
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
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Colours {
    /// As many as the environment promises
    #[default]
    Auto,
    /// None
    Never,
    /// The terminal's own 16
    #[value(name = "16")]
    Sixteen,
    /// 256
    #[value(name = "256")]
    Palette,
    /// Any
    Truecolor,
}

impl Colours {
    fn depth(self) -> Option<Depth> {
        match self {
            Self::Auto | Self::Never => None,
            Self::Sixteen => Some(Depth::Sixteen),
            Self::Palette => Some(Depth::Xterm),
            Self::Truecolor => Some(Depth::True),
        }
    }
}

#[cfg(test)]
mod tests;
