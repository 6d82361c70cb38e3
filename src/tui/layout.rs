//! Arranges the screen: size classes, and panes stacked around the grid.

mod inputs;
mod preset;

use ratatui::layout::{Constraint, Layout, Margin, Rect};

use super::view::Pane;
pub use inputs::{Class, LEAST, LayoutInput, PaneState, Preset, class_of};

/// Minimum height of a table with its frame.
const TABLE_LEAST: u16 = 12;
const FOCUS_LEAST: u16 = 7;
/// Width of the tour on a narrow and on a wide screen.
const TOUR_WIDTHS: [u16; 2] = [36, 42];
/// Minimum width per network of several.
const NETWORK_LEAST: u16 = 40;

/// Panes with their frames; adjacent frames share a border.
type Placed = Vec<(Pane, Rect)>;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arrangement {
    pub class: Class,
    pub header: Rect,
    /// All panes with their frames; adjacent frames share a border.
    pub panes: Vec<(Pane, Rect)>,
    /// The frames of the other runs' networks, if several fit.
    pub others: Vec<Rect>,
    /// The strip with the differences of compared runs.
    pub strip: Option<Rect>,
    pub timeline: Rect,
    pub keybar: Rect,
}

impl Arrangement {
    /// The frame of a visible pane.
    pub fn pane(&self, pane: Pane) -> Option<Rect> {
        self.panes.iter().find(|&&(which, _)| which == pane).map(|&(_, rect)| rect)
    }

    /// The interior of a visible pane.
    pub fn inside(&self, pane: Pane) -> Option<Rect> {
        self.pane(pane).map(|rect| within(pane, rect))
    }
}

/// The interior of a frame.
pub fn inside(rect: Rect) -> Rect {
    rect.inner(Margin::new(1, 1))
}

/// The interior of a pane with the given frame; for a network, without the row reserved for a
/// second line of the legend.
pub fn within(pane: Pane, rect: Rect) -> Rect {
    let inner = inside(rect);
    let row = pane == Pane::Grid && inner.height > 8;
    Rect { height: inner.height - u16::from(row), ..inner }
}

/// Computes the arrangement of a screen.
pub fn arrange(width: u16, height: u16, input: &LayoutInput) -> Arrangement {
    use Constraint::{Fill, Length};
    let class = class_of(width, height);
    if class == Class::Tiny {
        let header = Rect::new(0, 0, width, height.min(1));
        return Arrangement { class, header, ..Arrangement::default() };
    }
    let timeline = if height >= 20 { 2 } else { 1 };
    // No borders are shared here: a network has its legend in the lower border, and the strip has
    // its title in the upper border.
    let strip = if height >= 18 + timeline { 4 } else { 3 } * u16::from(input.runs > 1);
    let rows = [Length(1), Fill(1), Length(strip), Length(timeline), Length(1)];
    let [header, main, strip, timeline, keybar] =
        Layout::vertical(rows).areas(Rect::new(0, 0, width, height));
    let (panes, others) =
        if input.tour { with_tour(main, height, input) } else { without_tour(class, main, input) };
    let strip = (input.runs > 1).then_some(strip);
    Arrangement { class, header, panes, others, strip, timeline, keybar }
}

fn without_tour(class: Class, main: Rect, input: &LayoutInput) -> (Placed, Vec<Rect>) {
    side_by_side(class, main, input).unwrap_or_else(|| (one(class, main, input), Vec::new()))
}

/// Places the tour at the right, and other panes in the rest, at least the focused pane.
fn with_tour(main: Rect, height: u16, input: &LayoutInput) -> (Placed, Vec<Rect>) {
    if input.panes.expanded && input.panes.focus == Pane::Tour {
        return (vec![(Pane::Tour, main)], Vec::new());
    }
    let width = TOUR_WIDTHS[usize::from(main.width >= 120)].min(main.width / 2);
    // Adjacent frames share a border.
    let rest = Rect { width: main.width - width + 1, ..main };
    let tour = Rect { x: rest.right() - 1, width, ..main };
    let or = |pane, instead| if pane == Pane::Tour { instead } else { pane };
    let focus = or(input.panes.focus, Pane::Grid);
    let spare_pane = or(input.panes.spare_pane, Pane::Chains);
    let within = LayoutInput { panes: PaneState { focus, spare_pane, ..input.panes }, ..*input };
    let (mut panes, others) = if rest.width < LEAST.0 {
        (vec![(focus, rest)], Vec::new())
    } else {
        without_tour(class_of(rest.width, height), rest, &within)
    };
    panes.push((Pane::Tour, tour));
    (panes, others)
}

/// The panes of the active run within `main`, and the frames of the other runs' networks; `None` if
/// only one network is requested or fits.
fn side_by_side(class: Class, main: Rect, input: &LayoutInput) -> Option<(Placed, Vec<Rect>)> {
    let on_network = input.panes.focus == Pane::Grid;
    let crowded = input.panes.expanded || class == Class::Small;
    let width = main.width / input.networks;
    if input.networks == 1 || width < NETWORK_LEAST || crowded && !input.panes.zen && !on_network {
        return None;
    }
    let networks =
        input.panes.preset == Preset::Network && on_network && input.panes.table.is_none();
    let whole = input.panes.zen || crowded || networks;
    // Height of the part below the networks: a table, or panes in a row.
    let below = match (class, input.panes.preset) {
        _ if whole => 0,
        _ if input.panes.table.is_some() => main.height / 2,
        (_, Preset::Statistics | Preset::Teaching) => main.height / 2,
        (Class::Large, _) => 15,
        _ => 12,
    };
    let above = Rect { height: main.height - below, ..main };
    let network = |nth| {
        let x = main.x + (main.width - width) * nth / (input.networks - 1);
        Rect { x, width, ..above }
    };
    let others = (0..input.networks).filter(|&nth| nth != input.active).map(network).collect();
    let mut panes = vec![(Pane::Grid, network(input.active))];
    let shown = if whole { Vec::new() } else { preset::row(class, input) };
    let count = shown.len() as u16;
    for (nth, pane) in (0..).zip(shown) {
        let (from, to) = (main.width * nth / count, main.width * (nth + 1) / count);
        let width = to - from + u16::from(nth + 1 < count);
        panes.push((pane, Rect::new(main.x + from, above.bottom(), width, below)));
    }
    Some((panes, others))
}

/// The panes of a single run: the grid with columns at its sides, or one pane alone.
fn one(class: Class, main: Rect, input: &LayoutInput) -> Placed {
    if input.panes.zen {
        return vec![(Pane::Grid, main)];
    }
    // A table needs the full width of a small screen.
    if input.panes.expanded || class == Class::Small && input.panes.focus.is_table() {
        return vec![(input.panes.focus, main)];
    }
    let (left, right) = preset::columns(main, class, input);
    // Adjacent frames share a border.
    let x = left.as_ref().map_or(0, |column| column.0 - 1);
    let beside: u16 = right.iter().map(|column| column.0 - 1).sum();
    let grid = Rect { x, width: main.width - x - beside, ..main };
    let mut panes = vec![(Pane::Grid, grid)];
    if let Some(which) = input.panes.table.filter(|_| class != Class::Small) {
        // The grid's legend is in its lower border, and the table's title in the upper border.
        let height = (grid.height / 2).max(TABLE_LEAST);
        let above = Rect { height: grid.height - height, ..grid };
        panes = vec![(Pane::Grid, above), (which, Rect { y: above.bottom(), height, ..grid })];
    }
    let mut x = grid.right() - 1;
    let left = left.into_iter().map(|column| (0, column));
    let right = right.into_iter().map(|column| {
        x += column.0 - 1;
        (x + 1 - column.0, column)
    });
    for (x, (width, ideals)) in left.chain(right) {
        stack(Rect { x, width, ..main }, &ideals, input.panes.focus, &mut panes);
    }
    panes
}

/// Stacks panes in a column. `ideals` is in order of importance, after the focused pane; the least
/// important panes are omitted if space is short. The pane with an ideal height of 0 is placed last
/// and takes the remaining rows.
fn stack(column: Rect, ideals: &[preset::Ideal], focus: Pane, panes: &mut Placed) {
    let mut taken: Vec<(usize, preset::Ideal)> = Vec::new();
    let mut used = 1;
    let mut order: Vec<(usize, preset::Ideal)> = ideals.iter().copied().enumerate().collect();
    order.sort_by_key(|&(_, (pane, ..))| pane != focus);
    for (at, (pane, mut least, ideal)) in order {
        // A focused pane larger than the column is shown in part.
        if pane == focus && least > column.height {
            least = FOCUS_LEAST;
        }
        let twice = taken.iter().any(|&(_, (other, ..))| other == pane)
            || panes.iter().any(|&(other, _)| other == pane);
        // Because of shared borders a pane adds one row less than its height.
        if least > 2 && used + least - 1 <= column.height && !twice {
            used += least - 1;
            taken.push((at, (pane, least, ideal)));
        }
    }
    taken.sort_by_key(|&(at, (.., ideal))| (ideal == 0, at));
    let mut spare = column.height.saturating_sub(used);
    let mut y = column.y;
    let count = taken.len();
    for (nth, (_, (pane, least, ideal))) in taken.into_iter().enumerate() {
        let last = nth + 1 == count;
        let more = if last { spare } else { ideal.saturating_sub(least).min(spare) };
        spare -= more;
        panes.push((pane, Rect { y, height: least + more, ..column }));
        y += least + more - 1;
    }
}

#[cfg(test)]
mod tests;
