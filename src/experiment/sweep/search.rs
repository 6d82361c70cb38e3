//! Chooses the next loads of a curve from finished points.
//!
//! The first loads bracket saturation, further loads refine intervals with a large interpolation
//! error. Runs that only narrow the bracket end with their verdict, whatever is known of the latency.
//!
//! The latency of a load near saturation may be less precise than asked for. There the curve is so steep
//! that the bracket of saturation decides how precisely the place of a point on the curve is known: with
//! a latency proportional to 1/(1 − f) at the share f of saturation, an error of b/(4 (1 − f)) in latency
//! is one of b/4 in load, where b is the width of the bracket.

use serde::{Deserialize, Serialize};

use crate::experiment::verdict::Verdict;

/// Loads of the first round, as shares of the highest.
const FIRST: [f64; 5] = [1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0, 1.0 / 2.0, 1.0];
/// The lowest load tried for a steady run, as a share of the highest.
const LOWEST: f64 = 1.0 / 4096.0;
/// Average number of points of a curve beyond the points of the bracket.
const BETWEEN: usize = 4;
/// Maximum number of points of a curve.
const POINTS_MAX: usize = 100;

/// Minimum relative reduction of a congested network's accepted load.
const LESS: f64 = 0.02;
/// Minimum reduction in standard deviations, assuming Poisson deliveries.
const CHANCE: f64 = 4.0;

/// The added precise load of a curve that has none near saturation, as a share of saturation.
const LAST: f64 = 0.95;
/// The share by which a saturated network accepts less than a carried load for this to be doubtful.
const DOUBTFUL: f64 = 0.003;
/// The most by which a load exceeds the accepted load, from which saturation is guessed.
const SOMEWHAT: f64 = 1.25;
/// The permitted error of a load, as a share of the bracket.
const STEEP: f64 = 0.25;
/// The highest share of saturation for which the precision is derived.
const NEAREST: f64 = 0.95;

/// The purpose of a run.
#[derive(Serialize, Deserialize, Clone, Copy, Default, PartialEq, Debug)]
pub(super) enum Purpose {
    /// The latency with the study's precision.
    #[default]
    Latency,
    /// The latency with this precision, if the study's is finer.
    Near(f64),
    /// The side of saturation.
    Verdict,
    /// The side of saturation, by a run as long as a verdict may need.
    Long,
}

impl Purpose {
    /// The latency at a share of saturation, which is known to a `bracket`.
    fn near(share: f64, bracket: f64) -> Self {
        Self::Near(STEEP * bracket / (1.0 - share.min(NEAREST)))
    }

    pub fn is_latency(&self) -> bool {
        *self == Self::Latency
    }
}

/// A load to offer.
pub(super) type Offer = (f64, Purpose);

/// The purpose of a study's loads.
#[derive(Clone, PartialEq, Debug)]
pub enum Aim {
    Given,
    /// The whole curve, saturation known to a share of the load.
    Curve {
        bracket: f64,
    },
    /// Shares of saturation, with saturation known to a share of the load.
    Shares {
        shares: Vec<f64>,
        /// The relative precision of saturation.
        bracket: f64,
    },
}

/// The results at a load.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Seen {
    pub load: f64,
    pub verdict: Verdict,
    /// True if the latency was the purpose of the runs.
    pub measured: bool,
    /// True if the runs were as long as a verdict may need.
    pub is_long: bool,
    /// The mean latency and half the width of its interval.
    pub latency: Option<(f64, f64)>,
    pub accepted: Option<f64>,
    /// The load accepted while the queues grew, if the network is saturated.
    pub congested: Option<f64>,
    /// Messages counted.
    pub messages: f64,
}

/// The loads around a curve's saturation, by the verdicts of its runs.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Bracket {
    /// The highest steady load below the first excessive load.
    pub below: Option<Seen>,
    /// Loads in between with runs too short for a verdict.
    pub unsure: Vec<f64>,
    /// The lowest excessive load.
    pub above: Option<Seen>,
}

impl Bracket {
    /// The bracket of results given in order of ascending loads.
    pub fn of(seen: &[Seen]) -> Self {
        let first = seen.iter().position(|it| it.verdict.is_beyond());
        let carried = &seen[..first.unwrap_or(seen.len())];
        // A long run without a verdict casts doubt on shorter runs at higher loads.
        let is_doubt = |it: &Seen| it.is_long && it.verdict == Verdict::TooShort;
        let sure = &carried[..carried.iter().position(is_doubt).unwrap_or(carried.len())];
        let last = sure.iter().rposition(|it| it.verdict.is_within());
        Self {
            below: last.map(|at| carried[at]),
            unsure: carried[last.map_or(0, |at| at + 1)..].iter().map(|it| it.load).collect(),
            above: first.map(|at| seen[at]),
        }
    }

    /// Limits the bracket to the network's `capacity`.
    #[must_use]
    pub fn limited_to(mut self, capacity: f64) -> Self {
        if let Some(above) = self.above.as_mut().filter(|above| above.load > capacity) {
            above.load = capacity;
        }
        self
    }

    /// Both ends, if known.
    pub fn ends(&self) -> Option<(f64, f64)> {
        Some((self.below?.load, self.above?.load))
    }

    /// The load accepted once congested, if less than the highest load carried without congestion,
    /// by more than 2 % and by more than chance explains.
    pub fn congested(&self) -> Option<f64> {
        let (below, above) = (self.below?, self.above?);
        let congested = above.congested.filter(|_| above.verdict == Verdict::Saturated)?;
        let chance = CHANCE / above.messages.max(1.0).sqrt();
        (congested < below.load * (1.0 - chance.max(LESS))).then_some(congested)
    }

    /// The stretches still too wide: between steady and excessive loads, around loads with runs too
    /// short for a verdict.
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

/// The inputs for choosing a curve's next points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'a> {
    pub aim: &'a Aim,
    /// The highest possible load.
    pub most: f64,
    /// Loads of other curves: equal loads give equal messages.
    pub others: &'a [f64],
}

impl Search<'_> {
    /// The curve's next points; empty if finished. `seen` is in order of loads.
    pub fn next(&self, seen: &[Seen]) -> Vec<Offer> {
        let verdicts =
            |loads: Vec<f64>| loads.into_iter().map(|it| (it, Purpose::Verdict)).collect();
        let (share, shares) = match self.aim {
            Aim::Given => return Vec::new(),
            Aim::Curve { bracket } => (*bracket, None),
            Aim::Shares { shares, bracket } => (*bracket, Some(shares)),
        };
        let top = self.most.min(1.0);
        let (Some(lowest), Some(highest)) = (seen.first(), seen.last()) else {
            let purpose = if shares.is_some() { Purpose::Verdict } else { Purpose::Latency };
            return FIRST.map(|part| (self.rounded(part * top, share), purpose)).to_vec();
        };
        if seen.len() >= POINTS_MAX {
            return Vec::new();
        }
        let bracket = Bracket::of(seen);
        if bracket.above.is_none() && highest.load < self.most {
            return verdicts(vec![self.rounded(2.0 * highest.load, share)]);
        }
        if bracket.below.is_none() && lowest.load > LOWEST * top {
            return verdicts(vec![self.rounded(lowest.load / 4.0, share)]);
        }
        let gaps = bracket.gaps(share);
        if !gaps.is_empty() {
            let around = self.around_accepted(&bracket, share);
            if !around.is_empty() {
                return verdicts(around);
            }
            // Runs too short for a verdict are costly, so their number is minimised.
            let cut = if bracket.unsure.is_empty() { 3.0 } else { 2.0 };
            let cut = |&(from, to): &(f64, f64)| self.cut((from, to), cut, share * to);
            return verdicts(gaps.iter().flat_map(cut).collect());
        }
        if let Some(load) = self.doubtful(seen, &bracket, share) {
            return vec![(load, Purpose::Long)];
        }
        match (shares, bracket.ends()) {
            (None, _) => self.between(seen, &bracket, share),
            (Some(_), None) => Vec::new(),
            (Some(shares), Some((below, above))) => {
                let middle = f64::midpoint(below, above);
                let offer = |part: &f64| {
                    let load = self.unmeasured(seen, part * middle, share)?;
                    Some((load, Purpose::near(*part, share)))
                };
                let mut offers: Vec<Offer> = shares.iter().filter_map(offer).collect();
                offers.dedup();
                offers
            }
        }
    }

    /// The estimated number of points after the next round: two for each cut of the bracket, and
    /// some in between.
    pub fn ahead(&self, seen: &[Seen]) -> usize {
        let (Aim::Curve { bracket } | Aim::Shares { bracket, .. }) = self.aim else { return 0 };
        let width = Bracket::of(seen).ends().map_or(0.5, |(from, to)| (to - from) / to);
        let cuts = (width / bracket).ln() / 3.0_f64.ln();
        if cuts <= 0.0 { 0 } else { 2 * (cuts.ceil() as usize - 1) + BETWEEN }
    }

    /// The next loads offered to a congested network, given results from below (`seen`) that
    /// bracket saturation, and results from above. Empty once the extent of the congestion is
    /// known, or the network recovers from all loads it carries.
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

    /// A load just below the lower end of the bracket, if the network accepts less than that beyond the
    /// upper end: it may be carried only for a while, which longer runs show.
    fn doubtful(&self, seen: &[Seen], bracket: &Bracket, share: f64) -> Option<f64> {
        let (below, above) = (bracket.below?, bracket.above?);
        let least = below.load * (1.0 - DOUBTFUL);
        let accepts_less = above.accepted.is_some_and(|accepted| accepted < least);
        let load = self.rounded(below.load - step(below.load, share), share);
        let is_new = seen.iter().all(|it| it.load.total_cmp(&load).is_ne());
        (accepts_less && above.verdict == Verdict::Saturated && !below.is_long && is_new)
            .then_some(load)
    }

    /// Loads on both sides of the load that is accepted somewhat beyond saturation, where they narrow the
    /// bracket: a saturated network mostly accepts its saturation load.
    fn around_accepted(&self, bracket: &Bracket, share: f64) -> Vec<f64> {
        let (Some(below), Some(above)) = (bracket.below, bracket.above) else { return Vec::new() };
        let near = |accepted: &f64| above.load <= SOMEWHAT * accepted;
        let saturated = above.verdict == Verdict::Saturated && bracket.unsure.is_empty();
        let Some(accepted) = above.accepted.filter(near).filter(|_| saturated) else {
            return Vec::new();
        };
        let apart = 0.2 * share;
        let inside =
            |load: &f64| *load > below.load * (1.0 + apart) && *load < above.load * (1.0 - apart);
        let sides = [1.0 - 2.0 * apart, 1.0 + 2.0 * apart].map(|side| accepted * side);
        sides.into_iter().map(|load| self.rounded(load, share)).filter(inside).collect()
    }

    /// Cuts a gap into a number of parts, or into two if then narrow enough.
    fn cut(&self, (from, to): (f64, f64), parts: f64, narrow: f64) -> Vec<f64> {
        if parts < 3.0 || to - from <= 2.0 * narrow {
            return vec![self.middle(from, to, narrow / to)];
        }
        let part = (to - from) / parts;
        [from + part, to - part].map(|load| self.rounded(load, narrow / to)).to_vec()
    }

    /// The midpoints of stretches with a linear interpolation error larger than the interval.
    fn between(&self, seen: &[Seen], bracket: &Bracket, share: f64) -> Vec<Offer> {
        let last = bracket.below.map_or(0.0, |it| it.load);
        let steady = seen.iter().filter(|it| it.verdict == Verdict::Steady && it.measured);
        let steady = steady.filter(|it| it.load <= last);
        let known: Vec<[f64; 3]> =
            steady.filter_map(|it| it.latency.map(|(mean, half)| [it.load, mean, half])).collect();
        // The error follows from the curvature at neighbouring points: half the curvature times
        // both lengths is the distance of the middle point from the line through its neighbours.
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
            worth.then(|| self.unmeasured(seen, self.middle(from, to, share), share))?
        });
        let saturation = bracket.ends().map(|(below, above)| f64::midpoint(below, above));
        // The last part of a curve may be known from verdicts only.
        let end = saturation.and_then(|it| {
            let is_short = known.last().is_some_and(|[load, ..]| *load < LAST * it * (1.0 - share));
            self.unmeasured(seen, LAST * it, share).filter(|_| is_short)
        });
        let near = |load| saturation.map_or(Purpose::Latency, |it| Purpose::near(load / it, share));
        let loads = wide.chain(end).map(|load| (load, near(load)));
        loads.take(POINTS_MAX - seen.len()).collect()
    }

    /// A load near the middle, preferably shared with another curve.
    fn middle(&self, from: f64, to: f64, share: f64) -> f64 {
        let (middle, sixth) = (f64::midpoint(from, to), (to - from) / 6.0);
        let off = |load: &f64| (load - middle).abs();
        let near = self.others.iter().copied().filter(|load| off(load) < sixth);
        let near = near.min_by(|one, other| off(one).total_cmp(&off(other)));
        near.unwrap_or_else(|| self.rounded(middle, share))
    }

    /// Rounds a load to the digits needed to distinguish possible loads.
    fn rounded(&self, load: f64, share: f64) -> f64 {
        let decimals = decimals(load, share);
        let short = format!("{load:.decimals$}").parse().unwrap_or(load);
        f64::min(short, self.most)
    }

    /// A rounded load without a measured latency; the next one if a run for a verdict has had it.
    fn unmeasured(&self, seen: &[Seen], load: f64, share: f64) -> Option<f64> {
        let load = self.rounded(load, share);
        let next = self.rounded(load + step(load, share), share);
        let at = |load: f64| seen.iter().find(|it| it.load.total_cmp(&load).is_eq());
        match (at(load), at(next)) {
            (None, _) => Some(load),
            (Some(known), None) if !known.measured => Some(next),
            (Some(_), _) => None,
        }
    }
}

/// The digits needed to distinguish possible loads.
fn decimals(load: f64, share: f64) -> usize {
    (-(share * load / 8.0).log10().floor()).clamp(0.0, 15.0) as usize
}

/// The distance of neighbouring rounded loads.
fn step(load: f64, share: f64) -> f64 {
    10_f64.powf(-(decimals(load, share) as f64))
}

#[cfg(test)]
mod tests;
