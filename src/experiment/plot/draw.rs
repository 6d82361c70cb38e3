//! Draws a figure.

use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::figure::{Curve, Dot, Origin, Plot};
use super::marks::{self, Area, Failed, colour};

/// Width and minimum height in pixels.
const SIZE: (u32, u32) = (1000, 560);
/// Width of the legend, in pixels.
const LEGEND: u32 = 270;
/// Maximum number of characters in a legend line.
const LETTERS: usize = 36;
/// The top of the legend, the line height, and the gap between entries, in pixels.
const LEGEND_TOP: i32 = 56;
const LINE: i32 = 14;
const BETWEEN: i32 = 6;
/// Half the width of the caps of an error bar, in pixels.
const CAP: i32 = 3;
/// A dash of a model's line and the following gap, in pixels: models of the same colour differ in
/// their dashes.
const DASHES: [[i32; 2]; 4] = [[7, 4], [14, 4], [3, 3], [14, 8]];
/// Opacity of a saturation band.
const BAND: f64 = 0.15;

pub(super) fn draw(plot: &Plot, picture: &mut String) -> Result<(), Failed> {
    let ((x_min, x_max), (y_min, y_max)) = bounds(plot);
    let legend = legend(plot);
    let end = legend.last().map_or(0, |entry| entry.top + entry.height());
    let height = SIZE.1.max((end + LINE).cast_unsigned());
    let area = SVGBackend::with_string(picture, (SIZE.0, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let title = ("sans-serif", 19).into_font().color(&BLACK);
    area.draw(&Text::new(plot.title.clone(), (24, 12), title))?;
    let mut chart = ChartBuilder::on(&area)
        .margin(14)
        .margin_top(44)
        .margin_right(LEGEND)
        .x_label_area_size(46)
        .y_label_area_size(64)
        .build_cartesian_2d(x_min..x_max, y_min..y_max)?;
    chart
        .configure_mesh()
        .x_desc(&plot.x)
        .y_desc(&plot.y)
        .axis_desc_style(("sans-serif", 15))
        .label_style(("sans-serif", 13))
        .light_line_style(WHITE)
        .bold_line_style(BLACK.mix(0.1))
        .x_label_formatter(&|value| tick(*value, x_max - x_min))
        .y_label_formatter(&|value| tick(*value, y_max - y_min))
        .draw()?;
    let pixel = |x: f64, y: f64| chart.backend_coord(&(x, y));
    if y_min < 0.0 && y_max > 0.0 {
        let zero = vec![pixel(x_min, 0.0), pixel(x_max, 0.0)];
        area.draw(&PathElement::new(zero, BLACK.mix(0.5).stroke_width(1)))?;
    }
    for curve in &plot.curves {
        draw_bracket(&area, curve, (y_min, y_max), &pixel)?;
    }
    for curve in &plot.curves {
        draw_curve(&area, curve, (y_min, y_max), &pixel)?;
    }
    for entry in &legend {
        entry.draw(&area)?;
    }
    area.present()?;
    Ok(())
}

pub(super) fn bounds(plot: &Plot) -> ((f64, f64), (f64, f64)) {
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    };
    let widened = |(low, high): (f64, f64)| {
        if low > high {
            return (0.0, 1.0);
        }
        let edge = if high > low { 0.06 * (high - low) } else { 0.05 * high.abs().max(1.0) };
        // An axis of nonnegative values does not begin below 0.
        (if low >= 0.0 { (low - edge).max(0.0) } else { low - edge }, high + edge)
    };
    let dots = || plot.curves.iter().flat_map(|curve| &curve.dots);
    let brackets = plot.curves.iter().filter_map(|curve| curve.bracket);
    let x = ends(&mut dots().map(|dot| dot.x).chain(brackets.flat_map(|(low, high)| [low, high])));
    let mut y = ends(&mut dots().map(|dot| dot.y));
    let bars = dots().filter_map(|dot| dot.half_width.map(|half| [dot.y - half, dot.y + half]));
    let bars = ends(&mut bars.flatten());
    // Error bars of nonnegative values do not extend below 0.
    let least = if y.0 >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
    y = (y.0.min(bars.0.max(least)), y.1.max(bars.1));
    let (x, y) = (widened(x), widened(y));
    (x, (y.0, plot.y_max.filter(|&limit| limit > y.0).map_or(y.1, |limit| limit.min(y.1))))
}

/// A label on an axis of length `span`.
fn tick(value: f64, span: f64) -> String {
    let decimals = (1.0 - span.log10()).ceil().clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

/// The band between the loads around a curve's saturation.
fn draw_bracket(
    area: &Area<'_>,
    curve: &Curve,
    (y_min, y_max): (f64, f64),
    pixel: &dyn Fn(f64, f64) -> (i32, i32),
) -> Result<(), Failed> {
    let Some((from, to)) = curve.bracket else { return Ok(()) };
    let colour = colour(curve.group);
    let band = [pixel(from, y_max), pixel(to, y_min)];
    area.draw(&Rectangle::new(band, colour.mix(BAND).filled()))?;
    for x in [from, to] {
        let edge = vec![pixel(x, y_min), pixel(x, y_max)];
        area.draw(&PathElement::new(edge, colour.mix(0.5).stroke_width(1)))?;
    }
    let top = pixel(f64::midpoint(from, to), y_max);
    marks::draw(area, top, (curve.group, curve.mark), false)
}

fn draw_curve(
    area: &Area<'_>,
    curve: &Curve,
    (y_min, y_max): (f64, f64),
    pixel: &dyn Fn(f64, f64) -> (i32, i32),
) -> Result<(), Failed> {
    if curve.origin != Origin::Paper {
        let path = cut_off(&curve.dots, y_max);
        let path: Vec<(i32, i32)> = path.into_iter().map(|(x, y)| pixel(x, y)).collect();
        draw_line(area, path, curve)?;
    }
    if curve.origin == Origin::Model {
        return Ok(());
    }
    let colour = colour(curve.group);
    for dot in curve.dots.iter().filter(|dot| dot.y <= y_max) {
        if let Some(half) = dot.half_width {
            let (x, low) = pixel(dot.x, (dot.y - half).max(y_min));
            let (_, high) = pixel(dot.x, (dot.y + half).min(y_max));
            for bar in [
                [(x, low), (x, high)],
                [(x - CAP, low), (x + CAP, low)],
                [(x - CAP, high), (x + CAP, high)],
            ] {
                area.draw(&PathElement::new(bar, colour.stroke_width(1)))?;
            }
        }
        let filled = curve.origin == Origin::Simulation;
        marks::draw(area, pixel(dot.x, dot.y), (curve.group, curve.mark), filled)?;
    }
    Ok(())
}

fn draw_line(area: &Area<'_>, path: Vec<(i32, i32)>, curve: &Curve) -> Result<(), Failed> {
    let colour = colour(curve.group);
    if curve.origin == Origin::Model {
        let [dash, gap] = DASHES[marks::round(curve.group) % DASHES.len()];
        area.draw(&DashedPathElement::new(path, dash, gap, colour.stroke_width(2)))?;
    } else {
        area.draw(&PathElement::new(path, colour.mix(0.6).stroke_width(1)))?;
    }
    Ok(())
}

/// The points inside the picture, and the point of intersection with its upper edge.
pub(super) fn cut_off(dots: &[Dot], y_max: f64) -> Vec<(f64, f64)> {
    let mut path: Vec<(f64, f64)> = Vec::new();
    for dot in dots {
        if dot.y > y_max {
            if let Some(&(x, y)) = path.last() {
                path.push((x + (dot.x - x) * (y_max - y) / (dot.y - y), y_max));
            }
            break;
        }
        path.push((dot.x, dot.y));
    }
    path
}

/// A legend entry.
struct Entry<'a> {
    /// The explained curve; `None` for a note.
    curve: Option<&'a Curve>,
    lines: Vec<String>,
    top: i32,
}

/// One entry per curve, and notes, among them one on saturation bands.
fn legend(plot: &Plot) -> Vec<Entry<'_>> {
    let label = |curve: &Curve| {
        let name = curve.origin.name();
        let parts = [curve.label.as_str(), name].into_iter().filter(|part| !part.is_empty());
        folded(&parts.collect::<Vec<_>>().join(", "))
    };
    let mut top = LEGEND_TOP;
    let mut entries = Vec::new();
    let curves = plot.curves.iter().map(|curve| (Some(curve), label(curve)));
    let saturates = plot.curves.iter().any(|curve| curve.bracket.is_some());
    let bands = saturates.then(|| (None, folded("shaded: saturates here")));
    let notes = plot.notes.iter().map(|note| (None, folded(note)));
    for (curve, lines) in curves.chain(bands).chain(notes) {
        let entry = Entry { curve, lines, top };
        top += entry.height() + BETWEEN;
        entries.push(entry);
    }
    entries
}

impl Entry<'_> {
    fn height(&self) -> i32 {
        pixels(self.lines.len())
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Failed> {
        let left = (SIZE.0 - LEGEND + 16).cast_signed();
        let style = || ("sans-serif", 13).into_font().color(&BLACK);
        let y = self.top;
        if let Some(curve) = self.curve {
            if curve.origin != Origin::Paper {
                draw_line(area, vec![(left, y), (left + 24, y)], curve)?;
            }
            if curve.origin != Origin::Model {
                let filled = curve.origin == Origin::Simulation;
                marks::draw(area, (left + 12, y), (curve.group, curve.mark), filled)?;
            }
        }
        for (at, line) in self.lines.iter().enumerate() {
            let place = (left + 32, y - 8 + pixels(at));
            area.draw(&Text::new(line.clone(), place, style()))?;
        }
        Ok(())
    }
}

/// The height of a number of lines, in pixels.
fn pixels(lines: usize) -> i32 {
    i32::try_from(lines).map_or(i32::MAX, |lines| LINE.saturating_mul(lines))
}

/// Wraps a text to lines of the legend.
fn folded(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_inclusive(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() <= LETTERS => line.push_str(word),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
