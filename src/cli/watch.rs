//! No command: the screen, or one table where there is no terminal to draw it on.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::against::Against;
use super::compare::Pair;
use super::options::{Colours, Fields, Printing, Screen, Theme};
use super::simulate::Batch;
use super::{output, replay};
use crate::experiment::Plan;
use crate::files::Opened;
use crate::live;
use crate::scenario::{self, Scenario, builtin};
use crate::tui::{self, ColorChoice, ExitReason, Origin, Shelf, ThemeChoice};

/// The scenario that is shown where none is named.
const DEFAULT_SCENARIO: &str = "papers/adaptive-torus-8x8";

/// The arguments without a command.
#[derive(Args, Debug)]
pub struct Watch {
    /// A scenario file, a saved session, the name of a built-in scenario, or `-` for standard input
    /// [default: papers/adaptive-torus-8x8]
    #[arg(value_name = "SCENARIO")]
    scenario: Option<String>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    against: Against,
    #[command(flatten)]
    screen: Screen,
}

/// Opens the screen on a scenario, or prints one table if standard input or output is no terminal.
pub(super) fn watch(watch: &Watch) -> Result<(), Failure> {
    let name = watch.scenario.as_deref().unwrap_or(DEFAULT_SCENARIO);
    let opened = watch.fields.open_any(name)?;
    let screen = io::stdin().is_terminal() && io::stdout().is_terminal();
    let first = match &opened {
        Opened::Scenario(scenario) => scenario,
        Opened::Session(saved) => &*saved.scenario,
    };
    let against = watch.against.open(first, &watch.fields)?;
    match opened {
        Opened::Scenario(scenario) if screen => {
            open_screen(&Arc::new(*scenario), watch.screen, None, against)
        }
        Opened::Session(saved) if screen => {
            let origin = Origin { saved: *saved, path: name.to_owned() };
            let scenario = Arc::clone(&origin.saved.scenario);
            open_screen(&scenario, watch.screen, Some(origin), against)
        }
        Opened::Scenario(scenario) => {
            output::remark(
                "this is not a terminal: no screen, one table (see `flitscope simulate`)",
            );
            print_table(&Arc::new(*scenario), against.as_ref())
        }
        Opened::Session(saved) => {
            output::remark("this is not a terminal: no screen, one table (see `flitscope replay`)");
            replay::make(&saved, Printing::default())
        }
    }
}

/// The one place where the screen is started.
fn open_screen(
    scenario: &Arc<Scenario>,
    screen: Screen,
    session: Option<Origin>,
    against: Option<Arc<Scenario>>,
) -> Result<(), Failure> {
    let shelf = Shelf {
        builtin: builtin::ALL
            .iter()
            .map(|built_in| (built_in.name.to_owned(), built_in.text.to_owned()))
            .collect(),
        folder: Some("scenarios".into()),
        check: |name, text| scenario::parse(name, text, &[]),
    };
    let options = tui::Options {
        theme: match screen.theme {
            Theme::Auto => ThemeChoice::Auto,
            Theme::Dark => ThemeChoice::Dark,
            Theme::Light => ThemeChoice::Light,
            Theme::Mono => ThemeChoice::Mono,
        },
        color: match screen.color {
            Colours::Auto => ColorChoice::Auto,
            Colours::Never => ColorChoice::Never,
            Colours::Sixteen => ColorChoice::Sixteen,
            Colours::Palette => ColorChoice::Xterm,
            Colours::Truecolor => ColorChoice::True,
        },
        ascii: screen.ascii,
        fps: u32::from(screen.fps),
        mouse: !screen.no_mouse,
        session,
        against,
        live: live::Options { keep: screen.keep(), ..live::Options::default() },
        ..tui::Options::new(shelf)
    };
    let report = tui::run(options, Arc::clone(scenario))?;
    match report.reason {
        ExitReason::Quit => Ok(()),
        ExitReason::Signal(signal) => {
            Err(Failure::Interrupted(u8::try_from(signal).unwrap_or(u8::MAX)))
        }
        ExitReason::Died(death) => Err(Failure::Internal(format!(
            "the simulation of {} stopped near cycle {} (seed {}): {}",
            report.scenario.name, death.cycle, death.seed, death.message
        ))),
    }
}

/// One headless run, or two of the same messages, to the default precision, as a table.
fn print_table(scenario: &Arc<Scenario>, against: Option<&Arc<Scenario>>) -> Result<(), Failure> {
    if let Some(against) = against {
        let pair = Pair {
            scenarios: [scenario, against],
            plan: Plan::default(),
            replicated: false,
            jobs: None,
            printing: Printing::default(),
        };
        return pair.run();
    }
    let batch = Batch {
        scenarios: std::slice::from_ref(scenario),
        plan: Plan::default(),
        replicated: false,
        jobs: None,
        printing: Printing::default(),
    };
    batch.run()
}
