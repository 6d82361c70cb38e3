//! The user's own colours, replacing colours of a theme.

use std::collections::BTreeMap;

use ratatui::style::Color;

use super::Depth;

/// Names of configurable colours: the roles of the theme, and the hues of worms and classes in the
/// order of labels.
pub const NAMES: [&str; 18] = [
    "frame",
    "focus",
    "title",
    "measured",
    "theory",
    "warning",
    "alarm",
    "cursor",
    "dim",
    "bar",
    "bar-ground",
    "hue-1",
    "hue-2",
    "hue-3",
    "hue-4",
    "hue-5",
    "hue-6",
    "hue-7",
];
/// The hues in the order of labels.
pub(super) const HUES: &[&str] = NAMES.split_at(11).1;

/// Colours as `0xRRGGBB` by names of [`NAMES`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CustomColours(pub BTreeMap<&'static str, u32>);

/// Parses a colour of the form `#rrggbb`.
pub fn colour(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let hex = digits.chars().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| hex)
}

/// Converts a colour to a terminal's depth; `None` for 16 colours, because these are defined by the
/// terminal.
pub(super) fn shown(hex: u32, depth: Depth) -> Option<Color> {
    match depth {
        Depth::True => Some(Color::from_u32(hex)),
        Depth::Xterm => Some(Color::Indexed(nearest(hex))),
        Depth::Sixteen => None,
    }
}

/// The nearest colour of xterm's 216-colour cube and 24 greys.
fn nearest(hex: u32) -> u8 {
    let parts = |hex: u32| [hex >> 16 & 255, hex >> 8 & 255, hex & 255];
    let level = |at: u32| if at == 0 { 0 } else { 55 + 40 * at };
    let cube = (0..216).map(|at| (16 + at, [level(at / 36), level(at / 6 % 6), level(at % 6)]));
    let greys = (0..24).map(|at| (232 + at, [8 + 10 * at; 3]));
    let far = |one: [u32; 3]| -> u32 {
        one.iter().zip(parts(hex)).map(|(one, other)| one.abs_diff(other).pow(2)).sum()
    };
    cube.chain(greys).min_by_key(|&(_, one)| far(one)).map_or(16, |(number, _)| number as u8)
}
