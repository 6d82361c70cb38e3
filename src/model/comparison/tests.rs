//! Tests of the selection of the model compared with a run.

use super::*;
use crate::model::effect::WHOLE;
use crate::scenario::{Override, builtin, parse};

/// A built-in scenario with changed fields.
fn system(name: &str, set: &[(&str, &str)]) -> System {
    let set = set.iter().map(|&(path, value)| Override {
        path: path.into(),
        value: value.into(),
        label: format!("--set {path}={value}"),
    });
    let set: Vec<Override> = set.collect();
    parse(name, builtin::find(name).unwrap().text, &set).unwrap().system
}

fn first(system: &System) -> String {
    let model = models_for(system).remove(0);
    format!("{}, {}", model.name(), model.reading())
}

#[test]
fn the_model_with_the_smallest_expected_error_is_the_first() {
    const VCS: (&str, &str) = ("switching.virtual_channels", "4");
    for (name, set, model) in [
        ("hotspot-torus-16x16", &[][..], "zero load"),
        ("hotspot-torus-16x16", &[("routing", "DimensionOrder()")], "channel flow"),
        ("papers/adaptive-torus-8x8", &[("traffic.lengths", "Fixed(16)"), VCS], "adaptive torus"),
        ("torus-8x8", &[("traffic.lengths", "Fixed(16)"), VCS], "channel flow"),
        ("torus-8x8", &[("network", "Torus(radix: [32, 32])")], "channel flow"),
        ("torus-8x8", &[("network", "Torus(radix: [64, 64])")], "deterministic torus"),
        ("papers/adaptive-torus-16x16", &[], "zero load"),
        ("papers/mesh-8x8-20", &[], "mesh (Greenberg, Guan 1997)"),
        ("papers/mesh-8x8-20", &[VCS], "channel flow"),
        ("papers/uni-torus-8x8-20", &[], "one-way torus (Draper, Ghosh 1994)"),
        ("papers/switch-torus-3x3-200", &[], "finite input buffers (Hu, Kleinrock)"),
        ("papers/circuit-drop-8", &[], "circuit switching (Colajanni, Ciciani, Tucci 1998)"),
    ] {
        let found = first(&system(name, set));
        assert!(found.starts_with(model), "{name} {set:?}: {found}");
    }
}

/// Sixteen flits on a route of sixteen channels have a smaller effect on one model than a hot node
/// on another.
#[test]
fn what_is_broken_counts_by_what_it_costs() {
    let hot = system("hotspot-torus-16x16", &[("routing", "DimensionOrder()")]);
    let models = models_for(&hot);
    let cost = |name: &str| {
        let model = models.iter().find(|it| it.name().starts_with(name)).unwrap();
        model.mismatches(&hot).iter().map(|broken| broken.effect.error).sum::<f64>()
    };
    assert!(cost("deterministic torus") > 0.1);
    assert!(10.0 * cost("channel flow") < cost("deterministic torus"));
}

#[test]
fn hot_nodes_cost_what_their_links_take_from_the_load() {
    let costs = [0.1, 1.0, 4.0, 20.0].map(|percent| {
        let hot = format!("Hotspot(nodes: [(8, 8)], percent: {percent})");
        let system = system("hotspot-torus-16x16", &[("traffic.destinations", &hot)]);
        let models = models_for(&system);
        let uniform = models.iter().find(|it| it.name().starts_with("adaptive torus")).unwrap();
        uniform.mismatches(&system)[0].effect.error
    });
    assert!(costs[0] == 0.0 && costs[1] < 0.1 && costs.is_sorted(), "{costs:?}");
    assert!(costs[2] > 0.4 && costs[3] == WHOLE, "{costs:?}");
}

#[test]
fn a_model_of_another_transfer_is_not_compared() {
    for algorithm in ["e-cube", "north-last", "positive-hop", "negative-hop"] {
        let system = system(&format!("papers/hops-{algorithm}-uniform"), &[]);
        let reference = Reference::of(&system).unwrap();
        let why = reference.equations.unwrap_err();
        let Unsolved::OtherTransfer { reckoned, alone } = why else { panic!("{algorithm}: {why}") };
        assert!(reckoned < 14.1 && alone > 22.0, "{algorithm}: {why}");
    }
}

/// The transfer time without other messages is a fact, not an assumption.
#[test]
fn whatever_is_compared_has_the_transfer_of_a_message_alone() {
    const SHORT: (&str, &str) = ("switching.buffer_flits", "1");
    const FAR: (&str, &str) = ("switching.channel_delay", "3");
    const STORED: (&str, &str) = ("switching.forwarding", "StoreAndForward");
    const LONG: (&str, &str) = ("switching.buffer_flits", "32");
    const SHARES: (&str, &str) = ("switching.bandwidth", "Fixed");
    const NEAR: (&str, &str) = ("traffic.destinations", "Sphere(radius: 2, percent: 90)");
    for name in ["torus-8x8", "mesh-8x8", "one-way-torus-8x8", "papers/mesh-8x8-20"] {
        for set in [&[][..], &[SHORT], &[FAR], &[STORED, LONG], &[SHARES], &[NEAR]] {
            let system = system(name, set);
            let Some(Reference { equations: Ok(equations), .. }) = Reference::of(&system) else {
                continue;
            };
            let low = equations.predict(Rate(RARE * equations.overflow())).unwrap();
            let reckoned = low.part(Part::Transfer).unwrap();
            let exact = alone(&system, system.wormhole().unwrap()).unwrap().transfer;
            assert!(
                (reckoned / exact - 1.0).abs() < TRANSFER,
                "{name} {set:?}: {reckoned} {exact}"
            );
        }
    }
}
