//! One system predicted and simulated: at shares of the load at which the model saturates, and where
//! the simulation saturates.

use flitscope::model::Model;
use flitscope::model::channel_flow::ChannelFlow;
use flitscope::model::channel_flow::errors::{self, Group};
use flitscope::model::stated_error::SHARES;
use flitscope::scenario::Scenario;
use flitscope::units::Rate;

use super::super::simulate::{Printed, rounded, simulate};
use super::Row;

/// When a run that measures a latency ends.
const LATENCY: [&str; 6] = ["--precision", "0.007", "--messages", "20000", "--cycles", "40000000"];

/// When a run that looks for the saturation ends.
const CARRIED: [&str; 4] = ["--messages", "20000", "--cycles", "40000000"];

/// The part of the load that is accepted at least where a run is too short for a verdict: queues that fill
/// take up the rest.
const ACCEPTED_MIN: f64 = 0.97;

/// Precision of the search for the saturation.
const WIDTH: f64 = 1.04;

/// The saturation is looked for in one of so many systems with fixed routes and Poisson arrivals, and in
/// all others.
const SEARCHED: u32 = 4;

/// The rows of system `number`; none where the model has no equations.
pub fn rows(number: u32, text: &str, scenario: &Scenario) -> Vec<Row> {
    let system = &scenario.system;
    let Ok(prepared) = ChannelFlow::of(system).prepare(system) else { return Vec::new() };
    let saturation = prepared.saturation_rate().0;
    let mut rows = Vec::new();
    for share in SHARES {
        let rate = share * saturation;
        let predicted = prepared.predict(Rate(rate)).ok().map(|it| rounded(it.latency_mean));
        let run = simulate(text, rate, &LATENCY);
        let steady = carries(&run);
        let kept = |it: Option<f64>| it.filter(|_| steady).map(rounded);
        rows.push(Row {
            system: number,
            saturation: rounded(saturation),
            share,
            predicted,
            simulated: kept(run.latency_mean),
            half_width: kept(run.latency_half_width),
            carried: None,
        });
    }
    let many = errors::class_of(system).is_ok_and(|it| it.group != Group::Bursts);
    if !many || number.is_multiple_of(SEARCHED) {
        let steady = rows.iter().rev().find(|it| it.simulated.is_some());
        let most = 1.0 / (saturation * system.traffic.lengths.mean());
        let share = carried(text, saturation, steady.map_or(0.1, |it| it.share), most);
        for row in &mut rows {
            row.carried = Some(rounded(share * saturation));
        }
    }
    rows
}

/// Whether the network carries what a run offered.
fn carries(run: &Printed) -> bool {
    let accepted = run.accepted_flits_per_node_cycle / run.offered_flits_per_node_cycle;
    match run.steadiness.as_str() {
        "saturated" => false,
        "steady" => run.ended != "deadlocked",
        _ => accepted > ACCEPTED_MIN && run.ended != "deadlocked",
    }
}

/// The highest share of the model's saturation that the network carries, upwards from one that it carries;
/// sources can send no more than `most`.
fn carried(text: &str, saturation: f64, share: f64, most: f64) -> f64 {
    let carries =
        |share: f64| share < most && carries(&simulate(text, share * saturation, &CARRIED));
    let (mut low, mut high) = (share, share * 1.12);
    while carries(high) {
        (low, high) = (high, high * 1.12);
    }
    while high / low > WIDTH {
        let middle = (low * high).sqrt();
        *if carries(middle) { &mut low } else { &mut high } = middle;
    }
    low
}
