//! Tests of `calendar`.

use proptest::prelude::*;

use super::*;

proptest! {
    /// As many sources, with gaps of every size, as a sorted list would give them.
    #[test]
    fn arrivals_come_in_the_order_of_time_and_source(
        firsts in prop::collection::vec(prop::option::weighted(0.9, 0..5000u64), 1..60),
        gaps in prop::collection::vec((0..20u32, 0..1u64 << 20), 300),
    ) {
        let mut calendar = Calendar::new(firsts.len());
        let mut all: Vec<(u64, u32)> = (0..).zip(&firsts).filter_map(|(source, due)| due.map(|due| (due, source))).collect();
        calendar.fill(firsts.into_iter());
        for (shift, gap) in gaps {
            all.sort_unstable();
            let Due { cycle, node, .. } = calendar.first();
            prop_assert_eq!((cycle, node), all.first().copied().unwrap_or((u64::MAX, u32::MAX)));
            let Some(first) = all.first_mut() else { break };
            first.0 += gap >> shift;
            calendar.follow(first.0);
        }
    }
}

#[test]
fn nothing_comes_where_nobody_sends() {
    let mut calendar = Calendar::new(3);
    assert_eq!(calendar.first().cycle, u64::MAX);
    calendar.fill([None; 3].into_iter());
    assert_eq!(calendar.first().cycle, u64::MAX);
}
