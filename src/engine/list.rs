//! Lists that are linked through the rows of a table.

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// The rows of a list, the first of which is `first`.
pub(super) fn list(first: u32, next: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
    let row = |row: u32| (row != NONE).then_some(row);
    std::iter::successors(row(first), move |&at| row(next(at)))
}
