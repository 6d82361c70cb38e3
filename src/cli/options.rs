//! Options that several commands share, and what they mean to the parts below.

use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::Failure;
use crate::experiment::report::Format;
use crate::experiment::{End, Plan};
use crate::files;
use crate::live::{self, Pace};
use crate::scenario::{Override, Scenario};
use crate::session::tape::Keep;
use crate::stats::WarmUp;
use crate::tui::bindings::Keymap;
use crate::tui::theme::Ramp;
use crate::tui::{self, ColorChoice, Shelf, ThemeChoice};

/// Fields of a scenario that are set on the command line, checked as if they stood in the file.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Scenario")]
pub struct Fields {
    /// Messages per node and cycle
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    rate: Option<String>,
    /// Flits per node and cycle (instead of a rate)
    #[arg(long, value_name = "LOAD", allow_negative_numbers = true, conflicts_with = "rate")]
    load: Option<String>,
    /// The seed of all random choices
    #[arg(long, value_name = "SEED", allow_negative_numbers = true)]
    seed: Option<String>,
    /// Set any field: `--set routing.escape=Dateline`; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
}

impl Fields {
    /// What was set, in the order in which it counts.
    pub(super) fn overrides(&self) -> Vec<Override> {
        let short = [
            ("--rate", "traffic.arrivals.rate", &self.rate),
            ("--load", "traffic.arrivals.load", &self.load),
            ("--seed", "seed", &self.seed),
        ];
        let short = short.into_iter().filter_map(|(option, path, value)| {
            let value = value.clone()?;
            let label = format!("{option} {value}");
            Some(Override { path: path.to_owned(), value, label })
        });
        let set = self.set.iter().map(|(path, value)| Override {
            path: path.clone(),
            value: value.clone(),
            label: format!("--set {path}={value}"),
        });
        short.chain(set).collect()
    }

    /// Opens one scenario.
    pub fn open(&self, name: &str) -> Result<Scenario, files::OpenError> {
        files::open(name, &self.overrides())
    }

    /// Opens a scenario or a saved session.
    pub fn open_any(&self, name: &str) -> Result<files::Opened, files::OpenError> {
        files::open_any(name, &self.overrides())
    }

    /// Opens all scenarios, or says all problems of all of them.
    pub fn open_all(&self, names: &[String]) -> Result<Vec<Arc<Scenario>>, Failure> {
        let (mut scenarios, mut problems) = (Vec::new(), Vec::new());
        for name in names {
            match self.open(name) {
                Ok(scenario) => scenarios.push(Arc::new(scenario)),
                Err(error) => problems.push(error.to_string()),
            }
        }
        if problems.is_empty() {
            Ok(scenarios)
        } else {
            Err(Failure::Scenario(problems.join("\n")))
        }
    }
}

/// A field and the value that it is set to.
pub(super) fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => {
            Ok((path.trim().to_owned(), value.to_owned()))
        }
        _ => Err("this must be a field, `=` and a value, as in `seed=7`".to_owned()),
    }
}

/// When runs end, and how many there are.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Runs")]
pub struct Runs {
    /// End when N messages have been counted after the warm-up (with --precision: at most N)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    messages: Option<u64>,
    /// End when the 95 % interval of the latency is this narrow: half width divided by mean
    /// [default: 0.01, if neither messages nor cycles are given]
    #[arg(long, value_name = "P", value_parser = share)]
    precision: Option<f64>,
    /// End after N cycles (circuits: units of time), saturated or not (with --messages or
    /// --precision: at most N)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cycles: Option<u64>,
    /// Leave out what was generated in the first N cycles (circuits: units of time) [default: found
    /// from the data]
    #[arg(long, value_name = "N")]
    warm_up: Option<u64>,
    /// Make N independent runs of each scenario, and one result of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    replications: Option<u32>,
    /// Runs at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Runs {
    /// The plan.
    pub fn plan(&self) -> Plan {
        Plan {
            end: End::new(self.precision, self.messages, self.cycles),
            warm_up: self.warm_up.map_or(WarmUp::Automatic, WarmUp::Cycles),
            replications: self.replications.unwrap_or(1),
        }
    }

    /// Whether replications were asked for, be it one.
    pub fn replicated(&self) -> bool {
        self.replications.is_some()
    }

    /// Runs at a time, where it was said.
    pub fn jobs(&self) -> Option<usize> {
        self.jobs.map(usize::from)
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("this must be a number between 0 and 1, as in 0.01".to_owned()),
    }
}

/// How results are printed.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = "Output")]
pub struct Printing {
    /// How results are printed
    #[arg(long, value_enum, default_value_t)]
    format: FormatName,
    /// No progress and no remarks on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

impl Printing {
    /// The format.
    pub fn format(self) -> Format {
        match self.format {
            FormatName::Table => Format::Table,
            FormatName::Csv => Format::Csv,
            FormatName::Json => Format::Json,
        }
    }
}

/// A format's name.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum FormatName {
    /// For people
    #[default]
    Table,
    /// Comma-separated values, one line per result
    Csv,
    /// One JSON object per line
    Json,
}

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
            _ => format!("\"{pace}\""),
        });
        let fields = [
            ("theme", word(self.theme)),
            ("color", word(self.color)),
            ("palette", word(self.palette)),
            ("ascii", plain(self.ascii)),
            ("marker", word(self.marker)),
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
            theme: match this.theme.unwrap_or_default() {
                Theme::Auto => ThemeChoice::Auto,
                Theme::Dark => ThemeChoice::Dark,
                Theme::Light => ThemeChoice::Light,
                Theme::Mono => ThemeChoice::Mono,
            },
            color: match this.color.unwrap_or_default() {
                Colours::Auto => ColorChoice::Auto,
                Colours::Never => ColorChoice::Never,
                Colours::Sixteen => ColorChoice::Sixteen,
                Colours::Palette => ColorChoice::Xterm,
                Colours::Truecolor => ColorChoice::True,
            },
            ramp: match this.palette.unwrap_or_default() {
                Palette::Viridis => Ramp::Viridis,
                Palette::Cividis => Ramp::Cividis,
            },
            ascii: this.ascii == Some(true),
            braille: this.marker != Some(Marker::Strokes),
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

impl From<Theme> for ThemeChoice {
    fn from(theme: Theme) -> Self {
        match theme {
            Theme::Auto => Self::Auto,
            Theme::Dark => Self::Dark,
            Theme::Light => Self::Light,
            Theme::Mono => Self::Mono,
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

impl From<Colours> for ColorChoice {
    fn from(colours: Colours) -> Self {
        match colours {
            Colours::Auto => Self::Auto,
            Colours::Never => Self::Never,
            Colours::Sixteen => Self::Sixteen,
            Colours::Palette => Self::Xterm,
            Colours::Truecolor => Self::True,
        }
    }
}
