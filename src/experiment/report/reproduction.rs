//! Rows of a reproduction: its figures, its claims and the points of its pictures.

use super::row;

row! {
    /// What `reproduce` says of one figure or one claim of a paper.
    ReproduceRow {
        /// The study's name.
        study: String,
        /// The seed of the batch.
        seed: u64,
        /// Which table, or `claims`.
        part: String,
        /// Which figure of the table, or what is claimed.
        name: String,
        /// The unit of the figures.
        unit: Option<String>,
        /// What the paper printed as simulated or measured.
        paper: Option<f64>,
        /// What is simulated here.
        simulation: Option<f64>,
        /// Half the width of its 95 % interval.
        simulation_half_width: Option<f64>,
        /// Simulation here / paper − 1.
        simulation_to_paper: Option<f64>,
        /// What an independent simulation of the same system found, where the paper prints nothing.
        independent: Option<f64>,
        /// Simulation here / the independent one − 1.
        simulation_to_independent: Option<f64>,
        /// What the paper printed as computed.
        paper_model: Option<f64>,
        /// What the model computes here.
        model: Option<f64>,
        /// Model here / the paper's model − 1.
        model_to_paper: Option<f64>,
        /// Model here / simulation here − 1.
        model_to_simulation: Option<f64>,
        /// `holds`, `does not hold` or `undecided`; `None` where nothing is judged.
        verdict: Option<&'static str>,
        /// The verdict that is expected.
        expected: Option<&'static str>,
        /// What the verdict rests on: `simulation`, or `arithmetic` that no simulation can change.
        basis: Option<&'static str>,
        /// The figures that the verdict rests on.
        evidence: Option<String>,
        /// Whether results that this needs are missing; only then it is written.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool,
    }
}

row! {
    /// A point of a picture.
    DotRow {
        /// The study's name.
        study: String,
        /// The picture's name.
        figure: String,
        /// The curve.
        curve: String,
        /// `simulation`, `model` or `paper`.
        origin: &'static str,
        /// Across, in the unit of the picture's axis.
        x: f64,
        /// Up, in the unit of the picture's axis.
        y: f64,
        /// Half the height of its error bar.
        half_width: Option<f64>,
    }
}
