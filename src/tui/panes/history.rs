//! The history of one message: generated, waited, entered, router by router, delivered.

use std::borrow::Cow;

use ratatui::style::Style;
use strum::VariantArray;

use super::list::Item;
use crate::engine::HeadStage;
use crate::engine::messages::MessageState;
use crate::live::Traced;
use crate::session::trace::Hop;
use crate::tui::names::channel_name;
use crate::tui::pen::{grouped, plural, wrap};
use crate::tui::scene::Scene;
use crate::tui::stages;
use crate::units::Cycle;

/// The title, with the message's name.
pub(super) fn title(app: &Scene<'_>) -> String {
    let name = app.history.map(|name| app.full_name(name));
    format!("history of {}", name.as_deref().unwrap_or("a message"))
}

pub(super) fn lines(app: &Scene<'_>, width: usize) -> Vec<Item> {
    let theme = app.theme;
    let Some(traced) = app.traced() else {
        let text = match app.history {
            Some(_) => "being replayed",
            None => "none chosen: i on a message under the cursor",
        };
        return wrap(text, width).into_iter().map(|line| Item::new(line, theme.dim())).collect();
    };
    let mut lines = Vec::new();
    if traced.share < 1.0 {
        let percent = 100.0 * traced.share;
        let text = format!("replaying: {percent:.0} % (Esc gives up)");
        lines.push(Item::new(text, theme.warning()));
    }
    birth(app, traced, &mut lines);
    let mut attempt = 0;
    for (nth, hop) in traced.trace.hops.iter().enumerate() {
        router(app, traced, (nth, hop), &mut lines);
        if let Some(cycle) = hop.gave_up {
            attempt += 1;
            let text = format!("gave up, attempt {attempt}");
            lines.push(timed(app, text, cycle.0, theme.warning()));
        }
    }
    end(app, traced, &mut lines);
    lines
}

/// A line with a cycle or a duration at its end.
fn timed(app: &Scene<'_>, text: impl Into<Cow<'static, str>>, cycles: u64, style: Style) -> Item {
    Item::new(text, style).with(app.times().exact(cycles), style)
}

fn birth(app: &Scene<'_>, traced: &Traced, lines: &mut Vec<Item>) {
    let (trace, times, theme) = (&traced.trace, app.times(), app.theme);
    let Some(born) = trace.born else { return };
    let home = app.network().short_node_name(trace.name.source);
    let way = match born.letter {
        Some((goal, length)) => {
            let goal = app.network().short_node_name(goal);
            let long = if times.in_cycles() {
                plural(u64::from(length), "flit")
            } else {
                format!("data of {} T", times.length(length))
            };
            format!("{home}{}{goal}, {long}", app.glyphs.to)
        }
        None => format!("from {home}"),
    };
    lines.push(Item::new(way, theme.strong()));
    lines.push(timed(app, "generated", born.cycle.0, theme.text()));
    if trace.queued > 0 {
        let text = format!("  behind others of its source {}", times.exact(trace.queued));
        lines.push(Item::new(text, theme.dim()));
    }
}

/// Adds a router of the path: the head's arrival, its wait, the granted channel, and the messages
/// in the way.
fn router(app: &Scene<'_>, traced: &Traced, (nth, hop): (usize, &Hop), lines: &mut Vec<Item>) {
    let (times, theme) = (app.times(), app.theme);
    let place = app.network().short_router_name(hop.at);
    let goal = traced.trace.born.and_then(|born| born.letter);
    let last = nth + 1 == traced.trace.hops.len();
    let there = last && goal.is_some_and(|(goal, _)| app.network().router_of(goal) == hop.at);
    let until = Cycle(traced.trace.until.0.max(hop.arrived.0));
    let machine = app.system().wormhole();
    let pipeline = machine.and_then(|machine| machine.pipeline.stages());
    let waited = match pipeline {
        Some(pipeline) => stages::waited(pipeline, &hop.stage_cycles),
        None => hop.waited(until),
    };
    let stands = hop.granted.is_none() && hop.gave_up.is_none();
    let mut text = format!("at {place}");
    if nth > 0 {
        text = format!("{text} {}", times.exact(hop.arrived.0));
    }
    let mut style = theme.dim();
    if waited > 0 && !(there && stands) {
        let verb = if stands { "waits" } else { "waited" };
        text = format!("{text}, {verb} {}", times.exact(waited));
        style = theme.text();
    }
    if let Some((channel, vc)) = hop.vc.map(|vc| app.snapshot().split(vc)) {
        text = format!("{text}; {}", channel_name(app, channel));
        if app.snapshot().virtual_channels > 1 {
            text = format!("{text} VC {vc}");
        }
    }
    lines.push(match hop.granted {
        Some(cycle) => timed(app, text, cycle.0, style),
        None => Item::new(text, style),
    });
    if pipeline.is_some() {
        lines.extend(in_stages(app, hop));
    }
    lines.extend(hop.waits.iter().map(|wait| {
        timed(app, format!("  for {}", app.full_name(wait.by)), wait.cycles, theme.dim())
    }));
    let entered = traced.trace.entered.filter(|_| nth == 0);
    lines.extend(entered.map(|at| timed(app, app.words().entered, at.0, theme.text())));
}

/// The cycles of the head in each stage; `None` before the first.
fn in_stages(app: &Scene<'_>, hop: &Hop) -> Option<Item> {
    let stages = HeadStage::VARIANTS.iter().zip(hop.stage_cycles).filter(|(_, cycles)| *cycles > 0);
    let stages: Vec<String> =
        stages.map(|(&stage, cycles)| format!("{} {cycles}", stages::short(stage))).collect();
    (!stages.is_empty()).then(|| Item::new(format!("  {}", stages.join(", ")), app.theme.dim()))
}

fn end(app: &Scene<'_>, traced: &Traced, lines: &mut Vec<Item>) {
    let (trace, times, theme) = (&traced.trace, app.times(), app.theme);
    let text = match (trace.state, &trace.delivery) {
        (MessageState::Unborn, _) if traced.share < 1.0 => return,
        (MessageState::Unborn, _) => {
            let source = app.network().short_node_name(trace.name.source);
            let known = grouped(traced.generated);
            format!("not generated yet: {source} has generated {known}")
        }
        (MessageState::Behind, _) => "waits at its source".to_owned(),
        (MessageState::Present(view), _) => super::messages::does(app, &view),
        (MessageState::Gone, Some(delivery)) => {
            let text = format!("delivered, latency {}", times.with_unit(delivery.latency()));
            lines.push(timed(app, text, delivery.done.0, theme.strong()));
            return;
        }
        (MessageState::Gone, None) if app.snapshot().counters.lost > 0 => {
            "lost because of a failure".to_owned()
        }
        (MessageState::Gone, None) => "discarded at its source".to_owned(),
    };
    lines.push(Item::new(text, theme.strong()));
}
