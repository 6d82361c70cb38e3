//! Where everything stands: size classes, and panes stacked beside the grid.

mod beside;

use ratatui::layout::Rect;

use super::view::Pane;
pub use beside::Beside;

/// A class of screen sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Too small for panes.
    Tiny,
    /// From 60 by 16.
    Small,
    /// From 120 by 32.
    Medium,
    /// From 160 by 48.
    Large,
}

/// The least screen with panes.
pub const LEAST: (u16, u16) = (60, 16);

/// Rows of a table with its frame, at least.
const TABLE_LEAST: u16 = 12;

/// What decides about the arrangement besides the size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wants {
    /// The pane in focus.
    pub focus: Pane,
    /// The pane that stands at the lower right where there is no room for all.
    pub guest: Pane,
    /// The pane in focus alone.
    pub expanded: bool,
    /// The grid alone.
    pub zen: bool,
    /// Lines of the pane of virtual channels, or of circuits.
    pub class_rows: u16,
    /// Whether there is a model with a curve.
    pub curve: bool,
    /// The table that is open.
    pub table: Option<Pane>,
    /// Whether there is another run.
    pub beside: Beside,
}

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

/// The size class of a screen.
pub fn class_of(width: u16, height: u16) -> Class {
    if width < LEAST.0 || height < LEAST.1 {
        Class::Tiny
    } else if width >= 160 && height >= 48 {
        Class::Large
    } else if width >= 120 && height >= 32 {
        Class::Medium
    } else {
        Class::Small
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
    let (strip, main) = match wants.beside {
        Beside::Alone => (None, main),
        _ => {
            let (strip, above) = beside::strip(main);
            (Some(strip), above)
        }
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
        let (left, right) = match class {
            Class::Large => (40, 56),
            Class::Medium => (0, 46),
            _ => (0, 36),
        };
        let grid = Rect {
            x: if left > 0 { left - 1 } else { 0 },
            width: width - right + 1 - if left > 0 { left - 1 } else { 0 },
            ..main
        };
        if let Some(which) = wants.table.filter(|_| class != Class::Small) {
            // The grid's legend stands in its lower border, the table's title in its upper one.
            let table = (grid.height / 2).max(TABLE_LEAST);
            let above = Rect { height: grid.height - table, ..grid };
            panes.push((Pane::Grid, above));
            panes.push((which, Rect { y: above.bottom(), height: table, ..grid }));
        } else {
            panes.push((Pane::Grid, grid));
        }
        let vcs = wants.class_rows + 2;
        if left > 0 {
            let column = Rect { width: left, ..main };
            stack(
                column,
                &[(Pane::Loads, 24, 24), (Pane::Terms, 8, 12), (Pane::Worms, 6, 0)],
                &mut panes,
            );
        }
        let column = Rect { x: width - right, width: right, ..main };
        let curve = if wants.curve { (12, 14) } else { (0, 0) };
        match class {
            Class::Large => stack(
                column,
                &[
                    (Pane::Latency, 13, 15),
                    if wants.guest == Pane::History {
                        (Pane::History, 12, 22)
                    } else {
                        (Pane::Curve, curve.0, curve.1)
                    },
                    (Pane::Classes, vcs, vcs),
                    (Pane::Inspector, 9, 11),
                    (Pane::Chains, 6, 0),
                ],
                &mut panes,
            ),
            Class::Medium => stack(
                column,
                &[
                    (Pane::Latency, 10, 12),
                    (wants.guest, 7, 0),
                    (Pane::Classes, vcs, vcs),
                    (Pane::Curve, curve.0.min(10), curve.1.min(11)),
                ],
                &mut panes,
            ),
            _ => stack(
                column,
                &[
                    (Pane::Latency, 8, 9),
                    (wants.guest, 5, 0),
                    (Pane::Classes, vcs.min(7), vcs.min(7)),
                ],
                &mut panes,
            ),
        }
    }
    Arrangement { class, header, panes, other: None, strip, timeline, keybar }
}

/// Stacks panes in a column, each with a least and a wished-for height (0 wished: all that is
/// left). Those stand first in the list that matter most; the last ones are left out where there
/// is no room. On the screen the one that takes what is left stands last.
fn stack(column: Rect, wishes: &[(Pane, u16, u16)], panes: &mut Vec<(Pane, Rect)>) {
    let mut taken: Vec<(Pane, u16, u16)> = Vec::new();
    let mut used = 1;
    for &(pane, least, wish) in wishes {
        // Shared borders: a pane adds one row less than its height.
        if least > 2 && used + least - 1 <= column.height && !taken.iter().any(|t| t.0 == pane) {
            used += least - 1;
            taken.push((pane, least, wish));
        }
    }
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
    for (pane, height, _) in taken {
        panes.push((pane, Rect { y, height, ..column }));
        y += height - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_lies_on_the_screen_and_columns_are_full() {
        for width in (60..260).step_by(7) {
            for height in (16..90).step_by(3) {
                for guest in
                    [Pane::Chains, Pane::Inspector, Pane::Curve, Pane::Worms, Pane::History]
                {
                    let wants = Wants {
                        focus: Pane::Grid,
                        guest,
                        expanded: false,
                        zen: false,
                        class_rows: 4 + height % 2 * 5,
                        curve: true,
                        table: [None, Some(Pane::Links), Some(Pane::Messages)]
                            [usize::from(width % 3)],
                        beside: [
                            Beside::Alone,
                            Beside::Other { second: false },
                            Beside::Other { second: true },
                            Beside::Both,
                        ][usize::from(width + height) % 4],
                    };
                    let arranged = arrange(width, height, &wants);
                    let screen = Rect::new(0, 0, width, height);
                    for &(pane, rect) in &arranged.panes {
                        assert_eq!(rect.intersection(screen), rect, "{pane:?} {width}x{height}");
                        assert!(rect.width > 4 && rect.height > 2);
                    }
                    for rect in arranged.other.iter().chain(&arranged.strip) {
                        assert_eq!(rect.intersection(screen), *rect, "{width}x{height}");
                        assert!(rect.width > 4 && rect.height > 2);
                    }
                    let bottom = arranged.panes.iter().map(|(_, rect)| rect.bottom()).max();
                    let end = arranged.strip.map_or(arranged.timeline.y, |strip| strip.y);
                    assert_eq!(bottom, Some(end));
                    assert_eq!(arranged.strip.is_some(), wants.beside != Beside::Alone);
                    assert!(arranged.strip.is_none_or(|it| it.bottom() == arranged.timeline.y));
                    if let Some(other) = arranged.other {
                        let own = arranged.pane(Pane::Grid).unwrap();
                        assert_eq!((own.width, own.height), (other.width, other.height));
                        assert!(own.intersection(other).is_empty(), "{width}x{height}");
                    }
                    let networks = arranged.other.is_some() && arranged.panes.len() < 3;
                    assert!(networks || arranged.pane(Pane::Latency).is_some());
                }
            }
        }
    }
}
