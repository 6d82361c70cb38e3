//! Draws a pane by its row in the registry.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::list::Item;
use super::{
    Inside, Pane, chains, classes, curve, history, hottest, inspector, latency, lens, links, list,
    loads, messages, registry, terms, tour, worms,
};
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;

mod network {
    use crate::tui::grid;
    use crate::tui::pen::Pen;
    use crate::tui::scene::Scene;

    pub fn title(app: &Scene<'_>) -> String {
        grid::title(app)
    }

    pub fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
        grid::draw(app, pen);
    }
}

/// The drawing function of a pane: free drawing, or lines for a number of columns.
enum Draw {
    Freely(fn(&Scene<'_>, &mut Pen<'_>)),
    Lines(fn(&Scene<'_>, usize) -> Vec<Item>),
}

macro_rules! draw {
    ($file:ident Lines) => {
        Draw::Lines($file::lines)
    };
    ($file:ident $inside:ident) => {
        Draw::Freely($file::draw)
    };
}

macro_rules! drawn {
    ($($(#[$default:meta])? $pane:ident $inside:ident $file:ident $about:literal;)+) => {
        fn drawn(pane: Pane) -> (fn(&Scene<'_>) -> String, Draw) {
            match pane {
                $(Pane::$pane => ($file::title, draw!($file $inside)),)+
            }
        }
    };
}
registry!(drawn);

impl Pane {
    pub fn title(self, app: &Scene<'_>) -> String {
        drawn(self).0(app)
    }

    pub fn draw(self, app: &Scene<'_>, buffer: &mut Buffer, inner: Rect) {
        // A free column on both sides keeps text off the frame.
        let margin = u16::from(self.inside() != Inside::Picture);
        let width = inner.width.saturating_sub(2 * margin);
        let pen = &mut Pen::new(buffer, Rect { x: inner.x + margin, width, ..inner });
        match drawn(self).1 {
            Draw::Freely(draw) => draw(app, pen),
            Draw::Lines(lines) => list::draw(app, self, pen, &lines(app, usize::from(width))),
        }
    }
}
