//! Tests of figures by message class.

use std::num::NonZeroU64;

use super::*;

fn delivery(message_class: u8, latency: u64, round_trip: Option<u64>) -> Observation {
    let length = 1 + 4 * u32::from(message_class);
    Observation {
        born: 0,
        done: latency,
        network_latency: latency,
        transfer: latency,
        hops: 1,
        length,
        channel_time: 1,
        aborts: 0,
        head_waits: None,
        message_class,
        round_trip: round_trip.and_then(NonZeroU64::new),
        virtual_waits: None,
    }
}

#[test]
fn classes_have_their_own_means_and_quantiles() {
    let mut sums = ByClass::new(2);
    for observation in [delivery(0, 10, None), delivery(0, 20, None), delivery(1, 40, Some(65))] {
        sums.load(&observation);
        sums.record(&observation);
    }
    let found = sums.summaries(|flits| Some(flits as f64 / 10.0));
    assert_eq!(
        (found[0].messages, found[0].latency_mean, found[0].latency_p99),
        (2, Some(15.0), Some(20))
    );
    assert_eq!(found[0].flits_per_node_cycle, Some(0.2));
    assert_eq!((found[1].messages, found[1].latency_mean), (1, Some(40.0)));
    assert_eq!(found[1].flits_per_node_cycle, Some(0.5));
    let trips = sums.round_trips().unwrap();
    assert_eq!((trips.messages, trips.latency_mean, trips.latency_p50), (1, Some(65.0), Some(65)));
    let both = ClassSummary::combine(&[found[0], found[1]]);
    assert_eq!((both.messages, both.latency_p50), (3, None));
    assert!((both.latency_mean.unwrap() - 70.0 / 3.0).abs() < 1e-12);
    assert!((both.flits_per_node_cycle.unwrap() - 0.35).abs() < 1e-12);
}

#[test]
fn messages_without_classes_have_no_figures_by_class() {
    let mut sums = ByClass::new(0);
    sums.load(&delivery(0, 10, None));
    sums.record(&delivery(0, 10, Some(10)));
    assert!(sums.summaries(|_| None).is_empty() && sums.round_trips().is_none());
    assert_eq!(sums.hash(7), 7);
}
