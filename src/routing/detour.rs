//! Routes in two parts by an inner rule: to a random router and from there to the destination.
//!
//! The first part uses the lower half of the classes and the second part the upper half. A direct
//! route is a second part that begins at the source.

use std::sync::Arc;

use super::algorithm::Algorithm;
use super::fields::Threshold;
use super::head::{Header, Stop, subsets};
use super::prepared::Prepared;
use super::rule::{Needs, OnNetwork, Rule, Ties};
use super::steps::Step;
use crate::ids::RouterId;
use crate::topology::Network;
use crate::words::Misfit;

/// The first of the random bits that select the intermediate router, and their number. The bits
/// below select ways round rings, the bits above belong to the inner rule.
const FIRST_BIT: u32 = 12;
const BITS: u32 = 20;
const MASK: u64 = (1 << BITS) - 1;

/// The two parts of a route, on one network.
///
/// A message that passes its destination on the first part has arrived.
#[derive(Clone, Debug)]
pub struct Detour {
    inner: Arc<dyn Rule>,
    /// The classes of the inner rule, used by the first part; the second part uses as many more.
    classes: u32,
    /// The routers with hosts, any of which may be the intermediate router.
    middles: Arc<[RouterId]>,
    /// The choice at the source, if the direct route is offered too.
    choice: Option<Threshold>,
    /// The network with the VCs of each part, once the number of VCs is known.
    parts: Option<[Prepared; 2]>,
}

impl Detour {
    /// Prepares detours by a rule.
    ///
    /// # Errors
    /// The reason why the network is unsuitable for the inner rule.
    pub fn new(
        of: &Arc<dyn Rule>,
        network: &Network,
        choice: Option<Threshold>,
    ) -> Result<Self, Misfit> {
        let inner = of.on(network)?.unwrap_or_else(|| of.clone());
        let classes = inner.serves(network)?.needed;
        if choice.is_some() && inner.reads_source(network.wraps()) {
            let what = "the VC classes of the inner rule depend on the source, and a direct route \
                        and the second part of a detour, with different sources, share their VCs";
            return Misfit::because(what, "write `classes: Destination` for the inner rule");
        }
        let middles = network.host_routers().collect();
        Ok(Self { inner, classes, middles, choice, parts: None })
    }

    /// The intermediate router of a message.
    fn middle(&self, route_bits: u64) -> RouterId {
        let drawn = (route_bits >> FIRST_BIT & MASK) * self.middles.len() as u64;
        self.middles[(drawn >> BITS) as usize]
    }

    /// The random bits that select an intermediate router.
    fn bits_for(&self, middle: usize) -> u64 {
        ((middle as u64) << BITS).div_ceil(self.middles.len() as u64) << FIRST_BIT
    }

    /// The rule's network with the VCs of a part of the route.
    fn part(&self, part: Part) -> &Prepared {
        let [first, second] = self.parts.as_ref().expect("a relation prepares its rule");
        match part {
            Part::First => first,
            Part::Second => second,
        }
    }

    /// Offers the candidates of one part of the route.
    fn follow(&self, step: &mut Step<'_>, part: Part, stop: Stop, header: &Header) {
        self.inner.candidates(self.part(part), stop, header, step.found);
    }
}

impl Algorithm for Detour {
    const NAME: &'static str = "detour";
    const HELP: &'static str = "Goes to a random router, then to the destination.";
    const TIES: Ties = Ties::Settled;
    const MINIMAL: bool = false;
    const READS_ARRIVAL: bool = true;

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::new(2 * self.classes, "each part of a route has the classes of the inner rule"))
    }

    fn prepared(&self, on: &Prepared) -> Option<OnNetwork> {
        let classes = self.classes as usize;
        let of = |first: usize| {
            let mut on = on.clone();
            on.class_vcs.rotate_left(first);
            on.line_vcs = on.class_vcs[..classes].iter().fold(0, |all, vcs| all | vcs);
            on
        };
        Some(Arc::new(Self { parts: Some([of(0), of(classes)]), ..self.clone() }))
    }

    fn parts(&self) -> Option<[OnNetwork; 2]> {
        let of = |on: &Prepared| -> OnNetwork {
            Arc::new(OnePart { inner: self.inner.clone(), on: on.clone() })
        };
        self.parts.as_ref().map(|parts| parts.each_ref().map(of))
    }

    fn chooses(&self) -> bool {
        self.choice.is_some() || self.inner.chooses()
    }

    fn selects_by_queues(&self) -> Option<Threshold> {
        self.choice
    }

    fn settles_routes(&self, wraps: bool) -> bool {
        self.choice.is_none() && self.inner.settles_routes(wraps)
    }

    fn reads_source(&self, wraps: bool) -> bool {
        self.inner.reads_source(wraps)
    }

    fn outcomes(&self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> Vec<u64> {
        let (first, second) = (self.part(Part::First), self.part(Part::Second));
        let each = |(nth, &middle): (usize, &RouterId)| {
            let before = self.inner.bits_read(first, source, middle);
            let after = self.inner.bits_read(second, Some(middle), destination);
            let drawn = self.bits_for(nth);
            subsets((before | after) & on.bits).map(move |bits| bits | drawn)
        };
        self.middles.iter().enumerate().flat_map(each).collect()
    }

    fn candidates(&self, mut step: Step<'_>) {
        let header = *step.header;
        let Header { destination, route_bits, .. } = header;
        let (at, middle) = (step.at, self.middle(route_bits));
        if at == destination {
            return;
        }
        let (begin, here) = (Stop::start(at), Stop { came: step.came, ..Stop::start(at) });
        let second = Header { source: middle, ..header };
        let first = Header { destination: middle, ..header };
        match step.came {
            Some(came) if step.on.class_of(came.vc()) as u32 >= self.classes => {
                self.follow(&mut step, Part::Second, here, &second);
            }
            Some(_) | None if at == middle => self.follow(&mut step, Part::Second, begin, &second),
            Some(_) => self.follow(&mut step, Part::First, here, &first),
            None => {
                if self.choice.is_some() {
                    self.follow(&mut step, Part::Second, begin, &second);
                }
                self.follow(&mut step, Part::First, begin, &first);
            }
        }
    }
}

/// The part of a route before or after the intermediate router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    First,
    Second,
}

/// The inner rule with the VCs of one part of the route.
#[derive(Debug)]
struct OnePart {
    inner: Arc<dyn Rule>,
    on: Prepared,
}

impl Algorithm for OnePart {
    const NAME: &'static str = "part of a detour";
    const HELP: &'static str = "Goes by the inner rule.";
    const MINIMAL: bool = false;

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::ONE)
    }

    fn reads_arrival(&self) -> bool {
        self.inner.reads_arrival()
    }

    fn reads_source(&self, wraps: bool) -> bool {
        self.inner.reads_source(wraps)
    }

    fn bits_read(&self, on: &Prepared, source: Option<RouterId>, destination: RouterId) -> u64 {
        self.inner.bits_read(on, source, destination)
    }

    fn candidates(&self, step: Step<'_>) {
        let stop = Stop { came: step.came, ..Stop::start(step.at) };
        self.inner.candidates(&self.on, stop, step.header, step.found);
    }
}
