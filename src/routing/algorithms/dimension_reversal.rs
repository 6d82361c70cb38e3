//! Dimension reversal (Dally and Aoki 1993, *Deadlock-free adaptive routing in multicomputer networks
//! using virtual channels*) on meshes and hypercubes: any route, also a longer one, with a limited
//! number of dimension reversals. A *dimension reversal* is a turn to a lower dimension; here a turn
//! by 180 degrees counts as well. The head carries the number of its reversals.
//!
//! In the static algorithm this number is the class of a hop, and a message in the last class goes in
//! dimension order. *Proof.* Within a class the dimension never falls and the direction along a
//! dimension remains, so no cycle of dependencies lies within a class, and the class never falls.
//!
//! In the dynamic algorithm the VCs are adaptive, except for a deterministic class of dimension
//! order, which messages never leave. As published, a message labels the VCs that it holds with its
//! number, waits for adaptive VCs with a higher label only, and if there is none changes to the
//! deterministic class; so messages that wait for each other have ascending numbers. Labels are a
//! state of the network, and routes here are a pure relation: a head that finds no free adaptive VC
//! takes the deterministic VC if free, whatever the labels, and otherwise waits for any of its
//! candidates. This is free of deadlock by Duato's theorem, with the deterministic class as the
//! escape. The numbers limit the adaptive part of a route.
//!
//! A *detour* is a hop that does not lead closer. The head also carries the number of its detours; a
//! route is at most twice their limit longer than the shortest. The paper limits misrouting in
//! general terms, to prevent livelock.

use crate::routing::algorithm::prelude::*;
use crate::routing::fields::{Detours, Reversals};

words! {
    /// The VC classes of static dimension reversal routing.
    #[derive(Eq)]
    pub enum ReversalClasses {
        /// A class for each number of reversals.
        ByReversals,
        /// All messages share the VCs. Can deadlock.
        Shared,
    }
}

/// Static dimension reversal routing.
#[derive(Clone, Copy, Debug)]
pub struct StaticReversal {
    /// The VC classes.
    pub classes: ReversalClasses,
    /// The maximum number of reversals.
    pub reversals: Reversals,
    /// The maximum number of detours.
    pub detours: Detours,
}

/// Dynamic dimension reversal routing.
#[derive(Clone, Copy, Debug)]
pub struct DynamicReversal {
    /// The maximum number of reversals in adaptive VCs.
    pub reversals: Reversals,
    /// The maximum number of detours.
    pub detours: Detours,
}

const NO_RINGS: Limit = Limit::NoRings(
    "dimension reversal has no classes of VCs for rings, and a torus has rings",
    "write `MinimalAdaptive`, or make the network a `Mesh`",
);

impl Algorithm for StaticReversal {
    const NAME: &'static str = "static dimension reversal";
    const HELP: &'static str = "Goes any way with a limited number of turns to a lower dimension, \
                                which is the class.";
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;
    const LIMITS: &'static [Limit] = &[NO_RINGS];
    const READS_SOURCE: bool = false;
    const READS_ARRIVAL: bool = true;

    fn name(&self) -> &'static str {
        match self.classes {
            ReversalClasses::ByReversals => Self::NAME,
            ReversalClasses::Shared => "static dimension reversal, shared VCs",
        }
    }

    fn needs(&self, _: &Cube) -> Result<Needs, Misfit> {
        Ok(match self.classes {
            ReversalClasses::ByReversals => {
                Needs::new(self.reversals.0 + 1, "each number of reversals has a class of VCs")
            }
            ReversalClasses::Shared => Needs::ONE,
        })
    }

    fn count_max(&self) -> u8 {
        self.limits().count_max()
    }

    fn count_after(&self, head: Position<'_>, link: ChannelId) -> u8 {
        self.limits().count_after(head, link)
    }

    fn candidates(&self, mut step: Step<'_>) {
        let (head, limits) = (step.head, self.limits());
        let Some(in_order) = step.in_order(Classes::None) else { return };
        let in_order = head.cube.direction(in_order.channel);
        for (hop, Spent { reversals, .. }) in limits.hops(head) {
            // The last class is that of dimension order.
            if reversals < limits.reversals || hop == in_order {
                let class = match self.classes {
                    ReversalClasses::ByReversals => usize::from(reversals),
                    ReversalClasses::Shared => 0,
                };
                step.offer(hop.0, hop.1, step.on.class_vcs[class]);
            }
        }
    }
}

impl StaticReversal {
    fn limits(self) -> Limits {
        Limits::new(self.reversals, self.detours)
    }
}

impl Algorithm for DynamicReversal {
    const NAME: &'static str = "dynamic dimension reversal";
    const HELP: &'static str = "Goes any way with a limited number of turns to a lower dimension, \
                                else in dimension order over VCs of its own to the end.";
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;
    const LIMITS: &'static [Limit] = &[NO_RINGS];
    const READS_SOURCE: bool = false;
    const READS_ARRIVAL: bool = true;
    const CLASS_USE: fn(u8) -> VcUse = VcUse::Escape;

    fn needs(&self, _: &Cube) -> Result<Needs, Misfit> {
        Ok(Needs::new(2, "one VC is deterministic, and one more must be adaptive"))
    }

    fn count_max(&self) -> u8 {
        self.limits().count_max()
    }

    fn count_after(&self, head: Position<'_>, link: ChannelId) -> u8 {
        self.limits().count_after(head, link)
    }

    fn candidates(&self, mut step: Step<'_>) {
        let head = step.head;
        let adaptive = step.on.adaptive_vcs;
        if head.at != head.header.destination
            && head.came.is_none_or(|came| adaptive >> came.vc() & 1 == 1)
        {
            for ((dimension, sign), _) in self.limits().hops(head) {
                step.offer(dimension, sign, adaptive);
            }
        }
        step.only(head.in_order(Classes::None));
    }
}

impl DynamicReversal {
    fn limits(self) -> Limits {
        Limits::new(self.reversals, self.detours)
    }
}

/// The limits of a route.
#[derive(Clone, Copy, Debug)]
struct Limits {
    reversals: u8,
    detours: u8,
}

/// The reversals and detours of a message so far.
#[derive(Clone, Copy, Debug)]
struct Spent {
    reversals: u8,
    detours: u8,
}

impl Limits {
    fn new(reversals: Reversals, detours: Detours) -> Self {
        Self { reversals: reversals.0 as u8, detours: detours.0 as u8 }
    }

    fn count_max(self) -> u8 {
        self.count(Spent { reversals: self.reversals, detours: self.detours })
    }

    /// Both numbers as one count.
    fn count(self, Spent { reversals, detours }: Spent) -> u8 {
        // Both limits are at most 15.
        reversals * (self.detours + 1) + detours
    }

    /// The numbers after a hop; `None` beyond the limits.
    fn after(
        self,
        head: Position<'_>,
        (dimension, sign, closer): (usize, Sign, bool),
    ) -> Option<Spent> {
        let each = self.detours + 1;
        let (reversals, detours) = (head.count / each, head.count % each);
        let reverses = head
            .heading()
            .is_some_and(|(last, before)| dimension < last || dimension == last && sign != before);
        let reversals = reversals + u8::from(reverses);
        let detours = detours + u8::from(!closer);
        let within = reversals <= self.reversals && detours <= self.detours;
        within.then_some(Spent { reversals, detours })
    }

    /// The count after a hop over a link. Hops beyond the limits are those of dimension order.
    fn count_after(self, head: Position<'_>, link: ChannelId) -> u8 {
        let (dimension, sign) = head.cube.direction(link);
        let spent = self.after(head, (dimension, sign, !head.is_detour(link)));
        spent.map_or(head.count, |spent| self.count(spent))
    }

    /// The hops within the limits, those that lead closer first, with the numbers afterwards.
    fn hops(self, head: Position<'_>) -> impl Iterator<Item = ((usize, Sign), Spent)> {
        let of = move |closer: bool| head.hops().filter(move |hop| hop.2 == closer);
        of(true).chain(of(false)).filter_map(move |hop| {
            let (dimension, sign, _) = hop;
            Some(((dimension, sign), self.after(head, hop)?))
        })
    }
}
