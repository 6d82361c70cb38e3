//! What runs, what is asked of it and what it does: offered and accepted load, messages on their
//! way and waiting, what theory says.

use ratatui::style::Style;

use crate::model::Unsolved;
use crate::session::saturation;
use crate::switching::{Switching, Wormhole};
use crate::traffic::lengths::Times;
use crate::traffic::{Destinations, Lengths};
use crate::tui::app::App;
use crate::tui::header::network_name;
use crate::tui::pen::{Pen, grouped};

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let rows = i32::from(pen.height());
    let lines = lines(app);
    let mut y = 0;
    for (name, value, style) in lines {
        if y >= rows {
            return;
        }
        if name.is_empty() && value.is_empty() {
            // A gap only where there is room to spare.
            y += i32::from(rows > 18);
            continue;
        }
        pen.text(0, y, name, app.theme.dim());
        let x = if name.is_empty() { 0 } else { 12 };
        pen.cut(x, y, &value, app.glyphs.ellipsis, style);
        y += 1;
    }
}

fn lines(app: &App) -> Vec<(&'static str, String, Style)> {
    let (update, theme) = (&app.update, app.theme);
    let (summary, snapshot, system) = (&update.summary, &update.snapshot, &update.scenario.system);
    let (plain, strong) = (theme.text(), theme.strong());
    let times = app.times();
    let gap = || ("", String::new(), plain);
    let queued: u64 = snapshot.queues.iter().sum();
    let offered = system.load_at(update.rate).0;
    let links_without = snapshot.circuits.len().saturating_sub(snapshot.worms.len()) as u64;
    let optional = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| app.glyphs.dash.to_owned(), |value| format!("{value:.digits$}"))
    };
    let accepted_style = if summary.steadiness.is_saturated() { theme.warning() } else { strong };
    let mut lines = vec![
        ("offered", format!("{offered:.4} {}", app.times().load_unit()), strong),
        (
            "accepted",
            format!(
                "{}{}",
                optional(summary.accepted, 4),
                if summary.steadiness.is_saturated() { "  saturated" } else { "" }
            ),
            accepted_style,
        ),
        ("links used", percent(app, summary.channel_utilisation_mean), plain),
        match system.circuit() {
            None => ("in network", grouped(snapshot.worms.len() as u64), plain),
            Some(_) => ("with links", grouped(snapshot.worms.len() as u64), plain),
        },
        match system.circuit() {
            None => ("queued", grouped(queued), if queued > 0 { strong } else { plain }),
            Some(_) => ("without", grouped(links_without), plain),
        },
        ("delivered", grouped(snapshot.counters.delivered), plain),
        ("hops, mean", optional(summary.hops_mean, 2), plain),
        gap(),
        ("", update.scenario.title.clone(), strong),
        ("network", network_name(&system.network), plain),
        ("routing", system.relation.routing().name().to_owned(), plain),
        match &system.switching {
            Switching::Wormhole(Wormhole { virtual_channels, buffer_flits, .. }) => {
                ("channels", format!("{virtual_channels} VCs of {buffer_flits} flits"), plain)
            }
            Switching::Circuit(machine) => ("circuits", machine.name().to_owned(), plain),
        },
        ("traffic", destinations(app), plain),
        match system.circuit() {
            None => ("messages", lengths(system.traffic.lengths), plain),
            Some(_) => ("data", transmissions(system.traffic.lengths.times()), plain),
        },
        ("seed", update.seed.to_string(), plain),
    ];
    lines.extend(times.meaning().map(|unit| ("T", unit, plain)));
    lines.push(gap());
    match update.theory.as_deref() {
        Some(theory) => {
            lines.push(("", theory.name.to_owned(), theme.theory()));
            lines.push(("reading", theory.reading.to_owned(), plain));
            if let Some(mismatch) = theory.mismatches.first() {
                lines.push(("assumes", mismatch.assumes.clone(), theme.warning()));
                lines.push(("but", mismatch.found.clone(), theme.warning()));
            } else {
                lines.push(("applies", "yes".to_owned(), plain));
            }
            let saturation = theory.saturation.map(|rate| system.load_at(rate).0);
            lines.push(("saturates", optional(saturation, 4), plain));
            match &theory.prediction {
                Ok(prediction) => {
                    lines.push((
                        "predicts",
                        format!("{} {}", times.mean(prediction.latency_mean), times.symbol()),
                        strong,
                    ));
                }
                Err(Unsolved::Saturated { .. }) => {
                    lines.push(("predicts", "saturation".to_owned(), theme.dim()));
                }
                Err(why) => lines.push(("predicts", why.to_string(), theme.dim())),
            }
            let wrong = saturation::refuted(&theory.prediction, summary);
            lines.extend(wrong.map(|why| ("wrong here", why, theme.warning())));
        }
        None => lines.push(("", "no model for this network".to_owned(), theme.dim())),
    }
    lines
}

fn percent(app: &App, share: Option<f64>) -> String {
    share.map_or_else(
        || app.glyphs.dash.to_owned(),
        |share| {
            format!(
                "{:.1} % of {}",
                share * 100.0,
                if app.has_circuits() { "the time" } else { "cycles" }
            )
        },
    )
}

fn destinations(app: &App) -> String {
    let system = &app.update.scenario.system;
    match &system.traffic.destinations {
        Destinations::Hotspot { nodes, percent } if nodes.len() == 1 => {
            let place = system.network.node_name(nodes[0]);
            format!("{percent} % to {place}")
        }
        other => other.name(),
    }
}

/// Transmission times of circuits.
fn transmissions(times: Times) -> String {
    match times {
        Times::Constant(time) => time.to_string(),
        Times::Exponential(mean) => format!("exponential, mean {mean}"),
        Times::Uniform { min, max } => format!("{min} to {max}"),
    }
}

fn lengths(lengths: Lengths) -> String {
    match lengths {
        Lengths::Fixed(flits) => format!("{flits} flits"),
        Lengths::Geometric(mean) => format!("{mean} flits, geometric"),
        Lengths::Exponential(mean) => format!("{mean} flits, exponential"),
        Lengths::Uniform { min, max } => format!("{min} to {max} flits"),
    }
}
