//! The share of cycles in which each channel moves a flit, smoothed.

/// The smoothed utilisation of every channel.
#[derive(Debug, Default)]
pub(super) struct Utilisation {
    /// Flits that had crossed each channel when last looked at, and when that was.
    seen: Vec<u64>,
    seen_at: u64,
    /// Whether there is an average to go on from.
    known: bool,
    shares: Vec<f32>,
}

impl Utilisation {
    /// Begins anew here: the next look averages from now on.
    pub(super) fn restart(&mut self, now: u64, crossed: &[u64]) {
        self.seen.clear();
        self.seen.extend_from_slice(crossed);
        self.seen_at = now;
        self.known = false;
        self.shares.resize(crossed.len(), 0.0);
    }

    /// Moves on to cycle `now`, averaging over about `window` cycles.
    pub(super) fn look(&mut self, now: u64, crossed: &[u64], window: u64) {
        let cycles = now.saturating_sub(self.seen_at);
        if self.seen.len() != crossed.len() {
            self.seen = vec![0; crossed.len()];
            self.shares = vec![0.0; crossed.len()];
        }
        if cycles == 0 {
            return;
        }
        let weight = if self.known { 1.0 - (-(cycles as f64) / window as f64).exp() } else { 1.0 };
        for ((average, seen), &total) in self.shares.iter_mut().zip(&mut self.seen).zip(crossed) {
            let share = total.saturating_sub(*seen) as f64 / cycles as f64;
            *average += (weight * (share - f64::from(*average))) as f32;
            *seen = total;
        }
        self.seen_at = now;
        self.known = true;
    }

    /// The averages, channel by channel.
    pub(super) fn shares(&self) -> &Vec<f32> {
        &self.shares
    }
}

#[cfg(test)]
mod tests;
