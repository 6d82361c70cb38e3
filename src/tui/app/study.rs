//! Actions on the open study and on the sweep of a run's loads.

use std::sync::Arc;

use super::{App, Effect};
use crate::live::{Command, RunState, Speed};
use crate::scenario::Scenario;
use crate::session::saved::Saved;
use crate::stats::SAMPLE_PERIOD;
use crate::text::count;
use crate::tui::action::{Pointer, Study};
use crate::tui::study::arrange::arrange;
use crate::tui::study::{Line, News, StudyView, Sweep, Work, plot, table};
use crate::units::{Cycle, TimeUnit};

/// Maximum number of waiting messages in a network by the time saturation is detected, limited by
/// the memory available during a live run.
const MESSAGES_MAX: f64 = 16e6;
/// Minimum number of sampling periods until saturation is detected.
const PERIODS: u64 = 16;

impl App {
    /// The study, while visible.
    pub(in crate::tui) fn shown_study(&self) -> Option<&StudyView> {
        self.study.as_ref().filter(|study| study.shown)
    }

    /// Shows another study and pauses the run.
    pub(in crate::tui) fn open_study(&mut self, study: StudyView) {
        self.study = Some(study);
        self.note = None;
        self.show_study();
    }

    /// Receives news about the study's folder.
    pub(in crate::tui) fn receive_study(&mut self, news: News) {
        if let Some(study) = &mut self.study {
            study.receive(news);
        }
    }

    pub(super) fn study_action(&mut self, action: Study) {
        let Some(study) = &mut self.study else {
            return self
                .notify("no study is open: `flitscope FOLDER` opens one, `sweep` makes one");
        };
        let page = arrange(self.size).map_or(1, |parts| table::room(parts.table)) as isize;
        match action {
            Study::Show => self.show_study(),
            Study::Hide if study.opened => study.shown = false,
            Study::Hide => self.notify("no run was opened: Enter opens that of the chosen point"),
            Study::Open => self.open_point(false),
            Study::OpenAtEnd => self.open_point(true),
            Study::Up => study.choose_by(-1),
            Study::Down => study.choose_by(1),
            Study::PageUp => study.choose_by(-page),
            Study::PageDown => study.choose_by(page),
            Study::First => study.choose_by(isize::MIN),
            Study::Last => study.choose_by(isize::MAX),
            Study::NextCurve => study.choose_curve(1),
            Study::CurveBefore => study.choose_curve(-1),
            Study::Work => self.work_or_stop(),
        }
    }

    /// Shows the open study and pauses the run.
    pub(super) fn show_study(&mut self) {
        let busy = matches!(self.update.state, RunState::Running | RunState::Seeking);
        if busy {
            self.send(Command::Pause);
        }
        self.study.iter_mut().for_each(|study| study.shown = true);
    }

    /// Opens the run of the chosen point at cycle 0 or at the last cycle.
    fn open_point(&mut self, at_end: bool) {
        let Some(study) = &mut self.study else { return };
        let Some(point) = study.point() else { return };
        let unit = point.scenario.system.time_unit();
        let end = point.end.map(|end| Cycle(end * unit.cycles));
        let Some(cycle) = end.or((!at_end).then_some(Cycle(0))) else {
            return self.notify("it has no last cycle yet: Enter opens it at its first");
        };
        let cycle = if at_end { cycle } else { Cycle(0) };
        let warm_up = point.plan.for_system(&point.scenario.system).warm_up;
        let saved =
            Saved { warm_up, cycle, live: cycle, ..Saved::beginning(Arc::clone(&point.scenario)) };
        let (load, seed) = (point.load, saved.seed);
        let first = if point.plan.replications > 1 { ", the first of its runs" } else { "" };
        let what = format!("point {}: load {load:.4}, seed {seed}{first}", study.chosen);
        (study.shown, study.opened) = (false, true);
        self.path = None;
        self.pace_for(unit);
        let back = self.keys.way_to(Study::Show);
        self.notify(&format!("{what} ({back} goes back to the study)"));
        self.send(Command::Resume(Box::new(saved)));
    }

    fn work_or_stop(&mut self) {
        let Some(study) = &mut self.study else { return };
        let missing = study.status.points.len() - study.status.done;
        let (goes, words) = match study.work {
            Work::Goes => {
                study.work = Work::Ends;
                (false, "what runs here is given back".to_owned())
            }
            Work::Rests if study.status.finished => return self.notify("nothing is missing"),
            Work::Rests | Work::Ends => {
                study.work = Work::Goes;
                let missing = count(missing, "point is", "points are");
                (true, format!("{missing} missing: runs are made here, at low priority"))
            }
        };
        self.notify(&words);
        self.effects.push(Effect::Work(goes));
    }

    /// Executes a mouse action on the screen of a study: a click chooses a point in the table or
    /// plot, a double click opens the point, the wheel scrolls the table.
    pub(super) fn study_pointer(&mut self, action: Pointer) {
        let (size, Some(study)) = (self.size, &mut self.study) else { return };
        let Some(parts) = arrange(size) else { return };
        match action {
            Pointer::Click(x, y) | Pointer::DoubleClick(x, y) => {
                let listed = match table::line_at(study, parts.table, (x, y)) {
                    Some(Line::Point(at)) => Some(at),
                    Some(Line::Curve(_)) | None => None,
                };
                let drawn = || plot::nearest(study, parts.plot, (x, y));
                let on_plot = parts.plot.contains((x, y).into());
                let Some(at) = listed.or_else(|| drawn().filter(|_| on_plot)) else { return };
                study.chosen = at;
                if matches!(action, Pointer::DoubleClick(..)) {
                    self.open_point(false);
                }
            }
            Pointer::Wheel(up, ..) => study.choose_by(if up { -1 } else { 1 }),
            Pointer::Drag(..) | Pointer::Release => {}
        }
    }

    /// The sweep of the active run's loads, if any.
    pub(in crate::tui) fn swept(&self) -> Option<&Sweep> {
        let own = |it: &&Sweep| Arc::ptr_eq(&it.scenario, &self.update.scenario);
        self.sweep.as_ref().filter(own)
    }

    /// Receives news of a sweep, unless abandoned.
    pub(in crate::tui) fn receive_sweep(&mut self, scenario: &Arc<Scenario>, news: News) {
        let Some(sweep) = &mut self.sweep else { return };
        if !Arc::ptr_eq(&sweep.scenario, scenario) {
            return;
        }
        let finished = news.status.as_ref().is_some_and(|status| status.finished);
        if finished && sweep.wanted && news.work == Work::Rests {
            sweep.wanted = false;
            let bracket = sweep.bracket();
            sweep.news = Some(news);
            let bracket = sweep.bracket().or(bracket);
            let saturates = bracket.map_or_else(
                || "no load is too much".to_owned(),
                |(below, above)| format!("it saturates between {below:.4} and {above:.4}"),
            );
            return self.notify(&format!("the loads are swept: {saturates}"));
        }
        sweep.news = Some(news);
    }

    /// Starts or stops a background sweep of the active run's loads.
    pub(super) fn sweep_or_stop(&mut self) {
        let own = self.swept().map(|sweep| (sweep.wanted, sweep.points().len()));
        if let Some((true, _)) = own {
            self.sweep.iter_mut().for_each(|sweep| sweep.wanted = false);
            self.effects.push(Effect::StopSweep);
            return self.notify("the sweep stops; what is finished stays (L goes on)");
        }
        if self.swept().is_some_and(Sweep::is_finished) {
            return self.notify("the loads of this scenario are swept already");
        }
        let system = self.system();
        let waiting = system.rate_max().0
            * system.network.nodes() as f64
            * (PERIODS * SAMPLE_PERIOD / system.time_unit().cycles) as f64;
        if waiting > MESSAGES_MAX {
            let help = "`flitscope sweep --auto` does it on its own";
            return self
                .notify(&format!("the network is too large for a sweep beside its run: {help}"));
        }
        let (scenario, seed) = (Arc::clone(&self.update.scenario), self.update.seed);
        if own.is_none() {
            self.sweep = Some(Sweep { scenario: Arc::clone(&scenario), news: None, wanted: true });
        }
        self.sweep.iter_mut().for_each(|sweep| sweep.wanted = true);
        self.notify("measuring the load curve in the background; L stops it");
        self.effects.push(Effect::Sweep(scenario, seed));
    }

    /// Stops the sweep if its scenario has no run any more.
    pub(super) fn leave_sweep(&mut self) {
        let runs = &self.runs;
        let gone = |sweep: &mut Sweep| {
            !runs.iter().any(|run| Arc::ptr_eq(&run.update.scenario, &sweep.scenario))
        };
        if let Some(sweep) = self.sweep.take_if(gone) {
            self.effects.push(Effect::StopSweep);
            if sweep.wanted {
                self.notify("the sweep has stopped: another scenario runs");
            }
        }
    }

    /// Reports the reason for refusing background runs.
    pub(in crate::tui) fn refuse_runs(&mut self, why: &str) {
        self.sweep = None;
        self.study.iter_mut().for_each(|study| study.work = Work::Rests);
        self.notify(why);
    }

    /// Resets the pace if the unit of time changes, because a pace is useful in its own unit only.
    pub(super) fn pace_for(&mut self, unit: TimeUnit) {
        if unit.cycles != self.times().cycles && self.motion.pace != Speed::Max {
            self.motion.pace = Speed::natural(unit);
            self.send(Command::Speed(self.motion.pace));
        }
    }
}
