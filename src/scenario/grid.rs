//! The dimensions of grids: radix, wrap-around links and delays.

use std::num::NonZeroU16;

use super::node::{Field, Node};
use super::reader::{Fields, Reader};
use crate::text::count;
use crate::topology::attributes::LINK_DELAY_MAX;
use crate::topology::cube::{DIMENSIONS_MAX, Dimension, RADIX_MAX, ROUTERS_MAX, sizes};
use crate::words::{Kind, Structure, written};

pub(super) const RADIX: Kind = Kind::Own(
    "a list of whole numbers",
    Structure::List(&Kind::whole("a radix", 1, RADIX_MAX), (1, DIMENSIONS_MAX)),
);
pub(super) const WRAP: Kind = Kind::Own(
    "a list of `true` and `false`",
    Structure::List(&Kind::Own("`true` or `false`", Structure::Truth), (1, DIMENSIONS_MAX)),
);
pub(super) const DELAYS: Kind =
    Kind::Own("a list of whole numbers", Structure::List(&DELAY, (1, DIMENSIONS_MAX)));
const DELAY: Kind = Kind::whole("the delay of a link in cycles", 1, LINK_DELAY_MAX as u32);

/// Reads the dimensions of a network of shape `shape`. `wrap` may be given only if `may_wrap`;
/// `least` is the minimum number of routers.
pub(super) fn dimensions<'a>(
    reader: &mut Reader<'a>,
    shape: &str,
    fields: &Fields<'a>,
    may_wrap: Result<(), &'static str>,
    least: usize,
) -> Option<Vec<Dimension>> {
    let radix = fields.get("radix")?;
    let radix_of = radix_of(reader, shape, radix.value, least)?;
    let mut dimensions: Vec<Dimension> = radix_of.iter().map(|&k| Dimension::new(k)).collect();
    let rings = fields.get("wrap").map(|field| {
        if let Err(why) = may_wrap {
            return reader.refuse(field.value, why, "leave this field out");
        }
        one_each(reader, field, &radix_of, true, Reader::truth)
    });
    let delays = fields.get("delays").map(|field| {
        one_each(reader, field, &radix_of, 1, |reader, entry| {
            let Kind::Whole { called, limits: (least, most) } = DELAY else { return None };
            reader.small(entry, called, least as u32..=most as u32)
        })
    });
    for (dimension, wraps) in dimensions.iter_mut().zip(rings.unwrap_or(Some(Vec::new()))?) {
        dimension.wraps = wraps;
    }
    for (dimension, delay) in dimensions.iter_mut().zip(delays.unwrap_or(Some(Vec::new()))?) {
        dimension.delay = NonZeroU16::new(delay as u16);
    }
    Some(dimensions)
}

/// Reads a list with one entry for each dimension; `default` completes the list of a correction.
fn one_each<'a, T: Copy + serde::Serialize>(
    reader: &mut Reader<'a>,
    field: Field<'a>,
    radix: &[u32],
    default: T,
    read: impl FnMut(&mut Reader<'a>, Node<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let example = written(&vec![default; radix.len()]);
    let help = format!("write an entry for each dimension, such as `{example}`");
    let entries = reader.list(field.value, field.name, &help)?;
    let values = reader.each(&entries, read)?;
    if entries.len() == radix.len() {
        return Some(values);
    }
    let what = format!(
        "`{}` needs an entry for each of the {} of {}, not {}",
        field.name,
        count(radix.len(), "dimension", "dimensions"),
        sizes(radix),
        count(entries.len(), "entry", "entries")
    );
    let completed = values.into_iter().chain(std::iter::repeat(default)).take(radix.len());
    let help = format!("write `{}`", written(&completed.collect::<Vec<T>>()));
    reader.refuse(field.value, what, help)
}

fn radix_of<'a>(
    reader: &mut Reader<'a>,
    shape: &str,
    node: Node<'a>,
    least: usize,
) -> Option<Vec<u32>> {
    let help = "write the routers along each dimension, such as `[8, 8]`";
    let entries = reader.list(node, "radix", help)?;
    if !(1..=DIMENSIONS_MAX).contains(&entries.len()) {
        let dimensions = entries.len();
        let what = format!("a network has 1 to {DIMENSIONS_MAX} dimensions, not {dimensions}");
        let help = match dimensions {
            0 => help.into(),
            _ => format!("leave out {}", count(dimensions - DIMENSIONS_MAX, "entry", "entries")),
        };
        return reader.refuse(node, what, help);
    }
    let radix = reader.each(&entries, |reader, entry| match ron::from_str::<u64>(entry.text) {
        // If both are wrong, the size of the whole network is more informative than a single entry.
        Ok(k) if k > u64::from(RADIX_MAX) => Some(k),
        _ => reader.integer(entry, "a radix", 1..=u64::from(RADIX_MAX)),
    })?;
    let routers = radix.iter().try_fold(1u128, |product, &k| product.checked_mul(u128::from(k)));
    if routers.is_none_or(|routers| routers > ROUTERS_MAX as u128) {
        let number = routers.map_or("more than 2^128".into(), |routers| routers.to_string());
        let what = format!(
            "a {} of {} has {number} routers; the limit is {ROUTERS_MAX}",
            shape.to_lowercase(),
            sizes(&radix)
        );
        let largest = (2..=RADIX_MAX as usize)
            .take_while(|k| k.checked_pow(radix.len() as u32).is_some_and(|n| n <= ROUTERS_MAX))
            .last();
        let help = largest.map(|k| format!("{} would just fit", sizes(&vec![k; radix.len()])));
        reader.problem(node, what, help);
        return None;
    }
    for (entry, &k) in entries.iter().zip(&radix) {
        if k > u64::from(RADIX_MAX) {
            reader.integer(*entry, "a radix", 1..=u64::from(RADIX_MAX));
            return None;
        }
    }
    if routers.is_some_and(|routers| routers < least as u128) {
        let what = format!("a network needs at least {least} routers, and this one has 1");
        return reader.refuse(node, what, "make a radix 2 or more");
    }
    Some(radix.into_iter().map(|k| k as u32).collect())
}

#[cfg(test)]
mod tests;
