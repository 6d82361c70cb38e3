//! `tour`: opens the screen with a tour, or lists and checks tours.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::options::Screen;
use super::watch::open_screen;
use super::{Failure, config, output};
use crate::files;
use crate::scenario::nearest;
use crate::tui::bindings::Keymap;
use crate::tui::film::{self, FilmError, SIZE};
use crate::tui::tour::{self, Stop};
use crate::tui::{self, Library, Shelf};

/// The arguments of `tour`.
#[derive(Args, Debug)]
pub(super) struct Tour {
    /// The stop to begin with, by its number or name, or a file with a stop of one's own
    /// [default: that at which the tour was left, else 1]
    #[arg(value_name = "STOP")]
    stop: Option<String>,
    /// List the stops, and do nothing else
    #[arg(long, conflicts_with = "stop")]
    list: bool,
    /// Print the text of the stop, and do nothing else
    #[arg(long, requires = "stop")]
    print: bool,
    /// Play the stop by its own keys, without a terminal, and say whether its tasks can be done
    #[arg(long, requires = "stop", conflicts_with = "print")]
    check: bool,
    #[command(flatten)]
    screen: Screen,
}

impl Tour {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.list {
            let width = tour::texts().iter().map(|(name, _)| name.len()).max().unwrap_or(0);
            let line = |(nth, stop): (usize, Stop)| {
                format!("{nth}  {:<width$}  {}\n", stop.name, stop.title)
            };
            return output::print(&(1..).zip(tour::included()).map(line).collect::<String>());
        }
        let shelf = config::shelf();
        let left = || shelf.stop_left().filter(|name| tour::texts().iter().any(|it| it.0 == name));
        let wanted = self.stop.clone().or_else(left).unwrap_or_else(|| "1".to_owned());
        let wanted = wanted.as_str();
        let place = place(wanted)?;
        if self.print {
            let text = match place {
                Some(at) => tour::texts()[at].1.to_owned(),
                None => files::read_file(wanted)?,
            };
            return output::print(&text);
        }
        let (stops, at) = match place {
            Some(at) => (tour::included(), at),
            None => (vec![tour::parse(wanted, &files::read_file(wanted)?)?], 0),
        };
        let file = config::load(None)?;
        let screen = self.screen.or(file.screen).with_themes(&file.themes)?;
        if self.check {
            return check(&stops[at], &screen);
        }
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            let what = "the tour needs a terminal, and this is none";
            return Err(Failure::usage(what, "`flitscope tour --list` lists the stops"));
        }
        let scenario = Arc::clone(&stops[at].scenario);
        let tour = Some(tour::Tour::new(stops, at));
        let (own, looks) = (file.own(), file.themes);
        let options = screen.options(shelf, file.keys);
        open_screen(&scenario, tui::Options { looks, own, tour, ..options })
    }
}

/// The index of a built-in stop; `None` for an existing file.
fn place(wanted: &str) -> Result<Option<usize>, Failure> {
    let stops = tour::texts();
    let named = stops.iter().position(|&(name, _)| name == wanted);
    let number = wanted.parse().ok().filter(|number| (1..=stops.len()).contains(number));
    if let Some(at) = named.or(number.map(|number| number - 1)) {
        return Ok(Some(at));
    }
    if Path::new(wanted).exists() {
        return Ok(None);
    }
    let what = format!("there is no stop and no file `{}`", wanted.escape_debug());
    let near = nearest(wanted, stops.iter().map(|&(name, _)| name));
    Err(Failure::unknown(&what, near, "`flitscope tour --list` lists the stops"))
}

/// Plays a stop by its keys, at two terminal sizes.
fn check(stop: &Stop, screen: &Screen) -> Result<(), Failure> {
    for size in [(80, 24), SIZE] {
        let options = screen.options(Shelf::default(), Keymap::default());
        film::rehearse(options, stop, size, |_| {}).map_err(|spoilt| match spoilt {
            FilmError::Io(error) => Failure::from(error),
            FilmError::Script(problem) => Failure::Undone(problem.to_string()),
        })?;
    }
    let (name, steps) = (&stop.name, stop.steps.len());
    output::print(&format!("{name}: all {steps} steps can be done, at 80x24 and at 120x40\n"))
}
