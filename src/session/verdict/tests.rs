//! Tests of verdicts on saturation, and of contradictions between runs and models.

use super::*;
use std::sync::Arc;

use crate::model::models_for;
use crate::scenario::parse;
use crate::session::Session;
use crate::stats::{Offered, Statistics, Steadiness, WarmUp};
use crate::units::{Cycle, Rate};

const MESH: &str = "Scenario(network: Mesh(radix: [8, 8]), routing: DimensionOrder(), \
    traffic: (arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(16)))";

fn summary(steadiness: Steadiness, accepted: f64) -> Summary {
    let offered = Offered {
        nodes: 64,
        links: 256,
        rate: 0.125,
        length_mean: 4.0,
        gap_variation: 1.0,
        memory: 0.0,
        circuits: false,
        classes: 0,
        controls: None,
    };
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

/// Runs a system and compares the run with the first model whose name begins with `model`.
fn told(
    fields: &str,
    model: &str,
    warm_up: WarmUp,
    drive: impl FnOnce(&mut Session),
) -> Option<String> {
    told_of(fields, fields, model, warm_up, drive)
}

fn scenario(fields: &str) -> Arc<Scenario> {
    let scenario = parse("test", &format!("Scenario({fields})"), &[]);
    Arc::new(scenario.unwrap_or_else(|it| panic!("{fields} {it:?}")))
}

/// Runs a system and compares the run with a model of the system `claimed`.
fn told_of(
    fields: &str,
    claimed: &str,
    model: &str,
    warm_up: WarmUp,
    drive: impl FnOnce(&mut Session),
) -> Option<String> {
    let mut run = Session::new(scenario(fields), 1, 0, warm_up);
    drive(&mut run);
    let claimed = scenario(claimed);
    let system = &claimed.system;
    let models = models_for(system);
    let model = models.iter().find(|it| it.name().starts_with(model)).unwrap();
    let (rate, prepared) = (run.rate(), model.prepare(system).unwrap());
    let (prediction, saturation) = (prepared.predict(rate), prepared.saturation_rate());
    let utilisation = prepared.utilisation(rate);
    let claim = Claim {
        system,
        rate,
        prediction: &prediction,
        mismatches: &model.mismatches(system),
        saturation: Some(saturation),
        stated_error: Some(&model.stated_error(system, rate.0 / saturation.0)),
        stated_saturation: &model.stated_saturation(system),
        utilisation: utilisation.as_deref(),
    };
    let status = if run.deadlock().is_some() { RunStatus::Locked } else { RunStatus::Ended };
    refuted(&claim, &run.summary(), status, || Evidence::of(&run))
}

/// A small mesh.
fn mesh(switching: &str, routing: &str, traffic: &str) -> String {
    format!(
        "network: Mesh(radix: [4, 4]), switching: Wormhole({switching}), routing: {routing}, \
         traffic: ({traffic})"
    )
}

/// A switching with two VCs per channel.
const TWO: &str = "virtual_channels: 2";
const FOUR: &str = "virtual_channels: 4";

fn poisson(rate: f64, destinations: &str, lengths: &str) -> String {
    format!("arrivals: Poisson(rate: {rate}), destinations: {destinations}, lengths: {lengths}")
}

/// Messages of 16 flits with uniform destinations, under dimension order.
fn plain(rate: f64) -> String {
    mesh(TWO, "DimensionOrder()", &poisson(rate, "Uniform", "Fixed(16)"))
}

fn until(cycle: u64) -> impl FnOnce(&mut Session) {
    move |run| run.advance(Cycle(cycle))
}

/// Drives a run at another rate for the first `cycles`, then at the scenario's rate.
fn after(rate: f64, cycles: u64, until: u64) -> impl FnOnce(&mut Session) {
    move |run| {
        let own = run.rate();
        run.set_rate(Rate(rate));
        run.advance(Cycle(cycles));
        run.set_rate(own);
        run.advance(Cycle(until));
    }
}

/// Checks that the verdict on a run by channel flow contains all words.
fn flow_is_told(fields: &str, drive: impl FnOnce(&mut Session), words: [&str; 2]) {
    let said = told(fields, "channel", WarmUp::Automatic, drive).unwrap_or_default();
    assert!(words.iter().all(|words| said.contains(words)), "{fields}: {said}");
}

#[test]
fn a_run_within_the_stated_error_contradicts_nothing() {
    assert_eq!(told(&plain(0.03), "channel", WarmUp::Automatic, until(60_000)), None);
}

#[test]
fn a_deadlock_is_the_reason_where_one_stands() {
    let ring = "network: Torus(radix: [8, 8]), switching: Wormhole(virtual_channels: 1), \
        routing: DimensionOrder(classes: None), traffic: (arrivals: Poisson(rate: 0.0125), \
        destinations: Uniform, lengths: Fixed(16))";
    let said = told(ring, "deterministic", WarmUp::Automatic, until(50_000)).unwrap();
    assert!(said.starts_with("it says a steady state, but the run is deadlocked"), "{said}");
    assert!(said.contains("messages have waited for each other since "), "{said}");
}

#[test]
fn runs_that_have_not_settled_are_the_reason() {
    flow_is_told(&plain(0.041), until(400), ["too high", "its warm-up is not over"]);
    flow_is_told(&plain(0.0385), until(15_000), ["too low", "the run is too short to tell"]);
    flow_is_told(&plain(0.04), until(60_000), ["too low", "too short and about to saturate"]);
}

#[test]
fn what_an_overload_has_left_is_the_reason() {
    let words = ["too low", "because of a backlog since the higher load that ended at 5000: "];
    flow_is_told(&plain(0.02), after(0.08, 5_000, 11_000), words);
}

#[test]
fn a_warm_up_that_was_too_short_is_the_reason() {
    let drive = after(0.06, 4_000, 60_000);
    let said = told(&plain(0.03), "channel", WarmUp::Cycles(4_100), drive).unwrap();
    assert!(said.contains("because the warm-up was too short: the first messages"), "{said}");
}

#[test]
fn the_assumption_that_is_broken_is_named() {
    let slow = plain(0.036).replace(TWO, "virtual_channels: 2, channel_delay: 2");
    let delay = "it assumes a flit per cycle and channel, but here: channels over which";
    flow_is_told(&slow, until(200_000), ["too low, no error stated", delay]);
    let bursts = "network: Mesh(radix: [8, 8]), switching: Wormhole(preset: MeshTorus1997), \
        routing: DimensionOrder(), traffic: (arrivals: Bursts(burst: 8, peak: 6, rate: 0.006), \
        destinations: Uniform, lengths: Fixed(20))";
    let said = told(bursts, "mesh", WarmUp::Automatic, until(60_000)).unwrap();
    assert!(said.contains("it assumes Poisson arrivals, but here: bursts of 8"), "{said}");
}

/// The error of the transfer is explained by the pace of the flits, regardless of other broken
/// assumptions.
#[test]
fn the_assumption_is_one_that_determines_the_part_that_differs() {
    let fixed = "network: Torus(radix: [4, 4]), switching: Wormhole(virtual_channels: 2, \
        bandwidth: Fixed), routing: DimensionOrder(), traffic: (arrivals: Poisson(rate: 0.001), \
        destinations: Uniform, lengths: Fixed(16))";
    let said = told(fixed, "adaptive", WarmUp::Automatic, until(60_000)).unwrap();
    for words in [
        "too low, no error stated; mainly its transfer, 17.6 where the run has 3",
        "; likely because it assumes a flit per cycle and channel, but here: a flit in 2 cycles",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// An assumption of small cost does not explain a large error.
#[test]
fn what_explains_nothing_is_not_named() {
    let early = "network: Torus(radix: [8, 8]), switching: Wormhole(virtual_channels: 4), \
        routing: DimensionOrder(), traffic: (arrivals: Poisson(load: 0.4), \
        destinations: Uniform, lengths: Fixed(16))";
    let said = told(early, "adaptive", WarmUp::Automatic, until(20_000)).unwrap();
    assert!(said.starts_with("it says saturated, the run accepts "), "{said}");
    assert!(said.ends_with("; the cause is unknown"), "{said}");
}

#[test]
fn a_load_next_to_where_the_model_saturates_is_the_reason() {
    let words =
        ["it says a steady state, the run", "% of the load at which it saturates, known to within"];
    flow_is_told(&plain(0.0404), until(400_000), words);
    let words = ["too low", "small changes of the load have large effects"];
    let four = mesh(FOUR, "DimensionOrder()", &poisson(0.045, "Uniform", "Fixed(16)"));
    flow_is_told(&four, until(1_000_000), words);
}

#[test]
fn traffic_on_which_it_is_far_off_is_the_reason() {
    let bursts = "network: Mesh(radix: [4, 4]), switching: Wormhole(virtual_channels: 4, \
        buffer_flits: 32), routing: DimensionOrder(), traffic: (arrivals: Bursts(burst: 16, peak: 4, \
        rate: 0.01), destinations: BitComplement, lengths: Fixed(16))";
    flow_is_told(bursts, until(1_000_000), ["too low", "bursts of 16 messages"]);
    let long = mesh(FOUR, "O1Turn", &poisson(0.0085, "Uniform", "Geometric(mean: 64)"));
    flow_is_told(&long, until(400_000), ["too low", "messages longer than the mean"]);
}

#[test]
fn the_link_or_the_part_that_is_most_off_is_the_reason() {
    let traffic = poisson(0.022, "Transpose", "Fixed(16)");
    let [turned, straight] = ["O1Turn", "DimensionOrder()"].map(|it| mesh(FOUR, it, &traffic));
    let said = told_of(&straight, &turned, "channel", WarmUp::Automatic, until(200_000)).unwrap();
    assert!(said.contains("because messages take other links: "), "{said}");
    let turned = mesh(FOUR, "O1Turn", &poisson(0.036, "Uniform", "Fixed(16)"));
    flow_is_told(&turned, until(40_000), ["too low", "mainly its blocking, "]);
}

#[test]
fn a_model_is_refuted_only_by_a_run_that_knows() {
    let steady = Ok(Prediction {
        latency_mean: 50.0,
        terms: Vec::new(),
        hops_mean: None,
        iterations: 1,
        circuits: None,
        spread: None,
    });
    let saturated = Err(Unsolved::Saturated { rate: Rate(0.125) });
    let silent = Err(Unsolved::NotCovered("nothing is known".to_owned()));
    let scenario = parse("test", MESH, &[]).unwrap();
    let said_from = |saturation: Option<f64>, prediction, steadiness, accepted| {
        let (system, rate) = (&scenario.system, Rate(0.125));
        let claim = Claim {
            system,
            rate,
            prediction,
            mismatches: &[],
            saturation: saturation.map(Rate),
            stated_error: None,
            stated_saturation: &StatedError::NotMeasured(String::new()),
            utilisation: None,
        };
        let summary = summary(steadiness, accepted);
        refuted(&claim, &summary, RunStatus::Ended, Evidence::default)
    };
    let said = |prediction, steadiness, accepted| said_from(None, prediction, steadiness, accepted);
    assert_eq!(
        said(&saturated, Steadiness::Steady, 0.4999).unwrap().split_once(';').unwrap().0,
        "it says saturated, the run accepts 0.4999 of 0.5000"
    );
    assert_eq!(
        said(&steady, Steadiness::Saturated, 0.172).unwrap().split_once(';').unwrap().0,
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
    for steadiness in [Steadiness::TooShort, Steadiness::Saturated] {
        let more = said_from(Some(0.0075), &saturated, steadiness, 0.172).unwrap();
        let words = "it says saturated from load 0.120 on, the run accepts 0.172; ";
        assert!(more.starts_with(words), "{more}");
        assert_eq!(said_from(Some(0.01), &saturated, steadiness, 0.172), None);
    }
}
