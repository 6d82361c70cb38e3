//! A difference between a plan and a fabric, and its sentence.

use super::inventory::Pace;
use crate::text::count;

/// The kind of a difference, in the order of reports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    ReplacedRouter,
    MissingRouter,
    UnplannedRouter,
    MovedHost,
    MissingHost,
    UnplannedHost,
    HostNumber,
    MiswiredCable,
    CrossedCables,
    MissingLink,
    DuplicatedLink,
    UnplannedLink,
    LinkPace,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 13] = [
        Self::ReplacedRouter,
        Self::MissingRouter,
        Self::UnplannedRouter,
        Self::MovedHost,
        Self::MissingHost,
        Self::UnplannedHost,
        Self::HostNumber,
        Self::MiswiredCable,
        Self::CrossedCables,
        Self::MissingLink,
        Self::DuplicatedLink,
        Self::UnplannedLink,
        Self::LinkPace,
    ];

    /// One and several differences of this kind, in words.
    pub fn words(self) -> [&'static str; 2] {
        match self {
            Self::ReplacedRouter => ["replaced router", "replaced routers"],
            Self::MissingRouter => ["missing router", "missing routers"],
            Self::UnplannedRouter => ["unplanned router", "unplanned routers"],
            Self::MovedHost => ["moved host", "moved hosts"],
            Self::MissingHost => ["missing host", "missing hosts"],
            Self::UnplannedHost => ["unplanned host", "unplanned hosts"],
            Self::HostNumber => ["number of hosts", "numbers of hosts"],
            Self::MiswiredCable => ["miswired cable", "miswired cables"],
            Self::CrossedCables => ["crossed cables", "crossed cables"],
            Self::MissingLink => ["missing link", "missing links"],
            Self::DuplicatedLink => ["duplicated link", "duplicated links"],
            Self::UnplannedLink => ["unplanned link", "unplanned links"],
            Self::LinkPace => ["link of other pace", "links of other pace"],
        }
    }
}

/// Two ends of a link, or of cables side by side.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ends {
    pub from: String,
    pub to: String,
    /// True for links from the first end to the second only.
    pub one_way: bool,
}

impl Ends {
    fn words(&self) -> String {
        format!("{} {} {}", self.from, if self.one_way { "→" } else { "-" }, self.to)
    }

    /// A number of cables or, one way, of links.
    fn count(&self, number: u32) -> String {
        let [one, many] = if self.one_way { ["link", "links"] } else { ["cable", "cables"] };
        count(number as usize, one, many)
    }
}

/// A difference between a plan and a fabric. Cables and hosts of missing and unplanned routers are counted
/// with these, and are no differences of their own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Difference {
    /// A router of another name, with the cables of a router of the plan.
    ReplacedRouter { planned: String, found: String },
    /// A router that the fabric lacks.
    MissingRouter { name: String, cables: u32, hosts: u32 },
    /// A router that the plan lacks.
    UnplannedRouter { name: String, cables: u32, hosts: u32 },
    /// A host at another router.
    MovedHost { name: String, planned: String, found: String },
    /// A host that the fabric lacks, with its router in the plan.
    MissingHost { name: String, router: String },
    /// A host that the plan lacks.
    UnplannedHost { name: String, router: String },
    /// Another number of hosts at a router, where hosts have no names.
    HostNumber { router: String, planned: u32, found: u32 },
    /// Cables at their planned router, whose other ends are at another one.
    Miswired { router: String, planned: String, found: String, cables: u32, one_way: bool },
    /// Cables of two planned pairs of routers with exchanged second ends: the planned and the found pairs.
    Crossed { planned: [Ends; 2], found: [Ends; 2], cables: u32 },
    /// Another number of cables: fewer than planned, more, or some where none is planned.
    Links { ends: Ends, planned: u32, found: u32 },
    /// Cables with another delay or rate.
    LinkPace { ends: Ends, cables: u32, planned: Pace, found: Pace },
}

impl Difference {
    /// The kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::ReplacedRouter { .. } => Kind::ReplacedRouter,
            Self::MissingRouter { .. } => Kind::MissingRouter,
            Self::UnplannedRouter { .. } => Kind::UnplannedRouter,
            Self::MovedHost { .. } => Kind::MovedHost,
            Self::MissingHost { .. } => Kind::MissingHost,
            Self::UnplannedHost { .. } => Kind::UnplannedHost,
            Self::HostNumber { .. } => Kind::HostNumber,
            Self::Miswired { .. } => Kind::MiswiredCable,
            Self::Crossed { .. } => Kind::CrossedCables,
            Self::Links { planned, found, .. } if found < planned => Kind::MissingLink,
            Self::Links { planned: 0, .. } => Kind::UnplannedLink,
            Self::Links { .. } => Kind::DuplicatedLink,
            Self::LinkPace { .. } => Kind::LinkPace,
        }
    }

    /// The difference below a heading with its kind: `leaf 1 - spine 2: 1 of 2 cables`.
    pub fn words(&self) -> String {
        match self {
            Self::ReplacedRouter { planned, found } => {
                format!("{found} has the cables of {planned}, which is missing")
            }
            Self::MissingRouter { name, cables, hosts }
            | Self::UnplannedRouter { name, cables, hosts } => {
                let cables = count(*cables as usize, "cable", "cables");
                let hosts = match hosts {
                    0 => String::new(),
                    number => format!(" and {}", count(*number as usize, "host", "hosts")),
                };
                format!("{name}, with {cables}{hosts}")
            }
            Self::MovedHost { name, planned, found } => {
                format!("{name} is at {found} in place of {planned}")
            }
            Self::MissingHost { name, router } | Self::UnplannedHost { name, router } => {
                format!("{name} at {router}")
            }
            Self::HostNumber { router, planned, found } => {
                format!("{router}: {}, planned: {planned}", count(*found as usize, "host", "hosts"))
            }
            Self::Miswired { router, planned, found, cables, one_way: _ } => {
                let by = match cables {
                    1 => String::new(),
                    number => format!(" by {number} cables"),
                };
                format!("{router} is joined to {found} in place of {planned}{by}")
            }
            Self::Crossed { planned: [one, other], found: [first, second], cables } => {
                let by = match cables {
                    1 => String::new(),
                    number => format!(" ({number} each)"),
                };
                format!(
                    "{} and {} in place of {} and {}{by}",
                    first.words(),
                    second.words(),
                    one.words(),
                    other.words()
                )
            }
            Self::Links { ends, planned, found } if found < planned => {
                format!("{}: {found} of {}", ends.words(), ends.count(*planned))
            }
            Self::Links { ends, planned: 0, found } => {
                format!("{}: {}", ends.words(), ends.count(*found))
            }
            Self::Links { ends, planned, found } => {
                format!("{}: {}, planned: {planned}", ends.words(), ends.count(*found))
            }
            Self::LinkPace { ends, cables, planned, found } => {
                let mut facts = Vec::new();
                if planned.rate != found.rate {
                    let cycles = count(found.rate.into(), "cycle", "cycles");
                    facts.push(format!("a flit in {cycles}, planned: {}", planned.rate));
                }
                if planned.delay != found.delay {
                    let words = |delay: u16, cycles: &str| match delay {
                        0 => "the machine's".to_owned(),
                        delay => format!("{delay}{cycles}"),
                    };
                    let found = words(found.delay, " cycles");
                    facts.push(format!("delay {found}, planned: {}", words(planned.delay, "")));
                }
                format!("{}: {}, {}", ends.words(), ends.count(*cables), facts.join(", "))
            }
        }
    }
}
