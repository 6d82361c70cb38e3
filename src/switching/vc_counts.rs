//! Numbers of virtual channels of message classes.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// Maximum number of message classes.
pub const MESSAGE_CLASSES_MAX: usize = 8;

/// Numbers of virtual channels, one for each message class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VcCounts {
    counts: [u32; MESSAGE_CLASSES_MAX],
    classes: usize,
}

impl VcCounts {
    /// The numbers of up to [`MESSAGE_CLASSES_MAX`] classes.
    pub fn new(given: &[u32]) -> Option<Self> {
        let mut counts = [0; MESSAGE_CLASSES_MAX];
        counts.get_mut(..given.len())?.copy_from_slice(given);
        Some(Self { counts, classes: given.len() })
    }

    /// The numbers, in the order of the classes.
    pub fn all(&self) -> &[u32] {
        &self.counts[..self.classes]
    }
}

impl fmt::Debug for VcCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.all().fmt(f)
    }
}

impl Serialize for VcCounts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.all().serialize(to)
    }
}

impl<'de> Deserialize<'de> for VcCounts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let given = Vec::<u32>::deserialize(from)?;
        Self::new(&given).ok_or_else(|| D::Error::custom("too many message classes"))
    }
}
