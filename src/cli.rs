//! The command line: argument parsing and dispatch to the commands.

mod bench_case;
mod builtin_files;
mod check;
pub mod config;
mod failure;
mod import;
mod interruption;
mod late_predictions;
mod man;
mod memory;
mod mend;
mod messages;
mod network;
pub mod options;
mod output;
mod plain;
mod plan;
mod point_runs;
mod predict;
mod progress;
mod ranking;
mod record;
mod replay;
mod reproduce;
mod route;
mod row_file;
mod shrink;
mod simulate;
mod study;
mod sweep;
mod tour;
mod trace_file;
mod watch;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::{Parser, Subcommand};

use crate::session::fault::Fault;
use crate::text;

pub use failure::Failure;
pub use watch::Watch;

/// The exit statuses, as text for the end of the help.
fn statuses() -> String {
    let each = failure::STATUSES.iter().map(|(status, meaning)| format!("{status} {meaning}"));
    format!("Exit status: {}.", each.collect::<Vec<_>>().join(", "))
}

/// Watch, stop and measure an interconnection network one flit at a time.
#[derive(Parser, Debug)]
#[command(name = "flitscope", version = env!("FLITSCOPE_VERSION"), max_term_width = 100, after_help = statuses())]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    watch: Watch,
}

/// The commands besides the screen.
#[derive(Subcommand, Debug)]
enum Command {
    /// Learn by doing: stops of a few minutes each, from a worm to saturation
    Tour(tour::Tour),
    /// Run scenarios without the screen and print what was measured, or which value of a field is best
    /// (--rank)
    Simulate(simulate::Simulate),
    /// Run a scenario at many loads and with many values of its fields, into tables and plots
    Sweep(sweep::Sweep),
    /// Make the run of a saved session again, without the screen
    Replay(replay::Replay),
    /// Say what the models predict, term by term
    Predict(predict::Predict),
    /// Say whether scenarios are correct
    Check(check::Check),
    /// Print the network of a scenario, or a network file, in a format of other programs
    Network(network::Network),
    /// Convert a trace of another program to a table of messages
    Import(import::Import),
    /// Find short, balanced and deadlock-free routes for any network
    Route(route::Route),
    /// Reduce a deadlock to the fewest and shortest messages on the smallest network
    Shrink(shrink::Shrink),
    /// Run the tables, figures and claims of papers again
    Reproduce(reproduce::Reproduce),
    /// Make a recording of the screen from a script of keys, without a terminal
    Record(record::Record),
    /// List the scenarios built in, or print one
    Scenarios(builtin_files::Scenarios),
    /// Print a topic of the guide, or list the topics
    Guide(builtin_files::Guide),
    /// Print the completions for a shell
    Completions(builtin_files::Completions),
    /// Print the manual page, or write those of all commands
    Man(man::Manual),
    /// Run one case of the speed measurements and print its flit-hops
    #[command(hide = true)]
    BenchCase(bench_case::BenchCase),
}

/// Parses `arguments`, the first being the program's name, and runs the command.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let arguments = match Arguments::try_parse_from(&arguments) {
        Ok(arguments) => arguments,
        Err(answer) if answer.use_stderr() => {
            return Err(slip(&arguments).unwrap_or_else(|| misread(&arguments, &answer)));
        }
        Err(help) => return output::print(&help.render().to_string()),
    };
    if let Some(bytes) = memory::available() {
        crate::memory::limit(bytes);
        memory::watch();
    }
    catch_unwind(AssertUnwindSafe(|| execute(&arguments)))
        .unwrap_or_else(|panic| Err(Fault::of(&*panic).into()))
}

/// Usage error for arguments not understood, without characters able to control a terminal.
fn misread(arguments: &[OsString], answer: &clap::Error) -> Failure {
    let shown = |argument: &OsString| text::line(&argument.to_string_lossy());
    let again = Arguments::try_parse_from(arguments.iter().map(shown));
    match again {
        Err(answer) => Failure::of_usage(&answer),
        // Only the control characters were wrong.
        Ok(_) => Failure::Usage(text::lines(&answer.render().to_string())),
    }
}

fn execute(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        None => watch::watch(&arguments.watch),
        Some(Command::Tour(tour)) => tour.run(),
        Some(Command::Simulate(simulate)) => simulate.run(),
        Some(Command::Sweep(sweep)) => sweep.run(),
        Some(Command::Replay(replay)) => replay.run(),
        Some(Command::Predict(predict)) => predict.run(),
        Some(Command::Check(check)) => check.run(),
        Some(Command::Network(network)) => network.run(),
        Some(Command::Import(import)) => import.run(),
        Some(Command::Route(route)) => route.run(),
        Some(Command::Shrink(shrink)) => shrink.run(),
        Some(Command::Reproduce(reproduce)) => reproduce.run(),
        Some(Command::Record(record)) => record.run(),
        Some(Command::Scenarios(scenarios)) => scenarios.run(),
        Some(Command::Guide(guide)) => guide.run(),
        Some(Command::Completions(completions)) => completions.run(),
        Some(Command::Man(manual)) => manual.run(),
        Some(Command::BenchCase(case)) => case.run(),
    }
}

/// Detects slips about the command: options before the command, or an unknown word in place of the
/// command, followed by more.
fn slip(arguments: &[OsString]) -> Option<Failure> {
    let words: Vec<&str> = arguments.iter().skip(1).map_while(|word| word.to_str()).collect();
    let (&first, rest) = words.split_first()?;
    let definition = definition();
    let known: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
    let slip = |what: String, help: String| Some(Failure::usage(what.escape_debug(), help));
    if first.starts_with('-') {
        let command = rest.iter().find(|word| known.contains(word))?;
        let what = format!("`{first}` stands before the command `{command}`");
        return slip(what, format!("write `flitscope {command} ... {first} ...`"));
    }
    if first == "help" || known.contains(&first) || rest.first()?.starts_with('-') {
        return None;
    }
    let nearest = known.iter().min_by_key(|name| strsim::damerau_levenshtein(first, name))?;
    let help = if ["compare", "rank"].contains(&first) {
        "`flitscope simulate` compares: two with `--against`, all values of a field with `--rank`"
            .into()
    } else if strsim::damerau_levenshtein(first, nearest) <= 3 {
        format!("did you mean `{nearest}`?")
    } else {
        "`flitscope help` lists the commands".to_owned()
    };
    slip(format!("there is no command `{first}`"), help)
}

/// The definition of the command line, used to generate completions and manual pages.
pub fn definition() -> clap::Command {
    <Arguments as clap::CommandFactory>::command()
}

#[cfg(test)]
mod tests;
