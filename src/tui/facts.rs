//! What the drawers read of a run: where each number on the screen comes from.

use std::sync::Arc;

use super::app::RunView;
use crate::engine::Snapshot;
use crate::live::Theory;
use crate::model::Prediction;
use crate::stats::Summary;
use crate::system::System;
use crate::topology::Network;

impl RunView {
    /// The system that runs.
    pub fn system(&self) -> &System {
        &self.update.scenario.system
    }

    /// Its network.
    pub fn network(&self) -> &Arc<Network> {
        &self.system().network
    }

    /// The state of the simulation at the present cycle.
    pub fn snapshot(&self) -> &Snapshot {
        &self.update.snapshot
    }

    /// What was measured until then.
    pub fn summary(&self) -> &Summary {
        &self.update.summary
    }

    /// What the model says, if there is one.
    pub fn theory(&self) -> Option<&Theory> {
        self.update.theory.as_deref()
    }

    /// What it predicts at the present load, if it has a steady state there.
    pub fn prediction(&self) -> Option<&Prediction> {
        self.theory()?.prediction.as_ref().ok()
    }
}
