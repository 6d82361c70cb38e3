//! The commands that take arguments.

use crate::tui::action::{Action, Program, Time};
use crate::tui::question::Question;

/// What a command does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// What a dialog asks for, answered at once.
    Answer(Question),
    /// An action, which takes nothing.
    Do(Action),
    /// Sets a figure of the run, a field of the scenario or something of the screen.
    Set,
    /// Sets the pace.
    Speed,
    /// Chooses a view.
    View,
    /// Chooses a theme.
    Theme,
    /// Chooses an arrangement of panes.
    Layout,
    /// Goes to a pane.
    Pane,
    /// Opens a scenario.
    Open,
    /// Compares with another run.
    Compare,
    /// Writes the statistics into a file.
    Export,
    /// Sets the averaging window.
    Window,
}

/// A command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What follows it; empty if nothing may.
    pub arguments: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The same, for the program.
    pub what: What,
}

const fn command(
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    what: What,
) -> Command {
    Command { name, arguments, help, what }
}

/// All commands, those first that are used most.
pub const COMMANDS: &[Command] = &[
    command(
        "goto",
        "CYCLE",
        "go to a cycle: 4000, -500, +500, m1, live",
        What::Answer(Question::Cycle),
    ),
    command(
        "set",
        "NAME VALUE",
        "rate, load (or its letter), seed, perf, palette, or any field of the scenario",
        What::Set,
    ),
    command("speed", "PACE", "cycles per second (of circuits units of time), or max", What::Speed),
    command("view", "VIEW", "what the network shows, by digit or name", What::View),
    command("theme", "NAME", "dark, light or mono", What::Theme),
    command("layout", "NAME", "balanced, network, statistics or teaching", What::Layout),
    command("pane", "NAME", "go to a pane, as Tab does, by its name", What::Pane),
    command("open", "SCENARIO", "open a scenario, built in or a file", What::Open),
    command(
        "compare",
        "SCENARIO",
        "compare with another scenario, or with this one and a field set: routing=DimensionOrder()",
        What::Compare,
    ),
    command("save", "FILE", "write the session into a file", What::Answer(Question::File)),
    command(
        "export",
        "FILE",
        "write summary, histogram and links: CSV or JSON, by the file's ending",
        What::Export,
    ),
    command(
        "record",
        "FILE",
        "record the screen into a file, an asciicast",
        What::Answer(Question::Recording),
    ),
    command(
        "picture",
        "FILE",
        "save the screen as a picture: .svg, .txt or .ans",
        What::Answer(Question::Picture),
    ),
    command("find", "PLACE", "go to a node, a worm or a message", What::Answer(Question::Place)),
    command(
        "break",
        "CONDITION",
        "when to stop: chain 5, latency 200, cycle 900, node (3,4), message 12#4, off",
        What::Answer(Question::Break),
    ),
    command("events", "KINDS", "at which events < and > stop", What::Answer(Question::Events)),
    command(
        "step",
        "CYCLES",
        "several cycles, or units of time of circuits, on",
        What::Answer(Question::Cycles),
    ),
    command(
        "back",
        "CYCLES",
        "several cycles, or units of time of circuits, back",
        What::Answer(Question::CyclesBack),
    ),
    command("window", "CYCLES", "average the utilisation over so many cycles", What::Window),
    command(
        "bookmark",
        "",
        "bookmark this cycle, or remove its bookmark",
        What::Do(Action::Time(Time::Bookmark)),
    ),
    command("quit", "", "leave", What::Do(Action::Program(Program::Quit))),
];

/// The command that a line begins with, and the rest of it.
pub fn split(line: &str) -> (&str, &str) {
    let line = line.trim_start().trim_start_matches(':').trim_start();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// The command of this name.
pub fn named(word: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        assert_eq!(split(" :goto   4000 "), ("goto", "4000"));
        assert_eq!(split("quit"), ("quit", ""));
        assert_eq!(
            split("set network Mesh(radix: [8, 8])"),
            ("set", "network Mesh(radix: [8, 8])")
        );
        assert_eq!(named("GOTO").map(|command| command.what), Some(What::Answer(Question::Cycle)));
        assert_eq!(named("got"), None);
    }

    #[test]
    fn every_command_is_there_once_and_says_what_it_does() {
        for (at, command) in COMMANDS.iter().enumerate() {
            assert!(!command.help.is_empty(), "{command:?}");
            assert!(COMMANDS[at + 1..].iter().all(|other| other.name != command.name));
            assert!(COMMANDS[at + 1..].iter().all(|other| other.what != command.what));
        }
    }
}
