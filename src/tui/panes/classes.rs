//! The pane of virtual channels: the share of links on which each VC number is held, and its class.
//! Circuit switching shows the states of circuits instead.

use super::{list, terms};
use crate::routing::VcUse;
use crate::tui::grid::heat::class_line;
use crate::tui::names::vc_use_name;
use crate::tui::pen::{Pen, grouped};
use crate::tui::scene::Scene;
use crate::tui::states;

pub(super) fn title(app: &Scene<'_>) -> String {
    if app.has_circuits() {
        let count = app.snapshot().circuits.len() as u64;
        return format!("circuits{}{}", app.glyphs.dot, grouped(count));
    }
    "virtual channels, busy".to_owned()
}

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    if app.has_circuits() { circuits(app, pen) } else { channels(app, pen) }
}

fn channels(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let (system, snapshot) = (app.system(), app.snapshot());
    let count = snapshot.virtual_channels as usize;
    let links = system.network.links();
    let rows = usize::from(pen.height());
    let mut held = vec![0usize; count];
    for (worm, view) in (1..).zip(&snapshot.worms) {
        for &vc in snapshot.path_of(view) {
            let (channel, number) = snapshot.split(vc);
            let holds = channel.index() < links && snapshot.vcs[vc.index()].holder == worm;
            held[number as usize] += usize::from(holds);
        }
    }
    for (y, vc) in (0..).zip(0..count.min(rows)) {
        if vc + 1 == rows && count > rows {
            pen.text(0, y, &format!("and {} more (e expands)", count - vc), app.theme.dim());
            return;
        }
        let share = held[vc] as f64 / links.max(1) as f64;
        let vc_use = system.relation.vc_use(vc as u32);
        let style = app.theme.hue(class_line(vc_use));
        let sign = if app.filter().vc == Some(vc as u32) { app.glyphs.chosen } else { ' ' };
        let line = app.glyphs.class_across[class_line(vc_use)];
        let name = match vc_use {
            _ if pen.width() < 30 => String::new(),
            VcUse::Hop(class) => format!("hop {class}"),
            VcUse::Open | VcUse::Class(_) | VcUse::Escape(_) | VcUse::Adaptive => {
                vc_use_name(vc_use)
            }
        };
        let x = pen.text(0, y, &format!("{sign}{vc} {line} {name:<8} "), style);
        let bar = list::meter(app, i32::from(pen.width()) - 6 - x, share, style);
        pen.line(x, y, &bar, app.glyphs.ellipsis);
        pen.right(y, &format!("{:.0} %", share * 100.0), app.theme.text());
    }
}

/// Draws the number of circuits in each state, then aborts per message and set-up time by model and
/// simulation.
fn circuits(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let rows = i32::from(pen.height());
    let counts = states::counts(app.snapshot());
    let occurs = |at: &usize| states::occurs(app.system(), states::ALL[*at]);
    let shown: Vec<usize> = (0..states::ALL.len()).filter(occurs).collect();
    // A line with a bar for each state, or two states per line.
    let across = if rows >= shown.len() as i32 + 2 { 1 } else { 2 };
    let all = counts.iter().sum::<usize>().max(1) as f64;
    for (nth, &at) in (0..).zip(&shown) {
        let (x, y) = (nth % across * i32::from(pen.width()) / 2, nth / across);
        let (state, count) = (states::ALL[at], grouped(counts[at] as u64));
        let style = states::style(app.theme, state);
        pen.put(x, y, states::sign(&app.glyphs, state), style);
        let x = pen.text(x + 2, y, states::name(state), style);
        if across == 1 {
            let width = i32::from(pen.width()) - 19;
            let bar = list::meter(app, width, counts[at] as f64 / all, style);
            pen.line(12, y, &bar, app.glyphs.ellipsis);
            pen.right(y, &count, app.theme.text());
        } else {
            pen.text(x + 1, y, &count, app.theme.strong());
        }
    }
    let mut y = (shown.len() as i32 + across - 1) / across;
    let width = i32::from(pen.width()).min(48);
    let ends = [width - 14, width - 7, width];
    if rows - y >= 3 {
        terms::headings(app, pen, ends, y, "sim.");
        y += 1;
    }
    for (y, (name, figures, texts)) in (y..rows).zip(compared(app)) {
        pen.text(0, y, name, app.theme.dim());
        let [model, simulated] = texts.map(|it| it.unwrap_or_else(|| app.glyphs.dash.to_owned()));
        let error = match figures {
            [Some(model), Some(simulated)] if simulated > 0.0 => {
                terms::error_text(100.0 * (model / simulated - 1.0), false)
            }
            _ => String::new(),
        };
        let styles = [app.theme.theory(), app.theme.measured(), app.theme.text()];
        let texts = [&*model, &simulated, &error];
        terms::three(pen, ends, y, [0, 1, 2].map(|nth: usize| (texts[nth], styles[nth])));
    }
}

/// A name, the predicted and the simulated figure, and both as text.
type Compared = (&'static str, [Option<f64>; 2], [Option<String>; 2]);

/// Aborts per message, and mean time from generation to the start of the data.
fn compared(app: &Scene<'_>) -> [Compared; 2] {
    let summary = app.summary();
    let model = app.prediction().and_then(|prediction| prediction.circuits);
    let aborts = [model.map(|circuits| circuits.aborts), summary.aborts_mean];
    let set_up = [model.map(|circuits| circuits.set_up_cycles), summary.source_wait_mean()];
    [
        ("aborts/msg", aborts, aborts.map(|it| it.map(|aborts| format!("{aborts:.3}")))),
        ("set-up, T", set_up, set_up.map(|it| it.map(|cycles| app.times().mean(cycles)))),
    ]
}
