//! The line that takes commands: what it offers, and what is done with it.

use super::{App, Dialog};
use crate::scenario::{self, nearest};
use crate::tui::action::{Action, Answer, Grid, Program};
use crate::tui::bindings::{action_name, bindable};
use crate::tui::layout::Preset;
use crate::tui::palette::commands::{COMMANDS, What, named, split};
use crate::tui::palette::{Does, Match, Palette, rank, remember};
use crate::tui::question::Question;
use crate::tui::view::{Pane, View};

/// What `set` sets besides the fields of the scenario.
pub(super) const SETTINGS: [&str; 6] = ["rate", "load", "λ", "seed", "perf", "palette"];

impl App {
    pub(super) fn open_palette(&mut self) {
        let mut palette = Palette::default();
        palette.matches = self.matches(&palette.text);
        self.dialog = Some(Dialog::Palette(palette));
    }

    /// What an answer does to the line.
    pub(super) fn update_palette(&mut self, mut palette: Palette, answer: Answer) {
        let before = palette.text.clone();
        match answer {
            Answer::Type(_) | Answer::Erase | Answer::Clear => palette.edit(answer),
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
        if palette.text != before {
            palette.matches = self.matches(&palette.text);
        }
        self.dialog = Some(Dialog::Palette(palette));
    }

    /// Does what the line says; returns false where it was only completed.
    fn accept_line(&mut self, palette: &mut Palette) -> Result<bool, String> {
        let (word, rest) = split(&palette.text);
        if let Some(command) = named(word).filter(|_| !palette.by_hand) {
            self.obey(command, rest)?;
            remember(&mut self.lines, palette.text.trim());
            return Ok(true);
        }
        let choice = palette.choice().cloned().ok_or_else(|| unknown(word))?;
        match choice.does {
            Does::Complete => {
                palette.replace(choice.line);
                return Ok(false);
            }
            Does::Command(command) => self.obey(command, "")?,
            Does::Action(action) => self.act(action),
        }
        remember(&mut self.lines, &choice.line);
        Ok(true)
    }

    /// What a line may become: commands and actions by name, or the arguments of a command.
    fn matches(&self, text: &str) -> Vec<Match> {
        let (word, rest) = split(text);
        let begun = text.trim_start().len() > word.len() && text.contains(char::is_whitespace);
        if let Some(command) = named(word).filter(|_| begun) {
            let arguments = self.arguments(command.what).into_iter().map(|(argument, help)| {
                let line = format!("{} {argument}", command.name);
                let (label, keys, does) = (argument.clone(), String::new(), Does::Complete);
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
                does: if takes { Does::Complete } else { Does::Command(command) },
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
                does: Does::Action(row.action),
            };
            (name, row.help, found)
        });
        ranked(text.trim_start().trim_start_matches(':'), commands.chain(actions))
    }

    /// Arguments worth offering, each with a word about it.
    fn arguments(&self, what: What) -> Vec<(String, String)> {
        let plain = |names: &str| -> Vec<(String, String)> {
            names.split(' ').map(|name| (name.to_owned(), String::new())).collect()
        };
        match what {
            What::Answer(Question::Cycle) => {
                let marks = (1..).zip(&self.update.bookmarks);
                let marks =
                    marks.map(|(number, &mark)| (format!("m{number}"), self.times().now(mark)));
                plain("live 0").into_iter().chain(marks).collect()
            }
            What::Set => {
                let fields = scenario::fields(&self.update.scenario).into_iter();
                let fields = fields.filter(|field| !SETTINGS.contains(&field.as_str()));
                let fields = fields.map(|field| (field, "of the scenario".to_owned()));
                let settings =
                    SETTINGS.map(|name| (name.to_owned(), format!("now {}", self.setting(name))));
                settings.into_iter().chain(fields).collect()
            }
            What::Speed => plain("max natural"),
            What::View => views().map(|(name, help, _)| (name, help.to_owned())).collect(),
            What::Layout => Preset::ALL
                .map(|preset| (preset.name().to_owned(), preset.about().to_owned()))
                .to_vec(),
            What::Pane => {
                plain(&Pane::ALL.iter().map(|pane| pane.name()).collect::<Vec<_>>().join(" "))
            }
            What::Theme => plain("dark light mono"),
            What::Open | What::Compare => {
                self.library.list().into_iter().map(|entry| (entry.name, String::new())).collect()
            }
            What::Answer(Question::Break) => plain("chain latency cycle node message off"),
            What::Answer(Question::Events) => plain("all injection delivery blocking deadlock"),
            What::Answer(
                file @ (Question::File | Question::Recording | Question::Picture | Question::Copy),
            ) => vec![(self.offer(file), String::new())],
            What::Export => {
                let name = self.file_name("");
                let name = name.trim_end_matches('.');
                [".csv", ".json"].map(|ending| (format!("{name}{ending}"), String::new())).to_vec()
            }
            What::Answer(
                Question::Place
                | Question::Cycles
                | Question::CyclesBack
                | Question::Mark
                | Question::Dimension,
            )
            | What::Window
            | What::Do(_) => Vec::new(),
        }
    }
}

/// The views by name: that of their action without `view-`, and what help says.
pub(super) fn views() -> impl Iterator<Item = (String, &'static str, View)> {
    bindable().filter_map(|row| {
        let Action::Grid(Grid::View(view)) = row.action else { return None };
        let name = action_name(row.action);
        Some((name.trim_start_matches("view-").to_owned(), row.help, view))
    })
}

/// Those of `all` that what was typed may mean, each given with its name and help; the likeliest
/// first.
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
