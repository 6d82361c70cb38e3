//! A folder observed repeatedly while programs work there.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::SweepRow;
use super::designs;
use super::figures;
use super::folder::{Folder, Found, OpenError};
use super::order::{expected_seconds, seconds_left};
use super::results::{Models, Results};
use super::rounds;
use super::study_status::{NumberedPoint, State, StudyStatus};
use crate::experiment::leases::Lease;
use crate::experiment::plot::Plot;

/// Estimated remaining time of a late point, as a share of its elapsed time.
const LATE: f64 = 0.5;

/// A folder and its last observed state.
#[derive(Debug)]
pub struct WatchedFolder {
    folder: Folder,
    /// The study's text when last read.
    text: Option<String>,
    found: Vec<Found>,
    models: Models,
    /// The leases of points.
    leases: BTreeMap<usize, Lease>,
    strangers: Vec<String>,
    plot: Option<Arc<Plot>>,
    brackets: Vec<Option<(f64, f64)>>,
    finished: bool,
}

impl WatchedFolder {
    /// A folder before the first look.
    pub fn new(folder: Folder) -> Self {
        Self {
            text: folder.text(),
            folder,
            found: Vec::new(),
            models: Models::default(),
            leases: BTreeMap::new(),
            strangers: Vec::new(),
            plot: None,
            brackets: Vec::new(),
            finished: false,
        }
    }

    /// A folder after the first look.
    pub fn begin(folder: Folder) -> Result<Self, OpenError> {
        let mut watched = Self::new(folder);
        watched.look()?;
        Ok(watched)
    }

    /// The state of the study in a folder, with models for its curves.
    pub fn still(folder: Folder) -> Result<StudyStatus, OpenError> {
        let mut watched = Self::begin(folder)?;
        watched.compare(watched.models().prepared());
        watched.look()?;
        Ok(watched.status())
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The models requested by the study, not yet prepared.
    pub fn models(&self) -> Models {
        Models::of(&self.folder.study)
    }

    /// Sets the models of the curves.
    pub fn compare(&mut self, models: Models) {
        (self.models, self.plot) = (models, None);
    }

    /// Reads the folder; returns true if anything changed.
    pub fn look(&mut self) -> Result<bool, OpenError> {
        let text = self.folder.text();
        if text != self.text {
            // The study was replaced or removed.
            let folder = Folder::open(self.folder.path())?;
            *self = Self { text, ..Self::new(folder) };
        }
        let path = self.folder.path().to_path_buf();
        let restored = rounds::restore(&path, &mut self.folder.study);
        self.folder.damaged_round = restored.map_err(OpenError::Study)?;
        let mut news = self.plot.is_none();
        self.found.resize(self.folder.study.points.len(), Found::Missing);
        for (at, point) in self.folder.study.points.iter().enumerate() {
            // A result is written once and never changed.
            if self.found[at].row().is_none() {
                let found = self.folder.found_of(at, point);
                news |= found != self.found[at];
                self.found[at] = found;
            }
        }
        let leases: BTreeMap<usize, Lease> =
            self.folder.at_work()?.into_iter().filter(|(_, lease)| !lease.gone).collect();
        // Elapsed times change while points run.
        let busy = !leases.is_empty() || !self.leases.is_empty();
        self.leases = leases;
        if news {
            let strangers = self.folder.strangers()?;
            self.strangers = strangers.iter().map(ToString::to_string).collect();
            self.draw();
        }
        Ok(news || busy)
    }

    /// Updates everything derived from the results.
    fn draw(&mut self) {
        let study = &self.folder.study;
        let found = std::mem::take(&mut self.found);
        let results = Results::with_models(study, found, std::mem::take(&mut self.models));
        let curves = 0..study.curves.len();
        self.plot = figures::main(&results).map(Arc::new);
        self.brackets = curves.map(|curve| results.bracket(curve).ends()).collect();
        let whole = results.found.iter().all(|found| found.row().is_some());
        self.finished =
            whole && study.next_round(|curve, above| results.seen(curve, above)).is_empty();
        (self.found, self.models) = (results.found, results.models);
    }

    /// The state of the study at the last look.
    pub fn status(&self) -> StudyStatus {
        let study = &self.folder.study;
        let points: Vec<NumberedPoint> = (0..self.found.len()).map(|at| self.point(at)).collect();
        let done = points.iter().filter(|point| point.state.is_done()).count();
        let expected = expected_seconds(study, &self.found);
        // The elapsed time of running points, and the estimated time of every unfinished point.
        let (mut running, mut free, mut behind, mut late) = (Vec::new(), Vec::new(), 0.0, false);
        for (point, &takes) in points.iter().zip(&expected) {
            if point.state.is_done() {
                behind += takes;
            } else if let State::Running { since, .. } = &point.state {
                let since = since.as_secs_f64();
                late |= since > takes;
                let left = (takes - since).max(since * LATE);
                running.push(left);
                behind += if done > 0 { takes * since / (since + left).max(1e-9) } else { 0.0 };
            } else {
                free.push(takes);
            }
        }
        let at_work = running.len();
        if running.is_empty() {
            running.push(0.0);
        }
        let all: f64 = expected.iter().sum();
        StudyStatus {
            folder: crate::text::line(&self.folder.path().display().to_string()),
            name: study.name().to_owned(),
            rounds: study.is_searched().then(|| study.rounds()),
            curves: designs::names(study),
            brackets: self.brackets.clone(),
            done,
            share: if all > 0.0 { behind / all } else { 0.0 },
            left: (done > 0).then(|| seconds_left(&running, free)),
            late,
            at_work,
            finished: self.finished,
            plot: self.plot.clone().unwrap_or_else(|| Arc::new(Plot::empty())),
            strangers: self.strangers.clone(),
            points,
        }
    }

    fn point(&self, at: usize) -> NumberedPoint {
        let point = &self.folder.study.points[at];
        let job = &point.task.job;
        let row = self.found[at].row();
        let number = |column: &str| row.and_then(|row| row.number(column));
        let state = match &self.found[at] {
            Found::Row(row) if row.holds("deadlock") => State::Deadlocked,
            Found::Row(row) if row.is_saturated() => State::Saturated,
            Found::Row(row) if row.is_steady() => State::Steady,
            Found::Row(_) => State::TooShort,
            Found::Refused(why) => State::Refused(why.clone()),
            Found::Damaged(why) => {
                self.leases.get(&at).map_or_else(|| State::Refused(why.clone()), running)
            }
            Found::Missing => self.leases.get(&at).map_or(State::Missing, running),
        };
        let latency = number("latency_mean").map(|mean| (mean, number("latency_half_width")));
        NumberedPoint {
            curve: point.curve,
            load: point.load,
            latency: latency.filter(|_| !state.is_beyond()),
            latency_p99: number("latency_p99").filter(|_| !state.is_beyond()),
            state,
            accepted: number("accepted_flits_per_node_cycle"),
            scenario: Arc::clone(&job.scenario),
            plan: job.plan,
            end: row.and_then(SweepRow::first_cycles),
            seconds: number("wall_seconds"),
            machine: row.map_or("", |row| row.text("machine")).to_owned(),
        }
    }
}

fn running(lease: &Lease) -> State {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let since = Duration::from_secs(now.saturating_sub(lease.owner.since));
    let by = if lease.owner.is_here() { "this program".to_owned() } else { lease.owner.name() };
    State::Running { by, since }
}

#[cfg(test)]
mod tests;
