//! Prompts and the command line: offered values, parsing of answers, completions.

use std::fmt::Display;

use super::{App, Dialog, Prompt};
use crate::ids::{ChannelId, MessageId, RouterId};
use crate::live::CONDITIONS;
use crate::scenario::{self, Problem, nearest};
use crate::session::events::Events;
use crate::session::explanation::Grant;
use crate::tui::action::{Action, Answer, Grid, Program};
use crate::tui::bindings::{action_name, bindable};
use crate::tui::chooser::settings;
use crate::tui::layout::Preset;
use crate::tui::palette::commands::{COMMANDS, What, named, setting, split};
use crate::tui::palette::{LineEffect, Match, Palette, rank, remember};
use crate::tui::pen::grouped;
use crate::tui::theme::Ramp;
use crate::tui::view::{Pane, View};

/// Maximum number of cycles in an answer.
const CYCLES_MAX: u64 = 1_000_000_000_000;

/// Names accepted by `set`, besides the fields of the scenario.
pub(super) const SETTINGS: [&str; 6] = ["rate", "load", "λ", "seed", "perf", "palette"];

impl App {
    pub(super) fn ask(&mut self, what: What) {
        let (text, _) = self.offers(what);
        self.dialog = Some(Dialog::Prompt(Prompt { what, text: text.into(), error: None }));
    }

    /// The initial text of a prompt, and suggested arguments with descriptions.
    pub(super) fn offers(&self, what: What) -> (String, Vec<(String, String)>) {
        let plain = |name: &str| (name.to_owned(), String::new());
        let file = |name: String| (name.clone(), vec![(name, String::new())]);
        let arguments = match what {
            What::Cycles | What::CyclesBack => {
                return (self.motion.step_many_text.clone(), Vec::new());
            }
            What::Mark if self.update.bookmarks.len() == 1 => return ("1".to_owned(), Vec::new()),
            What::Events => {
                let kinds = Events::all().names();
                let kinds =
                    std::iter::once("all").chain(kinds.iter().map(String::as_str)).map(plain);
                return (self.motion.events.names().join(" "), kinds.collect());
            }
            What::Session => {
                let name = || self.cycle_name("", ".session.ron");
                return file(self.path.clone().unwrap_or_else(name));
            }
            What::Recording => return file(self.cycle_name("flitscope-", ".cast")),
            What::Picture => return file(self.cycle_name("flitscope-", ".svg")),
            What::Copy => return file(self.file_name(".ron")),
            What::Cycle => {
                let marks = (1..).zip(&self.update.bookmarks);
                let marks =
                    marks.map(|(number, &mark)| (format!("m{number}"), self.times().now(mark)));
                let grants = (1..).zip(self.grants());
                let grants = grants.filter_map(|(number, grant)| {
                    Some((format!("d{number}"), self.times().now(grant.cycle?.0)))
                });
                ["live", "0"].map(plain).into_iter().chain(marks).chain(grants).collect()
            }
            What::Set => {
                let fields = scenario::fields(&self.update.scenario).into_iter();
                let fields = fields.filter(|field| !SETTINGS.contains(&field.as_str()));
                let fields = fields.map(|field| (field, "of the scenario".to_owned()));
                let settings =
                    SETTINGS.map(|name| (name.to_owned(), format!("now {}", self.setting(name))));
                settings.into_iter().chain(fields).collect()
            }
            What::Speed => ["max", "natural"].map(plain).to_vec(),
            What::View => views().map(|(name, help, _)| (name, help.to_owned())).collect(),
            What::Layout => Preset::ALL
                .map(|preset| (preset.name().to_owned(), preset.about().to_owned()))
                .to_vec(),
            What::Pane => Pane::ALL.iter().map(|pane| plain(pane.name())).collect(),
            What::Theme => self.looks.all(self.theme).iter().map(|(name, _)| plain(name)).collect(),
            What::Open | What::Compare => {
                self.library.list().into_iter().map(|entry| plain(&entry.name)).collect()
            }
            What::Break => CONDITIONS.iter().map(|it| it.0).chain(["off"]).map(plain).collect(),
            What::Export => {
                let name = self.file_name("");
                let name = name.trim_end_matches('.');
                [".csv", ".json"].map(|ending| plain(&format!("{name}{ending}"))).to_vec()
            }
            What::Place
            | What::Fail
            | What::Window
            | What::Bookmark
            | What::Quit
            | What::Mark
            | What::Dimension => Vec::new(),
        };
        (String::new(), arguments)
    }

    /// Parses a number of cycles, or for circuits of units of time.
    pub(super) fn span(&self, text: &str) -> Result<u64, String> {
        let times = self.times();
        let digits: String = text.chars().filter(|c| !", _".contains(*c)).collect();
        if !times.in_cycles() {
            let wanted = "a number of units of time above 0, up to 1,000,000,000";
            return times.parse(&digits).ok_or_else(|| wanted.to_owned());
        }
        match digits.parse() {
            Ok(cycles @ 1..=CYCLES_MAX) => Ok(cycles),
            Ok(_) => Err(format!("from 1 to {} cycles", grouped(CYCLES_MAX))),
            Err(_) => Err("a whole number of cycles, please".to_owned()),
        }
    }

    /// Parses a cycle: a number, an offset such as `-500`, a bookmark `m1`, a grant `d1`, or
    /// `live`.
    pub(super) fn cycle_named(&self, text: &str) -> Result<u64, String> {
        let (now, text) = (self.update.snapshot.cycle.0, text.trim());
        if text == "live" {
            return Ok(self.update.live.0);
        }
        if let Some(mark) = text.strip_prefix('m') {
            return self.bookmark_named(mark);
        }
        if let Some(number) = text.strip_prefix('d') {
            return self.grant_numbered(number);
        }
        match text.strip_prefix(['+', '-']) {
            Some(cycles) if text.starts_with('-') => Ok(now.saturating_sub(self.span(cycles)?)),
            Some(cycles) => Ok((now + self.span(cycles)?).min(CYCLES_MAX)),
            None if text == "0" => Ok(0),
            None => self.span(text),
        }
    }

    /// The grants that built the deadlock, as far as explained.
    pub(in crate::tui) fn grants(&self) -> &[Grant] {
        let found = self.update.single_messages.explanation.as_ref();
        found.map_or(&[], |it| &it.grants)
    }

    /// A grant that built the deadlock, numbered from 1.
    fn grant(&self, number: &str) -> Option<&Grant> {
        let number: usize = number.trim().parse().ok()?;
        self.grants().get(number.checked_sub(1)?)
    }

    /// The holder of the grant in an answer such as `d1`, and the router of the grant.
    pub(super) fn place_of_grant(&self, answer: &str) -> Option<(MessageId, RouterId)> {
        let grant = self.grant(answer.trim().strip_prefix('d')?)?;
        let link = ChannelId(grant.vc.0 / self.system().relation.virtual_channels());
        Some((grant.holder, self.network().channel(link).from))
    }

    /// The cycle of a grant that built the deadlock, numbered from 1.
    fn grant_numbered(&self, text: &str) -> Result<u64, String> {
        let cycle = self.grant(text).and_then(|grant| grant.cycle);
        cycle.map(|it| it.0).ok_or_else(|| match self.grants().len() {
            0 => "no deadlock has been explained".to_owned(),
            last => format!("a grant of the deadlock from d1 to d{last}"),
        })
    }

    /// The cycle of a bookmark, numbered from 1.
    pub(super) fn bookmark_named(&self, text: &str) -> Result<u64, String> {
        let marks = &self.update.bookmarks;
        let number: usize = text.trim().parse().unwrap_or(0);
        let found = number.checked_sub(1).and_then(|at| marks.get(at));
        found.copied().ok_or_else(|| match marks.len() {
            0 => "there is no bookmark".to_owned(),
            1 => "there is bookmark 1 alone".to_owned(),
            last => format!("a bookmark from 1 to {last}"),
        })
    }
}

/// Parses kinds of events by names or prefixes, or `all`.
pub(super) fn events_named(text: &str) -> Result<Events, String> {
    let forms = || format!("{}, or all", Events::all().names().join(", "));
    let mut events = Events::default();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let meant = |kind: &Events| {
            let begins = |name: String| word.len() > 1 && name.starts_with(word);
            word == "all" || kind.names().into_iter().any(begins)
        };
        let known: Events = Events::all().iter().filter(meant).collect();
        if known.is_empty() {
            return Err(format!("{word}? {}", forms()));
        }
        events |= known;
    }
    if events.is_empty() { Err(forms()) } else { Ok(events) }
}

/// The views with names (the names of their actions without `view-`) and help texts.
pub(super) fn views() -> impl Iterator<Item = (String, &'static str, View)> {
    bindable().filter_map(|row| {
        let Action::Grid(Grid::View(view)) = row.action else { return None };
        let name = action_name(row.action);
        Some((name.trim_start_matches("view-").to_owned(), row.help, view))
    })
}

/// Finds a choice by name or unique prefix.
pub(super) fn choose<N: AsRef<str> + Display, T: Copy + PartialEq>(
    text: &str,
    choices: &[(N, T)],
) -> Result<T, String> {
    let same = choices.iter().find(|(name, _)| name.as_ref().eq_ignore_ascii_case(text));
    if let Some(&(_, found)) = same {
        return Ok(found);
    }
    let lower = text.to_lowercase();
    let mut begun = choices.iter().filter(|(name, _)| name.as_ref().starts_with(&lower));
    if let Some(&(_, first)) = begun.next()
        && begun.all(|&(_, other)| other == first)
    {
        return Ok(first);
    }
    let names = choices.iter().map(|(name, _)| name.as_ref());
    // A single character would be similar to every name.
    let near = nearest(text, names.clone()).filter(|_| text.chars().count() > 1);
    Err(match near {
        Some(near) => format!("there is no `{text}`; did you mean `{near}`?"),
        None => format!("there is no `{text}`: {}", names.collect::<Vec<_>>().join(", ")),
    })
}

/// The first problem with its help, in one line.
pub(super) fn in_short(problems: &[Problem]) -> String {
    let Some(first) = problems.first() else { return "it cannot be opened".to_owned() };
    let help = first.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
    match problems.len() {
        1 => format!("{}{help}", first.what),
        all => format!("{}{help} (and {} more)", first.what, all - 1),
    }
}

impl App {
    pub(super) fn open_palette(&mut self) {
        let mut palette = Palette::default();
        self.find_matches(&mut palette);
        self.dialog = Some(Dialog::Palette(palette));
    }

    pub(super) fn update_palette(&mut self, mut palette: Palette, answer: Answer) {
        let before = palette.text.clone();
        match answer {
            Answer::Edit(edit) => palette.edit(edit),
            Answer::ChooseNext => palette.choose(true),
            Answer::ChoosePrevious => palette.choose(false),
            Answer::Up | Answer::Down => palette.recall(&self.lines, answer == Answer::Up),
            Answer::Complete => {
                if let Some(line) = palette.completed() {
                    palette.replace(line);
                }
            }
            Answer::Accept => match self.accept_line(&mut palette) {
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => palette.error = Some(error),
            },
        }
        if *palette.text != *before {
            self.find_matches(&mut palette);
        }
        self.dialog = Some(Dialog::Palette(palette));
    }

    /// Executes the line; returns false if the line was only completed.
    fn accept_line(&mut self, palette: &mut Palette) -> Result<bool, String> {
        let (word, rest) = split(&palette.text);
        if let Some(command) = named(word).filter(|_| !palette.by_hand) {
            self.execute(command, rest)?;
            remember(&mut self.lines, palette.text.trim());
            return Ok(true);
        }
        let choice = palette.choice().cloned().ok_or_else(|| unknown(word))?;
        match choice.does {
            LineEffect::Complete => {
                palette.replace(choice.line);
                return Ok(false);
            }
            LineEffect::Command(command) => self.execute(command, "")?,
            LineEffect::Action(action) => self.act(action),
        }
        remember(&mut self.lines, &choice.line);
        Ok(true)
    }

    /// Finds completions of the line: commands and actions by name, arguments of a command, or
    /// values for `set`.
    fn find_matches(&self, palette: &mut Palette) {
        let text = &*palette.text;
        let (word, _) = split(text);
        // `split` trims its parts, so a trailing separator is visible only in the untrimmed line.
        let behind = text.find(char::is_whitespace).map_or("", |at| text[at..].trim_start());
        if named(word).is_some_and(|command| command.what == What::Set)
            && let Some((name, typed)) = setting(behind)
        {
            if palette.values.0 != name {
                palette.values = (name.to_owned(), self.values(name));
            }
            let line = |value: &str| format!("{word} {name} {value}");
            let one = |(value, help): &(String, String)| {
                let (line, label, keys) = (line(value), value.clone(), String::new());
                let found =
                    Match { line, label, keys, help: help.clone(), does: LineEffect::Complete };
                (value.clone(), "", found)
            };
            palette.matches = ranked(typed, palette.values.1.iter().map(one));
        } else {
            palette.matches = self.matches(text);
        }
    }

    /// Suggested values for a name of `set`.
    fn values(&self, name: &str) -> Vec<(String, String)> {
        let words = |names: &[&str]| -> Vec<(String, String)> {
            names.iter().map(|&it| (it.to_owned(), String::new())).collect()
        };
        match name {
            "perf" => words(&["on", "off"]),
            "palette" => words(&Ramp::ALL.map(Ramp::name)),
            name if SETTINGS.contains(&name) => Vec::new(),
            field => settings::values(&self.update.scenario, field),
        }
    }

    fn matches(&self, text: &str) -> Vec<Match> {
        let (word, rest) = split(text);
        let begun = text.trim_start().len() > word.len() && text.contains(char::is_whitespace);
        if let Some(command) = named(word).filter(|_| begun) {
            let arguments = self.offers(command.what).1.into_iter().map(|(argument, help)| {
                // The name of a setting is followed by its value.
                let end = if command.what == What::Set { " " } else { "" };
                let line = format!("{} {argument}{end}", command.name);
                let (label, keys, does) = (argument.clone(), String::new(), LineEffect::Complete);
                (argument, "", Match { line, label, keys, help, does })
            });
            return ranked(rest, arguments);
        }
        let commands = COMMANDS.iter().map(|command| {
            let takes = !command.arguments.is_empty();
            let found = Match {
                line: format!("{}{}", command.name, if takes { " " } else { "" }),
                label: format!("{} {}", command.name, command.arguments).trim_end().to_owned(),
                keys: String::new(),
                help: command.help.to_owned(),
                does: if takes { LineEffect::Complete } else { LineEffect::Command(command) },
            };
            (command.name.to_owned(), command.help, found)
        });
        let rows = bindable().filter(|row| row.action != Program::Palette.into());
        let actions = rows.map(|row| {
            let name = action_name(row.action);
            let found = Match {
                line: name.clone(),
                label: name.clone(),
                keys: self.keys.names(row, 2),
                help: row.help.to_owned(),
                does: LineEffect::Action(row.action),
            };
            (name, row.help, found)
        });
        ranked(text.trim_start().trim_start_matches(':'), commands.chain(actions))
    }
}

/// Ranks candidates, given with names and help texts, and returns the matches, the best one first.
fn ranked<'a>(typed: &str, all: impl Iterator<Item = (String, &'a str, Match)>) -> Vec<Match> {
    let mut found: Vec<(u8, Match)> =
        all.filter_map(|(name, help, one)| Some((rank(typed, &name, help)?, one))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, found)| found).collect()
}

fn unknown(word: &str) -> String {
    let actions: Vec<String> = bindable().map(|row| action_name(row.action)).collect();
    let commands = nearest(word, COMMANDS.iter().map(|command| command.name));
    match commands.or_else(|| nearest(word, actions.iter().map(String::as_str))) {
        Some(near) => format!("there is no command `{word}`; did you mean `{near}`?"),
        None => format!("there is no command `{word}`; Ctrl-U clears the line and lists all"),
    }
}
