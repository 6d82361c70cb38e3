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
    Speed,
    View,
    Theme,
    Layout,
    Pane,
    Open,
    Compare,
    Export,
    Window,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    pub name: &'static str,
    /// What follows it; empty if nothing may.
    pub arguments: &'static str,
    pub help: &'static str,
    pub what: What,
}

/// Makes a [`Command`] of each row: its name, what follows it, what it does, and what help says.
macro_rules! commands {
    ($($name:literal $arguments:literal $what:ident $(($with:expr))? $help:literal;)+) => {
        &[$(Command {
            name: $name,
            arguments: $arguments,
            what: What::$what $(($with))?,
            help: $help,
        }),+]
    };
}

/// All commands, those first that are used most.
pub const COMMANDS: &[Command] = commands! {
    "goto" "CYCLE" Answer(Question::Cycle) "go to a cycle: 4000, -500, +500, m1, live";
    "set" "NAME VALUE" Set
        "rate, load (or its letter), seed, perf, palette, or any field of the scenario";
    "speed" "PACE" Speed "cycles per second (of circuits units of time), or max";
    "view" "VIEW" View "what the network shows, by digit or name";
    "theme" "NAME" Theme "dark, light or mono";
    "layout" "NAME" Layout "balanced, network, statistics or teaching";
    "pane" "NAME" Pane "go to a pane, as Tab does, by its name";
    "open" "SCENARIO" Open "open a scenario, built in or a file";
    "compare" "SCENARIO" Compare
        "compare with another scenario, or with this one and a field set: routing=DimensionOrder()";
    "save" "FILE" Answer(Question::File) "write the session into a file";
    "export" "FILE" Export "write summary, histogram and links: CSV or JSON, by the file's ending";
    "record" "FILE" Answer(Question::Recording) "record the screen into a file, an asciicast";
    "picture" "FILE" Answer(Question::Picture) "save the screen as a picture: .svg, .txt or .ans";
    "find" "PLACE" Answer(Question::Place) "go to a node, a worm or a message";
    "break" "CONDITION" Answer(Question::Break)
        "when to stop: chain 5, latency 200, cycle 900, node (3,4), message 12#4, off";
    "events" "KINDS" Answer(Question::Events) "at which events < and > stop";
    "step" "CYCLES" Answer(Question::Cycles) "several cycles, or units of time of circuits, on";
    "back" "CYCLES" Answer(Question::CyclesBack)
        "several cycles, or units of time of circuits, back";
    "window" "CYCLES" Window "average the utilisation over so many cycles";
    "bookmark" "" Do(Action::Time(Time::Bookmark)) "bookmark this cycle, or remove its bookmark";
    "quit" "" Do(Action::Program(Program::Quit)) "leave";
};

/// The command that a line begins with, and the rest of it.
pub fn split(line: &str) -> (&str, &str) {
    let line = line.trim_start().trim_start_matches(':').trim_start();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

pub fn named(word: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(word))
}
