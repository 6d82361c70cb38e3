//! Relations after failures, each found once for all runs of a system.

use std::sync::OnceLock;

use crate::ids::ChannelId;
use crate::routing::Relation;

/// Maximum number of relations kept.
const KEPT_MAX: usize = 64;

/// A list of relations by closed links, to which runs append.
#[derive(Debug, Default)]
pub struct KnownRelations(OnceLock<Box<Entry>>);

/// A known relation, and the rest of the list.
#[derive(Debug)]
struct Entry {
    closed: Vec<ChannelId>,
    /// `None` if no routes were found.
    relation: Option<Relation>,
    rest: KnownRelations,
}

impl KnownRelations {
    /// The relation of `first` on the links that are not closed; `None` if there is none.
    pub fn around(&self, first: &Relation, closed: &[ChannelId]) -> Option<Relation> {
        let find = || first.around(closed)?.ok();
        let mut list = self;
        for _ in 0..KEPT_MAX {
            let entry = list.0.get_or_init(|| {
                let (closed, relation) = (closed.to_vec(), find());
                Box::new(Entry { closed, relation, rest: Self::default() })
            });
            if entry.closed == closed {
                return entry.relation.clone();
            }
            list = &entry.rest;
        }
        find()
    }
}
