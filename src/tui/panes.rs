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

/// Lines of which a part is shown: the first line to draw, so that the end is never passed.
pub(crate) fn scrolled(app: &App, pane: Pane, lines: usize, rows: u16) -> usize {
    if app.focus != pane {
        return 0;
    }
    usize::from(app.scroll).min(lines.saturating_sub(usize::from(rows)))
}
