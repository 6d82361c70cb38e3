//! Rows of a routing table given by the user, by numbers of routers and channels.

use std::fmt;
use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ids::{ChannelId, RouterId};
use crate::text::count;

/// A row of a table of next hops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NextHop {
    /// The router of the head.
    pub at: RouterId,
    /// The router of the destination.
    pub destination: RouterId,
    /// A link that leaves the router.
    pub next: ChannelId,
    /// The class of VCs; `None` for any VC.
    pub class: Option<u8>,
    pub from: From,
    /// The class by which the head arrived; `None` for any.
    pub from_class: Option<u8>,
    /// The line of the row in its file, from 1.
    pub line: u32,
}

/// The arrivals to which a row applies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum From {
    /// Any.
    Anywhere,
    /// Messages at their source.
    Source,
    /// Heads that arrived over this link.
    Link(ChannelId),
}

/// A route from router to router.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GivenRoute {
    pub source: RouterId,
    pub destination: RouterId,
    /// The links with their classes of VCs.
    pub hops: Vec<(ChannelId, u8)>,
}

impl NextHop {
    /// All that determines routes.
    fn key(&self) -> impl Ord + use<> {
        let &Self { at, destination, next, class, from, from_class, line: _ } = self;
        (at, destination, next, class, from, from_class)
    }
}

/// The contents of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Next hops; several for a router and a destination are a choice of the head.
    Hops(Vec<NextHop>),
    /// Routes; several for a pair of routers are drawn with equal probability.
    Routes(Vec<GivenRoute>),
}

/// A shared routing table.
#[derive(Clone, PartialEq, Eq)]
pub struct Rows(Arc<Contents>);

impl Rows {
    /// Creates a table.
    pub fn new(contents: Contents) -> Self {
        Self(Arc::new(contents))
    }

    /// The rows.
    pub fn contents(&self) -> &Contents {
        &self.0
    }

    /// The numbers of rows or routes of two tables that the other table lacks; `None` if one has next hops
    /// and the other routes.
    pub fn differences(&self, other: &Self) -> Option<[usize; 2]> {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Some([0, 0]);
        }
        match (&*self.0, &*other.0) {
            (Contents::Hops(one), Contents::Hops(two)) => {
                let keys = |hops: &[NextHop]| hops.iter().map(NextHop::key).collect();
                Some(lacking(keys(one), keys(two)))
            }
            (Contents::Routes(one), Contents::Routes(two)) => {
                Some(lacking(one.iter().collect(), two.iter().collect()))
            }
            (Contents::Hops(_), Contents::Routes(_)) | (Contents::Routes(_), Contents::Hops(_)) => {
                None
            }
        }
    }

    /// The number of classes of VCs named by the rows, at least 1.
    pub fn classes(&self) -> u32 {
        let highest = match &*self.0 {
            Contents::Hops(hops) => hops.iter().filter_map(|hop| hop.class).max(),
            Contents::Routes(routes) => {
                routes.iter().flat_map(|route| &route.hops).map(|&(_, class)| class).max()
            }
        };
        u32::from(highest.unwrap_or_default()) + 1
    }
}

/// The numbers of elements of each list that the other lacks.
fn lacking<T: Ord>(mut one: Vec<T>, mut two: Vec<T>) -> [usize; 2] {
    one.sort_unstable();
    two.sort_unstable();
    let (mut a, mut b, mut common) = (0, 0, 0);
    while let (Some(first), Some(second)) = (one.get(a), two.get(b)) {
        let order = first.cmp(second);
        a += usize::from(order.is_le());
        b += usize::from(order.is_ge());
        common += usize::from(order.is_eq());
    }
    [one.len() - common, two.len() - common]
}

impl fmt::Display for Rows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&match &*self.0 {
            Contents::Hops(hops) => count(hops.len(), "row", "rows"),
            Contents::Routes(routes) => count(routes.len(), "route", "routes"),
        })
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Rows({self})")
    }
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("a routing table is read together with its network"))
    }
}
