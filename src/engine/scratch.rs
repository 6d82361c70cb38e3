//! Storage that carries nothing from one step to the next.

use std::ops::{Deref, DerefMut};

use get_size2::GetSize;

/// A list that is filled anew wherever it is used: copies of a state begin with an empty one, and
/// keep their own storage.
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
