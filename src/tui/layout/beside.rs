//! Where two runs stand: their networks side by side, the panes of the active one below, and a strip
//! with what differs.

use ratatui::layout::Rect;

use super::wants::{Beside, Class, Preset, Wants};
use crate::tui::view::Pane;

/// The least width with two networks side by side.
const SIDE_BY_SIDE: u16 = 80;

/// The strip at the bottom of `main` that says how two runs differ, and what is left above. A network
/// has its legend in its lower border and the strip its title in its upper one, so none is shared.
pub(super) fn strip(main: Rect) -> (Rect, Rect) {
    let height = if main.height >= 16 { 4 } else { 3 };
    let above = Rect { height: main.height - height, ..main };
    (Rect { y: above.bottom(), height, ..main }, above)
}

/// The panes of the active run within `main`, and the frame of the other one's network; `None` where
/// there is no room, or no wish, for two networks.
pub(super) fn two(class: Class, main: Rect, wants: &Wants) -> Option<(Vec<(Pane, Rect)>, Rect)> {
    let Beside::Other { second } = wants.beside else { return None };
    let on_network = wants.focus == Pane::Grid;
    if main.width < SIDE_BY_SIDE || wants.expanded && !wants.zen && !on_network {
        return None;
    }
    if class == Class::Small && !on_network && !wants.zen {
        return None;
    }
    let networks = wants.preset == Preset::Network && on_network && wants.table.is_none();
    let whole = wants.zen || wants.expanded || class == Class::Small || networks;
    // A table, or panes beside each other.
    let below = match (class, wants.preset) {
        _ if whole => 0,
        _ if wants.table.is_some() => main.height / 2,
        (_, Preset::Statistics | Preset::Teaching) => main.height / 2,
        (Class::Large, _) => 15,
        _ => 12,
    };
    let above = Rect { height: main.height - below, ..main };
    let half = main.width / 2;
    let left = Rect { width: half, ..above };
    let right = Rect { x: main.right() - half, width: half, ..above };
    let (own, other) = if second { (right, left) } else { (left, right) };
    let mut panes = vec![(Pane::Grid, own)];
    if whole {
        return Some((panes, other));
    }
    let row = Rect { y: above.bottom(), height: below, ..main };
    if let Some(table) = wants.table {
        panes.push((table, row));
        return Some((panes, other));
    }
    let shown: &[Pane] = match (class, wants.preset) {
        (_, Preset::Teaching) => &[Pane::Latency, Pane::Curve],
        (_, Preset::Statistics) => &[Pane::Latency, Pane::Terms, Pane::Curve],
        (Class::Large, _) => &[Pane::Latency, Pane::Curve, Pane::Inspector, Pane::Chains],
        _ => &[Pane::Latency, Pane::Curve, Pane::Chains],
    };
    let mut shown = shown.to_vec();
    let wanted = match wants.preset {
        Preset::Teaching | Preset::Statistics => wants.focus,
        Preset::Balanced | Preset::Network => wants.guest,
    };
    if wanted != Pane::Grid
        && !shown.contains(&wanted)
        && let Some(last) = shown.last_mut()
    {
        *last = wanted;
    }
    let count = shown.len() as u16;
    for (nth, pane) in (0..).zip(shown) {
        let (from, to) = (main.width * nth / count, main.width * (nth + 1) / count);
        let more = u16::from(nth + 1 < count);
        panes.push((pane, Rect { x: main.x + from, width: to - from + more, ..row }));
    }
    Some((panes, other))
}
