//! Curves as an SVG picture: axes, legend, error bars; the same bytes for the same figures.
//!
//! What is simulated has a filled mark and error bars, what a model says is a dashed line without marks,
//! what was printed elsewhere has a hollow mark: colour alone never tells.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

/// Width and height in pixels.
const SIZE: (u32, u32) = (1000, 560);
/// Width of the legend, in pixels.
const LEGEND: u32 = 270;
/// Letters in a line of it.
const LETTERS: usize = 36;
/// Half the width of the caps of an error bar, in pixels.
const CAP: i32 = 3;
/// Half the size of a mark, in pixels.
const MARK: i32 = 4;
/// A dash of a model's line and the gap behind it, in pixels.
const DASHES: [i32; 2] = [7, 4];
/// Colours that stay apart for most eyes (Okabe and Ito 2008), one per group.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];

/// One figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The horizontal axis: name and unit.
    pub x: String,
    /// The vertical axis: name and unit.
    pub y: String,
    /// Where the vertical axis ends; what lies above is cut off. `None`: above everything.
    pub y_max: Option<f64>,
    /// What is drawn, in this order.
    pub curves: Vec<Curve>,
}

/// Where a curve's figures come from.
#[derive(Clone, Copy, PartialEq, Eq, serde::Deserialize, strum::IntoStaticStr, Debug)]
#[strum(serialize_all = "lowercase")]
pub enum Origin {
    /// Simulated here: filled marks with error bars, joined by a thin line.
    Simulation,
    /// Computed by a model: a thick dashed line.
    Model,
    /// Printed by the paper: hollow marks.
    Paper,
}

impl Origin {
    /// The origin in one word.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A curve.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// What it is, for the legend.
    pub label: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Curves of one group share colour and shape of mark.
    pub group: usize,
    /// Its points, by growing x.
    pub dots: Vec<Dot>,
    /// Where it is saturated and has no point: hollow marks at the upper edge.
    pub beyond: Vec<f64>,
}

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dot {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Half the height of its error bar.
    pub half_width: Option<f64>,
}

/// The picture could not be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a figure could not be drawn: {0}")]
pub struct Undrawn(String);

/// Draws `plot`. Without a single point the axes stand alone.
pub fn svg(plot: &Plot) -> Result<String, Undrawn> {
    let mut picture = String::new();
    draw(plot, &mut picture).map_err(|error| Undrawn(error.to_string()))?;
    Ok(picture)
}

type Failed = Box<dyn std::error::Error>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn draw(plot: &Plot, picture: &mut String) -> Result<(), Failed> {
    let ((x_min, x_max), (y_min, y_max)) = bounds(plot);
    let area = SVGBackend::with_string(picture, SIZE).into_drawing_area();
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
    for curve in &plot.curves {
        draw_curve(&area, curve, y_max, &pixel)?;
    }
    draw_legend(&area, plot)?;
    area.present()?;
    Ok(())
}

fn bounds(plot: &Plot) -> ((f64, f64), (f64, f64)) {
    let ends = |figure: fn(&Dot) -> f64| {
        let dots = plot.curves.iter().flat_map(|curve| &curve.dots);
        dots.map(figure).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    };
    let widened = |(low, high): (f64, f64)| {
        if low > high {
            return (0.0, 1.0);
        }
        let edge = if high > low { 0.06 * (high - low) } else { 0.05 * high.abs().max(1.0) };
        // An axis of what cannot be negative does not begin below 0.
        (if low >= 0.0 { (low - edge).max(0.0) } else { low - edge }, high + edge)
    };
    let beyond = plot.curves.iter().flat_map(|curve| &curve.beyond);
    let x = beyond.fold(ends(|dot| dot.x), |(low, high), &x| (low.min(x), high.max(x)));
    let (x, y) = (widened(x), widened(ends(|dot| dot.y)));
    (x, (y.0, plot.y_max.filter(|&limit| limit > y.0).map_or(y.1, |limit| limit.min(y.1))))
}

/// A label on an axis that is `span` long.
fn tick(value: f64, span: f64) -> String {
    let decimals = (1.0 - span.log10()).ceil().clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

fn draw_curve(
    area: &Area<'_>,
    curve: &Curve,
    y_max: f64,
    pixel: &dyn Fn(f64, f64) -> (i32, i32),
) -> Result<(), Failed> {
    let colour = COLOURS[curve.group % COLOURS.len()];
    if curve.origin != Origin::Paper {
        let path = cut_off(&curve.dots, y_max);
        let path: Vec<(i32, i32)> = path.into_iter().map(|(x, y)| pixel(x, y)).collect();
        draw_line(area, path, colour, curve.origin)?;
    }
    for &x in &curve.beyond {
        draw_mark(area, pixel(x, y_max), curve.group, Origin::Paper)?;
    }
    if curve.origin == Origin::Model {
        return Ok(());
    }
    for dot in curve.dots.iter().filter(|dot| dot.y <= y_max) {
        if let Some(half) = dot.half_width {
            let (x, low) = pixel(dot.x, (dot.y - half).max(0.0));
            let (_, high) = pixel(dot.x, (dot.y + half).min(y_max));
            for bar in [
                [(x, low), (x, high)],
                [(x - CAP, low), (x + CAP, low)],
                [(x - CAP, high), (x + CAP, high)],
            ] {
                area.draw(&PathElement::new(bar, colour.stroke_width(1)))?;
            }
        }
        draw_mark(area, pixel(dot.x, dot.y), curve.group, curve.origin)?;
    }
    Ok(())
}

fn draw_line(
    area: &Area<'_>,
    path: Vec<(i32, i32)>,
    colour: RGBColor,
    origin: Origin,
) -> Result<(), Failed> {
    if origin == Origin::Model {
        let [dash, gap] = DASHES;
        area.draw(&DashedPathElement::new(path, dash, gap, colour.stroke_width(2)))?;
    } else {
        area.draw(&PathElement::new(path, colour.mix(0.5).stroke_width(1)))?;
    }
    Ok(())
}

/// The points up to where the curve leaves the picture, that place included.
fn cut_off(dots: &[Dot], y_max: f64) -> Vec<(f64, f64)> {
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

/// The mark of a group, filled for what is simulated and hollow for what is printed.
fn draw_mark(
    area: &Area<'_>,
    (x, y): (i32, i32),
    group: usize,
    origin: Origin,
) -> Result<(), Failed> {
    let colour = COLOURS[group % COLOURS.len()];
    let filled = origin == Origin::Simulation;
    let style = if filled { colour.filled() } else { colour.stroke_width(2) };
    let mut corners = match group % 4 {
        0 => {
            area.draw(&Circle::new((x, y), MARK, style))?;
            return Ok(());
        }
        1 => vec![(-MARK, -MARK), (MARK, -MARK), (MARK, MARK), (-MARK, MARK)],
        2 => vec![(0, -MARK - 1), (MARK + 1, MARK), (-MARK - 1, MARK)],
        _ => vec![(0, -MARK - 1), (MARK + 1, 0), (0, MARK + 1), (-MARK - 1, 0)],
    };
    if !filled {
        // An outline is closed by its first corner.
        corners.extend(corners.first().copied());
    }
    let corners: Vec<_> = corners.iter().map(|(right, down)| (x + right, y + down)).collect();
    if filled {
        area.draw(&Polygon::new(corners, style))?;
    } else {
        area.draw(&PathElement::new(corners, style))?;
    }
    Ok(())
}

/// An entry per curve beside the axes.
fn draw_legend(area: &Area<'_>, plot: &Plot) -> Result<(), Failed> {
    let left = (SIZE.0 - LEGEND + 16).cast_signed();
    let style = || ("sans-serif", 13).into_font().color(&BLACK);
    let mut y = 56;
    for curve in &plot.curves {
        let colour = COLOURS[curve.group % COLOURS.len()];
        if curve.origin != Origin::Paper {
            draw_line(area, vec![(left, y), (left + 24, y)], colour, curve.origin)?;
        }
        if curve.origin != Origin::Model {
            draw_mark(area, (left + 12, y), curve.group, curve.origin)?;
        }
        let name = curve.origin.name();
        let label = [curve.label.as_str(), name].into_iter().filter(|part| !part.is_empty());
        for line in folded(&label.collect::<Vec<_>>().join(", ")) {
            area.draw(&Text::new(line, (left + 32, y - 8), style()))?;
            y += 14;
        }
        y += 6;
    }
    if plot.curves.iter().any(|curve| !curve.beyond.is_empty()) {
        let note = "hollow, at the upper edge: saturated";
        area.draw(&Text::new(note, (left, y - 8), style()))?;
    }
    Ok(())
}

/// The lines of an entry of the legend.
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

#[cfg(test)]
mod tests;
