//! Writes films as animated SVG documents, playable wherever browsers show images.
//!
//! Style sheets alone animate the pictures.
//!
//! Each cell is drawn once per period without change. Cells with the same period form a group, made
//! visible by a rule of the style sheet; constant cells need no group. Without animation, for
//! example on paper, the last picture is visible.

pub(super) mod captions;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::mem;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use self::captions::{Caption, Large};
use crate::recording::Palette;
use crate::tui::picture::{FONTS, Part, colours, escaped, parts};

/// Pictures per second; of several frames in one picture the last is drawn.
const PICTURES: u64 = 8;
/// Size of a character in SVG units, and distance of its base line from the top.
const CELL: (f64, f64) = (5.0, 10.0);
const BASE: f64 = 7.6;
/// Pixels per SVG unit.
const PIXELS: f64 = 1.7;

/// First picture, and first picture after the end.
type Span = (u64, u64);
/// Row and column.
type Spot = (u16, u16);
/// Background colour.
type Ground = u32;
/// Character, colour and bold weight.
type Ink = (String, u32, bool);

/// Present cells with their first picture, and past cells by period.
#[derive(Debug)]
struct Layer<T> {
    now: BTreeMap<Spot, (T, u64)>,
    past: BTreeMap<Span, Vec<(T, Spot)>>,
}

impl<T> Default for Layer<T> {
    fn default() -> Self {
        Self { now: BTreeMap::new(), past: BTreeMap::new() }
    }
}

impl<T: PartialEq> Layer<T> {
    /// Sets the cell from picture `at` on.
    fn set(&mut self, at: u64, spot: Spot, seen: Option<T>) {
        if self.now.get(&spot).map(|(seen, _)| seen) == seen.as_ref() {
            return;
        }
        let old = match seen {
            Some(seen) => self.now.insert(spot, (seen, at)),
            None => self.now.remove(&spot),
        };
        if let Some((seen, since)) = old {
            self.past.entry((since, at)).or_default().push((seen, spot));
        }
    }

    /// Returns all cells by period, in a film of `length` pictures.
    fn ended(mut self, length: u64) -> BTreeMap<Span, Vec<(T, Spot)>> {
        for (spot, (seen, since)) in mem::take(&mut self.now) {
            self.past.entry((since, length)).or_default().push((seen, spot));
        }
        self.past
    }
}

/// An SVG film in progress.
#[derive(Debug)]
pub(super) struct Animation {
    palette: Palette,
    title: String,
    /// Number of rows below the screen, and the present caption.
    rows: u16,
    caption: String,
    size: (u16, u16),
    /// The newest screen and its first picture.
    newest: Option<(u64, Buffer)>,
    grounds: Layer<Ground>,
    inks: Layer<Ink>,
    captions: Layer<Large>,
}

impl Animation {
    /// Starts a film with `rows` rows for captions.
    pub(super) fn new(palette: Palette, title: String, rows: u16) -> Self {
        Self {
            palette,
            title,
            rows,
            caption: String::new(),
            size: (0, 0),
            newest: None,
            grounds: Layer::default(),
            inks: Layer::default(),
            captions: Layer::default(),
        }
    }

    /// Adds the screen at a time in microseconds.
    pub(super) fn frame(&mut self, at: u64, screen: Buffer) {
        let at = at * PICTURES / 1_000_000;
        if self.newest.as_ref().is_some_and(|(newest, _)| *newest < at) {
            self.take();
        }
        // The first picture is visible from the beginning.
        self.newest = Some((if self.size == (0, 0) { 0 } else { at }, screen));
    }

    /// Sets the caption, shown with the next frame.
    pub(super) fn set_caption(&mut self, caption: &str) {
        self.take();
        caption.clone_into(&mut self.caption);
    }

    /// Adds the newest screen and caption to the layers.
    fn take(&mut self) {
        let Some((at, screen)) = self.newest.take() else { return };
        let Rect { width, height, .. } = screen.area;
        self.size = (self.size.0.max(width), self.size.1.max(height));
        let mut seen = Buffer::empty(Rect::new(0, 0, self.size.0, self.size.1));
        for y in 0..height {
            for x in 0..width {
                seen[(x, y)] = screen[(x, y)].clone();
            }
        }
        let caption = Caption::new(&self.caption, self.size.0).unwrap_or_default();
        for y in 0..self.rows {
            let line = caption.line_at(y);
            self.captions.set(at, (self.size.1 + y, 1), line);
        }
        for y in 0..seen.area.height {
            for x in 0..seen.area.width {
                let (ground, ink) = look(&seen[(x, y)], self.palette);
                self.grounds.set(at, (y, x), ground);
                self.inks.set(at, (y, x), ink);
            }
        }
    }

    /// Returns the document of a film with its end at `at` microseconds.
    pub(super) fn end(mut self, at: u64) -> String {
        self.take();
        let ends = (at * PICTURES).div_ceil(1_000_000).max(1);
        let length = ends + captions::END;
        let rows = self.size.1 + self.rows;
        let (width, height) = (f64::from(self.size.0) * CELL.0, f64::from(rows) * CELL.1);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{:.0}\" height=\"{:.0}\" font-family=\"{FONTS}\" font-size=\"8.3\" \
             shape-rendering=\"crispEdges\">\n<title>{}</title>\n",
            width * PIXELS,
            height * PIXELS,
            escaped(&self.title)
        );
        let mut sheet = Sheet::default();
        let mut body = String::new();
        let grounds = self.grounds.ended(length);
        sheet.layer(&mut body, length, grounds, |sheet, out, cells, _| sheet.grounds(out, cells));
        let inks = self.inks.ended(length);
        sheet.layer(&mut body, length, inks, Sheet::inks);
        let captions = self.captions.ended(length);
        sheet.layer(&mut body, length, captions, |sheet, out, lines, _| {
            sheet.captions(out, lines, self.palette);
        });
        sheet.end_frame(&mut body, (ends, length), (width, height), (&self.title, self.palette));
        sheet.write(&mut out, length);
        let _ = writeln!(
            out,
            "<rect width=\"{width}\" height=\"{height}\" fill=\"#{:06x}\"/>",
            self.palette.ground
        );
        out + &body + "</svg>\n"
    }
}

/// Background and foreground of a cell, if visible.
fn look(cell: &Cell, palette: Palette) -> (Option<Ground>, Option<Ink>) {
    let (ink, back) = colours(cell, palette);
    let written = !cell.symbol().trim().is_empty();
    let bold = cell.modifier.contains(Modifier::BOLD);
    (back, written.then(|| (cell.symbol().to_owned(), ink, bold)))
}

/// Rules of the style sheet, collected while drawing.
#[derive(Default)]
struct Sheet {
    /// Colours and weights with class numbers.
    looks: BTreeMap<(u32, bool), usize>,
    /// Durations and first pictures of groups.
    lasting: BTreeSet<u64>,
    beginning: BTreeSet<u64>,
}

impl Sheet {
    /// Draws a layer, one group per period.
    fn layer<T>(
        &mut self,
        out: &mut String,
        length: u64,
        all: BTreeMap<Span, Vec<(T, Spot)>>,
        draw: impl Fn(&mut Self, &mut String, Vec<(T, Spot)>, bool),
    ) {
        for ((from, till), cells) in all {
            if (from, till) == (0, length) {
                draw(self, out, cells, true);
                continue;
            }
            // Cells after the end belong to the last moment of the film.
            let lasts = till.min(length).saturating_sub(from);
            if lasts == 0 {
                continue;
            }
            self.lasting.insert(lasts);
            self.beginning.insert(from);
            let last = if till >= length { " p" } else { "" };
            let _ = write!(out, "<g class=\"d{lasts} s{from}{last}\">");
            draw(self, out, cells, till >= length);
            out.push_str("</g>\n");
        }
    }

    /// Returns the class of a colour and weight.
    fn look(&mut self, colour: u32, bold: bool) -> String {
        let next = self.looks.len();
        let at = *self.looks.entry((colour, bold)).or_insert(next);
        format!("c{at}")
    }

    /// Draws backgrounds, one shape per colour.
    fn grounds(&mut self, out: &mut String, cells: Vec<(Ground, Spot)>) {
        let mut shapes: BTreeMap<Ground, Vec<(Part, Spot)>> = BTreeMap::new();
        for (ground, spot) in cells {
            shapes.entry(ground).or_default().push(((0.0, 0.0, 1.0, 1.0), spot));
        }
        for (ground, parts) in shapes {
            let class = self.look(ground, false);
            path(out, &class, parts);
        }
    }

    /// Draws characters as shapes or text; texts visible on paper are split into words.
    fn inks(&mut self, out: &mut String, cells: Vec<(Ink, Spot)>, still: bool) {
        let mut shapes: BTreeMap<u32, Vec<(Part, Spot)>> = BTreeMap::new();
        let mut texts: BTreeMap<(u32, bool), Vec<(Spot, String)>> = BTreeMap::new();
        for ((symbol, ink, bold), spot) in cells {
            let parts = parts(symbol.chars().next().unwrap_or(' '));
            if parts.is_empty() {
                texts.entry((ink, bold)).or_default().push((spot, symbol));
            } else {
                let parts = parts.into_iter().map(|part| (part, spot));
                shapes.entry(ink).or_default().extend(parts);
            }
        }
        for (ink, parts) in shapes {
            let class = self.look(ink, false);
            path(out, &class, parts);
        }
        for ((ink, bold), mut cells) in texts {
            let class = self.look(ink, bold);
            cells.sort();
            // Programs without animation use only the first position of a text element, and a
            // character of several code points would consume the positions of its successors.
            let single = |symbol: &str| symbol.chars().count() == 1;
            let words = cells.chunk_by(|((y, x), one), (next, other)| {
                single(one) && single(other) && (!still || (*y, x + 1) == *next)
            });
            words.for_each(|word| text(out, &class, word));
        }
    }

    /// Writes the style sheet. Every animation lasts as long as the film; a negative delay shifts
    /// its start.
    fn write(&self, out: &mut String, length: u64) {
        let seconds = |pictures: u64| brief(pictures as f64 / PICTURES as f64);
        let _ = writeln!(
            out,
            "<style>\ng{{visibility:hidden;animation:{}s step-end infinite}}\n.p{{visibility:visible}}",
            seconds(length)
        );
        for lasts in &self.lasting {
            let share = (*lasts as f64 / length as f64 * 100.0 * 1e4).round() / 1e4;
            let _ = writeln!(
                out,
                "@keyframes d{lasts}{{0%{{visibility:visible}}{share}%{{visibility:hidden}}}}\
                 .d{lasts}{{animation-name:d{lasts}}}"
            );
        }
        for from in &self.beginning {
            let _ = writeln!(out, ".s{from}{{animation-delay:-{}s}}", seconds(length - from));
        }
        for (&(colour, bold), at) in &self.looks {
            let weight = if bold { ";font-weight:bold" } else { "" };
            let _ = writeln!(out, ".c{at}{{fill:#{colour:06x}{weight}}}");
        }
        out.push_str("@media(prefers-reduced-motion:reduce){g{animation:none}}\n</style>\n");
    }
}

/// Formats a number with at most three decimals.
fn brief(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.strip_prefix("0.").map_or_else(|| text.to_owned(), |rest| format!(".{rest}"))
}

/// Writes rectangles of one colour; adjacent rectangles are merged.
fn path(out: &mut String, class: &str, mut parts: Vec<(Part, Spot)>) {
    // Bit patterns of nonnegative floats are ordered like the numbers.
    let bits = |(left, upper, right, lower): Part| [left, upper, right, lower].map(f64::to_bits);
    parts.sort_by_key(|&(part, (y, x))| (y, bits(part), x));
    let mut shape = String::new();
    let mut rest = parts.into_iter().peekable();
    while let Some(((left, upper, right, lower), (y, x))) = rest.next() {
        let mut last = x;
        let joins = left <= 0.0 && right >= 1.0;
        while joins
            && rest
                .next_if(|&(part, spot)| {
                    part == (left, upper, right, lower) && spot == (y, last + 1)
                })
                .is_some()
        {
            last += 1;
        }
        let width = (right - left + f64::from(last - x)) * CELL.0;
        let _ = write!(
            shape,
            "M{} {}h{}v{}h-{}z",
            brief((f64::from(x) + left) * CELL.0),
            brief((f64::from(y) + upper) * CELL.1),
            brief(width),
            brief((lower - upper) * CELL.1),
            brief(width)
        );
    }
    let _ = write!(out, "<path class=\"{class}\" d=\"{shape}\"/>");
}

fn text(out: &mut String, class: &str, cells: &[(Spot, String)]) {
    let rows = cells.iter().map(|((y, _), _)| brief(f64::from(*y) * CELL.1 + BASE));
    let mut rows: Vec<String> = rows.collect();
    // SVG repeats the last row for the remaining characters.
    let last = rows.last().cloned();
    while rows.len() > 1 && rows.get(rows.len() - 2) == last.as_ref() {
        rows.pop();
    }
    let columns = cells.iter().map(|((_, x), _)| brief(f64::from(*x) * CELL.0));
    let letters: String = cells.iter().map(|(_, symbol)| symbol.as_str()).collect();
    let _ = write!(
        out,
        "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
        columns.collect::<Vec<_>>().join(" "),
        rows.join(" "),
        escaped(&letters)
    );
}

#[cfg(test)]
mod tests;
