//! Circuits over the lattice or as pixels: a sign where each of them stands, told by what it does, and
//! the jobs at the controllers of the nodes.

use std::collections::BTreeMap;

use ratatui::style::{Modifier, Style};

use super::frame::{BOXES, Frame};
use crate::engine::{CircuitState, CircuitView};
use crate::ids::RouterId;
use crate::tui::app::Shown;
use crate::tui::pen::Pen;
use crate::tui::states;
use crate::tui::view::View;

/// States from the background to the foreground: what holds others up lies on top.
const LAYERS: [CircuitState; 6] = [
    CircuitState::BackingOff,
    CircuitState::Transmitting,
    CircuitState::Releasing,
    CircuitState::SettingUp,
    CircuitState::Aborting,
    CircuitState::Waiting,
];

/// The routers at which a circuit is shown: its two ends while its data pass, else where it asks.
fn places(app: &Shown<'_>, circuit: &CircuitView) -> impl Iterator<Item = RouterId> + use<> {
    let source = app.network().router_of(circuit.source);
    let ends = match circuit.state {
        CircuitState::Transmitting => [source, app.network().router_of(circuit.destination)],
        CircuitState::BackingOff => [source; 2],
        CircuitState::SettingUp
        | CircuitState::Waiting
        | CircuitState::Releasing
        | CircuitState::Aborting => [circuit.at; 2],
    };
    ends.into_iter()
}

/// Puts signs and numbers over a lattice drawn before.
pub(super) fn draw(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    for layer in LAYERS {
        let (sign, style) = (states::sign(app, layer), states::style(app, layer));
        for circuit in app.snapshot().circuits.iter().filter(|one| one.state == layer) {
            for router in places(app, circuit) {
                let (slice, col, row) = app.plane.place(router);
                if slice == app.plane.slice
                    && let Some((x, y)) = frame.at(col, row)
                {
                    let (right, down) = if frame.zoom == BOXES { (4, 1) } else { (0, 0) };
                    pen.put(x + right, y + down, sign, style.add_modifier(Modifier::BOLD));
                }
            }
        }
    }
    if frame.has_lanes() {
        numbers(app, frame, pen);
    }
}

/// The jobs at each controller as a digit.
pub(super) fn numbers(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let (right, down) = match frame.zoom {
        BOXES => (4, 2),
        // Beside the sign of a circuit.
        _ if app.view == View::Worms => (1, 1),
        _ => (0, 0),
    };
    for ((col, row), (x, y)) in frame.places() {
        let Some(router) = app.plane.router(col, row) else { continue };
        let jobs = app.snapshot().controllers.get(router.index()).copied().unwrap_or(0);
        if jobs > 0 {
            let style = app.theme.heat_line(app.heat.router(router.index()).max(1));
            pen.put(x + right, y + down, digit(jobs), style.add_modifier(Modifier::BOLD));
        }
    }
}

/// A number in one character.
fn digit(jobs: u32) -> char {
    char::from_digit(jobs, 10).unwrap_or('+')
}

/// Zoom level 0: a character per node, or per block of them, with the sign of the foremost circuit.
pub(super) fn pixels(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let mut foremost: BTreeMap<(i32, i32), usize> = BTreeMap::new();
    for circuit in &app.snapshot().circuits {
        let layer = LAYERS.iter().position(|&state| state == circuit.state).unwrap_or(0);
        for router in places(app, circuit) {
            let (slice, col, row) = app.plane.place(router);
            if let Some(at) = frame.at(col, row).filter(|_| slice == app.plane.slice) {
                let known = foremost.entry(at).or_default();
                *known = layer.max(*known);
            }
        }
    }
    for (_, (x, y)) in frame.places() {
        match foremost.get(&(x, y)).map(|&layer| LAYERS[layer]) {
            Some(state) => pen.put(x, y, states::sign(app, state), states::style(app, state)),
            None => pen.put(x, y, app.glyphs.node[0], app.theme.frame()),
        }
    }
}

/// What the legend says of the circuits' states.
pub(super) fn legend(app: &Shown<'_>) -> Vec<Vec<(String, Style)>> {
    let occurring = states::ALL.into_iter().filter(|&state| states::occurs(app, state));
    let item = |state| {
        let sign = states::sign(app, state).to_string();
        let name = format!(" {}", states::name(state));
        vec![(sign, states::style(app, state)), (name, app.theme.dim())]
    };
    occurring.map(item).collect()
}
