//! The panes beside the grid: one registry of what each is called, draws and answers.

pub mod chains;
pub mod circuits;
pub mod classes;
pub mod curve;
pub mod history;
pub mod inspector;
pub mod latency;
pub mod lens;
pub mod links;
pub mod list;
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

/// A pane as it is shown.
struct Shown {
    title: fn(&App) -> String,
    draw: fn(&App, &mut Pen<'_>),
    /// Whether it is a picture, which takes the columns at the frame's sides too.
    picture: bool,
}

/// The registry: a line for each pane.
fn shown(pane: Pane) -> Shown {
    let text = |title, draw| Shown { title, draw, picture: false };
    match pane {
        Pane::Grid => Shown {
            title: |app| grid::title(&app.shown()),
            draw: |app, pen| grid::draw(&app.shown(), pen),
            picture: true,
        },
        Pane::Lens => Shown { title: lens::title, draw: lens::draw, picture: true },
        Pane::Latency => text(latency::title, latency::draw),
        Pane::Curve => text(|_| "latency by load".to_owned(), curve::draw),
        Pane::Terms => text(terms::title, terms::draw),
        Pane::Classes => text(classes::title, classes::draw),
        Pane::Chains => text(chains::title, chains::draw),
        Pane::Inspector => text(inspector::title, inspector::draw),
        Pane::Loads => text(|_| "load and throughput".to_owned(), loads::draw),
        Pane::Worms => text(worms::title, worms::draw),
        Pane::Links => text(links::title, links::draw),
        Pane::Messages => text(messages::title, messages::draw),
        Pane::History => text(history::title, history::draw),
    }
}

/// Draws a pane's inside.
pub fn draw(app: &App, pane: Pane, buffer: &mut Buffer, inner: Rect) {
    let shown = shown(pane);
    // A free column on both sides, so that text does not touch the frame.
    let margin = u16::from(!shown.picture);
    let width = inner.width.saturating_sub(2 * margin);
    let inner = Rect { x: inner.x + margin, width, ..inner };
    (shown.draw)(app, &mut Pen::new(buffer, inner));
}

/// A pane's title.
pub fn title(app: &App, pane: Pane) -> String {
    (shown(pane).title)(app)
}
