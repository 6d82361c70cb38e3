//! The solution at one rate, which is kept for the questions that follow about the same rate.

use std::sync::{Arc, PoisonError};

use super::super::routes::Flows;
use super::super::servers::Source;
use super::{Latency, Sources, Way};
use crate::model::fixed_point::NoSolution;
use crate::model::wanted;

/// The solution at one rate.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// The latencies of sources that stand for all.
    pub(super) latencies: Vec<Option<Latency>>,
    /// Where heads choose: the flows, and by node the source that stands for it.
    pub(super) chosen: Option<(Flows, Vec<u32>)>,
}

impl Sources {
    /// The latency parts of all sources, and how messages flow.
    pub(super) fn sources(&self, rate: f64) -> Result<Arc<Solution>, NoSolution> {
        let known = self.last.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, solution)) = known.filter(|it| it.0 == rate.to_bits()) {
            return Ok(solution);
        }
        let why = |why| if wanted::no_longer() { NoSolution::GivenUp } else { why };
        let solution = Arc::new(self.find_sources(rate).map_err(why)?);
        let mut last = self.last.write().unwrap_or_else(PoisonError::into_inner);
        *last = Some((rate.to_bits(), Arc::clone(&solution)));
        Ok(solution)
    }

    /// The flows of a solution.
    pub(super) fn flows<'a>(&'a self, solution: &'a Solution) -> Option<&'a Flows> {
        match (&solution.chosen, &self.ways) {
            (Some((flows, _)), _) => Some(flows),
            (None, Way::Fixed(flows, _)) => Some(flows),
            (None, Way::Chosen(_)) => None,
        }
    }

    /// The sources of a solution, each with its latency.
    pub(super) fn solved<'a>(
        &'a self,
        solution: &'a Solution,
    ) -> impl Iterator<Item = (&'a Source, Option<Latency>)> {
        let sources = self.flows(solution).into_iter().flat_map(|flows| &flows.sources);
        sources.zip(solution.latencies.iter().copied())
    }
}
