//! Tests of the allocators: matchings without gaps, and a second implementation of the wavefront.

use super::super::super::arbiter::{Matching, Request, diagonal};
use super::super::super::rules::Other;
use super::*;

/// A loaded mesh whose routers have an allocator.
fn engine(allocator: &str, routing: &str) -> RouterEngine {
    let machine = format!("pipeline: Stages(route: 1, allocator: {allocator}), release: Credit");
    let system = system("Mesh(radix: [4, 4])", routing, (&machine, [4, 4]), 0.9, 3);
    RouterEngine::new(&system, 5, 0)
}

/// Flits that stay although their input and their output of the crossbar are unused, and heads that wait
/// although a VC is free, after the last cycle.
fn left_over(engine: &RouterEngine) -> [usize; 2] {
    let (state, last) = (&engine.state, engine.internal - 1);
    let mut candidates = Vec::new();
    let flits = state.ports.iter().enumerate().flat_map(|(channel, port)| {
        (0..state.vcs).filter(|v| port.bids >> v & 1 == 1).map(move |v| state.slot(channel, v))
    });
    let stays = |&slot: &u32| {
        let buffer = &state.buffers[slot as usize];
        let request = Request { row: slot, resource: buffer.out >> state.shift };
        buffer.ready <= last && state.is_open(request, last)
    };
    let waits = |&&slot: &&u32| {
        engine.candidates_of(slot, &mut candidates);
        let is_free =
            candidates.iter().any(|it| state.ports[it.channel.index()].free & it.vcs != 0);
        state.buffers[slot as usize].ready <= last && is_free
    };
    [flits.filter(stays).count(), state.waiting.iter().filter(waits).count()]
}

/// Sums of what is left over in each cycle, and the flits consumed.
fn run(allocator: &str, routing: &str) -> ([usize; 2], u64) {
    let mut engine = engine(allocator, routing);
    let mut sums = [0; 2];
    for _ in 0..1_500 {
        engine.step();
        let found = left_over(&engine);
        sums = [sums[0] + found[0], sums[1] + found[1]];
    }
    (sums, engine.common.counters.flits_consumed)
}

#[test]
fn further_iterations_and_wavefronts_leave_nothing_that_can_move() {
    for routing in ["DimensionOrder()", "MinimalAdaptive(escape: Destination)"] {
        for full in ["Islip(iterations: 16)", "Wavefront"] {
            assert_eq!(run(full, routing).0, [0, 0], "{full} {routing}");
        }
        let [one, three] = [1, 3].map(|it| run(&format!("Islip(iterations: {it})"), routing));
        let (separable, _) = run("Separable", routing);
        assert!(one.0[0] > 2 * three.0[0] && one.0[1] > three.0[1], "{one:?} {three:?}");
        assert!(separable[0] > 0 && separable[1] > 0, "{separable:?}");
        assert!(three.1 > one.1, "{one:?} {three:?}");
    }
}

#[test]
fn wavefronts_grant_what_a_walk_over_the_diagonals_of_the_matrix_grants() {
    let mut engine = engine("Wavefront", "MinimalAdaptive(escape: Destination)");
    let (mut checked, mut candidates) = (0, Vec::new());
    for _ in 0..400 {
        // The requests for VCs of the next cycle, as a matrix for each router.
        let mut next = engine.clone();
        next.arrive::<Other>();
        if next.common.sources.next_arrival() <= next.now {
            next.generate();
        }
        next.inject();
        let state = &next.state;
        let routers = next.common.network.routers();
        let mut matrix = vec![Vec::<[u32; 2]>::new(); routers];
        for &slot in &state.waiting {
            if state.buffers[slot as usize].ready > next.internal {
                continue;
            }
            next.candidates_of(slot, &mut candidates);
            let router = state.ports[state.split(slot).0].to as usize;
            for it in &candidates {
                let free = state.ports[it.channel.index()].free & it.vcs;
                let wanted = (0..state.vcs).filter(|v| free >> v & 1 == 1);
                matrix[router].extend(wanted.map(|v| [slot, state.slot(it.channel.index(), v)]));
            }
        }
        let mut expected = Vec::new();
        for requests in &matrix {
            let Some(&[slot, wanted]) = requests.first() else { continue };
            let size = state.input_lane(slot).1.max(state.output_lane(wanted).1);
            let (mut rows, mut columns) = (Vec::new(), Vec::new());
            for wave in 0..size {
                for row in 0..size {
                    let column = (next.internal as u32 + wave + size * 2 - row) % size;
                    let place = |it: &&[u32; 2]| {
                        (state.input_lane(it[0]).0, state.output_lane(it[1]).0) == (row, column)
                    };
                    let taken = rows.contains(&row) || columns.contains(&column);
                    if let Some(request) = requests.iter().find(place).filter(|_| !taken) {
                        expected.push(*request);
                        rows.push(row);
                        columns.push(column);
                    }
                }
            }
        }
        engine.step();
        let buffers = &engine.state.buffers;
        let is_granted = |[slot, wanted]: &[u32; 2]| {
            buffers[*slot as usize].stage != Stage::Waiting
                && buffers[*slot as usize].out == *wanted
        };
        let granted: Vec<_> = matrix.concat().into_iter().filter(is_granted).collect();
        checked += granted.len();
        expected.sort_unstable();
        let mut sorted = granted.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected);
    }
    assert!(checked > 1_000, "{checked}");
}

#[test]
fn requests_of_a_diagonal_share_nothing_and_every_diagonal_comes_first_in_turn() {
    for now in 0..35 {
        for (inputs, outputs) in [(5, 5), (7, 3), (2, 6)] {
            let size = inputs.max(outputs);
            for wave in 0..size {
                let all = (0..inputs).flat_map(|i| (0..outputs).map(move |o| [i, o]));
                let of = |it: &[u32; 2]| diagonal([(it[0], inputs), (it[1], outputs)], now) == wave;
                let found: Vec<_> = all.filter(of).collect();
                for (at, one) in found.iter().enumerate() {
                    let rest = &found[at + 1..];
                    assert!(rest.iter().all(|it| it[0] != one[0] && it[1] != one[1]));
                }
            }
            let first = (now % u64::from(size)) as u32;
            let corner =
                [(first.min(inputs - 1), inputs), (first - first.min(inputs - 1), outputs)];
            assert_eq!(diagonal(corner, now), 0);
        }
    }
}

#[test]
fn another_iteration_ranks_only_open_requests() {
    let mut matching = Matching::new(3);
    for (row, resource, rank) in [(0, 0, 1), (0, 1, 0), (1, 0, 2), (2, 1, 3), (2, 2, 9)] {
        matching.request(Request { row, resource }, rank);
    }
    let accepted = |matching: &Matching| {
        let of = matching.by_requester(|row| row);
        let first = of.filter_map(|it| matching.accepted(it, |it| it.resource.into()));
        first.map(|it| [it.row, it.resource]).collect::<Vec<_>>()
    };
    assert_eq!(accepted(&matching), [[0, 0], [2, 2]]);
    assert!(matching.retain_open(|it| it.row == 1 || it.resource == 1, |it| it.row.into()));
    assert_eq!(accepted(&matching), [[0, 1], [1, 0]]);
    assert!(!matching.retain_open(|_| false, |_| 0));
}
