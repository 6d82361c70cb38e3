//! Tests of warm-ups in series with and without a transient.

use super::*;
use crate::random::{Purpose, Streams};
use proptest::prelude::*;

fn mser(latencies: &[u64]) -> Option<usize> {
    truncation(latencies.iter().copied())
}

#[test]
fn the_truncation_is_the_one_worked_by_hand() {
    // Batch means 9 1 2 1 2 1 2. d = 0: squares 96 − 18²/7 = 49.714, by 49: 1.0146.
    // d = 1: 15 − 9²/6 = 1.5, by 36: 0.0417. d = 2: 14 − 8²/5 = 1.2, by 25: 0.048.
    let latencies: Vec<u64> = [9, 1, 2, 1, 2, 1, 2].iter().flat_map(|&z| [z; 5]).collect();
    assert_eq!(mser(&latencies), Some(1));
    // Without the first, nothing is left out: 0.0417 against 0.048.
    assert_eq!(mser(&latencies[5..]), Some(0));
    // Means, not single values, count: the same batch sums, and a batch begun is ignored.
    let mut shuffled: Vec<u64> =
        [9u64, 1, 2, 1, 2, 1, 2].iter().flat_map(|&z| [5 * z, 0, 0, 0, 0]).collect();
    shuffled.extend([1_000_000; 4]);
    assert_eq!(mser(&shuffled), Some(1));
}

#[test]
fn equal_latencies_need_no_warm_up_and_few_are_not_judged() {
    assert_eq!(mser(&[13; 1_000]), Some(0));
    assert_eq!(mser(&[13; 29]), None);
    assert_eq!(mser(&[]), None);
}

/// Observations of latencies `mean + rise · e^(−n/decay)` plus autoregressive noise, 10 cycles
/// apart.
fn transient(replication: u32, rise: f64, decay: f64) -> impl Iterator<Item = Observation> {
    let mut stream = Streams::new(7, replication, Purpose::Arrivals).next_node();
    let mut noise = 0.0;
    (0u64..).map(move |n| {
        noise = 0.8 * noise + 10.0 * (stream.exponential() - 1.0);
        let latency = (200.0 + rise * (-(n as f64) / decay).exp() + noise).max(1.0) as u64;
        let done = 10 * (n + 1);
        Observation {
            born: done.saturating_sub(latency),
            done,
            network_latency: latency.min(done),
            transfer: 1,
            hops: 1,
            length: 1,
            channel_time: 1,
            aborts: 0,
            head_waits: None,
            message_class: 0,
            round_trip: None,
            virtual_waits: None,
        }
    })
}

fn settle(search: &mut Search, observations: impl Iterator<Item = Observation>) -> Settled {
    observations.into_iter().find_map(|observation| search.record(observation)).unwrap()
}

#[test]
fn a_transient_is_left_out_and_little_more() {
    // For a transient 300 · e^(−n/decay), the mean has a bias of 300 · decay / kept if nothing is
    // left out: 15 to 120 here. The noise adds a standard error of at most 2.2.
    for replication in 0..20 {
        for decay in [50.0, 200.0, 400.0] {
            let mut search = Search::new(16, 0);
            // The first messages would have been generated before cycle 0.
            let found = settle(&mut search, transient(replication, 300.0, decay).skip(60));
            assert!(found.stationary);
            let kept: Vec<Observation> = search.kept.from(found.left_out).copied().collect();
            let left_out = found.left_out as f64 + 60.0;
            let bias = 300.0 * (-left_out / decay).exp() * decay / kept.len() as f64;
            assert!(bias < 8.0, "{replication} {decay} {left_out}: {bias}");
            let mean = kept.iter().map(|x| x.latency() as f64).sum::<f64>() / kept.len() as f64;
            // Truth 199.5 (rounded down); six standard errors.
            assert!((mean - 199.5 - bias).abs() < 6.0 * 2.3, "{replication} {decay}: {mean}");
        }
    }
}

#[test]
fn data_without_a_transient_are_kept_at_the_first_test() {
    let mut kept_most = 0;
    for replication in 0..400 {
        let mut search = Search::new(16, 0);
        let observations = transient(replication, 0.0, 1.0).skip(100);
        let found = settle(&mut search, observations);
        assert!(found.stationary);
        kept_most += u32::from(found.left_out <= 250 && search.kept.len() == 1_000);
    }
    // White's rule leaves out more than a quarter of stationary data occasionally, in far fewer
    // than one of ten sets.
    assert!(kept_most >= 350, "{kept_most}");
}

#[test]
fn latencies_that_grow_for_ever_are_given_up_at_the_stated_limit() {
    let growing = (1u64..).map(|n| {
        let done = 4 * n;
        Observation {
            born: 3 * n,
            done,
            network_latency: 1,
            transfer: 1,
            hops: 1,
            length: 1,
            channel_time: 1,
            aborts: 0,
            head_waits: None,
            message_class: 0,
            round_trip: None,
            virtual_waits: None,
        }
    });
    let mut search = Search::new(16, 0);
    let found = settle(&mut search, growing);
    assert!(!found.stationary);
    assert!(search.seen >= 4 << 15 && search.seen < 5 << 15);
    assert!(search.kept.len() <= 1 << 15);
    assert_eq!(found.left_out, search.kept.len() / 2);
    // Still in order, the last delivered last.
    assert_eq!(search.kept.at(search.kept.len() - 1).done, 4 * search.seen);
    assert_eq!(search.settled_after(found.left_out), search.kept.at(found.left_out).done - 4);
}

#[test]
fn messages_within_a_few_latencies_are_not_enough() {
    // 1 000 nodes deliver 25 messages a cycle, each after 300 cycles: 8 000, the first test, take
    // 320 cycles.
    let dense = (0u64..).map(|n| {
        let done = 300 + n / 25;
        Observation {
            born: done - 300,
            done,
            network_latency: 300,
            transfer: 1,
            hops: 1,
            length: 1,
            channel_time: 1,
            aborts: 0,
            head_waits: None,
            message_class: 0,
            round_trip: None,
            virtual_waits: None,
        }
    });
    let mut search = Search::new(1_000, 0);
    let found = settle(&mut search, dense);
    assert_eq!(found, Settled { left_out: 0, stationary: true });
    // Five latencies from cycle 0 end 1 200 cycles after the first delivery.
    assert_eq!(search.settled_after(0), 0);
    assert!(search.seen >= 30_000 && search.seen <= 45_000, "{}", search.seen);
}

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
        head_waits: None,
        message_class: 0,
        round_trip: None,
        virtual_waits: None,
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

#[test]
fn its_size_is_that_of_its_lists() {
    let mut log = Log::default();
    for done in 0..1_300 {
        log.push(observation(done));
    }
    let (one, word) = (size_of::<Observation>(), size_of::<usize>());
    // A block has two counters, and the address, the capacity and the length of its list.
    assert_eq!(Log::block_bytes(), 256 * one + 5 * word);
    let pointers = log.full.capacity() * word;
    assert_eq!(log.get_heap_size(), 5 * (256 * one + 5 * word) + pointers + 256 * one);
    assert_eq!(Log::default().get_heap_size(), 0);
}
