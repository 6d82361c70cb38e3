//! Flows of circuits over the links of any network.

/// Flows over the links of a network, per message of a node.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Stages {
    pub links: Vec<Station>,
    /// Links in the order of computation, later ones of a route first.
    pub order: Vec<usize>,
    /// Mean share of the requests for a link that arrive over the preceding link, over all requests
    /// with a preceding link.
    pub excluded: f64,
    /// The probability of n candidates at `choices[h − 1][hop][n]`, for routes of h links.
    pub choices: Vec<Vec<Vec<f64>>>,
    /// The probability that two attempts of a message of h links have the same last link, at h − 1.
    pub same_last: Vec<f64>,
}

/// A link and its place on the routes.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Station {
    /// Messages over the link.
    pub flow: f64,
    /// Mean number of links of a route up to this link.
    pub place: f64,
    /// Preceding links, each with the share of the requests that arrive over it.
    pub streams: Vec<(usize, f64)>,
    /// Following links: the link, the number of this link among its streams, and the probability.
    pub next: Vec<(usize, usize, f64)>,
}

impl Station {
    /// Adds messages that arrive over the preceding link.
    pub fn add(&mut self, before: Option<usize>, place: usize, share: f64) {
        self.flow += share;
        self.place += share * place as f64;
        let Some(before) = before else { return };
        match self.streams.iter_mut().find(|stream| stream.0 == before) {
            Some(stream) => stream.1 += share,
            None => self.streams.push((before, share)),
        }
    }
}

impl Stages {
    /// Computes shares and successors from flows.
    pub fn finish(&mut self) {
        let (mut alike, mut all) = (0.0, 0.0);
        for at in 0..self.links.len() {
            let Station { flow, place, streams, .. } = &mut self.links[at];
            if *flow <= 0.0 {
                continue;
            }
            *place /= *flow;
            for (_, share) in streams.iter_mut() {
                all += *share;
                alike += *share * *share / *flow;
                *share /= *flow;
            }
            let (flow, streams) = (*flow, streams.clone());
            for (number, (before, share)) in streams.into_iter().enumerate() {
                let probability = share * flow / self.links[before].flow;
                self.links[before].next.push((at, number, probability));
            }
        }
        self.excluded = if all > 0.0 { alike / all } else { 0.0 };
        self.order = (0..self.links.len()).filter(|&at| self.links[at].flow > 0.0).collect();
        self.order.sort_by(|&a, &b| self.links[b].place.total_cmp(&self.links[a].place));
    }
}
