//! The latency histogram in logarithmic bins, quantiles under its axis, the prediction on it; of
//! circuits that of the times to set up beside it. Of two runs the first one's is filled, the second
//! one's an outline over it, each in shares of its own messages.

use ratatui::style::Style;

use crate::live::{Latencies, Theory};
use crate::model::Unsolved;
use crate::session::saturation;
use crate::tui::app::App;
use crate::tui::pen::{Pen, grouped};

/// The title: how many messages, and whether they count yet.
pub(super) fn title(app: &App) -> String {
    let count = app.update.latencies.count;
    let of = app.letter().map_or(String::new(), |letter| format!(" of {letter}"));
    let mut title = format!("latency{of}{}n {}", app.glyphs.dot, grouped(count));
    if app.summary().steadiness.is_saturated() {
        title.push_str(app.glyphs.dot);
        title.push_str("saturated");
    } else if app.summary().measured_from.is_none() {
        title.push_str(app.glyphs.dot);
        title.push_str("warming up");
    }
    title
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let (width, height) = (i32::from(pen.width()), i32::from(pen.height()));
    let latencies = &app.update.latencies;
    if latencies.count == 0 {
        pen.text(1, 0, "no message has arrived yet", app.theme.dim());
        if height > 1 {
            model_line(app, pen, height - 1);
        }
        return;
    }
    let predicted = app.theory().and_then(Theory::latency_mean);
    let text_rows = if height >= 9 { 3 } else { 2 };
    let bars = height - 1 - text_rows.min(height - 2).max(0);
    if bars >= 2 {
        let summary = app.summary();
        let quantiles = [summary.latency_p50, summary.latency_p95, summary.latency_p99];
        let quantiles = quantiles.into_iter().flatten().filter(|_| text_rows == 3).collect();
        let both = app.both();
        let (filled, outline) = match &both {
            Some([first, second]) => (&first.update.latencies, Some(&second.update.latencies)),
            None => (latencies, None),
        };
        let name = outline.map(|_| "A filled, B line");
        let whole = Chart { filled, outline, predicted, quantiles, left: 0, width, name };
        let set_ups = &app.update.set_ups;
        if outline.is_some() {
            whole.draw(app, pen, bars);
        } else if app.has_circuits() && set_ups.count > 0 && width >= 30 {
            let half = width / 2 - 1;
            let predicted = app.theory().and_then(set_up_mean);
            let left = width - half;
            let beside = Chart {
                filled: set_ups,
                outline: None,
                predicted,
                quantiles: Vec::new(),
                left,
                width: half,
                name: Some("set-up"),
            };
            Chart { width: half, name: Some("latency"), ..whole }.draw(app, pen, bars);
            beside.draw(app, pen, bars);
        } else {
            whole.draw(app, pen, bars);
        }
    }
    let mut y = (height - text_rows).max(0);
    if text_rows == 3 {
        pen.text(0, y, &quantiles(app, width), app.theme.text());
        y += 1;
    }
    figures(app, pen, y);
    model_line(app, pen, y + 1);
}

/// The mean time to set up a circuit that the model predicts, in cycles.
fn set_up_mean(theory: &Theory) -> Option<f64> {
    Some(theory.prediction.as_ref().ok()?.circuits?.set_up_cycles)
}

/// A histogram over some columns of the pane.
struct Chart<'a> {
    filled: &'a Latencies,
    /// Another one over it.
    outline: Option<&'a Latencies>,
    predicted: Option<f64>,
    /// Cycles at which ticks stand.
    quantiles: Vec<u64>,
    left: i32,
    width: i32,
    /// What it is of, where there are two.
    name: Option<&'static str>,
}

impl Chart<'_> {
    fn draw(&self, app: &App, pen: &mut Pen<'_>, bars: i32) {
        let scale = Scale::new(self.filled, self.outline, self.predicted, self.width);
        columns(app, pen, self, &scale, bars);
        if let Some(name) = self.name {
            pen.text(self.left, 0, name, app.theme.dim());
        }
        axis(app, pen, self, &scale, bars);
    }
}

/// Columns on a logarithmic scale of cycles.
struct Scale {
    low: f64,
    ratio: f64,
    width: i32,
}

impl Scale {
    fn new(
        latencies: &Latencies,
        outline: Option<&Latencies>,
        predicted: Option<f64>,
        width: i32,
    ) -> Self {
        let all = || [latencies].into_iter().chain(outline).filter(|it| it.count > 0);
        let min = all().map(|it| it.min).min().unwrap_or(0).max(1) as f64;
        let max = all().map(|it| it.max).max().unwrap_or(0) as f64;
        // A mean far beyond all that was seen does not squeeze the rest.
        let high = predicted.filter(|&mean| mean < 4.0 * max).map_or(max, |mean| mean.max(max));
        let low = predicted.map_or(min, |mean| mean.min(min)).max(1.0) * 0.97;
        let high = (high + 1.0).max(low * 1.5);
        Self { low, ratio: (high / low).ln() / f64::from(width.max(1)), width }
    }

    /// The cycles at a column's left edge.
    fn edge(&self, column: i32) -> f64 {
        self.low * (f64::from(column) * self.ratio).exp()
    }

    /// The column of a latency in cycles.
    fn column(&self, cycles: f64) -> Option<i32> {
        let column = ((cycles / self.low).ln() / self.ratio).floor() as i32;
        (cycles >= self.low && column < self.width).then_some(column)
    }
}

impl Scale {
    /// The share of the messages in each column, for its width. Narrow bins below a few cycles per
    /// column would leave gaps: share per cycle, times the column's width in cycles, with columns
    /// narrower than a cycle widened to one.
    fn shares(&self, latencies: &Latencies) -> Vec<f64> {
        let count = |column: i32| {
            let (from, to) = (self.edge(column), self.edge(column + 1));
            if to - from >= 1.0 {
                latencies.between(from, to)
            } else {
                let cycle = from.floor();
                latencies.between(cycle, cycle + 1.0) * (to - from)
            }
        };
        let all = latencies.count.max(1) as f64;
        (0..self.width).map(|column| count(column) / all).collect()
    }
}

/// The hue of the second of two runs.
pub(super) const SECOND_HUE: usize = 4;

/// A line over the bars, at the height of each column in thirds of a row.
fn outlined(app: &App, pen: &mut Pen<'_>, left: i32, shares: &[f64], top: f64, rows: i32) {
    let mut before = rows;
    for (x, &share) in (left..).zip(shares) {
        let third = (share / top * f64::from(3 * rows - 1)).round() as i32;
        let row = if share > 0.0 { rows - 1 - third.div_euclid(3) } else { rows };
        let style = app.theme.hue(SECOND_HUE);
        // Where it is steep, rows between two columns are joined.
        for y in row.min(before) + 1..row.max(before) {
            pen.put(x, y, app.glyphs.axis[2], style);
        }
        if row < rows {
            pen.put(x, row, app.glyphs.level[2 - third.rem_euclid(3) as usize], style);
        }
        before = row;
    }
}

fn columns(app: &App, pen: &mut Pen<'_>, chart: &Chart<'_>, scale: &Scale, rows: i32) {
    let Chart { filled, outline, predicted, left, .. } = *chart;
    let counts = scale.shares(filled);
    let outline = outline.map(|outline| scale.shares(outline));
    let top = counts.iter().chain(outline.iter().flatten()).copied().fold(0.0, f64::max);
    let marked = predicted.and_then(|mean| scale.column(mean));
    let applies = app.theory().is_some_and(Theory::applies);
    let mark = app.glyphs.mark[usize::from(applies)];
    let provisional = app.summary().measured_from.is_none();
    let bar = if provisional { app.theme.dim() } else { app.theme.measured() };
    for (column, &count) in counts.iter().enumerate() {
        let share = if top > 0.0 { count / top } else { 0.0 };
        let eighths = (share * f64::from(rows * 8)).round() as i32;
        let eighths = eighths.max(i32::from(count > 0.0));
        for row in 0..rows {
            let y = rows - 1 - row;
            let fill = (eighths - row * 8).clamp(0, 8) as usize;
            if marked == Some(column as i32) {
                let style = app.theme.theory();
                let style = match (fill, bar.fg) {
                    (5.., Some(colour)) => style.bg(colour),
                    _ => style,
                };
                pen.put(left + column as i32, y, mark, style);
            } else if fill > 0 {
                pen.put(left + column as i32, y, app.glyphs.rise[fill], bar);
            }
        }
    }
    if let Some(outline) = outline.filter(|_| top > 0.0) {
        outlined(app, pen, left, &outline, top, rows);
    }
}

fn axis(app: &App, pen: &mut Pen<'_>, chart: &Chart<'_>, scale: &Scale, y: i32) {
    let dim = app.theme.dim();
    let (left, times) = (chart.left, app.times());
    let unit = format!(" {}", times.symbol());
    let unit_from = scale.width - unit.len() as i32;
    pen.text(left + unit_from, y, &unit, dim);
    // The quantiles of the line below, where figures make room for them.
    let marks: Vec<i32> = chart
        .quantiles
        .iter()
        .filter_map(|&quantile| scale.column(quantile as f64))
        .filter(|&column| column < unit_from)
        .collect();
    for &column in &marks {
        pen.put(left + column, y, app.glyphs.tick, app.theme.warning());
    }
    let mut free = 0;
    // A cycle, or a thousandth of the unit.
    let mut tick = if times.in_cycles() { 1.0 } else { times.unit.cycles as f64 / 1000.0 };
    // 1, 2, 5, 10, 20, 50 …
    for step in [2.0, 2.5, 2.0].into_iter().cycle().take(30) {
        if let Some(column) = scale.column(tick) {
            let label = times.brief(tick);
            let length = label.len() as i32;
            let from = (column - length / 2).max(0);
            let clear = marks.iter().all(|&mark| mark < from - 1 || mark > from + length);
            if clear && from >= free && from + length < unit_from {
                pen.text(left + from, y, &label, dim);
                free = from + length + 2;
            }
        }
        tick *= step;
    }
}

fn quantiles(app: &App, width: i32) -> String {
    let summary = app.summary();
    let mut line = String::new();
    for (name, value) in
        [("p50", summary.latency_p50), ("p95", summary.latency_p95), ("p99", summary.latency_p99)]
    {
        if let Some(value) = value {
            let value = app.times().exact(value);
            let part = format!("{}{name} {value}  ", app.glyphs.tick);
            if (line.chars().count() + part.chars().count()) as i32 <= width + 2 {
                line.push_str(&part);
            }
        }
    }
    // Of circuits the pane of parts says more.
    if let Some(network) = summary.network_latency_mean.filter(|_| !app.has_circuits()) {
        let part = format!("in network {network:.1}");
        if (line.chars().count() + part.chars().count()) as i32 <= width {
            line.push_str(&part);
        }
    }
    line.trim_end().to_owned()
}

/// `mean 54.8 ± 0.6  model 53.1 (-3.1 %)  p99 171`, or `mean so far 10044, growing`, as much as there is room for.
fn figures(app: &App, pen: &mut Pen<'_>, y: i32) {
    let summary = app.summary();
    let theme = app.theme;
    let times = app.times();
    let Some(latency) = summary.latency else { return };
    // Too few messages for an interval are no narrow one.
    let half_width = latency.half_width.map_or("?".to_owned(), |half| times.mean(half));
    let half_width = format!(" {} {half_width}", app.glyphs.plus_minus);
    let mean = times.mean(latency.mean);
    let room = i32::from(pen.width());
    // The latencies of a saturated network grow with the run: there is no mean to compare with.
    let saturated = summary.steadiness.is_saturated();
    let text = if saturated {
        format!("mean so far {mean}, growing")
    } else {
        format!("mean {mean}{half_width}")
    };
    let mut x = pen.text(0, y, &text, theme.strong());
    let theory = app.theory().filter(|_| !saturated);
    if let Some(mean) = theory.and_then(Theory::latency_mean) {
        let deviation = (mean / latency.mean - 1.0) * 100.0;
        let mean = times.mean(mean);
        let text = format!("model {mean} ({deviation:+.1} %)");
        let text =
            if x + 2 + text.chars().count() as i32 > room { format!("model {mean}") } else { text };
        if x + 2 + text.chars().count() as i32 <= room {
            x = pen.text(x + 2, y, &text, theme.theory());
        }
    }
    if let Some(p99) = summary.latency_p99 {
        let text = format!("p99 {}", times.exact(p99));
        if x + 2 + text.len() as i32 <= room {
            pen.text(x + 2, y, &text, theme.text());
        }
    }
}

/// Whether the model may be believed, in words.
fn model_line(app: &App, pen: &mut Pen<'_>, y: i32) {
    let (text, style) = model_words(app);
    pen.cut(0, y, &text, app.glyphs.ellipsis, style);
}

/// What the model says of itself, in one line.
pub(super) fn model_words(app: &App) -> (String, Style) {
    let Some(theory) = app.theory() else {
        return ("no model for this network".to_owned(), app.theme.dim());
    };
    if let Some(why) = saturation::refuted(&theory.prediction, app.summary()) {
        return (format!("model wrong here: {why}"), app.theme.warning());
    }
    match &theory.prediction {
        Err(Unsolved::Saturated { .. }) => {
            let at = theory.saturation.map(|rate| app.system().load_at(rate).0);
            let at = at.map_or(String::new(), |load| format!(" at load {load:.3}"));
            (format!("model: saturated{at}"), app.theme.warning())
        }
        Err(why) => (format!("model: {why}"), app.theme.dim()),
        Ok(_) => {
            if let Some(mismatch) = theory.mismatches.first() {
                let text = format!("{} outside the model: {}", app.glyphs.mark[0], mismatch.found);
                return (text, app.theme.warning());
            }
            let range = theory.saturation.map(|rate| app.system().load_at(rate).0);
            let range = range.map_or(String::new(), |load| format!(" below load {load:.3}"));
            (format!("{} model applies{range}", app.glyphs.mark[1]), app.theme.dim())
        }
    }
}
