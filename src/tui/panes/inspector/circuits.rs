//! A router under circuit switching: who holds the links out of it, and the circuits that stand here.

use ratatui::text::{Line, Span};

use crate::engine::messages::Doing;
use crate::engine::{CircuitState, CircuitView};
use crate::ids::RouterId;
use crate::tui::app::Shown;
use crate::tui::header::plural;
use crate::tui::names::{channel_name, from_name};
use crate::tui::panes::list::Item;
use crate::tui::states;

/// Adds what there is to say of `router`.
pub(super) fn add(app: &Shown<'_>, router: RouterId, lines: &mut Vec<Item>) {
    let (snapshot, theme) = (app.snapshot(), app.theme);
    let mut held = vec![Span::styled("links out: ", theme.dim())];
    let lanes = snapshot.virtual_channels;
    let circuits: Vec<&CircuitView> = states::with_links(snapshot).collect();
    for &channel in app.network().outputs(router) {
        for lane in 0..lanes {
            let at = (channel.0 * lanes + lane) as usize;
            let holder = snapshot.vcs.get(at).map_or(0, |vc| vc.holder as usize);
            let circuit = holder.checked_sub(1).and_then(|at| circuits.get(at));
            let doing = circuit.map(|circuit| Doing::Circuit(circuit.state, circuit.since));
            let (sign, style) =
                doing.map_or((app.glyphs.rest, None), |doing| app.screen.sign(doing));
            let name = if lane == 0 { from_name(app, channel) } else { String::new() };
            held.push(Span::styled(format!("{name}{sign} "), style.unwrap_or(theme.dim())));
        }
    }
    lines.push(Line::from(held).into());
    for circuit in snapshot.circuits.iter().filter(|circuit| stands_at(app, circuit, router)) {
        let goal = app.network().node_name(circuit.destination);
        let name = app.full_name(circuit.name());
        let doing = Doing::Circuit(circuit.state, circuit.since);
        let (sign, style) = app.screen.sign(doing);
        let (does, since) = (states::name(circuit.state), app.since(doing));
        let text = format!("{sign} {name}{}{goal} {does} {since}", app.glyphs.to);
        lines.push(Item::new(text, style.unwrap_or_default()));
        let share = 100.0 * f64::from(circuit.consumed) / f64::from(circuit.length.max(1));
        let sends = circuit.state == CircuitState::Transmitting;
        let more = [
            circuit.wants.map(|it| format!("for {}", channel_name(app, snapshot.split(it).0))),
            (circuit.path_len > 0).then(|| plural(u64::from(circuit.path_len), "link")),
            sends.then(|| format!("{share:.0} % sent")),
            circuit.set_up.map(|cycles| format!("set up in {}", app.times().with_unit(cycles))),
            (circuit.aborts > 0).then(|| plural(u64::from(circuit.aborts), "abort")),
        ];
        let more: Vec<String> = more.into_iter().flatten().collect();
        if !more.is_empty() {
            lines.push(Item::new(format!("  {}", more.join(", ")), theme.text()));
        }
    }
}

/// Whether a circuit is asking, or has asked last, at a router, or begins or ends there.
fn stands_at(app: &Shown<'_>, circuit: &CircuitView, router: RouterId) -> bool {
    let ends = [circuit.source, circuit.destination].map(|node| app.network().router_of(node));
    if circuit.state == CircuitState::Transmitting {
        return ends.contains(&router);
    }
    circuit.at == router
}
