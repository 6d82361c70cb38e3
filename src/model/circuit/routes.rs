//! Routes of circuits in symmetric networks.
//!
//! A route has a number of links, and probabilities of successive links. Destinations are uniform
//! or depend on distance (001: "uniform, sphere of locality, and decreasing probability"): nodes at
//! the same distance are equally likely.

use super::shape::{Shape, binomial};
use super::stages::Stages;

const FOLLOWED: &str = "the routes of other networks are followed one by one";

/// Statistics of all routes.
#[derive(Clone, PartialEq, Debug)]
pub struct Routes {
    /// M, the mean number of links.
    pub(super) mean_links: f64,
    /// A(h): the probability of h links, for h from 1.
    pub(super) shares: Vec<f64>,
    pub(super) links: Links,
}

/// Statistics of successive links of a route.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Links {
    Cube(Crossings),
    Torus(Rings),
    Stages(Box<Stages>),
}

/// Dimensions crossed by routes in a hypercube, relative to a link of a route: always in rising
/// order, with equal probability for every set of the same size.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Crossings {
    /// The probability that the route crosses a given other dimension.
    pub crossed: f64,
    /// The probability that the route crosses two given other dimensions.
    pub both: f64,
    /// The probability that the preceding dimension of the route is 1, 2, … below, if there are so
    /// many.
    pub gaps: Vec<f64>,
}

/// Random numbers of links of a route through two one-way rings, X before Y.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rings {
    /// Mean and variance of the number of links that follow a link in the same ring.
    pub left: f64,
    pub left_variance: f64,
    /// Mean position of a link of a route in its ring, from 1.
    pub place: f64,
    /// For a link in X, the probability of links in Y, and mean and variance of their number beyond
    /// the first.
    pub turning: f64,
    pub more: f64,
    pub more_variance: f64,
    /// The share of links that are the first of their ring.
    pub first: f64,
    /// The share of links in Y preceded by a link in X.
    pub turned: f64,
    /// The share of links in Y that are the first of their route.
    pub fresh: f64,
    /// The mean number of links in X before a link in Y.
    pub before: f64,
}

impl Routes {
    /// The routes to uniform destinations in a hypercube or torus.
    pub fn uniform(shape: Shape) -> Self {
        let (mean_links, shares) = (shape.mean_links(), shape.uniform_routes());
        let links = match shape {
            Shape::Cube { dimensions, .. } => Links::Cube(Crossings {
                crossed: 0.5,
                both: 0.25,
                gaps: (1..dimensions).map(|gap| (-f64::from(gap)).exp2()).collect(),
            }),
            Shape::OneWayTorus { radix } => Links::Torus(Rings::uniform(radix)),
            Shape::Network { .. } => unreachable!("{FOLLOWED}"),
        };
        Self { mean_links, shares, links }
    }

    /// Computes the routes from the probabilities of messages from node 0 to every node, which must
    /// depend only on distance, in a hypercube or torus.
    pub fn by_distance(shape: Shape, probabilities: &[f64]) -> Self {
        let links_to = |node: usize| match shape {
            Shape::Cube { .. } => node.count_ones() as usize,
            Shape::OneWayTorus { radix } => node % radix as usize + node / radix as usize,
            Shape::Network { .. } => unreachable!("{FOLLOWED}"),
        };
        let longest = (0..probabilities.len()).map(links_to).max().unwrap_or_default();
        let mut shares = vec![0.0; longest];
        for (node, share) in probabilities.iter().enumerate().skip(1) {
            shares[links_to(node) - 1] += share;
        }
        let mean_links = (1..).zip(&shares).map(|(links, share)| f64::from(links) * share).sum();
        let links = match shape {
            Shape::Cube { .. } => Links::Cube(Crossings::of(&shares)),
            Shape::OneWayTorus { radix } => Links::Torus(Rings::of(radix, probabilities)),
            Shape::Network { .. } => unreachable!("{FOLLOWED}"),
        };
        Self { mean_links, shares, links }
    }
}

impl Crossings {
    /// Computes the crossings from the probabilities of h links, h from 1 to the number of
    /// dimensions.
    fn of(shares: &[f64]) -> Self {
        let dimensions = shares.len() as u32;
        // The mean over all links, weighting routes by their number of links.
        let mean = |of: &dyn Fn(u32) -> f64| {
            let (mut sum, mut all) = (0.0, 0.0);
            for (links, share) in (1..).zip(shares) {
                let weight = f64::from(links) * share;
                sum += weight * of(links);
                all += weight;
            }
            sum / all
        };
        let others = f64::from(dimensions) - 1.0;
        let crossed = |links: u32| f64::from(links - 1) / others;
        let both =
            |links: u32| f64::from(links - 1) * (f64::from(links) - 2.0) / (others - 1.0) / others;
        let gap = |gap: u32, links: u32| {
            // Routes that skip the intermediate dimensions and cross the dimension at the gap.
            let left = dimensions - 1 - gap;
            if links < 2 || links - 2 > left {
                return 0.0;
            }
            binomial(left, links - 2) / binomial(dimensions - 1, links - 1)
        };
        Self {
            crossed: if dimensions > 1 { mean(&crossed) } else { 0.0 },
            both: if dimensions > 2 { mean(&both) } else { 0.0 },
            gaps: (1..dimensions).map(|below| mean(&|links| gap(below, links))).collect(),
        }
    }
}

impl Rings {
    /// Computes the statistics for uniform destinations in rings of m nodes. A route has links in a
    /// ring with probability (m − 1)/m, then any number from 1 to m − 1.
    fn uniform(radix: u32) -> Self {
        let m = f64::from(radix);
        let all = m * (m - 1.0) / 2.0;
        let (mut left, mut left_second, mut place) = (0.0, 0.0, 0.0);
        for links in 1..radix {
            for at in 1..=links {
                let behind = f64::from(links - at);
                left += behind / all;
                left_second += behind * behind / all;
                place += f64::from(at) / all;
            }
        }
        let turning = (m - 1.0) / m;
        Self {
            left,
            left_variance: left_second - left * left,
            place,
            turning,
            more: (m - 2.0) / 2.0,
            more_variance: ((m - 1.0) * (m - 1.0) - 1.0) / 12.0,
            first: 2.0 / m,
            turned: 2.0 / m * turning,
            fresh: 2.0 / (m * m),
            before: (m - 1.0) / 2.0,
        }
    }

    /// Computes the statistics from the probabilities of messages from node 0, which must be
    /// symmetric in X and Y.
    fn of(radix: u32, probabilities: &[f64]) -> Self {
        let m = radix as usize;
        let mean = |of: &dyn Fn(f64, f64) -> f64| {
            let all = probabilities.iter().enumerate();
            all.map(|(node, share)| share * of((node % m) as f64, (node / m) as f64)).sum::<f64>()
        };
        let is = |truth: bool| f64::from(u8::from(truth));
        // Links of a route in one ring; a mean over links weights routes by their number of links.
        let links = mean(&|x, _| x);
        let left = mean(&|x, _| x * (x - 1.0) / 2.0) / links;
        let left_second = mean(&|x, _| x * (x - 1.0) * (2.0 * x - 1.0) / 6.0) / links;
        let turning = mean(&|x, y| x * is(y > 0.0)) / links;
        let more = |of: &dyn Fn(f64) -> f64| {
            let sum = mean(&|x, y| if y > 0.0 { x * of(y - 1.0) } else { 0.0 });
            if turning > 0.0 { sum / links / turning } else { 0.0 }
        };
        let more_mean = more(&|y| y);
        Self {
            left,
            left_variance: left_second - left * left,
            place: mean(&|x, _| x * (x + 1.0) / 2.0) / links,
            turning,
            more: more_mean,
            more_variance: more(&|y| y * y) - more_mean * more_mean,
            first: mean(&|x, _| is(x > 0.0)) / links,
            turned: mean(&|x, y| is(x > 0.0 && y > 0.0)) / links,
            fresh: mean(&|x, y| is(x <= 0.0 && y > 0.0)) / links,
            before: mean(&|x, y| y * x) / links,
        }
    }
}

#[cfg(test)]
mod tests;
