//! Common parts of tables of engines: linked lists, scratch storage, and error messages of audits.

use std::fmt::Display;
use std::ops::{Deref, DerefMut};

use get_size2::GetSize;

/// Marks the absence of a row.
pub(super) const NONE: u32 = u32::MAX;

/// Iterates over the rows of a linked list, starting at `first`.
pub(super) fn list(first: u32, next: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
    let row = |row: u32| (row != NONE).then_some(row);
    std::iter::successors(row(first), move |&at| row(next(at)))
}

/// A list used only within a step: a copy starts empty, and `clone_from` keeps the storage of the
/// destination.
#[derive(Debug, GetSize)]
pub(super) struct Scratch<T>(Vec<T>);

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Clone for Scratch<T> {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}

impl<T> Deref for Scratch<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Scratch<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

/// Fails with the formatted message unless the invariant holds.
macro_rules! law {
    ($holds:expr, $($law:tt)+) => {
        if !$holds {
            return Err(format!($($law)+));
        }
    };
}

pub(super) use law;

/// Fails if the two counts differ.
pub(super) fn counted<N: Copy + Display + PartialEq>(
    what: &str,
    found: N,
    counted: N,
) -> Result<(), String> {
    law!(found == counted, "{found} {what}, {counted} counted");
    Ok(())
}
