//! Commands with arguments, given on the command line or in a prompt.

use crate::units::TimeUnit;

/// A command; a command without a name is available by key only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    /// The name on the command line.
    pub name: &'static str,
    /// The placeholder of the argument; empty for commands without an argument.
    pub arguments: &'static str,
    pub help: &'static str,
    pub what: What,
    /// Question and hint of the prompt for the argument, with times in cycles and in T.
    pub asks: Option<[(&'static str, &'static str); 2]>,
}

/// Declares [`What`], and builds a [`Command`] from each row: effect, name, argument, help, and
/// prompt.
macro_rules! commands {
    ($($what:ident $name:literal $arguments:literal $help:literal
       $(asks $question:literal $hint:literal $(in T $other:literal $other_hint:literal)?)?;)+) => {
        /// The effect of a command.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "each is described by its row's help")]
        pub enum What { $($what),+ }

        const ALL: &[Command] = &[$(Command {
            name: $name,
            arguments: $arguments,
            help: $help,
            what: What::$what,
            asks: commands!(@asks $($question $hint $($other $other_hint)?)?),
        }),+];
    };
    (@asks) => { None };
    (@asks $question:literal $hint:literal) => { Some([($question, $hint); 2]) };
    (@asks $question:literal $hint:literal $other:literal $other_hint:literal) => {
        Some([($question, $hint), ($other, $other_hint)])
    };
}

commands! {
    Cycle "goto" "CYCLE" "go to a cycle: 4000, -500, +500, m1, d1, live"
        asks "to which cycle?" "12000, -500, +500, m1 for bookmark 1, or live"
        in T "to which time, in T?" "12.5, -0.5, +0.5, m1 for bookmark 1, or live";
    Set "set" "NAME VALUE"
        "rate, load (or its letter), seed, perf, palette, or any field of the scenario";
    Speed "speed" "PACE" "cycles per second (of circuits units of time), or max";
    View "view" "VIEW" "what the network shows, by digit or name";
    Theme "theme" "NAME" "dark, light, mono, for colour deficiencies, or your own";
    Layout "layout" "NAME" "balanced, network, statistics or teaching";
    Pane "pane" "NAME" "go to any pane by its name";
    Open "open" "SCENARIO" "open a scenario, built in or a file";
    Compare "compare" "SCENARIO"
        "compare with another scenario, or with this one and a field set: routing=DimensionOrder()";
    Session "save" "FILE" "write the session into a file"
        asks "write the session into which file?" "Enter writes, Esc closes";
    Export "export" "FILE" "write summary, histogram and links: CSV or JSON, by the file's ending";
    Recording "record" "FILE" "record the screen into a file, an asciicast"
        asks "record the screen into which file?" "an asciicast; Enter begins, Esc closes";
    Picture "picture" "FILE" "save the screen as a picture: .svg, .png, .txt or .ans"
        asks "save the screen into which file?" ".svg, .png, .txt, or .ans for text with colours";
    Place "find" "PLACE" "go to a node, a worm or a message"
        asks "find" "(3,4), a router's number, a letter, or a message as 12#4";
    Break "break" "CONDITION"
        "when to stop: chain 5, latency 200, cycle 900, node (3,4), message 12#4, off"
        asks "stop when? now: " "";
    Events "events" "KINDS" "at which events < and > stop"
        asks "at which events do < and > stop?" "injection delivery blocking deadlock failure repair rerouting, or all";
    Cycles "step" "CYCLES" "several cycles, or units of time of circuits, on"
        asks "how many cycles?" "Enter steps, Esc closes"
        in T "how far, in units of time (T)?" "1, 0.05 or 1000; Enter steps, Esc closes";
    CyclesBack "back" "CYCLES" "several cycles, or units of time of circuits, back"
        asks "how many cycles back?" "Enter goes back, Esc closes"
        in T "how far back, in units of time (T)?" "Enter goes back, Esc closes";
    Window "window" "CYCLES" "average the utilisation over this many cycles";
    Fail "fail" "PLACE PLACE"
        "the link between two routers, or one router, fails, or works again: (3,4) (3,5)";
    Bookmark "bookmark" "" "bookmark this cycle, or remove its bookmark";
    Quit "quit" "" "leave";
    Mark "" "NUMBER" "go to a bookmark" asks "to which bookmark?" "";
    Dimension "" "DIGIT" "across a dimension of a hypercube"
        asks "across which dimension?" "a digit (from the tenth on a, b, ...); Esc closes";
    Copy "" "FILE" "edit a copy of the scenario"
        asks "into which file does the copy to edit go?"
        "a built-in scenario stays as it is; Enter writes and edits";
}

/// All commands with names, the most frequent ones first.
pub const COMMANDS: &[Command] = ALL.split_at(What::Mark as usize).0;

impl What {
    /// Question and hint of the prompt for the argument.
    pub fn asks(self, unit: TimeUnit) -> Option<(&'static str, &'static str)> {
        Some(ALL[self as usize].asks?[usize::from(!unit.in_cycles())])
    }
}

/// Splits a line into the name of a command and the rest.
pub fn split(line: &str) -> (&str, &str) {
    let line = line.trim_start().trim_start_matches(':').trim_start();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// Splits the arguments of `set` into a name and a possibly incomplete value; `None` while the name
/// is being typed.
pub fn setting(rest: &str) -> Option<(&str, &str)> {
    let (name, value) = rest.split_once(['=', ' ', '\t'])?;
    Some((name.trim(), value.trim().trim_start_matches('=').trim_start()))
}

/// Finds a command by name.
pub fn named(word: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(word))
}
