//! Values of attributes: whole numbers, coordinates, truth and speeds.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::mistake::{Report, Span, quoted};
use crate::routing::CLASSES_MAX;
use crate::topology::attributes::{CYCLES_PER_FLIT_MAX, LINK_DELAY_MAX};
use crate::topology::switches::{PARALLEL_MAX, PLACE_MAX, SWITCHES_MAX};

/// A named value of a node or a link.
#[derive(Clone, Debug)]
pub(super) struct Attribute<'t> {
    pub name: Cow<'t, str>,
    pub value: Cow<'t, str>,
    pub at: Span,
}

/// Values of given names, each with its place if it is there, and all others.
pub(super) type Split<'t, const N: usize> = ([Option<(Cow<'t, str>, Span)>; N], Vec<Attribute<'t>>);

/// Limits of delays, rates, counts and kinds.
pub(super) const DELAYS: RangeInclusive<u64> = 1..=LINK_DELAY_MAX as u64;
pub(super) const RATES: RangeInclusive<u64> = 1..=CYCLES_PER_FLIT_MAX as u64;
pub(super) const COUNTS: RangeInclusive<u64> = 1..=PARALLEL_MAX as u64;
pub(super) const KINDS: RangeInclusive<u64> = 0..=u8::MAX as u64;
/// Levels of routers.
pub(super) const LEVELS: RangeInclusive<u64> = 0..=SWITCHES_MAX as u64 - 1;
/// Numbers of virtual channels.
pub(super) const VCS: RangeInclusive<u64> = 0..=CLASSES_MAX as u64 - 1;

impl Report<'_> {
    /// Reads a whole number within limits; 5.0 is one.
    pub fn whole(
        &mut self,
        name: &str,
        value: &str,
        at: &Span,
        limits: RangeInclusive<u64>,
    ) -> Option<u64> {
        let (least, most) = (*limits.start(), *limits.end());
        let value = value.trim();
        let number: Option<f64> = value.parse().ok();
        let whole = value.parse::<u64>().ok();
        let whole = whole.or_else(|| number.filter(|x| is_whole(*x)).map(|x| x as u64));
        if let Some(whole) = whole.filter(|whole| limits.contains(whole)) {
            return Some(whole);
        }
        let what = format!(
            "`{name}` must be a whole number from {least} to {most}, not {}",
            quoted(value)
        );
        let help = match number {
            Some(x) if x < least as f64 => format!("write {least} or more"),
            Some(x) if x > most as f64 => format!("write {most} or less"),
            Some(x) if x.is_finite() => format!("write {} or {}", x.floor(), x.ceil()),
            _ if value.starts_with(|letter: char| letter.is_ascii_digit()) => {
                format!("write a number without a unit, such as {least}")
            }
            _ => format!("write a number, such as {least}"),
        };
        self.add(at, what, help);
        None
    }

    /// Reads a coordinate.
    pub fn coordinate(&mut self, name: &str, value: &str, at: &Span) -> Option<f64> {
        let number: Option<f64> = value.trim().parse().ok();
        if let Some(number) = number.filter(|x| x.is_finite() && x.abs() <= PLACE_MAX) {
            return Some(number);
        }
        let what = format!(
            "`{name}` must be a number from -{PLACE_MAX} to {PLACE_MAX}, not {}",
            quoted(value.trim())
        );
        self.add(at, what, "write a number, such as 1.5");
        None
    }

    /// Reads `true` or `false`, `yes` or `no`, 1 or 0.
    pub fn truth(&mut self, name: &str, value: &str, at: &Span) -> Option<bool> {
        match value.trim().to_lowercase().as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => {
                let what = format!("`{name}` must be `true` or `false`, not {}", quoted(value));
                self.add(at, what, "write one of the two");
                None
            }
        }
    }
}

/// True for a whole number that `u64` holds.
fn is_whole(x: f64) -> bool {
    (0.0..1e15).contains(&x) && x.fract() == 0.0
}

/// The bits per second of a speed, such as `10 Gbit/s` or `100G`; a number without a unit counts as
/// bits per second.
pub(super) fn speed(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_number = |letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter);
    let end = text.find(|letter| !is_number(letter)).unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim();
    let (factor, rest) = match unit.chars().next() {
        Some('k' | 'K') => (1e3, &unit[1..]),
        Some('m' | 'M') => (1e6, &unit[1..]),
        Some('g' | 'G') => (1e9, &unit[1..]),
        Some('t' | 'T') => (1e12, &unit[1..]),
        _ => (1.0, unit),
    };
    let bits = match rest.trim() {
        "B/s" | "Bps" | "byte/s" | "bytes/s" => 8.0,
        rest => match rest.to_lowercase().as_str() {
            "" | "b" | "bps" | "b/s" | "bit/s" | "bits/s" | "bit" | "bits" => 1.0,
            _ => return None,
        },
    };
    let speed = number * factor * bits;
    (speed.is_finite() && speed > 0.0).then_some(speed)
}
