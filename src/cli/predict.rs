//! `predict`: what the models say, term by term; which do not apply and why.

use clap::Args;

use super::Failure;
use super::options::{Fields, Printing};
use super::output;
use crate::experiment::forecast::Forecast;
use crate::experiment::report::{PredictRow, forecasts_table};

/// The arguments of `predict`.
#[derive(Args, Debug)]
pub(super) struct Predict {
    /// A scenario file, the name of a built-in scenario, or `-` for standard input
    scenario: String,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    printing: Printing,
}

impl Predict {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let scenario = self.fields.open(&self.scenario)?;
        let forecasts = Forecast::all(&scenario);
        let rows = PredictRow::all(&scenario, &forecasts);
        output::print_rows(self.printing.format(), &rows, || forecasts_table(&scenario, &forecasts))
    }
}
