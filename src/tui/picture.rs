//! A buffer as a picture: SVG for people and documents, text with colours or without.
//!
//! Block elements and box lines become rectangles, so that rows join without gaps; all other
//! characters are text with a position each.

mod ansi;

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use super::theme::{Kind, Theme};
use crate::recording::Palette;
pub use ansi::ansi;

/// Pixels of a character.
const CELL: (f64, f64) = (8.4, 17.0);
/// Above the text's base line.
const BASE: f64 = 13.0;

/// A dark terminal.
pub const DARK: Palette = Palette { ink: 0xd4_d7_dd, paper: 0x11_13_18, colours: ANSI };
/// A light terminal.
pub const LIGHT: Palette = Palette { ink: 0x22_25_2b, paper: 0xfc_fc_fa, colours: ANSI };

const ANSI: [u32; 16] = [
    0x00_00_00, 0xcd_31_31, 0x0d_bc_79, 0xe5_c0_7b, 0x24_72_c8, 0xbc_3f_bc, 0x11_a8_cd, 0xd0_d0_d0,
    0x80_80_80, 0xf1_4c_4c, 0x23_d1_8b, 0xf5_f5_43, 0x3b_8e_ea, 0xd6_70_d6, 0x29_b8_db, 0xff_ff_ff,
];

/// The colours of the terminal for which a theme is meant.
pub fn palette(theme: Theme) -> Palette {
    match theme.kind {
        Kind::Light => LIGHT,
        Kind::Dark | Kind::Mono => DARK,
    }
}

/// The buffer as a picture of the kind that the file's ending says: `.svg`, `.txt` or `.ans` (with
/// escape sequences); `None` for other endings.
pub fn of(file: &str, buffer: &Buffer, palette: Palette) -> Option<String> {
    let (_, ending) = file.rsplit_once('.')?;
    match ending {
        "svg" => Some(svg(buffer, palette)),
        "txt" => Some(text(buffer)),
        "ans" => Some(ansi(buffer)),
        _ => None,
    }
}

/// The buffer's characters, a line per row, without spaces at the ends.
pub fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut line = String::new();
        for x in buffer.area.left()..buffer.area.right() {
            line.push_str(buffer[(x, y)].symbol());
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The buffer as an SVG document.
pub fn svg(buffer: &Buffer, palette: Palette) -> String {
    let (columns, rows) = (f64::from(buffer.area.width), f64::from(buffer.area.height));
    let (width, height) = (columns * CELL.0, rows * CELL.1);
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.1}\" height=\"{height:.1}\" \
         viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, \
         monospace\" font-size=\"14\" shape-rendering=\"crispEdges\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#{:06x}\"/>\n",
        palette.paper
    );
    for y in buffer.area.top()..buffer.area.bottom() {
        let row: Vec<&Cell> =
            (buffer.area.left()..buffer.area.right()).map(|x| &buffer[(x, y)]).collect();
        let top = f64::from(y - buffer.area.top()) * CELL.1;
        backgrounds(&mut out, &row, top, palette);
        shapes(&mut out, &row, top, palette);
        texts(&mut out, &row, top, palette);
    }
    out.push_str("</svg>\n");
    out
}

/// The number of a colour that is one of 256.
fn number(color: Color) -> Option<u8> {
    Some(match color {
        Color::Reset | Color::Rgb(..) => return None,
        Color::Indexed(number) => number,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    })
}

fn hex(color: Color, palette: Palette) -> Option<u32> {
    if let Color::Rgb(r, g, b) = color {
        return Some(u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b));
    }
    Some(match number(color)? {
        named @ 0..16 => palette.colours[usize::from(named)],
        at @ 16..232 => {
            let at = u32::from(at) - 16;
            let part = |value: u32| if value == 0 { 0 } else { 55 + 40 * value };
            part(at / 36) << 16 | part(at / 6 % 6) << 8 | part(at % 6)
        }
        at => (u32::from(at) - 232) * 10 * 0x01_01_01 + 0x08_08_08,
    })
}

/// (ink, background) of a cell; no background where it is the terminal's own.
fn colours(cell: &Cell, palette: Palette) -> (u32, Option<u32>) {
    let ink = hex(cell.fg, palette).unwrap_or(palette.ink);
    let back = hex(cell.bg, palette);
    let (ink, back) = if cell.modifier.contains(Modifier::REVERSED) {
        (back.unwrap_or(palette.paper), Some(ink))
    } else {
        (ink, back)
    };
    if cell.modifier.contains(Modifier::DIM) {
        let under = back.unwrap_or(palette.paper);
        let mix = |shift: u32| u32::midpoint(ink >> shift & 255, under >> shift & 255) << shift;
        return (mix(16) | mix(8) | mix(0), back);
    }
    (ink, back)
}

fn rect(out: &mut String, x: f64, y: f64, width: f64, height: f64, fill: u32) {
    let _ = writeln!(
        out,
        "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
         fill=\"#{fill:06x}\"/>"
    );
}

fn backgrounds(out: &mut String, row: &[&Cell], top: f64, palette: Palette) {
    let mut x = 0;
    while x < row.len() {
        let (_, back) = colours(row[x], palette);
        let run = row[x..].iter().take_while(|cell| colours(cell, palette).1 == back).count();
        if let Some(back) = back {
            rect(out, x as f64 * CELL.0, top, run as f64 * CELL.0, CELL.1, back);
        }
        x += run;
    }
}

/// Rectangles for the characters that must touch their neighbours.
fn shapes(out: &mut String, row: &[&Cell], top: f64, palette: Palette) {
    let mut x = 0;
    while x < row.len() {
        let cell = row[x];
        let ink = colours(cell, palette).0;
        let symbol = cell.symbol();
        let same = |other: &&&Cell| other.symbol() == symbol && colours(other, palette).0 == ink;
        let run = row[x..].iter().take_while(same).count();
        let glyph = symbol.chars().next().unwrap_or(' ');
        for part in parts(glyph) {
            // Parts as wide as the character join over the whole run.
            let joins = part.0 <= 0.0 && part.2 >= 1.0;
            let (count, long) = if joins { (1, run as f64) } else { (run, 1.0) };
            for at in 0..count {
                let left = (x + at) as f64 * CELL.0;
                let width = if joins { long * CELL.0 } else { (part.2 - part.0) * CELL.0 };
                let from = left + part.0 * CELL.0;
                rect(out, from, top + part.1 * CELL.1, width, (part.3 - part.1) * CELL.1, ink);
            }
        }
        x += run;
    }
}

/// A part of a character: left, top, right, bottom in shares of the cell.
type Part = (f64, f64, f64, f64);

/// The rectangles of a block element or box line; none for other characters.
fn parts(glyph: char) -> Vec<Part> {
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

/// Light and heavy lines from the middle to the sides: which of right, down, left, up; heavy.
fn lines(glyph: char) -> Vec<Part> {
    let (arms, heavy) = match glyph {
        '─' => (0b0101, false),
        '━' => (0b0101, true),
        '│' => (0b1010, false),
        '┃' => (0b1010, true),
        '┌' => (0b0011, false),
        '┏' => (0b0011, true),
        '┐' => (0b0110, false),
        '┓' => (0b0110, true),
        '└' => (0b1001, false),
        '┗' => (0b1001, true),
        '┘' => (0b1100, false),
        '┛' => (0b1100, true),
        '├' => (0b1011, false),
        '┤' => (0b1110, false),
        '┬' => (0b0111, false),
        '┴' => (0b1101, false),
        '┼' => (0b1111, false),
        _ => return Vec::new(),
    };
    // Half of a line's thickness, across and along, in shares of the cell.
    let (thin_y, thin_x) = if heavy { (0.075, 0.15) } else { (0.03, 0.06) };
    let mut parts = Vec::new();
    let has = |arm: u32| arms >> arm & 1 == 1;
    if has(0) || has(2) {
        let from = if has(2) { 0.0 } else { 0.5 - thin_x };
        let to = if has(0) { 1.0 } else { 0.5 + thin_x };
        parts.push((from, 0.5 - thin_y, to, 0.5 + thin_y));
    }
    if has(1) || has(3) {
        let from = if has(3) { 0.0 } else { 0.5 - thin_y };
        let to = if has(1) { 1.0 } else { 0.5 + thin_y };
        parts.push((0.5 - thin_x, from, 0.5 + thin_x, to));
    }
    parts
}

/// All other characters, a text element per word of one style: some programs read the place of
/// an element's first character only.
fn texts(out: &mut String, row: &[&Cell], top: f64, palette: Palette) {
    let style = |cell: &Cell| (colours(cell, palette).0, cell.modifier.contains(Modifier::BOLD));
    let written = |cell: &Cell| {
        let glyph = cell.symbol().chars().next().unwrap_or(' ');
        glyph != ' ' && parts(glyph).is_empty()
    };
    let mut x = 0;
    while x < row.len() {
        if !written(row[x]) {
            x += 1;
            continue;
        }
        let (ink, bold) = style(row[x]);
        let run =
            row[x..].iter().take_while(|cell| written(cell) && style(cell) == (ink, bold)).count();
        let mut places = String::new();
        let mut letters = String::new();
        for (at, cell) in row.iter().enumerate().skip(x).take(run) {
            let _ = write!(places, "{:.1} ", at as f64 * CELL.0);
            for letter in cell.symbol().chars() {
                match letter {
                    '&' => letters.push_str("&amp;"),
                    '<' => letters.push_str("&lt;"),
                    '>' => letters.push_str("&gt;"),
                    letter => letters.push(letter),
                }
            }
        }
        let weight = if bold { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{:.1}\" fill=\"#{ink:06x}\"{weight} xml:space=\"preserve\">{letters}</text>",
            places.trim_end(),
            top + BASE
        );
        x += run;
    }
}

#[cfg(test)]
mod tests;
