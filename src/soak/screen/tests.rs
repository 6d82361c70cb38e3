//! A round on the screen ends when its time is over.

use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

#[test]
fn a_round_is_cut_short_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let actions = |lines: u32| {
        let (asked, mut tally) = (AtomicU32::new(0), Tally::default());
        let is_over = || asked.fetch_add(1, Ordering::Relaxed) >= lines;
        assert!(round(3, folder.path(), &mut tally, &is_over).is_none());
        tally.figures().next().unwrap().1
    };
    let (few, more) = (actions(5), actions(30));
    assert!(0 < few && few < more, "{few} and {more} actions");
}
