//! The panes beside the grid.

pub mod chains;
pub mod circuits;
pub mod classes;
pub mod curve;
pub mod history;
pub mod inspector;
pub mod latency;
pub mod lens;
pub mod links;
pub mod loads;
pub mod messages;
pub mod table;
pub mod terms;
pub mod worms;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::app::App;
use super::grid;
use super::pen::Pen;
use super::view::Pane;

/// Draws a pane's inside.
pub fn draw(app: &App, pane: Pane, buffer: &mut Buffer, inner: Rect) {
    if pane == Pane::Grid {
        return grid::draw(app, buffer, inner);
    }
    if pane == Pane::Lens {
        return lens::draw(app, buffer, inner);
    }
    // A free column on both sides, so that text does not touch the frame.
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let mut pen = Pen::new(buffer, inner);
    match pane {
        Pane::Latency => latency::draw(app, &mut pen),
        Pane::Curve => curve::draw(app, &mut pen),
        Pane::Terms => terms::draw(app, &mut pen),
        Pane::Classes => classes::draw(app, &mut pen),
        Pane::Chains => chains::draw(app, &mut pen),
        Pane::Inspector => inspector::draw(app, &mut pen),
        Pane::Loads => loads::draw(app, &mut pen),
        Pane::Worms => worms::draw(app, &mut pen),
        Pane::Links => links::draw(app, &mut pen),
        Pane::Messages => messages::draw(app, &mut pen),
        Pane::History => history::draw(app, &mut pen),
        Pane::Grid | Pane::Lens => {}
    }
}

/// A pane's title for a frame of this width.
pub fn title(app: &App, pane: Pane, width: u16) -> String {
    match pane {
        Pane::Grid => grid::title(app, width),
        Pane::Latency => latency::title(app),
        Pane::Curve => "latency by load".to_owned(),
        Pane::Terms => terms::title(app),
        Pane::Classes => classes::title(app),
        Pane::Chains => chains::title(app),
        Pane::Inspector => inspector::title(app),
        Pane::Loads => "load and throughput".to_owned(),
        Pane::Worms => worms::title(app),
        Pane::Links => links::title(app),
        Pane::Messages => messages::title(app),
        Pane::History => history::title(app),
        Pane::Lens => lens::title(app),
    }
}

/// A line of a list: its text, a figure at the right, and its style.
pub(in crate::tui) type Line = (String, String, Style);

/// Draws as much of a list as there is room for, from where its pane is scrolled to; the figures in
/// their lines' styles or in another.
fn list(app: &App, pane: Pane, pen: &mut Pen<'_>, lines: &[Line], figures: Option<Style>) {
    let from = scrolled(app, pane, lines.len(), pen.height());
    let rows = usize::from(pen.height());
    for (row, (text, right, style)) in lines.iter().skip(from).take(rows).enumerate() {
        let y = row as i32;
        if row + 1 == rows && from + rows < lines.len() {
            let more = lines.len() - from - rows + 1;
            pen.text(0, y, &format!("{} {more} lines more", app.glyphs.more[1]), app.theme.dim());
            return;
        }
        let end = pen.cut(0, y, text, app.glyphs.ellipsis, *style);
        if end + (right.chars().count() as i32) < i32::from(pen.width()) {
            pen.right(y, right, figures.unwrap_or(*style));
        }
    }
}

/// Lines of which a part is shown: the first line to draw, so that the end is never passed.
pub(crate) fn scrolled(app: &App, pane: Pane, lines: usize, rows: u16) -> usize {
    if app.focus != pane {
        return 0;
    }
    usize::from(app.scroll).min(lines.saturating_sub(usize::from(rows)))
}
