//! Tables of the state, with unchecked access to rows in a single place.
//!
//! Row numbers are created only by the engine: numbers of channels, VC slots, routers and nodes of
//! its own network, and of holds and worms with allocated rows. Rows are never removed, and a state
//! is copied or restored as a whole, tables together with the numbers in them; a valid number
//! therefore remains valid. Numbers from outside are looked up by [`get`](slice::get). Builds with
//! debug assertions check every access; all tests use such builds, and one test on all kinds of
//! machines also runs without them, under Miri (`.ci/long`).
//!
//! Instructions per flit-hop with checked and unchecked indices: 8x8 85.5 and 77.4, 64x64 39.0 and
//! 33.8, private channels 150 and 127, a mesh-torus machine 199 and 170.
#![expect(unsafe_code, reason = "see the measurements above")]

use std::ops::{Deref, DerefMut, Index, IndexMut};

use educe::Educe;
use get_size2::GetSize;

/// A table reserves space for an eighth more rows before each reallocation.
const SPARE: usize = 8;

/// Rows that are never removed.
#[derive(PartialEq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Table<T>(Vec<T>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> Table<T> {
    /// Creates a table of `count` equal rows.
    pub fn of(row: T, count: usize) -> Self {
        std::iter::repeat_n(row, count).collect()
    }

    /// Adds a row and returns its number.
    #[inline]
    pub fn push(&mut self, row: T) -> u32 {
        if self.0.len() == self.0.capacity() {
            // Doubling, as usual, would waste memory for large networks.
            self.0.reserve_exact(self.0.len() / SPARE + 64);
        }
        self.0.push(row);
        self.0.len() as u32 - 1
    }

    /// Appends rows up to a length of `count`.
    pub fn grow(&mut self, row: T, count: usize) {
        self.0.resize(count.max(self.0.len()), row);
    }
}

impl<T> Table<T> {
    /// Prefetches a row before its use; the row need not exist.
    #[inline]
    pub fn prefetch(&self, row: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let row = self.0.as_ptr().wrapping_add(row as usize);
            // SAFETY: a prefetch is a hint, which reads nothing, valid for any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(row.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = row;
    }
}

/// Requests large pages from the system, for faster random access to a large table. (512x512: 7.3
/// and 6.3 ns per flit-hop.)
#[cfg(target_os = "linux")]
fn in_large_pages<T>(table: &Vec<T>) {
    use rustix::mm::{Advice, madvise};
    const PAGE: usize = 2 << 20;
    let bytes = table.capacity() * size_of::<T>();
    let ahead = table.as_ptr().cast::<u8>().align_offset(PAGE);
    if bytes >= ahead.saturating_add(4 * PAGE) {
        let first = table.as_ptr().wrapping_byte_add(ahead).cast_mut().cast();
        // SAFETY: a hint about memory owned by the table; the contents are unchanged.
        let _ = unsafe { madvise(first, (bytes - ahead) / PAGE * PAGE, Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
fn in_large_pages<T>(_: &Vec<T>) {}

impl<T> FromIterator<T> for Table<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        let rows = rows.into_iter();
        let count = rows.size_hint().0;
        let mut table = Vec::with_capacity(count + count / SPARE);
        in_large_pages(&table);
        table.extend(rows);
        Self(table)
    }
}

impl<T> Deref for Table<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Table<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> Index<usize> for Table<T> {
    type Output = T;

    #[inline]
    fn index(&self, row: usize) -> &T {
        debug_assert!(row < self.0.len(), "row {row} of {}", self.0.len());
        // SAFETY: an allocated row number remains below the length (see above).
        unsafe { self.0.get_unchecked(row) }
    }
}

impl<T> IndexMut<usize> for Table<T> {
    #[inline]
    fn index_mut(&mut self, row: usize) -> &mut T {
        debug_assert!(row < self.0.len(), "row {row} of {}", self.0.len());
        // SAFETY: an allocated row number remains below the length (see above).
        unsafe { self.0.get_unchecked_mut(row) }
    }
}
