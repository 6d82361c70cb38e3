//! The log of the warm-up: what copies share, and what is let go.

use super::*;
use proptest::prelude::*;

fn observation(done: u64) -> Observation {
    Observation {
        born: 0,
        done,
        network_latency: 1,
        transfer: 1,
        hops: 1,
        length: 1,
        channel_time: 1,
        aborts: 0,
    }
}

proptest! {
    #[test]
    fn it_is_a_list_however_it_is_cut_and_copied(
        steps in prop::collection::vec((0usize..700, 0usize..900, any::<bool>()), 1..12),
    ) {
        let (mut log, mut plain) = (Log::default(), Vec::new());
        let mut other = Log::default();
        other.push(observation(9));
        for (pushes, cuts, copies) in steps {
            for _ in 0..pushes {
                let next = observation(plain.last().map_or(0, |last: &Observation| last.done + 1));
                log.push(next);
                plain.push(next);
            }
            let cuts = cuts.min(plain.len());
            log.cut_front(cuts);
            plain.drain(..cuts);
            if copies {
                other.clone_from(&log);
                prop_assert!(other.shared_bytes(&log) == log.full.len() * Log::block_bytes());
                std::mem::swap(&mut log, &mut other);
            }
            prop_assert_eq!(log.len(), plain.len());
            prop_assert!(log.from(0).eq(plain.iter()));
            let middle = plain.len() / 2;
            prop_assert!(log.from(middle).eq(plain[middle..].iter()));
            if let Some(last) = plain.len().checked_sub(1) {
                prop_assert_eq!(log.at(last), &plain[last]);
                prop_assert_eq!(log.at(middle), &plain[middle]);
            }
        }
    }
}

#[test]
fn copies_share_what_is_full_and_no_more() {
    let mut log = Log::default();
    for done in 0..1_000 {
        log.push(observation(done));
    }
    let copy = log.clone();
    for done in 1_000..1_300 {
        log.push(observation(done));
    }
    assert_eq!(log.shared_bytes(&copy), 3 * Log::block_bytes());
    assert_eq!(copy.shared_bytes(&log), 3 * Log::block_bytes());
    assert_eq!((copy.len(), log.len()), (1_000, 1_300));
    log.cut_front(600);
    assert_eq!(log.shared_bytes(&copy), Log::block_bytes());
}
