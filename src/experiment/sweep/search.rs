//! Where the next points of a curve are, from those that are finished: first those between which it
//! saturates, then those that a straight line between two others would miss.

/// Loads of the first round, as shares of the highest.
const FIRST: [f64; 5] = [1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0, 1.0 / 2.0, 1.0];
/// The lowest load at which a steady run is looked for, as a share of the highest.
const LOWEST: f64 = 1.0 / 4096.0;
/// Points that a curve has on the average besides those that are needed for the bracket.
const BETWEEN: usize = 4;
/// The most points of a curve.
const POINTS_MAX: usize = 100;

/// The share by which a congested network accepts less than others, at least.
const LESS: f64 = 0.02;
/// Standard deviations of chance by which it accepts less, if deliveries are Poisson.
const CHANCE: f64 = 4.0;

/// What the loads of a study are to show.
#[derive(Clone, PartialEq, Debug)]
pub enum Aim {
    Given,
    /// The whole curve, saturation known to a share of the load.
    Curve {
        bracket: f64,
    },
    /// These shares of saturation, which is known to a share of the load.
    Shares {
        shares: Vec<f64>,
        /// How well saturation is known.
        bracket: f64,
    },
}

/// What runs have said of their load; of several, the greatest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Verdict {
    Steady,
    TooShort,
    Saturated,
    Deadlocked,
}

impl Verdict {
    /// True if the network does not carry the load.
    fn is_beyond(self) -> bool {
        matches!(self, Self::Saturated | Self::Deadlocked)
    }
}

/// A load and what is known of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Seen {
    pub load: f64,
    pub verdict: Verdict,
    /// The mean latency and half the width of its interval.
    pub latency: Option<(f64, f64)>,
    pub accepted: Option<f64>,
    /// The load accepted while the queues grew, where the network is saturated.
    pub congested: Option<f64>,
    /// Messages counted.
    pub messages: f64,
}

/// Between which loads a curve saturates, by the verdicts of its runs.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Bracket {
    /// The highest load below all that are too much at which the network is known to be steady.
    pub below: Option<Seen>,
    /// Loads between the two whose runs are too short to tell.
    pub unsure: Vec<f64>,
    /// The lowest load that is too much.
    pub above: Option<Seen>,
}

impl Bracket {
    /// The bracket of what was seen, by growing loads.
    pub fn of(seen: &[Seen]) -> Self {
        let first = seen.iter().position(|it| it.verdict.is_beyond());
        let carried = &seen[..first.unwrap_or(seen.len())];
        let last = carried.iter().rposition(|it| it.verdict == Verdict::Steady);
        Self {
            below: last.map(|at| carried[at]),
            unsure: carried[last.map_or(0, |at| at + 1)..].iter().map(|it| it.load).collect(),
            above: first.map(|at| seen[at]),
        }
    }

    /// The same, where the network is known to carry no more than `capacity`.
    #[must_use]
    pub fn limited_to(mut self, capacity: f64) -> Self {
        if let Some(above) = self.above.as_mut().filter(|above| above.load > capacity) {
            above.load = capacity;
        }
        self
    }

    /// Its two ends, if it has both.
    pub fn ends(&self) -> Option<(f64, f64)> {
        Some((self.below?.load, self.above?.load))
    }

    /// The load accepted once the network is congested, where that is less than the highest load carried
    /// without congestion, by more than 2 % and by more than chance would explain.
    pub fn congested(&self) -> Option<f64> {
        let (below, above) = (self.below?, self.above?);
        let congested = above.congested.filter(|_| above.verdict == Verdict::Saturated)?;
        let chance = CHANCE / above.messages.max(1.0).sqrt();
        (congested < below.load * (1.0 - chance.max(LESS))).then_some(congested)
    }

    /// What is still too wide of it: where loads are that are carried and such that are too much, with
    /// nothing but what is too short to tell between.
    fn gaps(&self, share: f64) -> Vec<(f64, f64)> {
        let Some((below, above)) = self.ends() else { return Vec::new() };
        let gaps = match &self.unsure[..] {
            [] => vec![(below, above)],
            [first, .., last] => vec![(below, *first), (*last, above)],
            [only] => vec![(below, *only), (*only, above)],
        };
        gaps.into_iter().filter(|(from, to)| to - from > share * above).collect()
    }
}

/// The curve of a study, as far as its next points depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'a> {
    pub aim: &'a Aim,
    /// The highest load that can be offered.
    pub most: f64,
    /// Loads of other curves: at the same load curves have the same messages.
    pub others: &'a [f64],
}

impl Search<'_> {
    /// The loads of the curve's next points; none, if it is finished. `seen` is in the order of loads.
    pub fn next(&self, seen: &[Seen]) -> Vec<f64> {
        let (share, shares) = match self.aim {
            Aim::Given => return Vec::new(),
            Aim::Curve { bracket } => (*bracket, None),
            Aim::Shares { shares, bracket } => (*bracket, Some(shares)),
        };
        let top = self.most.min(1.0);
        let (Some(lowest), Some(highest)) = (seen.first(), seen.last()) else {
            return FIRST.map(|part| self.rounded(part * top, share)).to_vec();
        };
        if seen.len() >= POINTS_MAX {
            return Vec::new();
        }
        let bracket = Bracket::of(seen);
        if bracket.above.is_none() && highest.load < self.most {
            return vec![self.rounded(2.0 * highest.load, share)];
        }
        if bracket.below.is_none() && lowest.load > LOWEST * top {
            return vec![self.rounded(lowest.load / 4.0, share)];
        }
        let gaps = bracket.gaps(share);
        if !gaps.is_empty() {
            // Where runs are too short to tell, the fewer of them the better.
            let cut = if bracket.unsure.is_empty() { 3.0 } else { 2.0 };
            let cut = |&(from, to): &(f64, f64)| self.cut((from, to), cut, share * to);
            return gaps.iter().flat_map(cut).collect();
        }
        match (shares, bracket.ends()) {
            (None, _) => self.between(seen, &bracket, share),
            (Some(_), None) => Vec::new(),
            (Some(shares), Some((below, above))) => {
                let load = |part: &f64| self.rounded(part * f64::midpoint(below, above), share);
                let new = |load: &f64| seen.iter().all(|it| it.load.total_cmp(load).is_ne());
                let mut loads: Vec<f64> = shares.iter().map(load).filter(new).collect();
                loads.dedup();
                loads
            }
        }
    }

    /// How many points there will be after those of the next round, by estimate: two for each time that the
    /// bracket is cut, and some between.
    pub fn ahead(&self, seen: &[Seen]) -> usize {
        let (Aim::Curve { bracket } | Aim::Shares { bracket, .. }) = self.aim else { return 0 };
        let width = Bracket::of(seen).ends().map_or(0.5, |(from, to)| (to - from) / to);
        let cuts = (width / bracket).ln() / 3.0_f64.ln();
        if cuts <= 0.0 { 0 } else { 2 * (cuts.ceil() as usize - 1) + BETWEEN }
    }

    /// The same from above: which loads a congested network is offered, where it saturates from below between
    /// two of `seen`, and this is what came of those that were. None, once it is known how far down it stays
    /// congested, or that it recovers from all that it carries.
    pub fn next_from_above(&self, seen: &[Seen], above: &[Seen]) -> Vec<f64> {
        let (Aim::Curve { bracket: share } | Aim::Shares { bracket: share, .. }) = *self.aim else {
            return Vec::new();
        };
        let Some((carried, _)) = Bracket::of(seen).ends() else { return Vec::new() };
        let Some(lowest) = above.first() else { return vec![carried] };
        let bracket = Bracket::of(above);
        let stays = bracket.above.is_some();
        if stays && bracket.below.is_none() && lowest.load > LOWEST * self.most.min(1.0) {
            return vec![self.rounded(lowest.load / 2.0, share)];
        }
        let cut = |&(from, to): &(f64, f64)| self.cut((from, to), 2.0, share * to);
        bracket.gaps(share).iter().flat_map(cut).collect()
    }

    /// Cuts a gap into a number of parts; into two, if they are then narrow enough.
    fn cut(&self, (from, to): (f64, f64), parts: f64, narrow: f64) -> Vec<f64> {
        if parts < 3.0 || to - from <= 2.0 * narrow {
            return vec![self.middle(from, to, narrow / to)];
        }
        let part = (to - from) / parts;
        [from + part, to - part].map(|load| self.rounded(load, narrow / to)).to_vec()
    }

    /// The middles of the stretches on which a straight line between the ends would miss the curve by
    /// more than its interval.
    fn between(&self, seen: &[Seen], bracket: &Bracket, share: f64) -> Vec<f64> {
        let last = bracket.below.map_or(0.0, |it| it.load);
        let steady = seen.iter().filter(|it| it.verdict == Verdict::Steady && it.load <= last);
        let known: Vec<[f64; 3]> =
            steady.filter_map(|it| it.latency.map(|(mean, half)| [it.load, mean, half])).collect();
        // By how much, with the curvature of the points around: half of it times the lengths of the two
        // stretches is what the middle one lies off the line through its neighbours.
        let mut missed = vec![0.0_f64; known.len().saturating_sub(1)];
        for (at, three) in known.windows(3).enumerate() {
            let [[x, y, _], [x_middle, y_middle, _], [x_end, y_end, _]] =
                [three[0], three[1], three[2]];
            let (left, right) = (x_middle - x, x_end - x_middle);
            let off = ((y * right + y_end * left) / (left + right) - y_middle).abs();
            missed[at] = missed[at].max(off * left / (4.0 * right));
            missed[at + 1] = missed[at + 1].max(off * right / (4.0 * left));
        }
        let stretches = known.windows(2).zip(missed);
        let wide = stretches.filter_map(|(ends, missed)| {
            let ([from, _, one], [to, _, two]) = (ends[0], ends[1]);
            let worth = missed > f64::midpoint(one, two) && to - from > share * to;
            worth.then(|| self.middle(from, to, share))
        });
        wide.take(POINTS_MAX - seen.len()).collect()
    }

    /// A load about half way, if possible one that another curve has.
    fn middle(&self, from: f64, to: f64, share: f64) -> f64 {
        let (middle, sixth) = (f64::midpoint(from, to), (to - from) / 6.0);
        let off = |load: &f64| (load - middle).abs();
        let near = self.others.iter().copied().filter(|load| off(load) < sixth);
        let near = near.min_by(|one, other| off(one).total_cmp(&off(other)));
        near.unwrap_or_else(|| self.rounded(middle, share))
    }

    /// A load in as many digits as it takes to tell it from others that may be chosen.
    fn rounded(&self, load: f64, share: f64) -> f64 {
        let decimals = (-(share * load / 8.0).log10().floor()).clamp(0.0, 15.0) as usize;
        let short = format!("{load:.decimals$}").parse().unwrap_or(load);
        f64::min(short, self.most)
    }
}

#[cfg(test)]
mod tests;
