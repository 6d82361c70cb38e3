//! Tests of the model's coverage, predictions and units.

use std::sync::Arc;

use super::*;
use crate::model::{Part, models_for, models_without_equations};
use crate::routing::{Classes, Routing};
use crate::switching::{Switching, Wormhole};
use crate::topology::cube::{Cube, Family};
use crate::traffic::destinations::Locality;
use crate::traffic::{Destinations, Lengths, Process, Traffic};

fn system(family: Family, radix: &[u32], switching: impl Into<Switching>) -> System {
    let traffic = Traffic::random(
        Process::Poisson,
        Rate(0.1),
        Destinations::Uniform,
        Lengths::Uniform { min: 1000, max: 19_000 },
    );
    let routing = Routing::dimension_order(Classes::None);
    System::new(Arc::new(Cube::network(family, radix)), routing, switching, traffic)
}

const DROP: Conflict = Conflict::Drop { back_off: 1.5 };
const ADAPTIVE: Conflict = Conflict::Adaptive { back_off: 1.5 };
const ONE_WAY: Family = Family::Torus { unidirectional: true };

fn cube(conflict: Conflict) -> System {
    system(Family::Hypercube, &[2; 8], Circuit::new(conflict))
}

#[test]
fn predictions_are_in_cycles_and_their_terms_sum() {
    for (conflict, latency, aborts) in
        [(Conflict::Hold, 1.343, 0.0), (DROP, 1.737, 0.4809), (ADAPTIVE, 1.203, 0.1255)]
    {
        let system = cube(conflict);
        let found = CircuitSwitching::default().predict(&system, Rate(0.1)).unwrap();
        let time = system.time_unit().of(found.latency_mean);
        assert!((time - latency).abs() < 0.0006, "{conflict:?}: {time}");
        let sum: f64 = found.terms.iter().map(|term| term.cycles).sum();
        assert!((sum - found.latency_mean).abs() < 1e-9);
        let circuits = found.circuits.unwrap();
        assert!((circuits.aborts - aborts).abs() < 0.01, "{circuits:?}");
        let names: Vec<_> = found.terms.iter().map(|term| term.name).collect();
        assert_eq!(names.contains(&"back-off"), conflict != Conflict::Hold);
        assert_eq!(names.contains(&"waiting for links"), conflict == Conflict::Hold);
        let data = found.terms.iter().find(|term| term.name == "data").unwrap();
        assert!((data.cycles - CYCLES_PER_TIME as f64).abs() < 1e-9);
        assert!(circuits.set_up_cycles < found.latency_mean - data.cycles);
        let set_up = found.part(Part::SourceWait).unwrap();
        assert!((circuits.set_up_cycles - set_up).abs() < 1e-9, "{circuits:?}, {set_up}");
    }
}

#[test]
fn the_readings_are_offered_refined_first() {
    let readings = |system: &System| -> Vec<&'static str> {
        let ours = CircuitSwitching::default().name();
        let models = models_for(system);
        assert_eq!(models[0].name(), ours);
        models.iter().filter(|model| model.name() == ours).map(|model| model.reading()).collect()
    };
    assert_eq!(readings(&cube(Conflict::Hold)), ["refined", "text"]);
    assert_eq!(readings(&cube(ADAPTIVE)), ["refined", "text"]);
    assert_eq!(readings(&cube(DROP)), ["refined", "text", "text-printed", "text-first"]);
    assert_eq!(Reading::default(), Reading::Refined);
}

#[test]
fn links_are_held_in_their_dimensions() {
    let cube = cube(Conflict::Hold);
    let prepared = CircuitSwitching::default().prepare(&cube).unwrap();
    let held = prepared.utilisation(Rate(0.2)).unwrap();
    assert_eq!(held.len(), cube.network.channels().len());
    let mean = held.iter().sum::<f64>() / held.len() as f64;
    // Simulation: 0.273.
    assert!((mean - 0.273).abs() < 0.006, "{mean}");
    let predicted = prepared.predict(Rate(0.2)).unwrap().circuits.unwrap().link_utilisation;
    assert!((mean - predicted).abs() < 1e-12);
    // The first links of a route are held during set-up.
    let of = |dimension| {
        let at = (0..held.len()).find(|&channel| {
            let channel = ChannelId::new(channel);
            cube.network.cube().unwrap().direction(channel).0 == dimension
        });
        held[at.unwrap()]
    };
    assert!(of(0) > 1.05 * of(7), "{} {}", of(0), of(7));
    assert!(prepared.utilisation(Rate(0.5)).is_none());
}

#[test]
fn networks_without_equations_say_so() {
    let hold = Circuit::new(Conflict::Hold);
    let two_way = Family::Torus { unidirectional: false };
    for (system, found) in [
        (system(two_way, &[64, 64], hold), "the 4096 nodes of 64x64 torus"),
        (system(Family::Mesh, &[8, 8], Wormhole::new(1, 2)), "messages that travel as worms"),
    ] {
        let model = CircuitSwitching::default();
        let Err(Unsolved::NotCovered(why)) = model.predict(&system, Rate(0.01)) else {
            panic!("{found} has equations");
        };
        assert!(why.ends_with(found), "{why}");
        assert_eq!(model.mismatches(&system), []);
        assert!(models_for(&system).iter().all(|other| other.name() != model.name()));
        let shown = models_without_equations(&system);
        let count = shown.iter().filter(|other| other.name() == model.name()).count();
        assert_eq!(count, usize::from(system.circuit().is_some()), "{found}");
    }
    // Other networks have routes that are followed one by one.
    for other in [
        system(two_way, &[6, 6], Circuit { duplex: Duplex::Full, ..hold }),
        system(ONE_WAY, &[6, 4], hold),
        system(ONE_WAY, &[6, 6], Circuit::new(DROP)),
    ] {
        let found = CircuitSwitching::default().predict(&other, Rate(0.02)).unwrap();
        let held = CircuitSwitching::default().prepare(&other).unwrap();
        assert_eq!(held.utilisation(Rate(0.02)).unwrap().len(), other.network.channels().len());
        assert!(found.latency_mean > CYCLES_PER_TIME as f64, "{found:?}");
        assert_eq!(CircuitSwitching::default().mismatches(&other), []);
    }
    let torus = system(ONE_WAY, &[8, 8], hold);
    assert_eq!(models_for(&torus)[0].name(), CircuitSwitching::default().name());
}

#[test]
fn broken_assumptions_are_named() {
    let lanes = Circuit { on_deadlock: Remedy::Lanes, ..Circuit::new(Conflict::Hold) };
    let mut broken = system(ONE_WAY, &[8, 8], lanes);
    broken.traffic.process = Process::Geometric;
    let found: Vec<String> =
        CircuitSwitching::default().mismatches(&broken).into_iter().map(|m| m.found).collect();
    assert_eq!(
        found,
        ["two lanes per link", "at most 1 message per node and cycle (geometric gaps)"]
    );
    assert_eq!(CircuitSwitching::default().mismatches(&cube(DROP)), []);
}

#[test]
fn beyond_saturation_there_is_no_prediction() {
    for conflict in [Conflict::Hold, ADAPTIVE] {
        let prepared = CircuitSwitching::default().prepare(&cube(conflict)).unwrap();
        let saturation = prepared.saturation_rate().0;
        assert!(prepared.predict(Rate(0.999 * saturation)).is_ok());
        let above = Rate(1.001 * saturation);
        assert_eq!(prepared.predict(above), Err(Unsolved::Saturated { rate: above }));
    }
}

#[test]
fn a_back_off_too_short_for_the_grid_is_refused_in_words() {
    let system = cube(Conflict::Drop { back_off: 0.001 });
    let refined = CircuitSwitching(Reading::Refined).predict(&system, Rate(0.1));
    assert!(matches!(refined, Err(Unsolved::NotCovered(why)) if why.contains("0.001")));
    assert!(CircuitSwitching(Reading::TextFirst).predict(&system, Rate(0.1)).is_ok());
}

/// Compared with simulations of 100 000 messages.
#[test]
fn destinations_by_distance_have_the_routes_of_their_pattern() {
    let [steep, even] = [0.2, 0.5].map(|ratio| Locality::Decreasing { ratio });
    let sphere = Locality::Sphere { radius: 2, percent: 80.0 };
    let torus = system(ONE_WAY, &[8, 8], Circuit::new(Conflict::Hold));
    let cases = [
        (cube(DROP), steep, 0.1, 1.067),
        (cube(Conflict::Hold), even, 0.3, 1.288),
        (cube(Conflict::Hold), sphere, 0.2, 1.226),
        (cube(DROP), sphere, 0.2, 1.513),
        (cube(ADAPTIVE), even, 0.4, 1.428),
        (torus, even, 0.1, 1.143),
    ];
    for (mut system, pattern, rate, simulated) in cases {
        system.traffic.destinations = Destinations::Local(pattern);
        for &reading in Reading::all(system.circuit().unwrap().conflict) {
            let model = CircuitSwitching(reading);
            assert_eq!(model.mismatches(&system), []);
            let found = model.predict(&system, Rate(rate)).unwrap();
            let time = system.time_unit().of(found.latency_mean);
            // The paper's own equations have larger errors, as for uniform destinations.
            let within = match reading {
                Reading::Refined => 0.03,
                Reading::Text | Reading::TextFirst => 0.15,
                Reading::TextPrinted => 0.4,
            };
            let off = time / simulated - 1.0;
            assert!(off.abs() < within, "{reading:?} {pattern:?} {simulated}: {time}");
        }
    }
    let mut cube = cube(Conflict::Hold);
    cube.traffic.destinations = Destinations::Local(even);
    let found = CircuitSwitching::default().predict(&cube, Rate(0.1)).unwrap();
    // Σ h/2ʰ over Σ 1/2ʰ for h up to 8.
    assert!((found.hops_mean.unwrap() - 1.968_627).abs() < 1e-6, "{found:?}");
}
