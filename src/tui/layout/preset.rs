//! The columns of panes beside the grid, by taste and by size class.

use super::{Class, Wants};
use crate::tui::view::Pane;

/// A pane in a column: its least height, and the wished-for one (0: all that is left).
pub(super) type Wish = (Pane, u16, u16);

/// An arrangement of panes to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preset {
    /// Something of everything.
    #[default]
    Balanced,
    /// As much of the network as possible.
    Network,
    /// Two columns of figures and charts.
    Statistics,
    /// Histogram and curve large, for an audience.
    Teaching,
}

impl Preset {
    /// All of them, in the order of the key.
    pub const ALL: [Self; 4] = [Self::Balanced, Self::Network, Self::Statistics, Self::Teaching];

    /// The next one in turn.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// The name for people and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Network => "network",
            Self::Statistics => "statistics",
            Self::Teaching => "teaching",
        }
    }

    /// What it is good for.
    pub fn about(self) -> &'static str {
        match self {
            Self::Balanced => "something of everything",
            Self::Network => "the network large",
            Self::Statistics => "figures and charts large",
            Self::Teaching => "histogram and curve large",
        }
    }
}

/// A column of panes.
pub(super) struct Column {
    /// Its width, both borders included.
    pub width: u16,
    /// What stands in it, in order of importance.
    pub panes: Vec<Wish>,
}

/// The columns beside the grid.
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
        column.panes.insert(1.min(column.panes.len()), (Pane::Lens, 11, 15));
    }
    // A pane in focus is brought in, whatever the taste.
    let shown = columns.left.iter().chain(&columns.right).flat_map(|column| &column.panes);
    let is_shown = shown.into_iter().any(|&(pane, ..)| pane == wants.guest);
    if wants.focus == wants.guest && !is_shown && wants.guest != Pane::Grid {
        let guest = (wants.guest, 7, 0);
        match columns.right.last_mut() {
            Some(column) => column.panes.insert(0, guest),
            None => columns.right.push(Column { width: 36, panes: vec![guest] }),
        }
    }
    columns
}

/// The left column of a large screen.
fn tables() -> Column {
    let panes = vec![(Pane::Loads, 24, 24), (Pane::Terms, 8, 12), (Pane::Worms, 6, 0)];
    Column { width: 40, panes }
}

fn balanced(class: Class, wants: &Wants) -> Columns {
    let vcs = wants.class_rows + 2;
    match class {
        Class::Large => Columns {
            left: Some(tables()),
            right: vec![Column {
                width: 56,
                panes: vec![
                    (Pane::Latency, 13, 15),
                    match wants.guest {
                        Pane::History => (Pane::History, 12, 22),
                        _ => (Pane::Curve, 12, 14),
                    },
                    (Pane::Classes, vcs, vcs),
                    (Pane::Inspector, 9, 11),
                    (Pane::Chains, 6, 0),
                ],
            }],
        },
        Class::Medium => Columns {
            left: None,
            right: vec![Column {
                width: 46,
                panes: vec![
                    (Pane::Latency, 10, 12),
                    (wants.guest, 7, 0),
                    (Pane::Classes, vcs, vcs),
                    (Pane::Curve, 10, 11),
                ],
            }],
        },
        _ => Columns {
            left: None,
            right: vec![Column {
                width: 36,
                panes: vec![
                    (Pane::Latency, 8, 9),
                    (wants.guest, 5, 0),
                    (Pane::Classes, vcs.min(7), vcs.min(7)),
                ],
            }],
        },
    }
}

fn network(class: Class, wants: &Wants) -> Columns {
    let vcs = wants.class_rows + 2;
    let right = match class {
        Class::Large => vec![Column {
            width: 46,
            panes: vec![
                (Pane::Latency, 12, 14),
                (wants.guest, 7, 0),
                (Pane::Classes, vcs, vcs),
                (Pane::Curve, 10, 12),
            ],
        }],
        Class::Medium => {
            vec![Column { width: 33, panes: vec![(Pane::Latency, 9, 10), (wants.guest, 7, 0)] }]
        }
        // A small screen has no room for anything else.
        _ => Vec::new(),
    };
    Columns { left: None, right }
}

fn statistics(width: u16, class: Class, wants: &Wants) -> Columns {
    let vcs = wants.class_rows + 2;
    let charts = |latency: (u16, u16), curve: (u16, u16)| {
        vec![
            (Pane::Latency, latency.0, latency.1),
            (Pane::Curve, curve.0, curve.1),
            (Pane::Classes, vcs, vcs),
        ]
    };
    match class {
        Class::Large => Columns {
            left: Some(tables()),
            right: vec![
                Column { width: 52, panes: charts((15, 20), (14, 0)) },
                Column { width: 46, panes: vec![(Pane::Inspector, 9, 24), (wants.guest, 7, 0)] },
            ],
        },
        Class::Medium => Columns {
            left: None,
            right: vec![
                Column { width: 42, panes: charts((11, 13), (11, 0)) },
                Column { width: 42, panes: vec![(Pane::Terms, 10, 14), (wants.guest, 7, 0)] },
            ],
        },
        _ => Columns {
            left: None,
            right: vec![Column {
                width: width * 3 / 5,
                panes: vec![(Pane::Latency, 8, 9), (Pane::Curve, 9, 0)],
            }],
        },
    }
}

fn teaching(width: u16, class: Class) -> Columns {
    let (width, panes) = match class {
        Class::Large => {
            (80, vec![(Pane::Latency, 16, 20), (Pane::Curve, 14, 0), (Pane::Terms, 8, 12)])
        }
        Class::Medium => (60, vec![(Pane::Latency, 13, 16), (Pane::Curve, 12, 0)]),
        _ => (width / 2 + 2, vec![(Pane::Latency, 8, 9), (Pane::Curve, 9, 0)]),
    };
    Columns { left: None, right: vec![Column { width, panes }] }
}
