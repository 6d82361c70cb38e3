//! How many circuits are doing what; aborts per message and time to set up as the model has them and
//! as they were simulated.

use super::{list, terms};
use crate::tui::app::App;
use crate::tui::pen::{Pen, grouped};
use crate::tui::states;

/// Lines that it has a use for.
pub const ROWS: u16 = 9;

/// The title, with how many there are.
pub(super) fn title(app: &App) -> String {
    let count = app.snapshot().circuits.len() as u64;
    format!("circuits{}{}", app.glyphs.dot, grouped(count))
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let rows = i32::from(pen.height());
    let counts = states::counts(app.snapshot());
    let occurs = |at: &usize| states::occurs(app, states::ALL[*at]);
    let shown: Vec<usize> = (0..states::ALL.len()).filter(occurs).collect();
    // A line for each state, with a bar, or two states to a line.
    let across = if rows >= shown.len() as i32 + 2 { 1 } else { 2 };
    let all = counts.iter().sum::<usize>().max(1) as f64;
    for (nth, &at) in (0..).zip(&shown) {
        let (x, y) = (nth % across * i32::from(pen.width()) / 2, nth / across);
        let (state, count) = (states::ALL[at], grouped(counts[at] as u64));
        let style = states::style(app, state);
        pen.put(x, y, states::sign(app, state), style);
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
    for (y, (name, figures, text)) in (y..rows).zip(compared(app)) {
        pen.text(0, y, name, app.theme.dim());
        let [model, simulated] = figures.map(|it| it.map_or(app.glyphs.dash.to_owned(), &text));
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

/// A name, what the model says and what was simulated, and how that is written.
type Compared<'a> = (&'static str, [Option<f64>; 2], Box<dyn Fn(f64) -> String + 'a>);

/// Aborts per message, and mean time from generation to the start of the data.
fn compared(app: &App) -> [Compared<'_>; 2] {
    let summary = app.summary();
    let model = app.theory().and_then(|theory| theory.prediction.as_ref().ok()?.circuits);
    let aborts = [model.map(|circuits| circuits.aborts), summary.aborts_mean];
    let set_up = [model.map(|circuits| circuits.set_up_cycles), summary.source_wait_mean()];
    [
        ("aborts/msg", aborts, Box::new(|aborts| format!("{aborts:.3}"))),
        ("set-up, T", set_up, Box::new(|cycles| app.times().mean(cycles))),
    ]
}
