//! `man`: writes manual pages.
//!
//! The pages are generated from the definition of the command line and the table of keys.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;
use roff::{Roff, bold, roman};

use super::config::{self, VARIABLE};
use super::failure::STATUSES;
use super::options::Screen;
use super::watch::DEFAULT_SCENARIO;
use super::{Failure, output};
use crate::files;
use crate::scenario::names::nearest;
use crate::tui::bindings::{BINDINGS, Group, Keymap};

/// The arguments of `man`.
#[derive(Args, Debug)]
pub(super) struct Manual {
    /// The page of a command [default: that of the program]
    #[arg(long, value_name = "NAME", conflicts_with = "out")]
    command: Option<String>,
    /// Write all pages into a directory, which must be there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const FILES: &[(&str, &str)] = &[
    (
        "$XDG_CONFIG_HOME/flitscope/config.ron",
        "The configuration; without XDG_CONFIG_HOME it is ~/.config/flitscope/config.ron. What is \
         missing in it keeps its default, and options on the command line win. With its defaults it \
         reads:",
    ),
    (
        "$XDG_STATE_HOME/flitscope/recent",
        "The files that were opened lately; without XDG_STATE_HOME below ~/.local/state.",
    ),
    ("$XDG_STATE_HOME/flitscope/tour", "The stop at which the tour was left."),
    ("scenarios/*.ron", "The scenarios that the screen offers besides those built in."),
    (
        "sweep/",
        "The folder of a study: what is run, a file for each finished point, tables and plots.",
    ),
    ("*.cast", "Recordings of the screen, asciicasts of version 3 or 2."),
    ("*.session.ron", "Sessions that were saved on the screen; `flitscope FILE` opens them again."),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    (VARIABLE, "The configuration file; empty: none at all."),
    ("XDG_CONFIG_HOME", "Where configurations are kept."),
    ("XDG_STATE_HOME", "Where the program keeps what it remembers."),
    ("VISUAL, EDITOR", "The editor of scenarios, the first that is set; else vi."),
    ("NO_COLOR", "Set and not empty: no colours, unless asked for."),
    (
        "COLORTERM, TERM, TERM_PROGRAM, VTE_VERSION",
        "How many colours the terminal has (where they promise 256, it is asked for more), and whether \
         it makes links of the names of files (OSC 8). With TERM=dumb there is no screen, but lines of \
         text.",
    ),
    ("COLORFGBG", "Whether the terminal is light or dark, where it does not answer (OSC 11)."),
    ("LC_ALL, LC_CTYPE, LANG", "Whether the terminal understands UTF-8, the first that is set."),
];

impl Manual {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut definition = super::definition();
        definition.build();
        if let Some(folder) = &self.out {
            for command in pages(&definition) {
                let name = format!("{}.1", page_name(command));
                let path = folder.join(&name);
                files::write(&path, &text(command)?, true)?;
                output::print(&format!("{}\n", output::file_name(&path, &io::stdout())))?;
            }
            return Ok(());
        }
        let Some(name) = &self.command else { return output::print(&text(&definition)?) };
        if let Some(command) = pages(&definition).find(|command| command.get_name() == name) {
            return output::print(&text(command)?);
        }
        let near = nearest(name, pages(&definition).map(Command::get_name));
        let what = format!("there is no command `{}`", name.escape_debug());
        Err(Failure::unknown(&what, near, "`flitscope help` lists the commands"))
    }
}

/// The program and all visible commands, recursively.
fn pages(definition: &Command) -> Box<dyn Iterator<Item = &Command> + '_> {
    let commands = definition.get_subcommands().filter(|command| !command.is_hide_set());
    let commands = commands.filter(|command| command.get_name() != "help");
    Box::new(std::iter::once(definition).chain(commands.flat_map(pages)))
}

/// `flitscope-simulate`.
fn page_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

fn text(command: &Command) -> Result<String, Failure> {
    let man =
        Man::new(command.clone()).title(page_name(command).to_uppercase()).manual("flitscope");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let program = command.get_name() == "flitscope";
    if program {
        keys().to_writer(&mut page)?;
        files_section().to_writer(&mut page)?;
        let mut roff = Roff::new();
        roff.control("SH", ["ENVIRONMENT"]);
        list(&mut roff, ENVIRONMENT);
        roff.to_writer(&mut page)?;
    }
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    for (status, meaning) in STATUSES {
        entry(&mut roff, &status.to_string(), meaning);
    }
    if !program {
        roff.control("SH", ["SEE ALSO"]);
        roff.text([bold("flitscope"), roman("(1)")]);
    }
    roff.to_writer(&mut page)?;
    if program {
        man.render_version_section(&mut page)?;
    }
    String::from_utf8(page).map_err(|error| Failure::Internal(error.to_string()))
}

/// The table of keys, with a heading for each group.
fn keys() -> Roff {
    let mut roff = Roff::new();
    let keys = Keymap::default();
    roff.control("SH", ["KEYS"]);
    roff.text([roman(
        "Any of them can be bound otherwise in the configuration; \
         `flitscope --print-keys` prints them as they are bound, with the names of what they do.",
    )]);
    for &group in Group::ALL {
        roff.control("SS", [group.title()]);
        for binding in BINDINGS.iter().filter(|binding| binding.group == group) {
            entry(&mut roff, &keys.names(binding, usize::MAX), binding.help);
        }
    }
    roff
}

fn files_section() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["FILES"]);
    let (first, rest) = FILES.split_at(1);
    list(&mut roff, first);
    roff.control("RS", []);
    roff.control("nf", []);
    let screen = Screen::default().filled();
    let sample = config::text(DEFAULT_SCENARIO, &screen, &config::File::default());
    for line in sample.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.control("RE", []);
    list(&mut roff, rest);
    roff
}

fn list(roff: &mut Roff, entries: &[(&str, &str)]) {
    for (name, meaning) in entries {
        entry(roff, name, meaning);
    }
}

fn entry(roff: &mut Roff, name: &str, meaning: &str) {
    roff.control("TP", []);
    roff.text([bold(name)]);
    roff.text([roman(meaning)]);
}

#[cfg(test)]
mod tests;
