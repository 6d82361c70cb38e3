//! The field `order` of dimension order: a permutation of the dimensions.

use super::node::Node;
use super::reader::Reader;
use crate::text::count;
use crate::topology::cube::{DIMENSIONS_MAX, axis};
use crate::words::written;

/// Reads the dimensions from first to last. Their number is `dimensions`, if known.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    dimensions: Option<usize>,
) -> Option<Vec<u32>> {
    let help = "write the dimensions from first to last, such as `[1, 0]`";
    let entries = reader.list(node, "order", help)?;
    let all = dimensions.unwrap_or(entries.len()).clamp(1, DIMENSIONS_MAX) as u32;
    let order = reader.each(&entries, |reader, entry| {
        reader.small(entry, "a dimension, counted from 0,", 0..=all - 1)
    })?;
    let mut once: Vec<u32> = Vec::new();
    for &dimension in &order {
        if !once.contains(&dimension) {
            once.push(dimension);
        }
    }
    if order.len() == all as usize && once.len() == order.len() {
        return Some(order);
    }
    let missing: Vec<u32> = (0..all).filter(|it| !order.contains(it)).collect();
    let what = match missing.first() {
        Some(&first) => format!(
            "`order` contains each of the {} once, and {} ({first}) is missing",
            count(all as usize, "dimension", "dimensions"),
            axis(first as usize)
        ),
        None => format!(
            "`order` contains each of the {} once, not {}",
            count(all as usize, "dimension", "dimensions"),
            count(order.len(), "entry", "entries")
        ),
    };
    let completed: Vec<u32> = once.into_iter().chain(missing).collect();
    reader.refuse(node, what, format!("write `{}`", written(&completed)))
}
