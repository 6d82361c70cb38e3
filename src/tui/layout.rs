//! Where everything stands: size classes, and panes stacked beside the grid.

mod beside;
mod preset;
mod wants;

use ratatui::layout::Rect;

use super::view::Pane;
pub use wants::{Beside, Class, LEAST, Preset, Wants, class_of};

/// Rows of a table with its frame, at least.
const TABLE_LEAST: u16 = 12;

/// An arrangement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The size class.
    pub class: Class,
    /// The line at the top.
    pub header: Rect,
    /// All panes with their frames; frames share their borders.
    pub panes: Vec<(Pane, Rect)>,
    /// The frame of the other run's network, where two are compared and both have room.
    pub other: Option<Rect>,
    /// The strip with what differs, where two are compared.
    pub strip: Option<Rect>,
    /// The run's history.
    pub timeline: Rect,
    /// The line at the bottom.
    pub keybar: Rect,
}

impl Arrangement {
    /// The frame of a pane, if it is on the screen.
    pub fn pane(&self, pane: Pane) -> Option<Rect> {
        self.panes.iter().find(|&&(which, _)| which == pane).map(|&(_, rect)| rect)
    }

    /// The inside of a pane.
    pub fn inside(&self, pane: Pane) -> Option<Rect> {
        self.pane(pane).map(inside)
    }
}

/// The inside of a frame.
pub fn inside(rect: Rect) -> Rect {
    Rect {
        x: rect.x + rect.width.min(1),
        y: rect.y + rect.height.min(1),
        width: rect.width.saturating_sub(2),
        height: rect.height.saturating_sub(2),
    }
}

/// Arranges a screen.
pub fn arrange(width: u16, height: u16, wants: &Wants) -> Arrangement {
    let class = class_of(width, height);
    let header = Rect::new(0, 0, width, height.min(1));
    if class == Class::Tiny {
        let nothing = Rect::new(0, 0, 0, 0);
        return Arrangement {
            class,
            header,
            panes: Vec::new(),
            other: None,
            strip: None,
            timeline: nothing,
            keybar: nothing,
        };
    }
    let timeline_rows = if height >= 20 { 2 } else { 1 };
    let keybar = Rect::new(0, height - 1, width, 1);
    let timeline = Rect::new(0, height - 1 - timeline_rows, width, timeline_rows);
    let main = Rect::new(0, 1, width, height - 2 - timeline_rows);
    let (strip, main) = if wants.beside == Beside::Alone {
        (None, main)
    } else {
        let (strip, above) = beside::strip(main);
        (Some(strip), above)
    };
    if let Some((panes, other)) = beside::two(class, main, wants) {
        return Arrangement { class, header, panes, other: Some(other), strip, timeline, keybar };
    }
    let mut panes = Vec::new();
    if wants.zen {
        panes.push((Pane::Grid, main));
    } else if wants.expanded {
        panes.push((wants.focus, main));
    } else if class == Class::Small && wants.focus.is_table() {
        // Its columns need the width of the screen.
        panes.push((wants.focus, main));
    } else {
        columned(main, class, wants, &mut panes);
    }
    Arrangement { class, header, panes, other: None, strip, timeline, keybar }
}

/// The grid with columns of panes on its sides; frames share their borders.
fn columned(main: Rect, class: Class, wants: &Wants, panes: &mut Vec<(Pane, Rect)>) {
    let columns = preset::columns(main.width, class, wants);
    let left = columns.left.as_ref().map_or(0, |column| column.0 - 1);
    let right: u16 = columns.right.iter().map(|column| column.0 - 1).sum();
    let grid = Rect { x: left, width: main.width - right - left, ..main };
    if let Some(which) = wants.table.filter(|_| class != Class::Small) {
        // The grid's legend stands in its lower border, the table's title in its upper one.
        let table = (grid.height / 2).max(TABLE_LEAST);
        let above = Rect { height: grid.height - table, ..grid };
        panes.push((Pane::Grid, above));
        panes.push((which, Rect { y: above.bottom(), height: table, ..grid }));
    } else {
        panes.push((Pane::Grid, grid));
    }
    if let Some((width, wishes)) = columns.left {
        stack(Rect { width, ..main }, &wishes, wants.focus, panes);
    }
    let mut x = grid.right() - 1;
    for (width, wishes) in columns.right {
        stack(Rect { x, width, ..main }, &wishes, wants.focus, panes);
        x += width - 1;
    }
}

/// The least height of a pane that is in focus.
const FOCUS_LEAST: u16 = 7;

/// Stacks panes in a column, each with a least and a wished-for height (0 wished: all that is
/// left). Those stand first in the list that matter most, after the one in focus; the last ones are
/// left out where there is no room. On the screen the one that takes what is left stands last.
fn stack(column: Rect, wishes: &[preset::Wish], focus: Pane, panes: &mut Vec<(Pane, Rect)>) {
    let mut taken: Vec<(usize, u16, u16)> = Vec::new();
    let mut used = 1;
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by_key(|&at| wishes[at].0 != focus);
    for at in order {
        let (pane, mut least, wish) = wishes[at];
        // What does not fit is shown in part where it is in focus.
        if pane == focus && least > column.height {
            least = FOCUS_LEAST;
        }
        let twice = taken.iter().any(|it| wishes[it.0].0 == pane)
            || panes.iter().any(|&(other, _)| other == pane);
        // Shared borders: a pane adds one row less than its height.
        if least > 2 && used + least - 1 <= column.height && !twice {
            used += least - 1;
            taken.push((at, least, wish));
        }
    }
    taken.sort_by_key(|&(at, ..)| at);
    let mut spare = column.height.saturating_sub(used);
    for entry in &mut taken {
        let more = entry.2.saturating_sub(entry.1).min(spare);
        entry.1 += more;
        spare -= more;
    }
    taken.sort_by_key(|&(_, _, wish)| wish == 0);
    if let Some(last) = taken.last_mut() {
        last.1 += spare;
    }
    let mut y = column.y;
    for (at, height, _) in taken {
        panes.push((wishes[at].0, Rect { y, height, ..column }));
        y += height - 1;
    }
}

#[cfg(test)]
mod tests;
