//! Tests of `transmissions`.

use super::*;
use crate::random::mix;

#[test]
fn they_end_by_tick_and_then_in_the_order_of_scheduling() {
    // Ranges from means with most ends rounds later to means with all ends in a bucket.
    for mean in [1, 10, 1_000, 100_000, 1 << 40] {
        let mut transmissions = Transmissions::new(64, mean);
        let mut calls = vec![Call::FREE; 300];
        let (mut random, mut now) = (mean, 0);
        let mut waiting: Vec<u32> = Vec::new();
        for call in 0..300u32 {
            for _ in 0..call % 4 {
                let Some(&next) = waiting.iter().min_by_key(|&&call| calls[call as usize].due)
                else {
                    break;
                };
                assert_eq!(transmissions.first(), next);
                assert_eq!(transmissions.pop(&mut calls), Some(next));
                waiting.retain(|&call| call != next);
                now = calls[next as usize].due.0;
            }
            random = mix(random, 1);
            let due = now + random % [7, 1_000, 5_000_000][call as usize / 3 % 3];
            calls[call as usize].due = (due, u64::from(call));
            transmissions.insert(&mut calls, call);
            waiting.push(call);
            assert_eq!(transmissions.members(&calls).count(), waiting.len());
        }
    }
    assert_eq!(Transmissions::new(1, 0).pop(&mut []), None);
}
