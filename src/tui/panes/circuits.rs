//! How many circuits are doing what; aborts per message and time to set up as the model has them and
//! as they were simulated.

use super::{list, terms};
use crate::model::Circuits;
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
    let shown: Vec<usize> =
        (0..states::ALL.len()).filter(|&at| states::occurs(app, states::ALL[at])).collect();
    let single = rows >= shown.len() as i32 + 2;
    let mut y = 0;
    if single {
        let all = counts.iter().sum::<usize>().max(1) as f64;
        for &at in &shown {
            line(app, pen, y, at, (counts[at], counts[at] as f64 / all));
            y += 1;
        }
    } else {
        let column = i32::from(pen.width()) / 2;
        for pair in shown.chunks(2) {
            for (nth, &at) in pair.iter().enumerate() {
                let x = nth as i32 * column;
                let x = head(app, pen, (x, y), at);
                pen.text(x + 1, y, &grouped(counts[at] as u64), app.theme.strong());
            }
            y += 1;
        }
    }
    if rows - y >= 3 {
        terms::headings(app, pen, columns(pen), y, "sim.");
        y += 1;
    }
    for (name, figures) in comparisons(app) {
        if y < rows {
            compare(app, pen, y, name, &figures);
            y += 1;
        }
    }
}

/// A state's sign and name; returns the column after them.
fn head(app: &App, pen: &mut Pen<'_>, (x, y): (i32, i32), at: usize) -> i32 {
    let state = states::ALL[at];
    let style = states::style(app, state);
    pen.put(x, y, states::sign(app, state), style);
    pen.text(x + 2, y, states::name(state), style)
}

fn line(app: &App, pen: &mut Pen<'_>, y: i32, at: usize, (count, share): (usize, f64)) {
    head(app, pen, (0, y), at);
    let (from, end) = (12, i32::from(pen.width()) - 7);
    let style = states::style(app, states::ALL[at]);
    list::bar(app, pen, (from, end, y), share, style);
    pen.right(y, &grouped(count as u64), app.theme.text());
}

/// What the model says and what was simulated, as text and as numbers.
struct Figures {
    model: Option<(String, f64)>,
    simulated: Option<(String, f64)>,
}

/// Aborts per message, and mean time from generation to the start of the data.
fn comparisons(app: &App) -> [(&'static str, Figures); 2] {
    let (summary, times) = (app.summary(), app.times());
    let model = app.theory().and_then(|theory| theory.prediction.as_ref().ok());
    let model: Option<Circuits> = model.and_then(|prediction| prediction.circuits);
    let number = |aborts: f64| (format!("{aborts:.3}"), aborts);
    let time = |cycles: f64| (times.mean(cycles), cycles);
    let aborts = Figures {
        model: model.map(|circuits| number(circuits.aborts)),
        simulated: summary.aborts_mean.map(number),
    };
    let set_up = Figures {
        model: model.map(|circuits| time(circuits.set_up_cycles)),
        simulated: summary.source_wait_mean().map(time),
    };
    [("aborts/msg", aborts), ("set-up, T", set_up)]
}

/// Where the columns of figures end.
fn columns(pen: &Pen<'_>) -> [i32; 3] {
    let width = i32::from(pen.width()).min(48);
    [width - 14, width - 7, width]
}

fn compare(app: &App, pen: &mut Pen<'_>, y: i32, name: &str, figures: &Figures) {
    pen.text(0, y, name, app.theme.dim());
    let words = |figure: &Option<(String, f64)>| {
        figure.as_ref().map_or_else(|| app.glyphs.dash.to_owned(), |(text, _)| text.clone())
    };
    let error = match (&figures.model, &figures.simulated) {
        (Some((_, model)), &Some((_, simulated))) if simulated > 0.0 => {
            terms::error_text(100.0 * (model / simulated - 1.0), false)
        }
        _ => String::new(),
    };
    let (model, simulated) = (words(&figures.model), words(&figures.simulated));
    let theme = app.theme;
    let texts = [(&*model, theme.theory()), (&simulated, theme.measured()), (&error, theme.text())];
    terms::three(pen, columns(pen), y, texts);
}
