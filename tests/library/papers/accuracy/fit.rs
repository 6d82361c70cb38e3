//! The constants of channel flow: a coordinate search over the drawn systems with fixed routes. Other systems
//! only judge its result.

use std::io::Write;
use std::thread;

use flitscope::model::channel_flow::{ChannelFlow, Constants, FITTED};
use flitscope::model::{Model, Prepared};
use flitscope::units::Rate;

use super::drawn::Drawn;
use super::simulated::{DRAWN, FURTHER, LOADS, Run};
use super::systems;

/// A constant by name.
type Number = (&'static str, fn(&mut Constants) -> &mut f64);

/// The numbers that are fitted.
const NUMBERS: [Number; 19] = [
    ("tails", |it| &mut it.tails),
    ("tails_several", |it| &mut it.tails_several),
    ("one_vc[0]", |it| &mut it.one_vc[0]),
    ("one_vc[1]", |it| &mut it.one_vc[1]),
    ("several_vcs[0]", |it| &mut it.several_vcs[0]),
    ("several_vcs[1]", |it| &mut it.several_vcs[1]),
    ("several_vcs[2]", |it| &mut it.several_vcs[2]),
    ("several_vcs[3]", |it| &mut it.several_vcs[3]),
    ("longest", |it| &mut it.longest),
    ("felt", |it| &mut it.felt),
    ("lengths", |it| &mut it.lengths),
    ("following", |it| &mut it.following),
    ("following_from", |it| &mut it.following_from),
    ("alongside", |it| &mut it.alongside),
    ("fewer", |it| &mut it.fewer),
    ("gaps", |it| &mut it.gaps),
    ("between", |it| &mut it.between),
    ("smoothing", |it| &mut it.smoothing),
    ("bursts_vcs", |it| &mut it.bursts_vcs),
];

/// The first step of a constant, as a part of its value or of [`LEAST`], whichever is larger.
const STEP: f64 = 0.2;
const LEAST: f64 = 0.5;

/// Rounds over all constants; steps are halved after each.
const ROUNDS: u32 = 3;

/// The most that one error counts: a logarithm of the model's figure over the simulation's.
const ERROR_MOST: f64 = 0.5;

/// The weight of the 99th percentile at one load, where a mean latency and the saturation have 1.
const TAIL: f64 = 0.2;

/// The width of the search for a saturation rate, and the rates between which it is looked for, in parts of
/// the simulation's.
const WIDTH: f64 = 1.01;
const BETWEEN: [f64; 2] = [0.6, 1.6];

/// A figure of the model beside that of the simulation.
fn off(model: Option<f64>, simulated: f64) -> f64 {
    model.map_or(ERROR_MOST, |it| (it / simulated).ln().abs().min(ERROR_MOST))
}

/// The rate at which equations saturate, roughly.
fn saturation(prepared: &dyn Prepared, near: f64) -> f64 {
    let [mut low, mut high] = BETWEEN.map(|part| part * near);
    while high / low > WIDTH {
        let middle = (low * high).sqrt();
        *if prepared.is_below_saturation(middle) { &mut low } else { &mut high } = middle;
    }
    (low * high).sqrt()
}

/// The loss of one system: the sum of its errors.
fn loss_of(constants: Constants, system: &Drawn, runs: &[Run]) -> f64 {
    let system = &system.scenario().system;
    let model = ChannelFlow { constants, ..ChannelFlow::of(system) };
    let Ok(prepared) = model.prepare(system) else { return 0.0 };
    let latency = |run: &Run| {
        let found = prepared.predict(Rate(run.rate())).ok();
        let tail = found.as_ref().and_then(|it| Some(it.spread.as_ref()?.quantile(0.99)));
        off(found.as_ref().map(|it| it.latency_mean), run.latency) + TAIL * off(tail, run.p99)
    };
    let saturates = runs[0].saturation;
    runs.iter().map(latency).sum::<f64>() + off(Some(saturation(&*prepared, saturates)), saturates)
}

/// The mean loss per figure over all systems.
fn loss(constants: Constants, systems: &[(Drawn, Vec<Run>)]) -> f64 {
    let middle = systems.len() / 2;
    let half = |of: &[(Drawn, Vec<Run>)]| -> f64 {
        of.iter().map(|(system, runs)| loss_of(constants, system, runs)).sum()
    };
    let (one, other) = systems.split_at(middle);
    let sum = thread::scope(|scope| {
        let one = scope.spawn(|| half(one));
        half(other) + one.join().unwrap()
    });
    sum / (systems.len() * (LOADS.len() + 1)) as f64
}

#[test]
#[ignore = "fits the constants of channel flow for a quarter of an hour, and prints them"]
fn the_constants_are_fitted() {
    let fixed = |it: &Drawn| !it.adaptive;
    let [drawn, further] = [DRAWN, FURTHER].map(|name| systems(name, fixed));
    let mut out = std::io::stdout();
    let mut constants = FITTED;
    let mut least = loss(constants, &drawn);
    writeln!(out, "{} systems: {least:.5}, others {:.5}", drawn.len(), loss(constants, &further))
        .unwrap();
    let mut part = STEP;
    for round in 0..ROUNDS {
        for (name, number) in NUMBERS {
            let mut way = 1.0;
            let mut steps = 0;
            // Up, or down where that is no better; on as long as it is better.
            loop {
                let mut tried = constants;
                let value = number(&mut tried);
                *value += way * part * value.abs().max(LEAST);
                let value = *value;
                let found = loss(tried, &drawn);
                if found < least {
                    (least, constants) = (found, tried);
                    writeln!(out, "{round} {name} {value:.4}: {least:.5}").unwrap();
                    steps += 1;
                } else if steps == 0 && way > 0.0 {
                    way = -1.0;
                } else {
                    break;
                }
            }
        }
        part *= 0.5;
    }
    writeln!(out, "{constants:#?}\nothers {:.5}", loss(constants, &further)).unwrap();
}
