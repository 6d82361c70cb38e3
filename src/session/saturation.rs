//! Saturation in words: what a run says of itself, and of a model that says otherwise.
//!
//! A run is judged by its statistics ([`crate::stats`]), which call it saturated after fifteen samples
//! at the earliest: 15 360 cycles after its start or the last change of its load, looked at again every
//! 1 024 cycles. Until they know, nothing is said, for or against.

use crate::model::{Prediction, Unsolved};
use crate::stats::Summary;

/// The first word of [`announced`], where there is no room for more.
pub const SATURATED: &str = "SATURATED";

/// What a saturated run says: `SATURATED: accepts 34 % of what is offered`. `None` of a run that is
/// not, or of which that cannot be told yet.
pub fn announced(summary: &Summary) -> Option<String> {
    let accepted: f64 = summary.accepted.filter(|_| summary.steadiness.is_saturated())?;
    // What is not all is never rounded up to all. (A run that carried its load for long and then
    // collapsed may have accepted nearly all in the mean.)
    let percent = (100.0 * accepted / summary.offered).floor();
    Some(if percent < 100.0 {
        format!("{SATURATED}: accepts {percent:.0} % of what is offered")
    } else {
        format!("{SATURATED}: accepts less than is offered")
    })
}

/// What is wrong with a model's verdict on saturation at the load of a run, in words that follow
/// "wrong here: "; `None` where both agree, or where either cannot tell.
pub fn refuted(prediction: &Result<Prediction, Unsolved>, summary: &Summary) -> Option<String> {
    let says = match (Unsolved::saturated(prediction)?, summary.steadiness.saturated()?) {
        (true, false) => "saturated",
        (false, true) => "a steady state",
        (true, true) | (false, false) => return None,
    };
    let (accepted, offered) = (summary.accepted?, summary.offered);
    Some(format!("it says {says}, the run accepts {accepted:.4} of {offered:.4}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Offered, Statistics, Steadiness, WarmUp};
    use crate::units::Rate;

    fn summary(steadiness: Steadiness, accepted: f64) -> Summary {
        let offered =
            Offered { nodes: 64, links: 256, rate: 0.125, length_mean: 4.0, circuits: false };
        let summary = Statistics::new(offered, WarmUp::Automatic, 0).summary(0);
        Summary { steadiness, accepted: Some(accepted), ..summary }
    }

    #[test]
    fn only_a_saturated_run_says_so_and_never_that_it_accepts_all() {
        let said = |steadiness, accepted| announced(&summary(steadiness, accepted));
        let saturated = said(Steadiness::Saturated, 0.172).unwrap();
        assert_eq!(saturated, "SATURATED: accepts 34 % of what is offered");
        let nearly = said(Steadiness::Saturated, 0.4999).unwrap();
        assert_eq!(nearly, "SATURATED: accepts 99 % of what is offered");
        let before = said(Steadiness::Saturated, 0.5001).unwrap();
        assert_eq!(before, "SATURATED: accepts less than is offered");
        assert_eq!(said(Steadiness::Steady, 0.172), None);
        assert_eq!(said(Steadiness::TooShort, 0.172), None);
    }

    #[test]
    fn a_model_is_refuted_only_by_a_run_that_knows() {
        let steady = Ok(Prediction {
            latency_mean: 50.0,
            terms: Vec::new(),
            hops_mean: None,
            iterations: 1,
            circuits: None,
        });
        let saturated = Err(Unsolved::Saturated { rate: Rate(0.125) });
        let silent = Err(Unsolved::NotCovered("nothing is known".to_owned()));
        let said = |model, steadiness, accepted| refuted(model, &summary(steadiness, accepted));
        assert_eq!(
            said(&saturated, Steadiness::Steady, 0.4999).unwrap(),
            "it says saturated, the run accepts 0.4999 of 0.5000"
        );
        assert_eq!(
            said(&steady, Steadiness::Saturated, 0.172).unwrap(),
            "it says a steady state, the run accepts 0.1720 of 0.5000"
        );
        assert_eq!(said(&saturated, Steadiness::Saturated, 0.172), None);
        assert_eq!(said(&steady, Steadiness::Steady, 0.5), None);
        for model in [&saturated, &steady] {
            assert_eq!(said(model, Steadiness::TooShort, 0.172), None);
        }
        for steadiness in [Steadiness::Steady, Steadiness::Saturated] {
            assert_eq!(said(&silent, steadiness, 0.172), None);
        }
    }
}
