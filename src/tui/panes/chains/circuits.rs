//! Circuits that others wait for, and those behind them; where none waits for a link, those that have
//! failed to get one most often.

use super::{Forest, branches, deadlock, vc_name};
use crate::engine::CircuitState;
use crate::tui::app::App;
use crate::tui::header::plural;
use crate::tui::panes::Line;
use crate::tui::states;

/// Circuits listed where none waits.
const LIST_MAX: usize = 200;

/// The title, with how many wait or have to ask again.
pub(super) fn title(app: &App) -> String {
    let snapshot = &app.update.snapshot;
    let of = plural(snapshot.circuits.len() as u64, "circuit");
    let dot = app.glyphs.dot;
    if states::occurs(app, CircuitState::Waiting) {
        return format!("waiting for links{dot}{} of {of}", snapshot.waits.len());
    }
    let again = snapshot.circuits.iter().filter(|circuit| circuit.aborts > 0).count();
    format!("tried again{dot}{again} of {of}")
}

pub(super) fn add(app: &App, lines: &mut Vec<Line>) {
    if app.update.snapshot.deadlock.is_some() {
        deadlock(app, lines);
    }
    if states::occurs(app, CircuitState::Waiting) {
        waits(app, lines);
    } else {
        attempts(app, lines);
    }
}

/// Trees of waits, the circuit that waits for none on top.
fn waits(app: &App, lines: &mut Vec<Line>) {
    let snapshot = &app.update.snapshot;
    let forest = Forest::new(snapshot, snapshot.circuits.iter().map(|circuit| circuit.worm));
    let (sizes, _) = forest.sizes();
    let mut roots: Vec<usize> =
        (0..sizes.len()).filter(|&at| sizes[at] > 0 && forest.parent[at].is_none()).collect();
    roots.sort_by_key(|&at| (std::cmp::Reverse(sizes[at]), at));
    if roots.is_empty() && lines.is_empty() {
        lines.push(("no circuit waits for a link".to_owned(), String::new(), app.theme.dim()));
    }
    for root in roots {
        if lines.len() > super::LINES_MAX {
            break;
        }
        let circuit = &snapshot.circuits[root];
        let name = app.call_circuit(circuit);
        let held = plural(u64::from(circuit.path_len), "link");
        let sign = states::sign(app, circuit.state);
        let text = format!("{sign} {name} {}, holds {held}", states::name(circuit.state));
        let style = states::style(app, circuit.state).patch(app.theme.strong());
        lines.push((text, plural_waits(sizes[root]), style));
        branches(app, &forest, root, &wanted, lines);
    }
}

/// `1 waits`, `3 wait`.
fn plural_waits(count: usize) -> String {
    format!("{count} wait{}", if count == 1 { "s" } else { "" })
}

/// `B wants 0110 bit 3`, and for how long.
fn wanted(app: &App, forest: &Forest, at: usize) -> (String, String) {
    let snapshot = &app.update.snapshot;
    let circuit = &snapshot.circuits[at];
    let name = app.call_circuit(circuit);
    let since = app.times().exact(snapshot.cycle.0.saturating_sub(circuit.since.0));
    match forest.wait[at] {
        Some(wait) => (format!("{name} wants {}", vc_name(app, wait)), since),
        None => (name, since),
    }
}

/// The circuits with the most aborts, what they do, and for how long they have been at it.
fn attempts(app: &App, lines: &mut Vec<Line>) {
    let snapshot = &app.update.snapshot;
    let network = &app.update.scenario.system.network;
    let mut again: Vec<usize> =
        (0..snapshot.circuits.len()).filter(|&at| snapshot.circuits[at].aborts > 0).collect();
    again.sort_by_key(|&at| (std::cmp::Reverse(snapshot.circuits[at].aborts), at));
    if again.is_empty() && lines.is_empty() {
        let text = "no circuit under way has given up before";
        lines.push((text.to_owned(), String::new(), app.theme.dim()));
    }
    for at in again.into_iter().take(LIST_MAX) {
        let circuit = &snapshot.circuits[at];
        let sign = states::sign(app, circuit.state);
        let (home, goal) =
            (network.node_name(circuit.source), network.node_name(circuit.destination));
        let aborts = plural(u64::from(circuit.aborts), "abort");
        let does = states::name(circuit.state);
        let text = format!("{sign} {aborts}, {does} {home}{}{goal}", app.glyphs.to);
        let since = app.times().exact(snapshot.cycle.0.saturating_sub(circuit.since.0));
        lines.push((text, since, states::style(app, circuit.state)));
    }
}
