//! Where the parts of a study's screen stand.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::layout::{LEAST, inside};

/// The least width at which the table stands beside the curves, not below them.
const BESIDE: u16 = 76;
/// Rows of what is told of the chosen point, with a line above.
const DETAILS: u16 = 5;

/// The parts, with their frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The line at the top.
    pub header: Rect,
    /// The curves.
    pub plot: Rect,
    /// The points.
    pub table: Rect,
    /// The bar that says how far it is.
    pub progress: Rect,
    /// The line at the bottom.
    pub keybar: Rect,
}

/// The parts of a screen of this size; `None` where there is no room for them.
pub fn arrange((width, height): (u16, u16)) -> Option<Parts> {
    use Constraint::{Fill, Length};
    if width < LEAST.0 || height < LEAST.1 {
        return None;
    }
    let rows = [Length(1), Fill(1), Length(1), Length(1)];
    let [header, main, progress, keybar] =
        Layout::vertical(rows).areas(Rect::new(0, 0, width, height));
    let (plot, table) = if width < BESIDE {
        // Frames share their borders.
        let above = Rect { height: main.height / 2, ..main };
        let y = above.bottom() - 1;
        (above, Rect { y, height: main.bottom() - y, ..main })
    } else {
        let columns = match width {
            160.. => 68,
            110.. => 50,
            _ => 39,
        };
        let left = Rect { width: width - columns + 1, ..main };
        (left, Rect { x: left.right() - 1, width: columns, ..main })
    };
    Some(Parts { header, plot, table, progress, keybar })
}

/// The rows of the table's inside that are for points, and those that tell more of the chosen one.
pub fn split(table: Rect) -> (Rect, Rect) {
    let inner = inside(table);
    let details = if inner.height >= 3 * DETAILS { DETAILS } else { inner.height.min(2) };
    let rows = Rect { height: inner.height - details, ..inner };
    (rows, Rect { y: rows.bottom(), height: details, ..inner })
}
