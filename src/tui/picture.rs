//! Converts a buffer to SVG, PNG, plain text, or text with colours (for `cat` and pagers).
//!
//! Block elements and box lines become rectangles, to join rows without gaps; all other characters
//! become text with individual positions.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use super::theme::{Kind, Theme};
use crate::experiment::plot;
use crate::recording::Palette;

/// Size of a character in pixels.
const CELL: (f64, f64) = (8.4, 17.0);
/// Distance of the base line from the top of a row.
const BASE: f64 = 13.0;

/// Embedded fonts for PNG, independent of the fonts installed.
const LETTERS: [&[u8]; 2] = [
    include_bytes!("../../assets/DejaVuSansMono-subset.ttf"),
    include_bytes!("../../assets/DejaVuSansMono-Bold-subset.ttf"),
];
const MONO: &str = "DejaVu Sans Mono";

/// Font list for SVG, in order of preference.
pub(super) const FONTS: &str = "DejaVu Sans Mono, Menlo, Consolas, monospace";

/// A dark terminal.
pub const DARK: Palette = Palette { ink: 0xd4_d7_dd, ground: 0x11_13_18, colours: ANSI };
/// A light terminal.
pub const LIGHT: Palette = Palette { ink: 0x22_25_2b, ground: 0xfc_fc_fa, colours: ANSI };

const ANSI: [u32; 16] = [
    0x00_00_00, 0xcd_31_31, 0x0d_bc_79, 0xe5_c0_7b, 0x24_72_c8, 0xbc_3f_bc, 0x11_a8_cd, 0xd0_d0_d0,
    0x80_80_80, 0xf1_4c_4c, 0x23_d1_8b, 0xf5_f5_43, 0x3b_8e_ea, 0xd6_70_d6, 0x29_b8_db, 0xff_ff_ff,
];

/// The 16 ANSI colours in order of their numbers.
const SIXTEEN: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// The terminal colours assumed by a theme.
pub fn palette(theme: Theme) -> Palette {
    match theme.kind {
        Kind::Light => LIGHT,
        Kind::Dark | Kind::Mono => DARK,
    }
}

/// Converts the buffer into the format given by the file name's ending: `.svg`, `.png`, `.txt` or
/// `.ans` (with escape sequences); `None` for other endings.
pub fn of(file: &str, buffer: &Buffer, palette: Palette) -> Option<Vec<u8>> {
    let (_, ending) = file.rsplit_once('.')?;
    match ending {
        "svg" => Some(svg(buffer, palette).into_bytes()),
        "png" => plot::pixels(&svg(buffer, palette), MONO, &LETTERS).ok(),
        "txt" => Some(text(buffer).into_bytes()),
        "ans" => Some(ansi(buffer).into_bytes()),
        _ => None,
    }
}

fn rows(buffer: &Buffer) -> impl Iterator<Item = &[Cell]> {
    buffer.content.chunks(usize::from(buffer.area.width.max(1)))
}

/// Returns the buffer's text, one line per row, without trailing spaces.
pub fn text(buffer: &Buffer) -> String {
    let line = |row: &[Cell]| row.iter().map(Cell::symbol).collect::<String>();
    rows(buffer).map(|row| line(row).trim_end().to_owned() + "\n").collect()
}

/// Converts the buffer into an SVG document.
pub fn svg(buffer: &Buffer, palette: Palette) -> String {
    let (columns, rows_high) = (f64::from(buffer.area.width), f64::from(buffer.area.height));
    let (width, height) = (columns * CELL.0, rows_high * CELL.1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.1}\" height=\"{height:.1}\" \
         viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"{FONTS}\" font-size=\"14\" shape-rendering=\"crispEdges\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#{:06x}\"/>\n",
        palette.ground
    );
    for (y, row) in rows(buffer).enumerate() {
        let looks: Vec<Look<'_>> =
            row.iter().enumerate().map(|cell| Look::new(cell, palette)).collect();
        let top = y as f64 * CELL.1;
        backgrounds(&mut out, &looks, top);
        shapes(&mut out, &looks, top);
        texts(&mut out, &looks, top);
    }
    out.push_str("</svg>\n");
    out
}

/// The number of an indexed colour.
fn number(color: Color) -> Option<u8> {
    if let Color::Indexed(number) = color {
        return Some(number);
    }
    SIXTEEN.iter().position(|&one| one == color).map(|at| at as u8)
}

/// A colour as `0xRRGGBB`; `None` for the terminal's default.
fn hex(color: Color, palette: Palette) -> Option<u32> {
    let of = |red: u32, green: u32, blue: u32| red << 16 | green << 8 | blue;
    if let Color::Rgb(red, green, blue) = color {
        return Some(of(red.into(), green.into(), blue.into()));
    }
    let number = number(color)?;
    let steps = u32::from(number.saturating_sub(16));
    let level = |at: u32| if at == 0 { 0 } else { 55 + 40 * at };
    Some(match number {
        0..16 => palette.colours[usize::from(number)],
        16..232 => of(level(steps / 36), level(steps / 6 % 6), level(steps % 6)),
        232.. => 0x01_01_01 * (8 + 10 * (steps - 216)),
    })
}

/// Foreground and background of a cell; `None` for the terminal's default.
pub(super) fn colours(cell: &Cell, palette: Palette) -> (u32, Option<u32>) {
    let mut ink = hex(cell.fg, palette).unwrap_or(palette.ink);
    let mut back = hex(cell.bg, palette);
    if cell.modifier.contains(Modifier::REVERSED) {
        (ink, back) = (back.unwrap_or(palette.ground), Some(ink));
    }
    if cell.modifier.contains(Modifier::DIM) {
        let under = back.unwrap_or(palette.ground);
        let mix = |shift: u32| u32::midpoint(ink >> shift & 255, under >> shift & 255) << shift;
        ink = mix(16) | mix(8) | mix(0);
    }
    (ink, back)
}

struct Look<'a> {
    /// Left edge in pixels.
    left: f64,
    symbol: &'a str,
    ink: u32,
    /// The background; `None` for the terminal's default.
    back: Option<u32>,
    bold: bool,
    /// Rectangles replacing a block element or box line.
    parts: Vec<Part>,
}

impl<'a> Look<'a> {
    fn new((x, cell): (usize, &'a Cell), palette: Palette) -> Self {
        let (ink, back) = colours(cell, palette);
        let symbol = cell.symbol();
        let parts = parts(symbol.chars().next().unwrap_or(' '));
        let left = x as f64 * CELL.0;
        Self { left, symbol, ink, back, bold: cell.modifier.contains(Modifier::BOLD), parts }
    }

    /// Colour and weight of the character if drawn as text.
    fn text_style(&self) -> Option<(u32, bool)> {
        let written = !self.symbol.starts_with(' ') && !self.symbol.is_empty();
        (written && self.parts.is_empty()).then_some((self.ink, self.bold))
    }
}

fn rect(out: &mut String, x: f64, y: f64, width: f64, height: f64, fill: u32) {
    let _ = writeln!(
        out,
        "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
         fill=\"#{fill:06x}\"/>"
    );
}

fn backgrounds(out: &mut String, row: &[Look<'_>], top: f64) {
    for run in row.chunk_by(|one, other| one.back == other.back) {
        if let Some(back) = run[0].back {
            rect(out, run[0].left, top, run.len() as f64 * CELL.0, CELL.1, back);
        }
    }
}

/// Draws block elements and box lines as rectangles.
fn shapes(out: &mut String, row: &[Look<'_>], top: f64) {
    for run in row.chunk_by(|one, other| (one.symbol, one.ink) == (other.symbol, other.ink)) {
        for &(left, upper, right, lower) in &run[0].parts {
            // Rectangles of full width are merged over the whole run.
            let joins = left <= 0.0 && right >= 1.0;
            let (drawn, long) =
                if joins { (&run[..1], run.len() as f64) } else { (run, right - left) };
            for look in drawn {
                let (x, y) = (look.left + left * CELL.0, top + upper * CELL.1);
                rect(out, x, y, long * CELL.0, (lower - upper) * CELL.1, look.ink);
            }
        }
    }
}

/// A part of a character: left, top, right, bottom as fractions of the cell.
pub(super) type Part = (f64, f64, f64, f64);

/// The rectangles of a block element or box line; empty for other characters.
pub(super) fn parts(glyph: char) -> Vec<Part> {
    let eighth = |count: u32| f64::from(count) / 8.0;
    match glyph {
        '▁'..='█' => {
            let high = eighth(glyph as u32 - '▁' as u32 + 1);
            vec![(0.0, 1.0 - high, 1.0, 1.0)]
        }
        '▉'..='▏' => vec![(0.0, 0.0, eighth('▏' as u32 - glyph as u32 + 1), 1.0)],
        '▔' => vec![(0.0, 0.0, 1.0, 0.125)],
        '▀' => vec![(0.0, 0.0, 1.0, 0.5)],
        '▛' => vec![(0.0, 0.0, 1.0, 0.5), (0.0, 0.5, 0.5, 1.0)],
        '▜' => vec![(0.0, 0.0, 1.0, 0.5), (0.5, 0.5, 1.0, 1.0)],
        '▙' => vec![(0.0, 0.0, 0.5, 0.5), (0.0, 0.5, 1.0, 1.0)],
        '▟' => vec![(0.5, 0.0, 1.0, 0.5), (0.0, 0.5, 1.0, 1.0)],
        '═' => vec![(0.0, 0.40, 1.0, 0.46), (0.0, 0.56, 1.0, 0.62)],
        '║' => vec![(0.34, 0.0, 0.46, 1.0), (0.56, 0.0, 0.68, 1.0)],
        '╌' => dashes(2, 0.03, true),
        '╎' => dashes(2, 0.06, false),
        '┅' => dashes(3, 0.06, true),
        '┇' => dashes(3, 0.12, false),
        '┊' => dashes(4, 0.06, false),
        '\u{2800}'..='\u{28ff}' => dots(glyph as u32 - 0x2800),
        _ => lines(glyph),
    }
}

fn dashes(count: u32, half: f64, across: bool) -> Vec<Part> {
    let step = 1.0 / f64::from(count);
    (0..count)
        .map(|at| {
            let from = (f64::from(at) + 0.15) * step;
            let to = (f64::from(at) + 0.85) * step;
            if across {
                (from, 0.5 - half, to, 0.5 + half)
            } else {
                (0.5 - half, from, 0.5 + half, to)
            }
        })
        .collect()
}

/// The dots of a braille character by its bits, drawn as rectangles because few fonts contain
/// braille.
fn dots(bits: u32) -> Vec<Part> {
    let at = |bit: u32| match bit {
        0..3 => (0.25, f64::from(bit)),
        3..6 => (0.75, f64::from(bit - 3)),
        _ => (0.25 + 0.5 * f64::from(bit - 6), 3.0),
    };
    let dot = |bit| {
        let (x, row) = at(bit);
        let y = 0.125 + 0.25 * row;
        (x - 0.12, y - 0.06, x + 0.12, y + 0.06)
    };
    (0..8).filter(|bit| bits >> bit & 1 == 1).map(dot).collect()
}

/// Box lines from the centre: light form, heavy form, and bits for right, down, left, up.
const LINES: [(char, char, u8); 11] = [
    ('─', '━', 0b0101),
    ('│', '┃', 0b1010),
    ('┌', '┏', 0b0011),
    ('┐', '┓', 0b0110),
    ('└', '┗', 0b1001),
    ('┘', '┛', 0b1100),
    ('├', '├', 0b1011),
    ('┤', '┤', 0b1110),
    ('┬', '┬', 0b0111),
    ('┴', '┴', 0b1101),
    ('┼', '┼', 0b1111),
];

fn lines(glyph: char) -> Vec<Part> {
    let line = LINES.iter().find(|&&(light, heavy, _)| glyph == light || glyph == heavy);
    let Some(&(light, _, arms)) = line else { return Vec::new() };
    // Half of a line's thickness, horizontal and vertical, as fractions of the cell.
    let (thin_y, thin_x) = if glyph == light { (0.03, 0.06) } else { (0.075, 0.15) };
    let has = |arm: u8| arms >> arm & 1 == 1;
    let ends = |low: bool, high: bool, thin: f64| {
        let from = if low { 0.0 } else { 0.5 - thin };
        let to = if high { 1.0 } else { 0.5 + thin };
        (low || high).then_some((from, to))
    };
    let across = ends(has(2), has(0), thin_x);
    let along = ends(has(3), has(1), thin_y);
    let across = across.map(|(from, to)| (from, 0.5 - thin_y, to, 0.5 + thin_y));
    let along = along.map(|(from, to)| (0.5 - thin_x, from, 0.5 + thin_x, to));
    across.into_iter().chain(along).collect()
}

/// Escapes text for SVG.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Writes all other characters, one text element per word of equal style, because some programs use
/// only the first position of an element.
fn texts(out: &mut String, row: &[Look<'_>], top: f64) {
    for run in row.chunk_by(|one, other| one.text_style() == other.text_style()) {
        let Some((ink, bold)) = run[0].text_style() else { continue };
        let places: Vec<String> = run.iter().map(|look| format!("{:.1}", look.left)).collect();
        let letters: String = run.iter().map(|look| look.symbol).collect();
        let letters = escaped(&letters);
        let weight = if bold { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{:.1}\" fill=\"#{ink:06x}\"{weight} xml:space=\"preserve\">{letters}</text>",
            places.join(" "),
            top + BASE
        );
    }
}

/// The sequence at the end of a coloured line.
const PLAIN: &str = "\x1b[0m";

/// Converts the buffer into text with escape sequences, one line per row. Each line begins and ends
/// in the default style; uncoloured trailing spaces are omitted.
pub fn ansi(buffer: &Buffer) -> String {
    let mut out = String::new();
    for row in rows(buffer) {
        let bare = |cell: &Cell| cell.symbol() == " " && style(cell).is_empty();
        let end = row.iter().rposition(|cell| !bare(cell)).map_or(0, |last| last + 1);
        let mut now = String::new();
        for cell in &row[..end] {
            let wanted = style(cell);
            if wanted != now {
                let _ = write!(out, "\x1b[0{wanted}m");
                now = wanted;
            }
            out.push_str(cell.symbol());
        }
        if !now.is_empty() {
            out.push_str(PLAIN);
        }
        out.push('\n');
    }
    out
}

/// The parameters of a cell's style relative to the default, each preceded by a semicolon.
fn style(cell: &Cell) -> String {
    codes(cell).concat()
}

/// The parameters of modifiers, foreground and background.
pub(super) fn codes(cell: &Cell) -> [String; 3] {
    let [mut modifiers, mut ink, mut ground] = [const { String::new() }; 3];
    for (modifier, code) in [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
    ] {
        if cell.modifier.contains(modifier) {
            let _ = write!(modifiers, ";{code}");
        }
    }
    colour(&mut ink, cell.fg, 30);
    colour(&mut ground, cell.bg, 40);
    [modifiers, ink, ground]
}

/// Writes the parameters of a colour; `base` is 30 for the foreground and 40 for the background.
fn colour(codes: &mut String, colour: Color, base: u8) {
    let _ = match (number(colour), colour) {
        (_, Color::Reset) => Ok(()),
        (_, Color::Rgb(red, green, blue)) => write!(codes, ";{};2;{red};{green};{blue}", base + 8),
        (Some(number @ 0..8), _) => write!(codes, ";{}", base + number),
        (Some(number @ 8..16), _) => write!(codes, ";{}", base + 52 + number),
        (Some(number), _) => write!(codes, ";{};5;{number}", base + 8),
        (None, _) => Ok(()),
    };
}

#[cfg(test)]
mod tests;
