//! Arranges the screen of a study.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::layout::{LEAST, inside};

/// Minimum width for a table at the right of the plot rather than below.
const BESIDE: u16 = 76;
/// Rows for details of the chosen point, including a line above.
const DETAILS: u16 = 5;

/// The parts of the screen, with their frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    pub header: Rect,
    pub plot: Rect,
    pub table: Rect,
    pub progress: Rect,
    pub keybar: Rect,
}

/// Arranges a screen of the given size; `None` if too small.
pub fn arrange((width, height): (u16, u16)) -> Option<Parts> {
    use Constraint::{Fill, Length};
    if width < LEAST.0 || height < LEAST.1 {
        return None;
    }
    let rows = [Length(1), Fill(1), Length(1), Length(1)];
    let [header, main, progress, keybar] =
        Layout::vertical(rows).areas(Rect::new(0, 0, width, height));
    let (plot, table) = if width < BESIDE {
        // Adjacent frames share a border.
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

/// Splits the table's interior into the rows of points and the details of the chosen point.
pub fn split(table: Rect) -> (Rect, Rect) {
    let inner = inside(table);
    let details = if inner.height >= 3 * DETAILS { DETAILS } else { inner.height.min(2) };
    let rows = Rect { height: inner.height - details, ..inner };
    (rows, Rect { y: rows.bottom(), height: details, ..inner })
}
