//! The roots of up*/down* routes, as fields of a rule.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ids::RouterId;

/// The word for roots opposite to the hosts.
pub const HOSTS: &str = "Hosts";

/// The routers to which up links lead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Roots {
    /// Towards the nearest of these routers.
    Listed(Vec<RouterId>),
    /// Away from the hosts.
    Hosts,
}

impl From<RouterId> for Roots {
    fn from(root: RouterId) -> Self {
        Self::Listed(vec![root])
    }
}

impl Serialize for Roots {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Listed(roots) => serializer.collect_seq(roots),
            Self::Hosts => serializer.serialize_unit_variant("Roots", 1, HOSTS),
        }
    }
}

impl<'de> Deserialize<'de> for Roots {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Roots;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of switches, or `Hosts`")
    }

    fn visit_unit<E: Error>(self) -> Result<Roots, E> {
        Ok(Roots::Hosts)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Roots, E> {
        if word == HOSTS { Ok(Roots::Hosts) } else { Err(E::custom("not a list of switches")) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Roots, A::Error> {
        let mut roots = Vec::new();
        while let Some(root) = entries.next_element()? {
            roots.push(root);
        }
        Ok(Roots::Listed(roots))
    }
}
