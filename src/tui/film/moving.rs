//! A film as a picture that moves: an SVG document with style sheets alone, which browsers play
//! wherever they show pictures.
//!
//! Each cell is drawn once for as long as it stays as it is. What appears and goes at the same times
//! is one group, which a rule of the style sheet shows then; what never changes is in no group. Where
//! nothing moves, as on paper, the last picture is seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::mem;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use super::{Order, Spoilt, spoilt};
use crate::recording::{Palette, Script};
use crate::tui::action::Key;
use crate::tui::pen::wrap;
use crate::tui::picture::{FONTS, Part, colours, escaped, parts};

/// Pictures a second; of frames that come faster the last is taken.
const PICTURES: u64 = 8;
/// The most lines of a caption.
const LINES: usize = 3;
/// Units of a character, and of them its base line is below its top.
const CELL: (f64, f64) = (5.0, 10.0);
const BASE: f64 = 7.6;
/// Pixels of a unit.
const PIXELS: f64 = 1.7;

/// From which picture on something is seen, and from which no longer.
type Span = (u64, u64);
/// Row and column.
type Spot = (u16, u16);
/// Colour of a ground.
type Ground = u32;
/// What stands on it: the character, its colour, whether it is bold.
type Ink = (String, u32, bool);

/// What is where, and since when, and what was there before.
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
    /// From this picture on `seen` is there.
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

    /// All there was, in a film of this many pictures.
    fn ended(mut self, length: u64) -> BTreeMap<Span, Vec<(T, Spot)>> {
        for (spot, (seen, since)) in mem::take(&mut self.now) {
            self.past.entry((since, length)).or_default().push((seen, spot));
        }
        self.past
    }
}

/// A film on its way.
#[derive(Debug)]
pub(super) struct Moving {
    palette: Palette,
    title: String,
    /// Rows below the screen, and what is told there now.
    rows: u16,
    caption: String,
    /// The largest screen so far.
    size: (u16, u16),
    /// The newest screen, and the picture from which on it is seen.
    newest: Option<(u64, Buffer)>,
    grounds: Layer<Ground>,
    inks: Layer<Ink>,
}

impl Moving {
    /// A film of this title, with so many rows below it for what is told.
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
        }
    }

    /// The screen at this time, in microseconds.
    pub(super) fn frame(&mut self, at: u64, screen: Buffer) {
        let at = at * PICTURES / 1_000_000;
        if self.newest.as_ref().is_some_and(|(newest, _)| *newest < at) {
            self.take();
        }
        // The first picture is there from the beginning.
        self.newest = Some((if self.size == (0, 0) { 0 } else { at }, screen));
    }

    /// What is told from now on; it is seen with the next frame.
    pub(super) fn tell(&mut self, caption: &str) {
        self.take();
        caption.clone_into(&mut self.caption);
    }

    /// Takes the newest screen into the film.
    fn take(&mut self) {
        let Some((at, screen)) = self.newest.take() else { return };
        let Rect { width, height, .. } = screen.area;
        self.size = (self.size.0.max(width), self.size.1.max(height));
        let mut seen = Buffer::empty(Rect::new(0, 0, self.size.0, self.size.1 + self.rows));
        for y in 0..height {
            for x in 0..width {
                seen[(x, y)] = screen[(x, y)].clone();
            }
        }
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let lines = caption(&self.caption, self.size.0).unwrap_or_default();
        for (y, line) in (self.size.1..self.size.1 + self.rows).zip(lines) {
            seen.set_string(1, y, line, bold);
        }
        for y in 0..seen.area.height {
            for x in 0..seen.area.width {
                let (ground, ink) = look(&seen[(x, y)], self.palette);
                self.grounds.set(at, (y, x), ground);
                self.inks.set(at, (y, x), ink);
            }
        }
    }

    /// The document of a film that ends at this time.
    pub(super) fn end(mut self, at: u64) -> String {
        self.take();
        let length = (at * PICTURES).div_ceil(1_000_000).max(1);
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
        sheet.write(&mut out, length);
        let _ = writeln!(
            out,
            "<rect width=\"{width}\" height=\"{height}\" fill=\"#{:06x}\"/>",
            self.palette.ground
        );
        out + &body + "</svg>\n"
    }
}

/// The lines of a caption below a screen of this width; `None` where there is no room for all of it.
pub(super) fn caption(text: &str, width: u16) -> Option<Vec<String>> {
    let room = usize::from(width.saturating_sub(2));
    let lines = wrap(text, room);
    let fits = lines.len() <= LINES && lines.iter().all(|line| line.width() <= room);
    fits.then_some(lines)
}

/// Rows that the captions of a script take below its screen.
pub(super) fn caption_rows(script: &Script<Key>, mut width: u16) -> Result<u16, Spoilt> {
    let mut rows = 0;
    for line in &script.lines {
        match &line.command {
            Order::Resize((columns, _)) => width = width.max(*columns),
            Order::Marker(text) => {
                let Some(lines) = caption(text, width) else {
                    let what = format!("there is no room for this caption below {width} columns");
                    let help = "what a marker tells has three lines there; shorten it";
                    return Err(spoilt(&script.name, Some(&line.place), what, help));
                };
                rows = rows.max(lines.len() as u16);
            }
            Order::Wait(_)
            | Order::Key { .. }
            | Order::Type(_)
            | Order::Click { .. }
            | Order::Drag { .. }
            | Order::Wheel { .. }
            | Order::Until(_)
            | Order::Shot(_) => {}
        }
    }
    Ok(rows)
}

/// The ground and the ink of a cell, as far as they are seen.
fn look(cell: &Cell, palette: Palette) -> (Option<Ground>, Option<Ink>) {
    let (ink, back) = colours(cell, palette);
    let written = !cell.symbol().trim().is_empty();
    let bold = cell.modifier.contains(Modifier::BOLD);
    (back, written.then(|| (cell.symbol().to_owned(), ink, bold)))
}

/// The rules of the style sheet that the groups need.
#[derive(Default)]
struct Sheet {
    /// Colours and weights, by their numbers.
    looks: BTreeMap<(u32, bool), usize>,
    /// For how many pictures groups are seen, and from which on.
    lasting: BTreeSet<u64>,
    beginning: BTreeSet<u64>,
}

impl Sheet {
    /// Draws what there is in a layer, a group for each span.
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
            // What lasts beyond the end was drawn in the film's last moment.
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

    /// The class of a colour.
    fn look(&mut self, colour: u32, bold: bool) -> String {
        let next = self.looks.len();
        let at = *self.looks.entry((colour, bold)).or_insert(next);
        format!("c{at}")
    }

    /// Grounds, those of one colour as one shape.
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

    /// Characters of one look as a shape or a text; word by word where they are seen on paper.
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
            // Programs that know no moving pictures know of an element's places the first only, and a
            // character of several signs takes the places of the next ones.
            let single = |symbol: &str| symbol.chars().count() == 1;
            let words = cells.chunk_by(|((y, x), one), (next, other)| {
                single(one) && single(other) && (!still || (*y, x + 1) == *next)
            });
            words.for_each(|word| text(out, &class, word));
        }
    }

    /// Writes the rules. All groups go on for as long as the film, each begun that long before it that
    /// it is seen when it is to be.
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

/// A number with two digits behind the point at most.
fn brief(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.strip_prefix("0.").map_or_else(|| text.to_owned(), |rest| format!(".{rest}"))
}

/// Rectangles of one colour; those that touch side by side are one.
fn path(out: &mut String, class: &str, mut parts: Vec<(Part, Spot)>) {
    // Shares of a cell are not negative: their bits are in order.
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

/// Characters, each in its place.
fn text(out: &mut String, class: &str, cells: &[(Spot, String)]) {
    let rows = cells.iter().map(|((y, _), _)| brief(f64::from(*y) * CELL.1 + BASE));
    let mut rows: Vec<String> = rows.collect();
    // Characters without a row of their own stand in the last one that was given.
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
