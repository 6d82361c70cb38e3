//! A router under circuit switching: its controller, who holds the links out of it, and the circuits
//! that stand here.

use super::{Line, from_name};
use crate::engine::{CircuitState, CircuitView};
use crate::ids::RouterId;
use crate::tui::app::Shown;
use crate::tui::header::plural;
use crate::tui::names::channel_name;
use crate::tui::states;

/// Adds what there is to say of `router`.
pub(super) fn add(app: &Shown<'_>, router: RouterId, lines: &mut Vec<Line>) {
    let (snapshot, theme) = (&app.update.snapshot, app.theme);
    let network = &app.update.scenario.system.network;
    let jobs = snapshot.controllers.get(router.index()).copied().unwrap_or(0);
    let style = if jobs > 0 { theme.strong() } else { theme.dim() };
    lines.push(vec![(format!("controller: {}", plural(u64::from(jobs), "job")), style)]);
    let mut held: Line = vec![("links out: ".to_owned(), theme.dim())];
    let lanes = snapshot.virtual_channels;
    let circuits: Vec<&CircuitView> = states::with_links(snapshot).collect();
    for &channel in network.outputs(router) {
        for lane in 0..lanes {
            let at = (channel.0 * lanes + lane) as usize;
            let holder = snapshot.vcs.get(at).map_or(0, |vc| vc.holder as usize);
            let circuit = holder.checked_sub(1).and_then(|at| circuits.get(at));
            let (sign, style) = match circuit {
                Some(circuit) => {
                    (states::sign(app, circuit.state), states::style(app, circuit.state))
                }
                None => (app.glyphs.rest, theme.dim()),
            };
            let name = if lane == 0 { from_name(app, channel) } else { String::new() };
            held.push((format!("{name}{sign} "), style));
        }
    }
    lines.push(held);
    for circuit in snapshot.circuits.iter().filter(|circuit| stands_at(app, circuit, router)) {
        let goal = network.node_name(circuit.destination);
        let name = app.full_name(circuit.name());
        let sign = states::sign(app, circuit.state);
        let style = states::style(app, circuit.state);
        let does = states::name(circuit.state);
        let since = app.times().exact(snapshot.cycle.0.saturating_sub(circuit.since.0));
        let text = format!("{sign} {name}{}{goal} {does} {since}", app.glyphs.to);
        lines.push(vec![(text, style)]);
        let mut more = Vec::new();
        if let Some(wants) = circuit.wants {
            more.push(format!("for {}", channel_name(app, snapshot.split(wants).0)));
        }
        if circuit.path_len > 0 {
            more.push(plural(u64::from(circuit.path_len), "link"));
        }
        if circuit.state == CircuitState::Transmitting {
            let share = 100.0 * f64::from(circuit.consumed) / f64::from(circuit.length.max(1));
            more.push(format!("{share:.0} % sent"));
        }
        if let Some(set_up) = circuit.set_up {
            more.push(format!("set up in {}", app.times().with_unit(set_up)));
        }
        if circuit.aborts > 0 {
            more.push(plural(u64::from(circuit.aborts), "abort"));
        }
        if !more.is_empty() {
            lines.push(vec![(format!("  {}", more.join(", ")), theme.text())]);
        }
    }
}

/// Whether a circuit is asking, or has asked last, at a router, or begins or ends there.
fn stands_at(app: &Shown<'_>, circuit: &CircuitView, router: RouterId) -> bool {
    let network = &app.update.scenario.system.network;
    let ends = [circuit.source, circuit.destination].map(|node| network.router_of(node));
    match circuit.state {
        CircuitState::Transmitting => ends.contains(&router),
        _ => circuit.at == router,
    }
}
