//! Letters of messages: a function of the run and the cycle, alone and in comparisons.

use std::collections::{BTreeMap, BTreeSet};

use flitscope::engine::Snapshot;
use flitscope::ids::{Letter, MessageId};
use flitscope::routing::{Classes, Escape, Routing};
use flitscope::session::Session;
use flitscope::session::runs::Runs;
use flitscope::session::tape::{Keep, SeekProgress, Tape};
use flitscope::stats::WarmUp;
use flitscope::switching::OnDeadlock;
use flitscope::system::System;
use flitscope::units::Cycle;
use proptest::prelude::*;

use super::winding::scenario;
use crate::systems::{any_router, circuit_system, torus, uniform};

const END: u64 = 600;

/// The letters of the messages in the network, and of those that have had some.
type Letters = BTreeMap<MessageId, Letter>;

fn of(snapshot: &Snapshot) -> Letters {
    let worms = snapshot.worms.iter().map(|worm| (worm.name(), worm.letter));
    let circuits = snapshot.circuits.iter();
    worms.chain(circuits.filter_map(|it| Some((it.name(), it.letter?)))).collect()
}

fn letters(runs: &Runs, second: bool) -> Letters {
    let mut snapshot = Snapshot::default();
    runs.run(second).observe(&mut snapshot);
    if second {
        runs.share_labels(&mut snapshot);
    }
    of(&snapshot)
}

/// The same, which must be different letters.
fn unique(runs: &Runs, second: bool) -> Result<Letters, TestCaseError> {
    let letters = letters(runs, second);
    let all: BTreeSet<Letter> = letters.values().copied().collect();
    prop_assert_eq!(all.len(), letters.len());
    Ok(letters)
}

/// The letters of both runs in every step.
fn straight(mut runs: Runs, step: u64) -> Result<Vec<[Letters; 2]>, TestCaseError> {
    let mut known: Vec<[Letters; 2]> = Vec::new();
    runs.want_letters();
    for at in 0..=END {
        runs.advance(Cycle(at * step));
        known.push([unique(&runs, false)?, unique(&runs, true)?]);
    }
    Ok(known)
}

/// A system, another machine for the same messages, and the cycles in a step.
fn systems() -> impl Strategy<Value = (System, System, u64)> {
    let other = |system: &System| {
        let mut other = system.clone();
        if let flitscope::switching::Switching::Wormhole(machine) = &mut other.switching {
            machine.buffer_flits += 2;
        }
        other
    };
    let pair = move |step| move |system: System| (system.clone(), other(&system), step);
    prop_oneof![
        3 => any_router().prop_map(pair(1)),
        1 => circuit_system().prop_map(pair(17)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn letters_are_a_function_of_the_run_and_the_cycle(
        (system, other, step) in systems(),
        seed in any::<u64>(),
        two in any::<bool>(),
        bytes in prop::sample::select(vec![usize::MAX / 2, 600_000, 0]),
        ways in prop::collection::vec((0..END, 0u64..80, 1u64..300), 1..12),
    ) {
        let first = Session::new(scenario(system), seed, 0, WarmUp::Automatic);
        let alone = straight(Runs::from(first.clone()), step)?;
        let runs = if two { Runs::two(first, scenario(other)) } else { Runs::from(first) };
        let known = straight(runs.clone(), step)?;
        let mut tape = Tape::new(runs, Keep { bytes, work_per_byte: 0 });
        tape.advance(Cycle(END * step));
        for &(to, lead, slice) in &ways {
            tape.seek(Cycle(to * step), lead);
            while let SeekProgress::Going | SeekProgress::Passing = tape.advance_seek(slice) {}
            for piece in 0..slice.min(40) {
                let now = tape.now().0;
                if now.is_multiple_of(step) {
                    let [one, other] = &known[(now / step) as usize];
                    let runs = tape.runs();
                    prop_assert_eq!(&letters(runs, false), one);
                    prop_assert_eq!(&letters(runs, true), other);
                    // A comparison does not change what the first calls its messages.
                    prop_assert_eq!(one, &alone[(now / step) as usize][0]);
                }
                tape.advance(Cycle((now / step + 1 + piece % 3) * step).min(Cycle(END * step)));
            }
        }
    }

    #[test]
    fn a_message_keeps_its_letter_from_its_first_hold_to_its_delivery(
        (system, other, step) in systems(),
        seed in any::<u64>(),
    ) {
        let aborts = system.wormhole().is_some_and(|it| it.on_deadlock == OnDeadlock::Abort);
        let first = Session::new(scenario(system), seed, 0, WarmUp::Automatic);
        let known = straight(Runs::two(first, scenario(other)), step)?;
        for pair in known.windows(2) {
            let [before, after] = pair else { continue };
            for (name, letter) in &before[0] {
                prop_assert!(after[0].get(name).is_none_or(|now| now == letter));
            }
            // In the second a message changes its letter for that of the first, or yields it to one
            // that has it in the first. (Of aborted worms, pictures do not tell the letter.)
            for (name, letter) in before[1].iter().filter(|_| step == 1 && !aborts) {
                let Some(now) = after[1].get(name).filter(|&now| now != letter) else { continue };
                let yields = after[0].values().any(|other| other == letter);
                prop_assert!(after[0].get(name) == Some(now) || yields, "{name:?}");
            }
        }
    }
}

#[test]
fn the_same_messages_are_called_alike_in_two_runs() {
    let adaptive = Routing::minimal_adaptive(Escape::Dateline);
    let fixed = Routing::dimension_order(Classes::Destination);
    let [system, other] =
        [adaptive, fixed].map(|routing| torus(&[8, 8], routing, 3, 4, uniform(0.02, 16)));
    let first = Session::new(scenario(system), 7, 0, WarmUp::Automatic);
    let mut runs = Runs::two(first, scenario(other));
    runs.want_letters();
    let mut both = 0;
    for cycle in 1..3_000 {
        runs.advance(Cycle(cycle));
        let [first, second] = [false, true].map(|second| letters(&runs, second));
        for (name, letter) in &first {
            assert!(second.get(name).is_none_or(|there| there == letter), "{cycle}: {name:?}");
            both += u32::from(second.contains_key(name));
        }
    }
    assert!(both > 10_000, "{both}");
}
