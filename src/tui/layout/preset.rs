//! Panes around the grid and below two networks, by preset and size class.

use ratatui::layout::Rect;

use super::inputs::{Class, LayoutInput, Preset};
use crate::tui::view::Pane::{
    self, Chains, Classes, Curve, Grid, History, Inspector, Latency, Lens, Loads, Terms, Worms,
};

const LENS: u16 = 11;

/// A pane in a column: minimum height and ideal height (0: all remaining rows).
pub(super) type Ideal = (Pane, u16, u16);

/// A column of panes: width including both borders, and panes in order of importance.
pub(super) type Column = (u16, Vec<Ideal>);

/// The column at the left of the grid, and the columns at its right from left to right.
pub(super) fn columns(
    main: Rect,
    class: Class,
    input: &LayoutInput,
) -> (Option<Column>, Vec<Column>) {
    use Class::{Large, Medium, Small, Tiny};
    use Preset::{Balanced, Network, Statistics, Teaching};
    let width = main.width;
    // The inspector is as tall as its text, if the histogram leaves enough space.
    let guest = |least: u16, above: u16| {
        let lens = if input.lens && class != Small { LENS - 1 } else { 0 };
        let room = (main.height + 1).saturating_sub(above + lens);
        let said =
            if input.panes.spare_pane == Inspector { (input.panes.told + 2).min(room) } else { 0 };
        (input.panes.spare_pane, least.max(said), 0)
    };
    if input.card && class != Small {
        let width = if class == Large { 56 } else { 46 };
        return (None, vec![(width, vec![(Latency, 10, 15), (Chains, 6, 0)])]);
    }
    let vcs = (Classes, input.class_rows + 2, input.class_rows + 2);
    let mut right = match (input.panes.preset, class) {
        (Balanced, Large) => {
            let history = input.panes.spare_pane == History;
            let second = if history { (History, 12, 22) } else { (Curve, 12, 14) };
            let rest =
                [second, vcs, (Inspector, 9, (input.panes.told + 2).clamp(9, 24)), (Chains, 6, 0)];
            vec![(56, [&[(Latency, 13, 15)][..], &rest].concat())]
        }
        (Balanced, Medium) => {
            vec![(46, vec![(Latency, 10, 12), guest(7, 10), vcs, (Curve, 10, 11)])]
        }
        (Balanced, Small | Tiny) => {
            let vcs = (Classes, vcs.1.min(7), vcs.2.min(7));
            let vcs = (!input.card).then_some(vcs);
            vec![(36, [(Latency, 8, 9), guest(5, 8)].into_iter().chain(vcs).collect())]
        }
        (Network, Large) => vec![(46, vec![(Latency, 12, 14), guest(7, 12), vcs, (Curve, 10, 12)])],
        (Network, Medium) => vec![(33, vec![(Latency, 9, 10), guest(7, 9)])],
        // A small screen has space for the grid alone.
        (Network, Small | Tiny) => Vec::new(),
        (Statistics, Large) => vec![
            (52, vec![(Latency, 15, 20), (Curve, 14, 0), vcs]),
            (46, vec![(Inspector, 9, 24), guest(7, 9)]),
        ],
        (Statistics, Medium) => vec![
            (42, vec![(Latency, 11, 13), (Curve, 11, 0), vcs]),
            (42, vec![(Terms, 10, 14), guest(7, 10)]),
        ],
        (Statistics, Small | Tiny) => vec![(width * 3 / 5, vec![(Latency, 8, 9), (Curve, 9, 0)])],
        (Teaching, Large) => vec![(80, vec![(Latency, 16, 20), (Curve, 14, 0), (Terms, 8, 12)])],
        (Teaching, Medium) => vec![(60, vec![(Latency, 13, 16), (Curve, 12, 0)])],
        (Teaching, Small | Tiny) => vec![(width / 2 + 2, vec![(Latency, 8, 9), (Curve, 9, 0)])],
    };
    let tables = class == Large && matches!(input.panes.preset, Balanced | Statistics);
    let left = tables.then(|| (40, vec![(Loads, 24, 27), (Terms, 8, 12), (Worms, 6, 0)]));
    if input.lens
        && class != Small
        && matches!(input.panes.preset, Balanced | Network)
        && let Some(column) = right.last_mut()
    {
        column.1.insert(1, (Lens, LENS, 15));
    }
    // A focused pane is added to any preset.
    let mut shown = left.iter().chain(&right).flat_map(|column| &column.1);
    let is_shown = shown.any(|&(pane, ..)| pane == input.panes.spare_pane);
    if input.panes.focus == input.panes.spare_pane && !is_shown && input.panes.spare_pane != Grid {
        match right.last_mut() {
            Some(column) => column.1.insert(0, guest(7, 8)),
            None => right.push((36, vec![guest(7, 8)])),
        }
    }
    (left, right)
}

/// The panes in a row below two networks.
pub(super) fn row(class: Class, input: &LayoutInput) -> Vec<Pane> {
    if let Some(table) = input.panes.table {
        return vec![table];
    }
    let (mut shown, wanted) = match (input.panes.preset, class) {
        (Preset::Teaching, _) => (vec![Latency, Curve], input.panes.focus),
        (Preset::Statistics, _) => (vec![Latency, Terms, Curve], input.panes.focus),
        (Preset::Balanced | Preset::Network, Class::Large) => {
            (vec![Latency, Curve, Inspector, Chains], input.panes.spare_pane)
        }
        (Preset::Balanced | Preset::Network, _) => {
            (vec![Latency, Curve, Chains], input.panes.spare_pane)
        }
    };
    if wanted != Grid && !shown.contains(&wanted) {
        shown.pop();
        shown.push(wanted);
    }
    shown
}
