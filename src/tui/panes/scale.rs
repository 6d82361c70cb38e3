//! The horizontal scale of a histogram of latencies.

use super::chart::Step;
use crate::live::Latencies;
use crate::model::spread::Spread;
use crate::tui::run_view::Density;

/// Columns on a logarithmic scale of cycles.
pub(super) struct Scale {
    low: f64,
    ratio: f64,
    pub(super) width: i32,
}

impl Scale {
    /// A scale for all latencies of the histograms, a predicted mean and other marks.
    pub(super) fn new<'a>(
        histograms: impl Iterator<Item = &'a Latencies> + Clone,
        predicted: Option<f64>,
        mark: Option<f64>,
        width: i32,
    ) -> Self {
        let all = histograms.filter(|it| it.count > 0);
        let min = all.clone().map(|it| it.min).min().unwrap_or(0).max(1) as f64;
        let max = all.map(|it| it.max).max().unwrap_or(0) as f64;
        // Marks far beyond all measured latencies are left out of the scale.
        let marks = predicted.into_iter().chain(mark);
        let high = marks.filter(|&mark| mark < 4.0 * max).fold(max, f64::max);
        let low = predicted.map_or(min, |mean| mean.min(min)).max(1.0) * 0.97;
        let high = (high + 1.0).max(low * 1.5);
        Self { low, ratio: (high / low).ln() / f64::from(width.max(1)), width }
    }

    /// The cycles at a column's left edge.
    fn edge(&self, column: i32) -> f64 {
        self.low * (f64::from(column) * self.ratio).exp()
    }

    /// The column of a latency in cycles; `None` off the scale.
    pub(super) fn column(&self, cycles: f64) -> Option<i32> {
        let column = ((cycles / self.low).ln() / self.ratio).floor() as i32;
        (cycles >= self.low && column < self.width).then_some(column)
    }

    /// Round times for the axis, in cycles: 1, 2, 5, 10, 20, 50 and so on units of time, or equal
    /// steps if the scale has fewer than three of them.
    pub(super) fn ticks(&self, unit: f64) -> Vec<f64> {
        let end = self.edge(self.width);
        // The first figure: a cycle, or a thousandth of the unit.
        let first = if unit > 1.0 { unit / 1000.0 } else { 1.0 };
        let steps = [2.0, 2.5, 2.0].into_iter().cycle().take(30);
        let decades = std::iter::once(first).chain(steps.scan(first, |tick, step| {
            *tick *= step;
            Some(*tick)
        }));
        let decades: Vec<f64> = decades.filter(|tick| (self.low..end).contains(tick)).collect();
        if decades.len() > 2 {
            return decades;
        }
        let step = Step::at_least((end - self.low) / unit / 5.0).size * unit;
        let first = (self.low / step).ceil() as u32;
        (first..first + 6).map(|nth| f64::from(nth) * step).collect()
    }

    /// The share of messages in each column. Columns narrower than a cycle take the share of their
    /// cycle times their width in cycles, to avoid gaps between narrow bins.
    pub(super) fn shares(&self, latencies: &Latencies) -> Vec<f64> {
        let count = |column: i32| {
            let (from, to) = (self.edge(column), self.edge(column + 1));
            if to - from >= 1.0 {
                latencies.between(from, to)
            } else {
                let cycle = from.floor();
                latencies.between(cycle, cycle + 1.0) * (to - from)
            }
        };
        let all = latencies.count.max(1) as f64;
        (0..self.width).map(|column| count(column) / all).collect()
    }

    /// The predicted share of messages in each column. Edges are shifted by half a cycle, since
    /// latencies are whole numbers of cycles.
    pub(super) fn density(&self, spread: &Spread, known: &mut Density) -> Vec<f64> {
        let columns = usize::try_from(self.width).unwrap_or(0);
        known.of(spread, ([self.low, self.ratio], columns), || {
            let below = |column: i32| spread.below(self.edge(column) - 0.5);
            let edges: Vec<f64> = (0..=self.width).map(below).collect();
            edges.windows(2).map(|ends| ends[1] - ends[0]).collect()
        })
    }
}
