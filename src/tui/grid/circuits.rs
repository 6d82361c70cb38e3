//! Draws circuits over the lattice or over pixels.
//!
//! Each state has a symbol. The number of jobs at the controllers of the nodes is drawn too.

use ratatui::style::Modifier;

use super::frame::{BOXES, Frame};
use crate::engine::{CircuitState, CircuitView};
use crate::ids::RouterId;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;
use crate::tui::states;
use crate::tui::view::View;

/// States in drawing order; states that delay other circuits are drawn last, on top.
const LAYERS: [CircuitState; 7] = [
    CircuitState::BackingOff,
    CircuitState::Transmitting,
    CircuitState::Releasing,
    CircuitState::SettingUp,
    CircuitState::Aborting,
    CircuitState::Waiting,
    CircuitState::Stopped,
];

/// The routers at which a circuit is drawn: both ends while data pass, the source during back-off,
/// otherwise the router of the current request.
fn places(app: &Scene<'_>, circuit: &CircuitView) -> [RouterId; 2] {
    let source = app.network().router_of(circuit.source);
    if matches!(circuit.state, CircuitState::Transmitting | CircuitState::Stopped) {
        return [source, app.network().router_of(circuit.destination)];
    }
    let asks = circuit.state != CircuitState::BackingOff;
    [if asks { circuit.at } else { source }; 2]
}

/// Draws the symbols of circuits over the lattice, with the numbers of jobs if nodes have room beside
/// them. At zoom level 0, a character per node or block of nodes is drawn first.
pub(super) fn draw(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let (right, down) = if frame.zoom == BOXES { (4, 1) } else { (0, 0) };
    let bold = if frame.zoom == 0 { Modifier::empty() } else { Modifier::BOLD };
    if frame.zoom == 0 {
        let nodes = frame.places().map(|(_, at)| at);
        pen.each(nodes, app.glyphs.node[0], app.theme.frame());
    }
    for layer in LAYERS {
        let (sign, style) = (states::sign(&app.glyphs, layer), states::style(app.theme, layer));
        for circuit in app.snapshot().circuits.iter().filter(|one| one.state == layer) {
            for router in places(app, circuit) {
                let (slice, col, row) = app.plane.place(router);
                if slice == app.plane.slice
                    && let Some((x, y)) = frame.at(col, row)
                {
                    pen.put(x + right, y + down, sign, style.add_modifier(bold));
                }
            }
        }
    }
    if frame.zoom == BOXES || frame.across.pitch >= 6 && frame.along.pitch >= 3 {
        numbers(app, frame, pen);
    }
}

/// Draws the number of jobs at each controller as a digit.
pub(super) fn numbers(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let (right, down) = match frame.zoom {
        BOXES => (4, 2),
        // Next to the symbol of a circuit.
        _ if app.map.view == View::Worms => (1, 1),
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

/// The number as one character; `+` from 10 on.
fn digit(jobs: u32) -> char {
    char::from_digit(jobs, 10).unwrap_or('+')
}
