//! Deviations of many lines in three figures.

use std::fmt;

/// Deviations of many lines in three figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread {
    /// Lines.
    pub count: usize,
    /// Root mean square of the deviations.
    pub root_mean_square: f64,
    /// The deviation that is furthest from 0.
    pub worst: f64,
    /// The line that has it.
    pub worst_at: String,
}

impl Spread {
    /// Of the deviations of the lines of these names; `None` without any.
    pub fn of(deviations: impl IntoIterator<Item = (String, f64)>) -> Option<Self> {
        let mut spread =
            Self { count: 0, root_mean_square: 0.0, worst: 0.0, worst_at: String::new() };
        let mut squares = 0.0;
        for (name, deviation) in deviations {
            squares += deviation * deviation;
            spread.count += 1;
            if spread.count == 1 || deviation.abs() > spread.worst.abs() {
                (spread.worst, spread.worst_at) = (deviation, name);
            }
        }
        spread.root_mean_square = (squares / spread.count as f64).sqrt();
        (spread.count > 0).then_some(spread)
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} lines, root mean square {:.2} %, worst {:+.2} % ({})",
            self.count,
            100.0 * self.root_mean_square,
            100.0 * self.worst,
            self.worst_at
        )
    }
}
