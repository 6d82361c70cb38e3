//! Message classes with virtual channels of their own.

use std::sync::Arc;

use super::Relation;
use crate::routing::apart::Apart;
use crate::routing::head::first;

impl Relation {
    /// Gives each message class VCs of its own, in a mask of adjacent ones; each class is routed as by
    /// a relation with only its VCs. Masks overlap only for a rule with a single class of VCs.
    #[must_use]
    pub fn apart(mut self, vcs: &[u32]) -> Self {
        let (rule, classes) = (Arc::clone(&self.rule), self.classes);
        let adaptive = self.on.adaptive_vcs != 0;
        assert!(vcs.iter().all(|&of_class| of_class & !first(self.virtual_channels) == 0));
        let together: u32 = vcs.iter().map(|of_class| of_class.count_ones()).sum();
        let union = vcs.iter().fold(0, |all, of_class| all | of_class);
        let has_one_class = classes == 1 && !adaptive && !self.reads_arrival;
        assert!(has_one_class || together == union.count_ones());
        let apart = Apart::new(rule, classes, adaptive, vcs);
        self.on = apart.joined(&self.on);
        self.message_vcs = vcs.to_vec();
        self.classes *= vcs.len();
        self.rule = Arc::new(apart);
        self.prepared()
    }

    /// The number of message classes with VCs of their own; 1 if all share the VCs.
    pub fn message_classes(&self) -> u8 {
        self.message_vcs.len().max(1) as u8
    }

    /// The VCs of a message class.
    pub fn vcs_of_message_class(&self, class: u8) -> u32 {
        let own = self.message_vcs.get(usize::from(class));
        own.copied().unwrap_or_else(|| first(self.virtual_channels))
    }
}
