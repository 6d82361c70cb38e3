//! Dragonflies (J. Kim, W. J. Dally, S. Scott and D. Abts 2008): groups of fully joined routers,
//! joined by global links.

use std::num::NonZeroU16;

use super::plan::prelude::*;

/// The kind of a global link; local links have kind 0.
pub(super) const GLOBAL: u8 = 1;

words! {
    /// The parameters of a dragonfly.
    pub struct Dragonfly {
        /// Routers of a group, each joined to all others.
        pub group: u32 = Example("4"), Kind::whole("the routers of a group", 1, 1024);
        /// Hosts of every router.
        pub hosts: u32 = Example("2"), Kind::whole("the number of hosts", 1, 1024);
        /// Global links of every router.
        pub global: u32 = Example("2"), Kind::whole("the number of global links", 1, 1024);
        /// Groups; if omitted, one more than a group has global links.
        pub groups: Option<u32> = Open, Kind::whole("the number of groups", 2, 16_384);
        /// Cycles of a local link, instead of `channel_delay`; a credit takes as long, plus
        /// `credit_delay`.
        pub local_delay: Option<u32> = Open, DELAY;
        /// Cycles of a global link, in the same way.
        pub global_delay: Option<u32> = Open, DELAY;
    }
}

impl Dragonfly {
    fn groups(&self) -> u64 {
        let all = u64::from(self.group) * u64::from(self.global) + 1;
        self.groups.map_or(all, u64::from)
    }
}

impl Generate for Dragonfly {
    const HELP: &'static str = "Groups of fully joined routers, joined by global links.";

    fn name(&self) -> String {
        format!("dragonfly of {} groups of {}", self.groups(), self.group)
    }

    fn size(&self) -> [u64; 2] {
        let routers = self.groups() * u64::from(self.group);
        [routers, routers.saturating_mul(u64::from(self.hosts))]
    }

    fn plan(&self) -> Result<Plan, Misfit> {
        let &Self { group, hosts, global, .. } = self;
        let groups = self.groups() as u32;
        let (ports, others) = (group * global, groups - 1);
        if ports < others {
            let what = format!(
                "{groups} groups need {others} global links per group, and {group} routers with \
                 {global} have {ports}"
            );
            return Misfit::because(what, format!("write `groups: {}` or fewer", ports + 1));
        }
        let delay = |given: Option<u32>| given.and_then(|it| NonZeroU16::new(it as u16));
        let local = Attributes { delay: delay(self.local_delay), ..Attributes::default() };
        let mut links = Vec::new();
        for first in (0..groups).map(|it| it * group) {
            for a in 0..group {
                let ends = (a + 1..group).map(|b| (first + a, first + b));
                links.extend(ends.map(|ends| Cable { attributes: local, ..ends.into() }));
            }
        }
        // Port p of a group leads p mod `others` + 1 groups on, and back from the port that
        // completes the round. Ports without such a counterpart are unused.
        let attributes = Attributes { kind: GLOBAL, delay: delay(self.global_delay), ..local };
        for at in 0..groups {
            for port in 0..ports {
                let step = port % others;
                let back = port - step + (others - 1 - step);
                let to = (at + step + 1) % groups;
                if back < ports && at < to {
                    let ends = (at * group + port / global, to * group + back / global);
                    links.push(Cable { attributes, ..ends.into() });
                }
            }
        }
        let routers = groups * group;
        let values = (0..routers).flat_map(|at| [(at / group) as u16, (at % group) as u16]);
        let labels = [level("group", groups), level("router", group)];
        Ok(Plan {
            labels: Labels::new(labels.into(), values.collect()),
            form: Form::Groups,
            links: parallel(links),
            hosts: (0..routers * hosts).map(|host| host / hosts).collect(),
        })
    }
}

/// Counts equal links in one entry.
fn parallel(mut links: Vec<Cable>) -> Vec<Cable> {
    links.sort_by_key(|link| (link.from, link.to, link.attributes.kind));
    links.dedup_by(|next, link| {
        let same =
            (next.from, next.to) == (link.from, link.to) && next.attributes == link.attributes;
        link.count += u32::from(same);
        same
    });
    links
}
