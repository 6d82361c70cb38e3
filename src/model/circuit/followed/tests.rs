//! Compares the equations of any network with a second implementation, written from the paper's
//! equations state by state, and with those of symmetric networks.

use std::sync::Arc;

use super::*;
use crate::model::circuit::parameters::{DataTime, Equations, Reading, Solution};
use crate::routing::{Classes, Paths, Rising, Roots, Routing};
use crate::switching::Circuit;
use crate::switching::circuit::{Conflict, Duplex};
use crate::topology::Network;
use crate::topology::cube::{Cube, Family};
use crate::topology::generators::{Butterfly, FatTree, Generator};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::Rate;

const DATA: DataTime = DataTime::Uniform { min: 0.1, max: 1.9 };

fn system(network: Network, routing: Routing, machine: Circuit) -> System {
    let lengths = Lengths::Uniform { min: 1_000, max: 19_000 };
    let traffic = Traffic::random(Process::Poisson, Rate(0.1), Destinations::Uniform, lengths);
    System::new(Arc::new(network), routing, machine, traffic)
}

fn machine(conflict: Conflict) -> Circuit {
    let times = Circuit { verify: 0.002, connect: 0.003, release: 0.004, ..Circuit::new(conflict) };
    Circuit { acknowledge: 0.005, duplex: Duplex::Full, ..times }
}

fn equations(system: &System, reading: Reading) -> Equations {
    let (shape, routes) = Routes::through(system).unwrap();
    let machine = *system.circuit().unwrap();
    Equations { shape, routes, machine, data: DATA, reading }
}

fn butterfly(conflict: Conflict) -> System {
    let network = Generator::Butterfly(Butterfly { arity: 4, levels: 2 }).network().unwrap();
    let routing = match conflict {
        Conflict::Adaptive { .. } => Routing::Minimal { classes: Rising::None },
        Conflict::Hold | Conflict::Drop { .. } => Routing::shortest_path(Paths::Split),
    };
    system(network, routing, machine(conflict))
}

/// A butterfly of two stages: three links of every route, all used alike but for messages to oneself.
const LINKS: u32 = 3;
const LINKS_PER_NODE: f64 = 3.0;

/// The waiting times of appendix A by services with their rates.
fn queue(services: &[(f64, f64)]) -> f64 {
    let load: f64 = services.iter().map(|(rate, time)| rate * time).sum();
    services.iter().map(|(rate, time)| rate * time * time).sum::<f64>() / 2.0 / (1.0 - load)
}

/// Latency of hold: (3) to (8), (A.1) to (A.5) and (B.1) to (B.8) by states, repeated until they agree,
/// with messages per link and per controller.
fn hold_by_states(machine: &Circuit, per_link: f64, per_controller: f64) -> [f64; 2] {
    let Circuit { verify, connect, release, acknowledge, .. } = *machine;
    let m = f64::from(LINKS);
    let (mut wait, mut conflict, mut queued) = (0.0, 0.0, 0.0);
    for _ in 0..100_000 {
        let (look, free) = (queued + verify, queued + release);
        let set_up = look + connect + wait;
        let held = |time: f64| (1..=LINKS).map(|k| per_link * f64::from(k) * time).sum::<f64>();
        let held = [held(set_up), per_link * m * acknowledge, per_link * m, held(free)];
        conflict = held.iter().sum();
        let released = free * f64::midpoint(m, 1.0);
        let rest = acknowledge + 1.0 + released;
        // (5), weighted by the links held in state k.
        let mean = |of: &dyn Fn(f64) -> f64| {
            let states = (1..=LINKS).map(f64::from);
            states.clone().map(|k| k * of(k)).sum::<f64>() / states.sum::<f64>()
        };
        let residual = 1.27 / 2.0;
        let waits = [
            mean(&|k| (m - k) * set_up + rest),
            rest,
            residual + released,
            mean(&|k| free * f64::midpoint(k, 1.0)),
        ];
        wait = held.iter().zip(waits).map(|(held, wait)| held * wait).sum();
        let rate = per_controller * m;
        queued = queue(&[
            (rate * (1.0 - conflict), verify + connect),
            (rate * conflict, verify),
            (rate * (1.0 - conflict), release),
            (rate * conflict, release + connect),
        ]);
    }
    let latency =
        m * (queued + verify + connect + wait) + acknowledge + 1.0 + m * (queued + release);
    [latency, conflict]
}

/// Latency and aborts of drop without repeated conflicts: (9), (14) to (26), (B.9), by states.
fn drop_by_states(machine: &Circuit, per_link: f64, per_controller: f64) -> [f64; 2] {
    let Circuit { verify, connect, release, acknowledge, .. } = *machine;
    let back_off = machine.back_off().unwrap();
    let m = LINKS as usize;
    let (mut busy, mut queued, mut found) = (0.0, 0.0, [0.0; 2]);
    for _ in 0..10_000 {
        let (look, free) = (queued + verify, queued + release);
        let aborts = (1.0f64 - busy).powf(-f64::from(LINKS)) - 1.0;
        // Flows per message: forward, conflicts, and back.
        let (mut enters, mut forward, mut conflicts) = (1.0 + aborts, Vec::new(), Vec::new());
        for _ in 0..m {
            conflicts.push(enters * busy);
            enters *= 1.0 - busy;
            forward.push(enters);
        }
        let mut back = vec![0.0; m];
        back[m - 1] = conflicts[m - 1];
        for i in (0..m - 1).rev() {
            back[i] = back[i + 1] + conflicts[i];
        }
        let visits: f64 = (0..m).map(|i| forward[i] + conflicts[i]).sum();
        let connected: f64 = forward.iter().sum();
        let undone: f64 = back[1..].iter().sum();
        let index = |i: usize| i as f64;
        let held: f64 = (1..m).map(|i| (forward[i] + conflicts[i]) * index(i) * look).sum::<f64>()
            + (0..m).map(|i| forward[i] * index(i + 1) * connect).sum::<f64>()
            + (1..m).map(|i| back[i] * index(i) * free).sum::<f64>()
            + index(m) * (acknowledge + 1.0)
            + (1..=m).map(|i| index(i) * free).sum::<f64>();
        busy = per_link * held;
        queued = queue(&[
            (per_controller * connected, verify + connect),
            (per_controller * (visits - connected), verify),
            (per_controller * (undone + index(m)), release),
        ]);
        let set_up =
            visits * look + connected * connect + undone * free + aborts * back_off + acknowledge;
        found = [set_up + 1.0 + index(m) * free, aborts];
    }
    found
}

fn close(found: f64, expected: f64, within: f64) {
    assert!((found / expected - 1.0).abs() < within, "{found}, not {expected}");
}

#[test]
fn a_multistage_network_has_the_equations_of_the_paper_by_its_stages() {
    const DROP: Conflict = Conflict::Drop { back_off: 1.5 };
    for rate in [0.02, 0.1] {
        for (conflict, reading) in [(Conflict::Hold, Reading::Text), (DROP, Reading::TextFirst)] {
            let system = butterfly(conflict);
            let equations = equations(&system, reading);
            assert!((equations.mean_links() - LINKS_PER_NODE).abs() < 1e-12);
            // Not all routes between stages are used alike, as no message returns to its source.
            close(equations.shape.links_per_node(), LINKS_PER_NODE, 0.02);
            let (per_link, per_controller) =
                (equations.per_link(rate), equations.per_controller(rate));
            let by_states =
                if conflict == Conflict::Hold { hold_by_states } else { drop_by_states };
            let machine = system.circuit().unwrap();
            let [latency, second] = by_states(machine, per_link, per_controller);
            let found: Solution = equations.solve(rate).unwrap();
            close(found.latency(), latency, 1e-9);
            let hold = conflict == Conflict::Hold;
            close(if hold { found.conflict } else { found.aborts }, second, 1e-8);
        }
    }
}

#[test]
fn adaptive_without_a_choice_is_drop_without_repeated_conflicts() {
    let adaptive = butterfly(Conflict::Adaptive { back_off: 1.5 });
    let adaptive = equations(&adaptive, Reading::Text).solve(0.1).unwrap();
    let drop = butterfly(Conflict::Drop { back_off: 1.5 });
    let drop = equations(&drop, Reading::TextFirst).solve(0.1).unwrap();
    close(adaptive.latency(), drop.latency(), 1e-9);
    close(adaptive.aborts, drop.aborts, 1e-9);
}

#[test]
fn symmetric_networks_have_nearly_their_own_refined_equations() {
    let cube = Cube::network(Family::Hypercube, &[2; 6]);
    let torus = Cube::network(Family::Torus { unidirectional: true }, &[8, 8]);
    for (network, duplex, rate) in
        [(cube.clone(), Duplex::Half, 0.2), (cube, Duplex::Full, 0.3), (torus, Duplex::Full, 0.04)]
    {
        let network_is_ring = network.wraps();
        let shape = if network.is_hypercube() {
            Shape::Cube { dimensions: 6, full_duplex: duplex == Duplex::Full }
        } else {
            Shape::OneWayTorus { radix: 8 }
        };
        let machine = Circuit { duplex, ..Circuit::new(Conflict::Hold) };
        let system = system(network, Routing::dimension_order(Classes::None), machine);
        let found = equations(&system, Reading::Refined);
        let own = Equations { shape, routes: Routes::uniform(shape), ..found.clone() };
        close(found.mean_links(), own.mean_links(), 1e-9);
        close(found.shape.links_per_node(), shape.links_per_node(), 1e-9);
        // The rest of a route in a ring depends on its beginning.
        let within = if network_is_ring { 0.06 } else { 0.03 };
        close(found.solve(rate).unwrap().latency(), own.solve(rate).unwrap().latency(), within);
    }
}

#[test]
fn the_routes_of_a_fat_tree_are_those_of_its_levels() {
    let network = || Generator::FatTree(FatTree { arity: 4, levels: 3 }).network().unwrap();
    let up = Routing::UpDown { roots: Roots::Hosts, paths: Paths::Split };
    let hold = system(network(), up, machine(Conflict::Hold));
    let adaptive = Conflict::Adaptive { back_off: 1.5 };
    let adaptive = system(network(), Routing::Minimal { classes: Rising::None }, machine(adaptive));
    for system in [&hold, &adaptive] {
        let (shape, routes) = Routes::through(system).unwrap();
        // 3 hosts below the same router, 12 below the same pair of levels, 48 beyond.
        let expected = [0.0, 3.0 / 63.0, 0.0, 12.0 / 63.0, 0.0, 48.0 / 63.0];
        assert!(routes.shares.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12));
        let Links::Stages(stages) = &routes.links else { panic!("followed one by one") };
        // Up and down at both levels, and at the hosts, each link with its flow.
        let flows = [(128.0, 1.0), (64.0 * 2.0, 60.0 / 63.0), (64.0 * 2.0, 48.0 / 63.0)];
        let [sum, squares] = [1, 2].map(|power| {
            flows.iter().map(|(n, flow): &(f64, f64)| n * flow.powi(power)).sum::<f64>()
        });
        close(shape.links_per_node(), sum * sum / squares / 64.0, 1e-9);
        let up = &stages.choices[5][1];
        let free = system.relation.routing().offers_choice();
        assert_eq!(up.len() - 1, if free { 4 } else { 1 }, "{up:?}");
    }
}
