//! State of a study on the screen.
//!
//! The state consists of progress, the chosen point, and work on missing points. The sweep of a
//! live run's loads is a study too.

pub mod arrange;
pub mod draw;
pub mod plot;
pub mod table;

use std::sync::Arc;

use super::times::lasting;
use crate::experiment::sweep::{NumberedPoint, StudyStatus};
use crate::scenario::Scenario;

/// The state of a watched folder.
#[derive(Clone, Debug)]
pub struct News {
    /// The study's progress; `None` before the first reading.
    pub status: Option<StudyStatus>,
    /// The work of this program on the study.
    pub work: Work,
    /// The cause of a failure to read the study or to run its points.
    pub trouble: Option<String>,
}

/// The work of this program on missing points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Work {
    #[default]
    Rests,
    Goes,
    /// The running points are being returned.
    Ends,
}

/// A study, either shown or behind the run of one of its points.
#[derive(Clone, Debug)]
pub struct StudyView {
    pub status: StudyStatus,
    pub chosen: usize,
    /// True if the study is shown rather than the run.
    pub shown: bool,
    /// True if the run belongs to a point of the study.
    pub opened: bool,
    /// The work of this program on the study.
    pub work: Work,
    /// The cause of a failure to read the study or to run its points.
    pub trouble: Option<String>,
}

/// A line of the table of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// The heading of a curve: the values of its varied fields.
    Curve(usize),
    Point(usize),
}

impl StudyView {
    /// Creates a visible study with its first point chosen.
    pub fn new(status: StudyStatus) -> Self {
        let (work, trouble) = (Work::Rests, None);
        let mut view = Self { status, chosen: 0, shown: true, opened: false, work, trouble };
        view.choose_by(isize::MIN);
        view
    }

    /// Receives news about the folder.
    pub fn receive(&mut self, news: News) {
        self.status = news.status.unwrap_or_else(|| self.status.clone());
        (self.work, self.trouble) = (news.work, news.trouble);
        // A different study may have fewer points.
        self.chosen = self.chosen.min(self.status.points.len().saturating_sub(1));
    }

    /// The chosen point.
    pub fn point(&self) -> Option<&NumberedPoint> {
        self.status.points.get(self.chosen)
    }

    /// The lines of the table: curve by curve, in ascending order of loads.
    pub fn lines(&self) -> Vec<Line> {
        let points = &self.status.points;
        let mut lines = Vec::new();
        for curve in 0..self.status.curves.len() {
            let mut own: Vec<usize> =
                (0..points.len()).filter(|&at| points[at].curve == curve).collect();
            own.sort_by(|&one, &two| points[one].load.total_cmp(&points[two].load));
            lines.push(Line::Curve(curve));
            lines.extend(own.into_iter().map(Line::Point));
        }
        lines
    }

    /// The points in the order of the table.
    fn points(&self) -> impl Iterator<Item = usize> {
        self.lines().into_iter().filter_map(|line| match line {
            Line::Point(at) => Some(at),
            Line::Curve(_) => None,
        })
    }

    /// Moves the choice by a number of lines.
    pub fn choose_by(&mut self, by: isize) {
        let points: Vec<usize> = self.points().collect();
        let at = points.iter().position(|&at| at == self.chosen).unwrap_or(0);
        let to = at.saturating_add_signed(by).min(points.len().saturating_sub(1));
        self.chosen = points.get(to).copied().unwrap_or(0);
    }

    /// Chooses the point with the nearest load on the next or previous curve.
    pub fn choose_curve(&mut self, by: isize) {
        let (curves, Some(now)) = (self.status.curves.len(), self.point()) else { return };
        let curve = (now.curve + curves).saturating_add_signed(by) % curves;
        let far = |at: &usize| (self.status.points[*at].load - now.load).abs();
        let own = self.points().filter(|&at| self.status.points[at].curve == curve);
        self.chosen = own.min_by(|one, two| far(one).total_cmp(&far(two))).unwrap_or(self.chosen);
    }

    /// A summary of finished and remaining points.
    pub fn progress(&self) -> String {
        let status = &self.status;
        let (done, points) = (status.done, status.points.len());
        let far = format!("{done} of {points} points");
        let time = status.left.map(lasting);
        let round = status.rounds.map_or("", |_| " of this round");
        match (status.finished, status.at_work, time) {
            (true, ..) => format!("{far}, finished"),
            (false, 0, _) if done == points => format!("{far}, the next round is to be made"),
            (false, 0, None) => format!("{far}, nobody is at work"),
            (false, 0, Some(time)) => {
                format!("{far}, nobody is at work; one thread needs about {time}{round}")
            }
            (false, at_work, None) => format!("{far}, {at_work} running"),
            (false, at_work, Some(time)) => {
                let more = if status.late { " or more" } else { "" };
                format!("{far}, {at_work} running, about {time}{more}{round} left")
            }
        }
    }
}

/// The background sweep of a scenario's loads.
#[derive(Clone, Debug)]
pub struct Sweep {
    pub scenario: Arc<Scenario>,
    /// The sweep's results; `None` before the first reading.
    pub news: Option<News>,
    pub wanted: bool,
}

impl Sweep {
    fn status(&self) -> Option<&StudyStatus> {
        self.news.as_ref()?.status.as_ref()
    }

    /// True after the last point.
    pub fn is_finished(&self) -> bool {
        self.status().is_some_and(|status| status.finished)
    }

    /// All known points.
    pub fn points(&self) -> &[NumberedPoint] {
        self.status().map_or(&[], |status| &status.points)
    }

    /// The loads on both sides of saturation, if known.
    pub fn bracket(&self) -> Option<(f64, f64)> {
        self.status()?.brackets.first().copied().flatten()
    }

    /// The lowest latency in cycles.
    pub fn lowest(&self) -> Option<f64> {
        let cycles = self.scenario.system.time_unit().cycles as f64;
        let means = self.points().iter().filter_map(|point| Some(point.latency?.0));
        means.reduce(f64::min).map(|mean| mean * cycles)
    }

    /// The upper end of an axis for the latencies, in cycles.
    pub fn top(&self) -> Option<f64> {
        let cycles = self.scenario.system.time_unit().cycles as f64;
        self.status()?.plot.y_max.map(|top| top * cycles)
    }

    /// The highest load worth showing: the upper end of the saturation bracket, otherwise the
    /// highest load with a latency.
    pub fn highest(&self) -> Option<f64> {
        let carried = self.points().iter().filter(|point| point.latency.is_some());
        let carried = carried.map(|point| point.load).reduce(f64::max);
        self.bracket().map(|(_, above)| above).or(carried)
    }

    /// A summary of the sweep.
    pub fn words(&self) -> String {
        let trouble = self.news.as_ref().and_then(|news| news.trouble.as_ref());
        if let Some(trouble) = trouble {
            return format!("the sweep failed: {trouble}");
        }
        let Some(status) = self.status() else { return "the sweep begins".to_owned() };
        let (done, points) = (status.done, status.points.len());
        let how = match (status.finished, self.wanted) {
            (true, _) => "swept",
            (false, true) => "sweeping",
            (false, false) => "sweep stopped",
        };
        let round = status.rounds.filter(|_| !status.finished);
        let round = round.map_or_else(String::new, |round| format!(", round {round}"));
        let saturates = self.bracket().map_or_else(String::new, |(below, above)| {
            format!(", saturates {below:.3} to {above:.3}")
        });
        format!("{how} {done} of {points}{round}{saturates}")
    }
}
