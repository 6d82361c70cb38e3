//! What the tables of engines share: lists through their rows, storage that is filled anew wherever
//! it is used, and how an audit names the law that is broken.

use std::fmt::Display;
use std::ops::{Deref, DerefMut};

use get_size2::GetSize;

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// The rows of a list, the first of which is `first`.
pub(super) fn list(first: u32, next: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
    let row = |row: u32| (row != NONE).then_some(row);
    std::iter::successors(row(first), move |&at| row(next(at)))
}

/// A list that carries nothing from one step to the next: copies of a state begin with an empty one,
/// and keep their own storage.
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

/// Fails with a law's name and numbers.
macro_rules! law {
    ($holds:expr, $($law:tt)+) => {
        if !$holds {
            return Err(format!($($law)+));
        }
    };
}

pub(super) use law;

/// Fails where what was found is not as much as was counted.
pub(super) fn counted<N: Copy + Display + PartialEq>(
    what: &str,
    found: N,
    counted: N,
) -> Result<(), String> {
    law!(found == counted, "{found} {what}, {counted} counted");
    Ok(())
}
