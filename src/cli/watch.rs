//! Opens the screen without a command, or prints one table without a terminal.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::messages::Files;
use super::options::{Against, Casting, Fields, Printing, Runs, Screen};
use super::plain::Lines;
use super::simulate::simulate;
use super::{config, memory, output, plan, replay, study};
use crate::experiment::sweep::Results;
use crate::files::{self, ParsedFile};
use crate::scenario::Scenario;
use crate::session::fault::Fault;
use crate::tui::{self, ExitReason, Origin};

/// The default scenario.
pub(super) const DEFAULT_SCENARIO: &str = "torus-8x8";
/// The default folder of a study given by its file.
pub(super) const STUDIES: &str = "sweep";

/// The arguments without a command.
#[derive(Args, Debug)]
pub struct Watch {
    /// A scenario file, a saved session, the name of a built-in scenario, `-` for standard input, or the
    /// folder of a study or a study's file [default: torus-8x8]
    #[arg(value_name = "SCENARIO")]
    scenario: Option<String>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    against: Against,
    /// Compare the network with that of this file or scenario: what is missing, unplanned or miswired is
    /// marked
    #[arg(long, value_name = "FILE", help_heading = "Comparison")]
    plan: Option<String>,
    #[command(flatten)]
    screen: Screen,
    /// The folder of the results of a study's file, which is made if need be
    #[arg(long, value_name = "FOLDER", default_value = STUDIES, help_heading = "Studies")]
    out: PathBuf,
    #[command(flatten)]
    setting: Setting,
    #[command(flatten)]
    lines: Lines,
    /// Record the screen into this file, an asciicast
    #[arg(long, value_name = "FILE", help_heading = "Recording")]
    record: Option<String>,
    #[command(flatten)]
    casting: Casting,
    /// Say first what this is, as at the very first start
    #[arg(long, help_heading = "Screen")]
    welcome: bool,
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
    let screen = watch.screen.or(file.screen).with_themes(&file.themes)?;
    let own = file.own();
    let given = watch.scenario.clone().or_else(|| file.scenario.clone());
    let name = given.as_deref().unwrap_or(DEFAULT_SCENARIO);
    if watch.setting.print_config {
        return output::print(&config::text(name, &screen.filled(), &file));
    }
    if watch.setting.print_keys {
        return output::print(&config::key_table(&file.keys));
    }
    let study = study::open(name, &watch.out, &watch.fields.overrides())?;
    let (scenario, session) = match &study {
        Some(folder) => (study::first_of(folder)?, None),
        None => opened(watch, name)?,
    };
    let (scenario, planned) = match &watch.plan {
        Some(_) if study.is_some() || session.is_some() => {
            let what = "--plan compares a network, and this is a study or a saved session";
            return Err(Failure::usage(what, "name a network file or a scenario"));
        }
        Some(plan) => {
            let (scenario, planned) = plan::on_screen((name, scenario), plan)?;
            (scenario, Some(planned))
        }
        None => (scenario, None),
    };
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let lines = watch.lines.wanted(terminal);
    if study.is_some() && (lines || watch.against.is_given()) {
        return Err(study::no_run());
    }
    let against = watch.against.open(&scenario, &watch.fields)?;
    if let Some(path) = watch.record.as_ref()
        && std::path::Path::new(path).extension().is_some_and(|it| it == "svg")
    {
        let what = format!("`{path}`: the screen is recorded as an asciicast");
        let help = "name it .cast; `flitscope record` makes .svg films";
        return Err(Failure::usage(what, help));
    }
    if watch.record.is_some() && (lines || !terminal) {
        let what = "there is no screen to record: this is not a terminal, or lines are wanted";
        let help = "`flitscope record` makes recordings without a terminal";
        return Err(Failure::usage(what, help));
    }
    if lines {
        if against.is_some() {
            let help = "`flitscope simulate A --against B` compares two runs without a screen";
            return Err(Failure::usage("--plain shows one run", help));
        }
        if session.is_some() {
            let help = "`flitscope replay SESSION` makes its run without the screen";
            let what = "--plain takes a scenario, and this is a saved session";
            return Err(Failure::usage(what, help));
        }
        if planned.is_some() {
            scenario.notes.iter().for_each(|note| output::remark_about(name, note));
        }
        return watch.lines.watch(scenario, screen.pace);
    }
    if terminal {
        let shelf = config::shelf();
        let looks = file.themes;
        let options = tui::Options { looks, own, ..screen.options(shelf, file.keys) };
        let grow = |path: &String| files::grow(path, watch.casting.force);
        let record =
            watch.record.as_ref().map(|path| Ok::<_, Failure>((path.clone(), grow(path)?)));
        let (record, header) = (record.transpose()?, watch.casting.header());
        // Films show the welcome card only on request.
        let silent = record.is_some()
            || session.is_some()
            || study.is_some()
            || watch.setting.config.is_some();
        let card = watch.welcome || !silent && config::is_first_start();
        let options =
            tui::Options { session, header, record, against, study, planned, card, ..options };
        return open_screen(&scenario, options);
    }
    let remark = |command| {
        let text = "this is not a terminal: no screen, one table";
        output::remark(&format!("{text} (see `flitscope {command}`)"));
    };
    let printing = Printing::default();
    if let Some(folder) = study {
        remark("sweep merge");
        return output::print(&Results::of(&folder, true).text());
    }
    match session {
        None => {
            remark("simulate");
            simulate(&[scenario], against.as_ref(), &Runs::default(), (printing, Files::default()))
        }
        Some(origin) => {
            remark("replay");
            replay::make(&origin.saved, printing)
        }
    }
}

/// Opens the scenario or session of a name; a remark states the command that compares a network in parts.
fn opened(watch: &Watch, name: &str) -> Result<(Arc<Scenario>, Option<Origin>), Failure> {
    let opened = watch.fields.open_any(name);
    if let (Err(_), Some(plan)) = (&opened, &watch.plan)
        && plan::is_in_parts(name)
    {
        let command = format!("flitscope check {name} --plan {plan}");
        output::remark(&format!("`{command}` compares a network in parts, too"));
    }
    Ok(run_of(opened?, name))
}

/// The scenario to run, and the session to continue, if any.
pub(super) fn run_of(opened: ParsedFile, name: &str) -> (Arc<Scenario>, Option<Origin>) {
    match opened {
        ParsedFile::Scenario(scenario) => (Arc::new(*scenario), None),
        ParsedFile::Session(saved) => {
            let origin = Origin { saved: *saved, path: name.to_owned() };
            (Arc::clone(&origin.saved.scenario), Some(origin))
        }
    }
}

/// Runs the screen; every command opens the screen here.
pub(super) fn open_screen(
    scenario: &Arc<Scenario>,
    mut options: tui::Options,
) -> Result<(), Failure> {
    // The history must leave memory for the run itself.
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
        ExitReason::Died(death) => {
            let what = format!(
                "the simulation of {} stopped near cycle {} (seed {}): {}",
                report.scenario.name, death.cycle, death.seed, death.fault.what
            );
            Err(Fault { what, ..death.fault }.into())
        }
    }
}
