//! The content of a plot: curves over axes.

use crate::experiment::report::row;

/// A figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    pub title: String,
    /// The horizontal axis: name and unit.
    pub x: String,
    /// The vertical axis: name and unit.
    pub y: String,
    /// The upper limit of the vertical axis; larger values are cut off. `None`: no limit.
    pub y_max: Option<f64>,
    /// The curves, in drawing order.
    pub curves: Vec<Curve>,
    /// Notes below the legend.
    pub notes: Vec<String>,
}

/// The origin of a curve's values.
#[derive(Clone, Copy, PartialEq, Eq, serde::Deserialize, strum::IntoStaticStr, Debug)]
#[strum(serialize_all = "lowercase")]
pub enum Origin {
    /// Simulated here: filled marks with error bars, joined by a line.
    Simulation,
    /// Computed by a model: a thick dashed line.
    Model,
    /// Printed by the paper: hollow marks.
    Paper,
}

impl Origin {
    /// The origin's name in one word.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// The label in the legend.
    pub label: String,
    pub origin: Origin,
    /// Curves of a group share a colour.
    pub group: usize,
    /// Curves with equal numbers share a mark.
    pub mark: usize,
    /// The points, in the order of the line.
    pub dots: Vec<Dot>,
    /// The loads around saturation: a band with a hollow mark at its upper end.
    pub bracket: Option<(f64, f64)>,
}

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dot {
    /// Horizontal coordinate.
    pub x: f64,
    /// Vertical coordinate.
    pub y: f64,
    /// Half the length of the error bar.
    pub half_width: Option<f64>,
}

row! {
    /// A point of a picture.
    DotRow from (study: &str, figure: &str, curve: &Curve, dot: &Dot) {} {
        /// The study's name.
        study: String = study.to_owned(),
        /// The picture's name.
        figure: String = figure.to_owned(),
        /// The curve.
        curve: String = curve.label.clone(),
        /// `simulation`, `model` or `paper`.
        origin: &'static str = curve.origin.name(),
        /// Across, in the unit of the picture's axis.
        x: f64 = dot.x,
        /// Up, in the unit of the picture's axis.
        y: f64 = dot.y,
        /// Half the height of its error bar.
        half_width: Option<f64> = dot.half_width,
    }
}

impl Plot {
    /// A figure without content.
    pub fn empty() -> Self {
        let (title, x, y) = (String::new(), String::new(), String::new());
        Self { title, x, y, y_max: None, curves: Vec::new(), notes: Vec::new() }
    }

    /// All points, as rows of the named figure of a study.
    pub fn rows(&self, study: &str, figure: &str) -> Vec<DotRow> {
        let dots =
            self.curves.iter().flat_map(|curve| curve.dots.iter().map(move |dot| (curve, dot)));
        dots.map(|(curve, dot)| DotRow::new(study, figure, curve, dot)).collect()
    }
}
