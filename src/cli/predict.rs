//! `predict`: what the models say, term by term; which do not apply and why.

use clap::Args;

use super::Failure;
use super::options::{Fields, Printing};
use super::output;
use super::progress::Spinner;
use crate::experiment::forecast::Forecast;
use crate::experiment::report::{PredictRow, forecasts_table};

/// The arguments of `predict`.
#[derive(Args, Debug)]
pub(super) struct Predict {
    /// A scenario file, the name of a built-in scenario, or `-` for standard input
    scenario: String,
    /// Also what the model says of every channel: flow, waits, how often its buffer is full, how
    /// long worms hold it (for models that know it)
    #[arg(long)]
    channels: bool,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    printing: Printing,
}

impl Predict {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let scenario = self.fields.open(&self.scenario)?;
        let spinner =
            Spinner::begin(format!("the models of {}", scenario.name), self.printing.quiet);
        let forecasts = Forecast::all(&scenario);
        drop(spinner);
        let mut rows = PredictRow::all(&scenario, &forecasts);
        if self.channels && !forecasts.is_empty() {
            let pairs = rows.into_iter().zip(&forecasts);
            rows = pairs.map(|(row, forecast)| row.with_channels(&scenario, forecast)).collect();
        }
        output::print_rows(self.printing.format(), &rows, || {
            forecasts_table(&scenario, &forecasts, self.channels)
        })
    }
}
