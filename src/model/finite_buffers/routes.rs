//! The routes of a network of worms: links, and every sequence of links that worms take, with how
//! often they take it.
//!
//! Routes that end alike are kept together as a tree that grows from the ejection links: what
//! happens to a worm on a link depends only on the links after it, so everything is worked out once
//! for every *suffix* of a route and not for every route.

use crate::ids::ChannelId;
use crate::model::Unsolved;
use crate::model::routes::{self, Trip};
use crate::system::System;
use crate::topology::Role;

/// A directed link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// What it is for.
    pub role: Role,
    /// Cycles from a flit's sending to its being usable at the far end: η.
    pub delay: u32,
}

/// A link together with all the links after it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct RouteSuffix {
    pub link: ChannelId,
    /// The suffix from the link after it; `None` from an ejection link.
    pub next: Option<u32>,
    /// Worms that take it per worm of a host: λ/γ.
    pub share: f64,
    /// Its first branch, and the next branch of `next`: as in a tree.
    branch: Option<u32>,
    sibling: Option<u32>,
}

/// Links, and routes over them. Routes are fixed at the source; several may lead from one host to
/// another, each with its share.
#[derive(Clone, PartialEq, Debug)]
pub struct Routes {
    pub(super) links: Vec<Link>,
    /// A suffix comes after the one that it goes on to.
    pub(super) suffixes: Vec<RouteSuffix>,
    /// By ejection link, the suffix that is this link alone.
    last: Vec<Option<u32>>,
    /// All worms per worm of a host.
    pub(super) sent: f64,
    /// Σ η over a route, times its share, over all routes.
    delay: f64,
}

impl Routes {
    /// No routes yet over these links, which are named by their place in the list.
    pub fn new(links: Vec<Link>) -> Self {
        let last = vec![None; links.len()];
        Self { links, suffixes: Vec::new(), last, sent: 0.0, delay: 0.0 }
    }

    /// All routes of `system`, which has injection and ejection channels; each channel takes `delay`
    /// cycles.
    pub(super) fn follow(system: &System, delay: u32) -> Result<Self, Unsolved> {
        let network = &system.network;
        let links = network.channels().iter().map(|channel| Link { role: channel.role, delay });
        let mut all = Self::new(links.collect());
        let (mut route, mut candidates): (Vec<ChannelId>, _) = (Vec::new(), Vec::new());
        routes::for_each_source(system, |source, shares| {
            for trip in routes::trips(system, source, shares).flatten() {
                let Trip { source, destination, share, .. } = trip;
                route.clear();
                route.extend(network.injection_of(source));
                let routing = "routes that are fixed at the source";
                routes::follow(system, trip, &mut candidates, routing, |link| {
                    route.push(link.channel);
                })?;
                route.extend(network.ejection_of(destination));
                all.add(&route, share);
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Adds a route from an injection link over links between switches to an ejection link. `share`
    /// is the number of worms that take it per worm of a host that sends (λ/γ), above 0.
    ///
    /// # Panics
    ///
    /// If the roles of the links are not those of a route, or a link is not in the list.
    pub fn add(&mut self, route: &[ChannelId], share: f64) {
        let role = |at: ChannelId| self.links[at.index()].role;
        let [first, middle @ .., last] = route else {
            panic!("a route has an injection and an ejection link");
        };
        assert!(
            role(*first) == Role::Injection
                && role(*last) == Role::Ejection
                && middle.iter().all(|&link| role(link) == Role::Link),
            "a route leads from an injection link over links to an ejection link"
        );
        assert!(share > 0.0, "a route that is taken");
        self.sent += share;
        let mut next = None;
        for &link in route.iter().rev() {
            self.delay += share * f64::from(self.links[link.index()].delay);
            let here = self.suffix(link, next);
            self.suffixes[here as usize].share += share;
            next = Some(here);
        }
    }

    /// The suffix of `link` and then `next`, made where there is none yet.
    fn suffix(&mut self, link: ChannelId, next: Option<u32>) -> u32 {
        let head = match next {
            Some(next) => self.suffixes[next as usize].branch,
            None => self.last[link.index()],
        };
        let mut known = head;
        while let Some(suffix) = known {
            if self.suffixes[suffix as usize].link == link {
                return suffix;
            }
            known = self.suffixes[suffix as usize].sibling;
        }
        let fresh = self.suffixes.len() as u32;
        self.suffixes.push(RouteSuffix { link, next, share: 0.0, branch: None, sibling: head });
        match next {
            Some(next) => self.suffixes[next as usize].branch = Some(fresh),
            None => self.last[link.index()] = Some(fresh),
        }
        fresh
    }

    /// Σ η over the route of the mean worm, in cycles; 0 where there are no routes.
    pub fn delay_mean(&self) -> f64 {
        if self.sent > 0.0 { self.delay / self.sent } else { 0.0 }
    }

    /// λ/γ by link.
    pub fn flows(&self) -> Vec<f64> {
        let mut flows = vec![0.0; self.links.len()];
        for suffix in &self.suffixes {
            flows[suffix.link.index()] += suffix.share;
        }
        flows
    }
}

#[cfg(test)]
mod tests;
