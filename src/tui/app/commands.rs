//! Executes commands and answers to prompts.

use std::path::Path;
use std::sync::Arc;

use super::questions::{SETTINGS, choose, events_named, in_short, views};
use super::{App, Effect, Writing, Written, failing};
use crate::live::{Breakpoint, Command as Tell, Pace};
use crate::recording::PICTURES;
use crate::report;
use crate::scenario::{self, Override, Problem, RATE_MIN, Scenario, nearest};
use crate::tui::action::{Grid, Program, Runs, Time};
use crate::tui::chooser::with_setting;
use crate::tui::layout::Preset;
use crate::tui::library::Entry;
use crate::tui::palette::commands::{Command, What, setting};
use crate::tui::pen::plural;
use crate::tui::perf::Perf;
use crate::tui::theme::{Ramp, Theme};
use crate::tui::view::Pane;
use crate::units::{Load, Rate};

const RATE: &str = "traffic.arrivals.rate";
const LOAD: &str = "traffic.arrivals.load";

impl App {
    /// Executes a command; the error names the correct form.
    pub(super) fn execute(&mut self, command: &Command, rest: &str) -> Result<(), String> {
        let Command { name, arguments, help, what, asks } = *command;
        if !rest.is_empty() && arguments.is_empty() {
            return Err(format!("`{name}` takes no argument"));
        } else if !rest.is_empty() || arguments.is_empty() {
            return self.answer(what, rest);
        }
        // Commands without their argument open the dialog of the corresponding key.
        if what == What::Open {
            self.act(Program::Open.into());
        } else if what == What::Compare {
            self.act(Runs::Compare.into());
        } else if asks.is_some() {
            self.ask(what);
        } else {
            return Err(format!("{name} {arguments}: {help}"));
        }
        Ok(())
    }

    /// Executes the answer to a prompt; the error names the correct form.
    pub(super) fn answer(&mut self, what: What, text: &str) -> Result<(), String> {
        let path = || match text {
            "" => Err("a file needs a name".to_owned()),
            path => Ok(path.to_owned()),
        };
        match what {
            What::Cycles => {
                let cycles = self.span(text)?;
                text.clone_into(&mut self.motion.step_many_text);
                self.notify(&format!("{} on", self.times().with_unit(cycles)));
                self.send(Tell::Step(cycles));
            }
            What::CyclesBack => {
                let cycles = self.span(text)?;
                text.clone_into(&mut self.motion.step_many_text);
                let cycles = cycles.min(self.now().0);
                if cycles == 0 {
                    self.notify("already at cycle 0");
                    return Ok(());
                }
                let far = match self.times() {
                    times if times.in_cycles() => plural(cycles, "cycle"),
                    times => times.with_unit(cycles),
                };
                self.notify(&format!("{far} back"));
                self.send(Tell::Back(cycles));
            }
            What::Cycle => self.go_to_cycle(text)?,
            What::Mark => self.seek("to the bookmark at ", self.bookmark_named(text)?, ""),
            What::Events => {
                self.motion.events = events_named(text)?;
                self.notify(&format!("< and > stop at {}", self.motion.events.names().join(", ")));
            }
            What::Break => {
                let system = self.system();
                let breakpoint = Breakpoint::parse(text, system)?;
                let words = if breakpoint.is_off() {
                    "stops at deadlock only".to_owned()
                } else {
                    format!("stops at {}, and at deadlock", breakpoint.words(system))
                };
                self.notify(&words);
                self.send(Tell::Break(breakpoint));
            }
            What::Place => return self.find(text),
            What::Dimension => return self.cross(text),
            What::Session => self.save_into(path()?),
            What::Recording => self.record_into(path()?)?,
            What::Picture => {
                let path = path()?;
                if !PICTURES.iter().any(|ending| path.ends_with(ending)) {
                    let wanted = "its name ends in .svg, .png, .txt or .ans (text with colours)";
                    return Err(wanted.to_owned());
                }
                self.effects.push(Effect::Picture(path));
            }
            What::Copy => {
                let copy = self.update.scenario.text.clone();
                self.effects.push(Effect::Edit(path()?, Some(copy)));
            }
            What::Bookmark => self.act(Time::Bookmark.into()),
            What::Quit => self.act(Program::Quit.into()),
            What::Set => self.set(text)?,
            What::Speed => self.set_pace(text.parse::<Pace>()?.speed(self.times())),
            What::View => {
                let digits = views().map(|(_, _, view)| (view.digit().to_string(), view));
                let names = views().map(|(name, _, view)| (name, view));
                let long = views().map(|(_, _, view)| (view.name().to_owned(), view));
                let view = choose(text, &names.chain(digits).chain(long).collect::<Vec<_>>())?;
                self.act(Grid::View(view).into());
            }
            What::Theme => {
                self.set_theme(choose(text, &self.looks.all(self.theme))?);
            }
            What::Layout => {
                let preset = choose(text, &Preset::ALL.map(|preset| (preset.name(), preset)))?;
                self.arrange_as(preset);
            }
            What::Pane => {
                let panes: Vec<_> = Pane::ALL.iter().map(|&pane| (pane.name(), pane)).collect();
                self.focus_on(choose(text, &panes)?);
            }
            What::Open => match self.named(text) {
                Ok(scenario) => self.load_or_resume(text, scenario),
                Err(problems) => self.refuse_named(text, problems)?,
            },
            What::Compare => self.compare_named(text)?,
            What::Export => {
                let report = report::text(&self.update, text)?;
                let (what, path) = (Written::Statistics, text.to_owned());
                let writing = Writing { what, path, content: report.into_bytes(), replace: false };
                self.effects.push(Effect::Write(writing));
            }
            What::Window => self.set_window(self.span(text)?),
            What::Fail => failing::fail_named(self, text)?,
        }
        Ok(())
    }

    fn record_into(&mut self, path: String) -> Result<(), String> {
        if self.recording.is_some() {
            return Err("the screen is recorded already: R ends that".to_owned());
        }
        if Path::new(&path).extension().is_some_and(|ending| ending == "svg") {
            return Err(
                "asciicasts are recorded here; flitscope record makes .svg films".to_owned()
            );
        }
        self.effects.push(Effect::Record(path));
        Ok(())
    }

    fn named(&self, name: &str) -> Result<Arc<Scenario>, Vec<Problem>> {
        let known = self.library.list().into_iter().find(|entry| entry.name == name);
        let entry = known.unwrap_or_else(|| Entry::file(name));
        self.library.open(&entry).1
    }

    /// Compares with a named scenario, or with the present scenario after setting a field.
    fn compare_named(&mut self, text: &str) -> Result<(), String> {
        let set = text.split_once('=');
        let checked = match set {
            Some((path, value)) => with_setting(&self.update.scenario, path, value).1,
            None => self.named(text),
        };
        match checked {
            Ok(other) => self.compare_with(&other),
            Err(problems) if set.is_some() => Err(in_short(&problems)),
            Err(problems) => self.refuse_named(text, problems),
        }
    }

    /// Lists all problems of a file in a dialog, in the wording of the command line. A single
    /// problem without a line number is returned as the command's error.
    fn refuse_named(&mut self, path: &str, problems: Vec<Problem>) -> Result<(), String> {
        if let [Problem { place: None, .. }] = *problems {
            return Err(in_short(&problems));
        }
        self.refuse(path, problems);
        Ok(())
    }

    /// Sets a figure of the run, an option of the screen, or a field of the scenario.
    fn set(&mut self, rest: &str) -> Result<(), String> {
        let (name, value) = setting(rest).unwrap_or((rest.trim(), ""));
        if value.is_empty() && name != "perf" {
            return Err(format!("set {name} to what? `set NAME VALUE`, such as `set load 0.2`"));
        }
        match name {
            "rate" => self.set_rate_named(value, Rate)?,
            "load" | "λ" | "lambda" => {
                let scenario = Arc::clone(&self.update.scenario);
                self.set_rate_named(value, |load| scenario.system.rate_for(Load(load)))?;
            }
            "seed" => {
                let seed = value.parse().map_err(|_| {
                    format!("a seed is a whole number from 0 to {}, not `{value}`", u64::MAX)
                })?;
                self.restart(seed, Tell::Reseed(seed));
            }
            "perf" => {
                let choices = [("on", true), ("off", false)];
                let on =
                    if value.is_empty() { self.perf.is_none() } else { choose(value, &choices)? };
                self.perf = on.then(Perf::default);
                self.notify(if on {
                    "frames per second, time per frame and frames dropped stand at the top"
                } else {
                    "frames are no longer counted"
                });
            }
            "palette" => {
                let ramp = choose(value, &Ramp::ALL.map(|ramp| (ramp.name(), ramp)))?;
                self.looks.ramp = Some(ramp);
                self.theme = Theme { ramp, ..self.theme };
                self.notify(&format!("palette {}", ramp.name()));
            }
            field => self.set_field(field, value)?,
        }
        Ok(())
    }

    pub(super) fn setting(&self, name: &str) -> String {
        let (system, rate) = (self.system(), self.update.rate);
        match name {
            "rate" => format!("{:.6} messages/node/{}", rate.0, self.times().unit_word()),
            "load" | "λ" => format!("{:.4} {}", system.load_at(rate).0, self.times().load_unit()),
            "seed" => self.update.seed.to_string(),
            "perf" => (if self.perf.is_some() { "on" } else { "off" }).to_owned(),
            _ => self.theme.ramp.name().to_owned(),
        }
    }

    /// Sets the rate live; `to_rate` converts the given number.
    fn set_rate_named(&mut self, text: &str, to_rate: impl Fn(f64) -> Rate) -> Result<(), String> {
        let (system, times) = (self.system(), self.times());
        let most = system.rate_max();
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        // Rounding of a load may exceed the maximum slightly.
        let possible = RATE_MIN..=most.0 * (1.0 + 1e-9);
        let Some(Rate(rate)) = number.map(to_rate).filter(|rate| possible.contains(&rate.0)) else {
            return Err(format!(
                "`{text}` is not possible: the rate is above 0, at most {:.6} messages/node/{}, the load \
                 at most {:.4} {}",
                most.0,
                times.unit_word(),
                system.load_at(most).0,
                times.load_unit()
            ));
        };
        self.set_rate(Rate(rate.min(most.0)));
        Ok(())
    }

    /// Sets a field as `--set` would: checks the changed scenario and restarts. Seed and load are
    /// kept, unless the field determines the load.
    fn set_field(&mut self, path: &str, value: &str) -> Result<(), String> {
        let scenario = &self.update.scenario;
        let given = |path: &str, value, label| Override { path: path.to_owned(), value, label };
        let mut set = Vec::new();
        if self.update.seed != scenario.seed {
            let seed = self.update.seed;
            set.push(given("seed", seed.to_string(), format!("the run's seed {seed}")));
        }
        if self.update.rate != scenario.system.traffic.rate && !says_how_much(path) {
            let rate = self.update.rate;
            // Changed message lengths keep the load rather than the rate.
            let (field, value) = if path.starts_with("traffic.lengths") {
                (LOAD, scenario.system.load_at(rate).0)
            } else {
                (RATE, rate.0)
            };
            set.push(given(field, format!("{value:?}"), format!("that of the run, {value:?}")));
        }
        set.push(given(path, value.to_owned(), format!("set {path} {value}")));
        // A new value replaces earlier overrides of its subfields, and a rate replaces a load.
        let part = format!("{path}.");
        let sent = |it: &Override| [RATE, LOAD].contains(&it.path.as_str());
        let sends = set.iter().any(sent);
        let mut whole = Scenario::clone(scenario);
        whole.overrides.retain(|it| !(it.path.starts_with(&part) || sends && sent(it)));
        match whole.with(set) {
            Ok(scenario) => {
                self.load(Arc::new(scenario));
                self.notify(&format!("{path} is {value} now: the run begins again"));
                Ok(())
            }
            Err(problems) => {
                let known = scenario::fields(scenario).iter().any(|field| field == path);
                let near = nearest(path, SETTINGS.into_iter()).filter(|_| !known);
                Err(match near {
                    Some(near) => format!("there is no `{path}` to set; did you mean `{near}`?"),
                    None => in_short(&problems),
                })
            }
        }
    }

    /// Opens the scenario, study or saved session of this name.
    pub(super) fn load_or_resume(&mut self, name: &str, scenario: Arc<Scenario>) {
        self.load(scenario);
        self.remember(name);
        if let Some(folder) = self.library.study(name) {
            return self.effects.push(Effect::Study(folder.path().to_owned()));
        }
        if let Some(saved) = self.library.resume(name) {
            self.send(Tell::Resume(Box::new(saved)));
            self.path = Some(name.to_owned());
        }
    }

    pub(super) fn load(&mut self, scenario: Arc<Scenario>) {
        // A later save must not overwrite the former session.
        (self.path, self.wrote_path) = (None, false);
        self.pace_for(scenario.system.time_unit());
        self.study.iter_mut().for_each(|study| (study.shown, study.opened) = (false, true));
        self.notify(&format!("opened {}", scenario.name));
        self.send(Tell::Load(scenario));
    }
}

/// True if setting the field determines the load.
fn says_how_much(path: &str) -> bool {
    path == "traffic" || path.starts_with("traffic.arrivals")
}
