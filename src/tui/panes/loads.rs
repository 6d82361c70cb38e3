//! The pane of the run: loads, messages, scenario and the model's results.

use ratatui::style::Style;

use crate::live::Theory;
use crate::model::Unsolved;
use crate::switching::{Switching, Wormhole};
use crate::text::count;
use crate::traffic::classes::MessageClass;
use crate::traffic::lengths::Times;
use crate::traffic::{Lengths, Traffic};
use crate::tui::pen::{Pen, grouped, plural, wrap};
use crate::tui::scene::Scene;

pub(super) fn title(_: &Scene<'_>) -> String {
    "load and throughput".to_owned()
}

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let mut lines = lines(app);
    let [width, height] = [pen.width(), pen.height()].map(usize::from);
    let wrapped = |(name, value, _): &Row| wrap(value, width.saturating_sub(indent(name) as usize));
    // Gaps, and then whole rows, are dropped for lack of room, the least important first.
    let fits =
        |lines: &[Row]| lines.iter().map(|line| wrapped(line).len()).sum::<usize>() <= height;
    if !fits(&lines) {
        lines.retain(|(name, value, _)| !name.is_empty() || !value.is_empty());
    }
    for dropped in DISPENSABLE {
        if fits(&lines) {
            break;
        }
        lines.retain(|&(name, ..)| name != dropped);
    }
    let mut y = 0;
    for line in lines {
        let parts = wrapped(&line);
        if y as usize + parts.len() > height {
            break;
        }
        let (name, _, style) = line;
        pen.text(0, y, name, app.theme.dim());
        for part in parts {
            pen.cut(indent(name), y, &part, app.glyphs.ellipsis, style);
            y += 1;
        }
    }
}

/// Rows dropped for lack of room, in this order.
const DISPENSABLE: [&str; 9] =
    ["reading", "error", "wrong here", "pace", "seed", "T", "hops, mean", "set anew", "applies"];

/// The first column of the values of a name.
fn indent(name: &str) -> i32 {
    if name.is_empty() { 0 } else { 12 }
}

/// A row: name, value and style; a gap without name and value.
type Row = (&'static str, String, Style);

fn lines(app: &Scene<'_>) -> Vec<Row> {
    let (update, theme) = (&app.update, app.theme);
    let (summary, snapshot, system) = (&update.summary, &update.snapshot, &update.scenario.system);
    let (plain, strong) = (theme.text(), theme.strong());
    let offered = system.load_at(update.rate).0;
    let accepted = optional(app, summary.accepted, 4);
    let accepted = if summary.steadiness.is_saturated() {
        (format!("{accepted}  saturated"), theme.warning())
    } else {
        (accepted, strong)
    };
    let used = summary.channel_utilisation_mean.map_or_else(
        || app.glyphs.dash.to_owned(),
        |share| format!("{:.1} % of {}", share * 100.0, app.words().whole),
    );
    let present = grouped(snapshot.worms.len() as u64);
    let lengths = system.traffic.lengths;
    // Rows with different names for worms and circuits.
    let [present, waiting, machine, sizes]: [Row; 4] = match &system.switching {
        Switching::Wormhole(machine) => {
            let queued: u64 = snapshot.queues.iter().sum();
            [
                ("in network", present, plain),
                ("queued", grouped(queued), if queued > 0 { strong } else { plain }),
                ("channels", buffers(machine), plain),
                ("messages", sizes(&system.traffic), plain),
            ]
        }
        Switching::Circuit(machine) => {
            let without = snapshot.circuits.len().saturating_sub(snapshot.worms.len());
            [
                ("with links", present, plain),
                ("without", grouped(without as u64), plain),
                ("circuits", machine.name().to_owned(), plain),
                ("data", transmissions(lengths.times()), plain),
            ]
        }
    };
    let gap = ("", String::new(), plain);
    let mut lines = vec![
        ("offered", format!("{offered:.4} {}", app.times().load_unit()), strong),
        ("accepted", accepted.0, accepted.1),
        ("links used", used, plain),
        present,
        waiting,
        ("delivered", grouped(snapshot.counters.delivered), plain),
        ("hops, mean", optional(app, summary.hops_mean, 2), plain),
        gap.clone(),
        ("", update.scenario.title.clone(), strong),
    ];
    let set: Vec<&str> = update.scenario.set_fields().map(|one| one.path.as_str()).collect();
    lines.extend((!set.is_empty()).then(|| ("set anew", set.join(", "), theme.warning())));
    lines.extend([
        ("network", system.network.name(), plain),
        ("routing", system.relation.routing().name().to_owned(), plain),
        machine,
        ("traffic", destinations(app), plain),
        sizes,
        ("seed", update.seed.to_string(), plain),
        ("pace", app.times().pace(update.speed), plain),
    ]);
    lines.extend(app.times().meaning().map(|unit| ("T", unit, plain)));
    lines.push(gap);
    match update.theory.as_deref() {
        Some(theory) => model(app, theory, &mut lines),
        None => lines.push(("", app.no_theory().to_owned(), theme.dim())),
    }
    lines
}

/// The word for results not known yet.
const AT_WORK: &str = "at work";

fn model(app: &Scene<'_>, of: &Theory, lines: &mut Vec<Row>) {
    let (theme, times) = (app.theme, app.times());
    let plain = theme.text();
    lines.push(("", of.name.to_owned(), theme.theory()));
    lines.push(("reading", of.reading.to_owned(), plain));
    if let Some(mismatch) = of.mismatches.first() {
        lines.push(("assumes", mismatch.assumes.clone(), theme.warning()));
        lines.push(("but", mismatch.found.clone(), theme.warning()));
    } else {
        lines.push(("applies", "yes".to_owned(), plain));
    }
    let saturates = optional(app, app.saturation_load(), 4);
    let within = of.stated_saturation.percent();
    let within = within.map(|percent| format!(" {}", margins(app, percent)));
    let within = within.filter(|_| of.saturation.is_some()).unwrap_or_default();
    let (saturates, style) = match &of.unfinished {
        _ if of.saturation.is_some() => (saturates + &within, plain),
        Some(why) => (why.to_string(), theme.dim()),
        None if of.at_work => (AT_WORK.to_owned(), theme.dim()),
        None => (saturates, plain),
    };
    lines.push(("saturates", saturates, style));
    let (predicts, style) = match &of.prediction {
        Ok(prediction) => {
            (format!("{} {}", times.mean(prediction.latency_mean), times.symbol()), theme.strong())
        }
        Err(Unsolved::Saturated { .. }) => ("saturation".to_owned(), theme.dim()),
        Err(why) => (why.to_string(), theme.dim()),
    };
    lines.push(("predicts", predicts, style));
    if let Some(stated) = &of.stated_error {
        lines.push(("error", stated.to_string(), plain));
    }
    let wrong = app.update.wrong_here.clone();
    lines.extend(wrong.map(|why| ("wrong here", why, theme.warning())));
}

/// Formats the errors not exceeded in two of three systems and in nine of ten: `±4/9 %`.
pub(super) fn margins(app: &Scene<'_>, [two, nine]: [f64; 2]) -> String {
    format!("{}{two:.0}{}{nine:.0} %", app.glyphs.plus_minus, app.glyphs.dash)
}

/// Virtual channels per channel, and flits per buffer.
fn buffers(machine: &Wormhole) -> String {
    let &Wormhole { virtual_channels, buffer_flits, .. } = machine;
    let vcs = plural(u64::from(virtual_channels), "VC");
    let flits = plural(u64::from(buffer_flits), "flit");
    let stages = machine.pipeline.stages().map_or(String::new(), |stages| {
        format!(", {} a router", plural(u64::from(stages.of_head()), "cycle"))
    });
    format!("{vcs} of {flits}{stages}")
}

/// Formats a figure, or a dash if unknown.
fn optional(app: &Scene<'_>, value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| app.glyphs.dash.to_owned(), |value| format!("{value:.digits$}"))
}

fn destinations(app: &Scene<'_>) -> String {
    let system = app.system();
    let traffic = &system.traffic;
    let pattern = match traffic.destinations.hotspot() {
        Some((&[node], percent)) => format!("{percent} % to {}", system.network.node_name(node)),
        Some(_) | None => traffic.destinations.name(),
    };
    match &traffic.senders {
        Some(senders) => format!("{pattern}, from {}", count(senders.len(), "node", "nodes")),
        None => pattern,
    }
}

fn transmissions(times: Times) -> String {
    match times {
        Times::Fixed(time) => time.to_string(),
        Times::Exponential { mean } => format!("exponential, mean {mean}"),
        Times::Uniform { min, max } => format!("{min} to {max}"),
    }
}

/// The lengths of messages, or of each class.
fn sizes(traffic: &Traffic) -> String {
    if traffic.classes.is_empty() {
        return in_flits(traffic.lengths);
    }
    let class = |class: &MessageClass| format!("{} {}", class.name, in_flits(class.lengths));
    traffic.classes.0.iter().map(class).collect::<Vec<_>>().join(", ")
}

fn in_flits(lengths: Lengths) -> String {
    match lengths {
        Lengths::Fixed(flits) => plural(u64::from(flits), "flit"),
        Lengths::Geometric { mean } => format!("{mean} flits, geometric"),
        Lengths::Exponential { mean } => format!("{mean} flits, exponential"),
        Lengths::Uniform { min, max } => format!("{min} to {max} flits"),
    }
}
