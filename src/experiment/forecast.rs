//! What the models say about a scenario, at its rate.

use super::Outcome;
use crate::model::stated::StatedError;
use crate::model::{ChannelForecast, Mismatch, Model, Prediction, Unsolved, models_for};
use crate::scenario::Scenario;
use crate::session::verdict;
use crate::units::Rate;

/// What one reading of one model says.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    /// The model's name.
    pub model: &'static str,
    /// Which reading of its paper.
    pub reading: &'static str,
    /// The assumptions that the scenario breaks; none where the model applies.
    pub mismatches: Vec<Mismatch>,
    /// Its answer.
    pub prediction: Result<Prediction, Unsolved>,
    /// Where it saturates; `None` where it is not defined.
    pub saturation: Option<Rate>,
    /// How far its latency may be off, where it says one.
    pub stated_error: Option<StatedError>,
    /// What it says of single channels, by channel id; `None` where it knows none.
    pub channels: Option<Vec<ChannelForecast>>,
}

impl Forecast {
    fn of(model: &dyn Model, scenario: &Scenario) -> Self {
        let system = &scenario.system;
        let rate = system.traffic.rate;
        let prepared = model.prepare(system);
        let channels = prepared.as_ref().ok().and_then(|prepared| prepared.channels(rate));
        let (prediction, saturation) = match prepared {
            Ok(prepared) => (prepared.predict(rate), Some(prepared.saturation_rate())),
            Err(why) => (Err(why), None),
        };
        let share = |saturation: Rate| rate.0 / saturation.0;
        let stated_error = saturation
            .filter(|_| prediction.is_ok())
            .map(|saturation| model.stated_error(system, share(saturation)));
        Self {
            model: model.name(),
            reading: model.reading(),
            mismatches: model.mismatches(system),
            prediction,
            saturation,
            stated_error,
            channels,
        }
    }

    /// Every reading of every model that says something about `scenario`, the default first.
    pub fn all(scenario: &Scenario) -> Vec<Self> {
        models_for(&scenario.system).iter().map(|model| Self::of(&**model, scenario)).collect()
    }

    /// The default reading of the first model.
    pub fn first(scenario: &Scenario) -> Option<Self> {
        models_for(&scenario.system).first().map(|model| Self::of(&**model, scenario))
    }

    /// Whether the scenario keeps every assumption of the model.
    pub fn applies(&self) -> bool {
        self.mismatches.is_empty()
    }

    /// Whether the rate is beyond the model's saturation; `None` where it has no answer at all.
    pub fn saturated(&self) -> Option<bool> {
        Unsolved::saturated(&self.prediction)
    }

    /// What is wrong with its verdict on saturation beside a run of the same rate, in words; `None`
    /// where they agree or either cannot tell.
    pub fn refuted(&self, run: &Outcome) -> Option<String> {
        verdict::refuted(&self.prediction, &run.summary)
    }

    /// Why the prediction is not one of this scenario, in words: the assumptions broken and what
    /// kept it from an answer.
    pub fn why_not(&self) -> Option<String> {
        let broken = self.mismatches.iter().map(in_words);
        let unsolved = self.prediction.as_ref().err().map(ToString::to_string);
        let reasons: Vec<String> = broken.chain(unsolved).collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// An assumption broken, in words.
pub fn in_words(mismatch: &Mismatch) -> String {
    format!("it assumes {}, but here: {}", mismatch.assumes, mismatch.found)
}
