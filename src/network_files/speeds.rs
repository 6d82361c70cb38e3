//! Rates of links from speeds: the fastest link sends a flit each cycle, others in proportion.

use std::fmt::Write;

use super::draft::Draft;
use crate::text::count;
use crate::topology::attributes::CYCLES_PER_FLIT_MAX;

/// Speeds of links, by the index of the link.
#[derive(Default)]
pub(super) struct Speeds {
    /// The name of the attribute.
    name: String,
    of: Vec<(usize, f64)>,
}

impl Speeds {
    /// Records the speed of a link, in any unit.
    pub fn add(&mut self, name: &str, link: usize, speed: f64) {
        if self.name.is_empty() {
            name.clone_into(&mut self.name);
        }
        self.of.push((link, speed));
    }

    /// Sets the rates and describes the conversion.
    pub fn apply(&self, draft: &mut Draft) {
        let fastest = self.of.iter().map(|(_, speed)| *speed).fold(0.0, f64::max);
        let most = f64::from(CYCLES_PER_FLIT_MAX);
        let mut slow = 0;
        for &(link, speed) in &self.of {
            let rate = (fastest / speed).round().max(1.0);
            slow += usize::from(rate > most);
            if let Some(link) = draft.links.get_mut(link) {
                link.attributes.cycles_per_flit = rate.min(most) as u8;
            }
        }
        if self.of.is_empty() {
            return;
        }
        let (name, links) = (&self.name, count(self.of.len(), "link", "links"));
        let mut note = format!(
            "`{name}` of {links} becomes a rate: the fastest sends a flit each cycle, others in \
             proportion"
        );
        if slow > 0 {
            let slower = count(slow, "link is", "links are");
            let _ = write!(note, "; {slower} slower than 1/{most} and sends at that rate");
        }
        let without = draft.links.len().saturating_sub(self.of.len());
        if without > 0 {
            let without = count(without, "link without a speed is", "links without a speed are");
            let _ = write!(note, "; {without} as fast as the fastest");
        }
        draft.notes.push(note);
    }
}
