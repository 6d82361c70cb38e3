//! The columns of panes beside the grid, by taste and by size class.

use super::wants::{Class, Preset, Wants};
use crate::tui::view::Pane;

/// A pane in a column: its least height, and the wished-for one (0: all that is left).
pub(super) type Wish = (Pane, u16, u16);

/// A column of panes: its width, both borders included, and what stands in it, in order of
/// importance.
pub(super) type Column = (u16, Vec<Wish>);

/// The columns beside the grid.
#[derive(Default)]
pub(super) struct Columns {
    /// At the left edge.
    pub left: Option<Column>,
    /// At the right edge, from the left to the right.
    pub right: Vec<Column>,
}

/// The columns for a screen of this width and class.
pub(super) fn columns(width: u16, class: Class, wants: &Wants) -> Columns {
    let mut columns = match wants.preset {
        Preset::Balanced => balanced(class, wants),
        Preset::Network => network(class, wants),
        Preset::Statistics => statistics(width, class, wants),
        Preset::Teaching => teaching(width, class),
    };
    if wants.lens
        && class != Class::Small
        && matches!(wants.preset, Preset::Balanced | Preset::Network)
        && let Some(column) = columns.right.last_mut()
    {
        column.1.insert(1.min(column.1.len()), (Pane::Lens, 11, 15));
    }
    // A pane in focus is brought in, whatever the taste.
    let shown = columns.left.iter().chain(&columns.right).flat_map(|column| &column.1);
    let is_shown = shown.into_iter().any(|&(pane, ..)| pane == wants.guest);
    if wants.focus == wants.guest && !is_shown && wants.guest != Pane::Grid {
        let guest = (wants.guest, 7, 0);
        match columns.right.last_mut() {
            Some(column) => column.1.insert(0, guest),
            None => columns.right.push((36, vec![guest])),
        }
    }
    columns
}

/// The left column of a large screen.
fn tables(class: Class) -> Option<Column> {
    let panes = vec![(Pane::Loads, 24, 24), (Pane::Terms, 8, 12), (Pane::Worms, 6, 0)];
    (class == Class::Large).then_some((40, panes))
}

fn balanced(class: Class, wants: &Wants) -> Columns {
    let vcs = wants.class_rows + 2;
    let right = match class {
        Class::Large => {
            let history = wants.guest == Pane::History;
            let panes = vec![
                (Pane::Latency, 13, 15),
                if history { (Pane::History, 12, 22) } else { (Pane::Curve, 12, 14) },
                (Pane::Classes, vcs, vcs),
                (Pane::Inspector, 9, 11),
                (Pane::Chains, 6, 0),
            ];
            (56, panes)
        }
        Class::Medium => {
            let panes = vec![
                (Pane::Latency, 10, 12),
                (wants.guest, 7, 0),
                (Pane::Classes, vcs, vcs),
                (Pane::Curve, 10, 11),
            ];
            (46, panes)
        }
        Class::Small | Class::Tiny => {
            let vcs = (Pane::Classes, vcs.min(7), vcs.min(7));
            (36, vec![(Pane::Latency, 8, 9), (wants.guest, 5, 0), vcs])
        }
    };
    Columns { left: tables(class), right: vec![right] }
}

fn network(class: Class, wants: &Wants) -> Columns {
    let vcs = wants.class_rows + 2;
    let guest = (wants.guest, 7, 0);
    let right = match class {
        Class::Large => {
            let charts = (Pane::Latency, 12, 14);
            vec![(46, vec![charts, guest, (Pane::Classes, vcs, vcs), (Pane::Curve, 10, 12)])]
        }
        Class::Medium => vec![(33, vec![(Pane::Latency, 9, 10), guest])],
        // A small screen has no room for anything else.
        Class::Small | Class::Tiny => Vec::new(),
    };
    Columns { left: None, right }
}

fn statistics(width: u16, class: Class, wants: &Wants) -> Columns {
    let vcs = (Pane::Classes, wants.class_rows + 2, wants.class_rows + 2);
    let guest = (wants.guest, 7, 0);
    let right = match class {
        Class::Large => vec![
            (52, vec![(Pane::Latency, 15, 20), (Pane::Curve, 14, 0), vcs]),
            (46, vec![(Pane::Inspector, 9, 24), guest]),
        ],
        Class::Medium => vec![
            (42, vec![(Pane::Latency, 11, 13), (Pane::Curve, 11, 0), vcs]),
            (42, vec![(Pane::Terms, 10, 14), guest]),
        ],
        Class::Small | Class::Tiny => {
            vec![(width * 3 / 5, vec![(Pane::Latency, 8, 9), (Pane::Curve, 9, 0)])]
        }
    };
    Columns { left: tables(class), right }
}

fn teaching(width: u16, class: Class) -> Columns {
    let column = match class {
        Class::Large => {
            (80, vec![(Pane::Latency, 16, 20), (Pane::Curve, 14, 0), (Pane::Terms, 8, 12)])
        }
        Class::Medium => (60, vec![(Pane::Latency, 13, 16), (Pane::Curve, 12, 0)]),
        Class::Small | Class::Tiny => {
            (width / 2 + 2, vec![(Pane::Latency, 8, 9), (Pane::Curve, 9, 0)])
        }
    };
    Columns { left: None, right: vec![column] }
}
