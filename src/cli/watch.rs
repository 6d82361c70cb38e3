//! No command: the screen, or one table where there is no terminal to draw it on.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::against::Against;
use super::compare::Pair;
use super::options::{Fields, Printing, Screen};
use super::plain::Lines;
use super::recording::Casting;
use super::simulate::Batch;
use super::{config, memory, output, replay};
use crate::experiment::Plan;
use crate::files::{self, Opened};
use crate::scenario::{self, Scenario, builtin};
use crate::tui::{self, ExitReason, Origin, Shelf};

/// The scenario that is shown where none is named.
pub(super) const DEFAULT_SCENARIO: &str = "papers/adaptive-torus-8x8";

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
    #[command(flatten)]
    setting: Setting,
    #[command(flatten)]
    lines: Lines,
    /// Record the screen into this file, an asciicast
    #[arg(long, value_name = "FILE", help_heading = "Recording")]
    record: Option<String>,
    #[command(flatten)]
    casting: Casting,
}

impl Watch {
    /// How the screen is recorded.
    fn recording(&self) -> Result<tui::Recording, Failure> {
        let file = match &self.record {
            Some(path) => Some((path.clone(), files::grow(path, self.casting.force)?)),
            None => None,
        };
        let (format, idle_limit) = (self.casting.format(), self.casting.idle_limit);
        Ok(tui::Recording { format, idle_limit, file })
    }
}

/// The configuration file.
#[derive(Args, Debug)]
#[command(next_help_heading = "Configuration")]
struct Setting {
    /// The configuration file [default: `$FLITSCOPE_CONFIG`, else flitscope/config.ron in
    /// `$XDG_CONFIG_HOME` or ~/.config]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the configuration in force as such a file, and do nothing else
    #[arg(long, conflicts_with = "print_keys")]
    print_config: bool,
    /// Print the keys as they are bound, with the names of what they do, and do nothing else
    #[arg(long)]
    print_keys: bool,
}

/// Opens the screen on a scenario, or prints one table if standard input or output is no terminal.
pub(super) fn watch(watch: &Watch) -> Result<(), Failure> {
    let file = config::load(watch.setting.config.as_deref())?;
    let screen = watch.screen.or(file.screen);
    let given = watch.scenario.clone().or(file.scenario);
    let name = given.as_deref().unwrap_or(DEFAULT_SCENARIO);
    if watch.setting.print_config {
        return output::print(&config::text(name, &screen.filled(), &file.keys));
    }
    if watch.setting.print_keys {
        return output::print(&config::key_table(&file.keys));
    }
    let opened = watch.fields.open_any(name)?;
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let first = match &opened {
        Opened::Scenario(scenario) => scenario,
        Opened::Session(saved) => &*saved.scenario,
    };
    let against = watch.against.open(first, &watch.fields)?;
    let lines = watch.lines.wanted(terminal);
    if watch.record.is_some() && (lines || !terminal) {
        let text = "error: there is no screen to record: this is not a terminal, or lines are wanted\n \
                    = help: `flitscope record` makes recordings without a terminal";
        return Err(Failure::Usage(text.to_owned()));
    }
    if lines {
        if against.is_some() {
            let help = "`flitscope simulate A --against B` compares two runs without a screen";
            return Err(Failure::Usage(format!("error: --plain shows one run\n = help: {help}")));
        }
        return watch.lines.watch(opened, screen.pace);
    }
    match opened {
        Opened::Scenario(scenario) if terminal => {
            let options = screen.options(shelf(), file.keys);
            let recording = watch.recording()?;
            open_screen(&Arc::new(*scenario), tui::Options { recording, against, ..options })
        }
        Opened::Session(saved) if terminal => {
            let origin = Origin { saved: *saved, path: name.to_owned() };
            let scenario = Arc::clone(&origin.saved.scenario);
            let session = Some(origin);
            let options = screen.options(shelf(), file.keys);
            let recording = watch.recording()?;
            open_screen(&scenario, tui::Options { session, recording, against, ..options })
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

/// Where the chooser finds scenarios.
pub(super) fn shelf() -> Shelf {
    Shelf {
        builtin: builtin::ALL
            .iter()
            .map(|built_in| (built_in.name.to_owned(), built_in.text.to_owned()))
            .collect(),
        folders: vec!["scenarios".into(), ".".into()],
        check: |name, text| scenario::parse(name, text, &[]),
    }
}

/// The one place where the screen is started.
fn open_screen(scenario: &Arc<Scenario>, mut options: tui::Options) -> Result<(), Failure> {
    // What is kept for going back must leave room for the run itself.
    let left = memory::available().map_or(usize::MAX, |bytes| (bytes / 4) as usize);
    options.live.keep.bytes = options.live.keep.bytes.min(left);
    let report = tui::run(options, Arc::clone(scenario))?;
    if let Some(recorded) = &report.recorded {
        recorded.lines().for_each(output::remark);
    }
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
