//! The standard figures, available in every study.

use crate::words::{Words, spaced, words};

words! {
    /// A figure.
    pub enum StandardFigure {
        /// Mean latency by offered load.
        Latency,
        /// Mean latency by accepted load.
        LatencyByAccepted,
        /// Accepted load by offered load.
        Accepted,
        /// Quantiles of the latency.
        Quantiles,
        /// The mean share of cycles in which a channel moves a flit.
        Utilisation,
        /// Mean latency minus that of the first curve.
        Differences,
        /// Mean round trip by completed round trips, if messages have replies.
        RoundTrips,
    }
}

impl StandardFigure {
    /// The base name of the figure's files.
    pub fn file(self) -> String {
        spaced(self.word()).replace(' ', "-")
    }
}
