//! The mean wait for a link whose requests come in streams, each of which has at most one message
//! there: a message that came over another link keeps that link, and nothing follows it.
//!
//! An M/G/1 queue would have a message wait for others of its own stream, which cannot be. The wait
//! of a stream is half-way between what it would be if its own message were always and never in the
//! queue that the others form.
use crate::model::fixed_point::NoSolution;

/// The weight of a queue in which the stream's own message is counted.
const OWN_PRESENT: f64 = 0.5;

/// Requests for a link, and for how long it is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'a> {
    /// Λ: requests per unit of time.
    pub requests: f64,
    /// Shares of the requests that come over one other link each.
    pub streams: &'a [f64],
    /// Share of the requests of messages that hold no link yet: a Poisson stream.
    pub fresh: f64,
    /// E\[S\]: mean time for which it is held.
    pub hold: f64,
    pub variance: f64,
}

/// What requests for a link meet.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Waits {
    pub streams: Vec<f64>,
    pub mean: f64,
    pub conflict: f64,
    pub utilisation: f64,
}

impl Link<'_> {
    fn second_moment(&self) -> f64 {
        self.hold * self.hold + self.variance
    }

    /// E\[S³\] / E\[S²\], the third moment being that of a gamma law with the same first two: exact
    /// for constant and exponential times.
    fn third_over_second(&self) -> f64 {
        let ratio = self.variance / (self.hold * self.hold);
        self.hold * (1.0 + 2.0 * ratio)
    }

    /// E\[w²\] of requests that wait `wait` on average.
    pub fn wait_second_moment(&self, wait: f64) -> f64 {
        2.0 * wait * wait + 2.0 / 3.0 * wait * self.third_over_second()
    }

    /// The mean wait at the queue that all streams but number `left_out` form.
    fn wait_of_others(&self, work: f64, busy: f64, left_out: usize) -> Result<f64, NoSolution> {
        let others = || {
            let but = self.streams.iter().enumerate().filter(move |&(index, _)| index != left_out);
            but.map(|(_, &share)| share)
        };
        let total = others().sum::<f64>() + self.fresh;
        let mut above = self.fresh * total;
        let mut below = self.fresh;
        for share in others() {
            above += share * (total - share) / (1.0 + busy * share);
            below += share / (1.0 + busy * share);
        }
        positive(1.0 - busy * below).map(|room| work * above / room)
    }

    /// The waits; saturated where a queue has no room for its requests.
    pub fn waits(&self) -> Result<Waits, NoSolution> {
        let busy = self.requests * self.hold;
        positive(1.0 - busy)?;
        let work = self.requests * self.second_moment() / 2.0;
        // w_i = apart_i + slope_i · w, and w is the mean of all: linear in w.
        let mut apart = Vec::with_capacity(self.streams.len());
        let (mut above, mut below) = (self.fresh * work, self.fresh * busy);
        for (index, &share) in self.streams.iter().enumerate() {
            let without = self.wait_of_others(work, busy, index)?;
            let scale = 1.0 + OWN_PRESENT * busy * share;
            let own = ((1.0 - share) * work + busy * (1.0 - OWN_PRESENT) * without) / scale;
            let slope = OWN_PRESENT * busy / scale;
            above += share * own;
            below += share * slope;
            apart.push((own, slope));
        }
        let mean = above / positive(1.0 - below)?;
        let met = self.streams.iter().map(|share| share * (1.0 - share)).sum::<f64>() + self.fresh;
        Ok(Waits {
            streams: apart.into_iter().map(|(own, slope)| own + slope * mean).collect(),
            mean,
            conflict: busy * met,
            utilisation: busy,
        })
    }
}

fn positive(room: f64) -> Result<f64, NoSolution> {
    if room > 0.0 { Ok(room) } else { Err(NoSolution::Saturated) }
}

#[cfg(test)]
mod tests;
