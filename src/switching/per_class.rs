//! Values of message classes.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::MessageVcs;

/// Maximum number of message classes.
pub const MESSAGE_CLASSES_MAX: usize = 8;

/// Values, one for each message class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PerClass<T> {
    values: [T; MESSAGE_CLASSES_MAX],
    classes: usize,
}

impl<T: Copy + Default> PerClass<T> {
    /// The values of up to [`MESSAGE_CLASSES_MAX`] classes.
    pub fn new(given: &[T]) -> Option<Self> {
        let mut values = [T::default(); MESSAGE_CLASSES_MAX];
        values.get_mut(..given.len())?.copy_from_slice(given);
        Some(Self { values, classes: given.len() })
    }
}

impl<T> PerClass<T> {
    /// The values, in the order of the classes.
    pub fn all(&self) -> &[T] {
        &self.values[..self.classes]
    }
}

impl<T: fmt::Debug> fmt::Debug for PerClass<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.all().fmt(f)
    }
}

impl<T: Serialize> Serialize for PerClass<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.all().serialize(to)
    }
}

impl<'de, T: Deserialize<'de> + Copy + Default> Deserialize<'de> for PerClass<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let given = Vec::<T>::deserialize(from)?;
        Self::new(&given).ok_or_else(|| D::Error::custom("too many message classes"))
    }
}

impl MessageVcs {
    /// The VCs of each message class, as masks; `None` if all classes share the VCs.
    pub fn masks(&self) -> Option<Vec<u32>> {
        let below = |count: u32| 1u32.checked_shl(count).map_or(u32::MAX, |bit| bit - 1);
        match self {
            Self::Shared => None,
            Self::Split(counts) => {
                let mut before = 0;
                let of = |&count: &u32| {
                    before += count;
                    below(before) & !below(before - count)
                };
                Some(counts.all().iter().map(of).collect())
            }
            Self::Ranges(ranges) => {
                let of = |&(first, last): &(u32, u32)| below(last + 1) & !below(first);
                Some(ranges.all().iter().map(of).collect())
            }
        }
    }
}
