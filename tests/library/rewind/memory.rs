//! What checkpoints take, by their own count and by the allocator's.

use std::alloc::{GlobalAlloc, Layout, System as Allocator};
use std::cell::Cell;

use flitscope::routing::{Escape, Routing};
use flitscope::session::Session;
use flitscope::session::tape::{Keep, SeekProgress, Tape};
use flitscope::stats::WarmUp;
use flitscope::units::Cycle;

use super::winding::scenario;
use crate::systems::{torus, uniform};

/// Counts the bytes that a thread has allocated.
struct Counting;

thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    // A thread that ends has no counter any more.
    let _ = BYTES.try_with(|sum| sum.set(sum.get().wrapping_add(bytes)));
}

// Hands everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { Allocator.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(layout.size().wrapping_neg());
        unsafe { Allocator.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn tape(rate: f64, keep: Keep) -> Tape {
    let routing = Routing::minimal_adaptive(Escape::Destination);
    let system = torus(&[8, 8], routing, 4, 2, uniform(rate, 12));
    Tape::new(Session::new(scenario(system), 3, 0, WarmUp::Automatic), keep)
}

#[test]
fn the_limit_holds_while_warming_up_and_far_beyond_saturation() {
    for (rate, bytes) in [(0.01, 3_000_000), (0.01, 450_000), (0.2, 20_000_000)] {
        let keep = Keep { bytes, work_per_byte: 0 };
        let mut tape = tape(rate, keep);
        let mut most = 0;
        for cycle in (0..30_000).step_by(500) {
            tape.advance(Cycle(cycle));
            assert!(tape.checkpoint_bytes() <= bytes, "{} at {cycle}", tape.checkpoint_bytes());
            most = most.max(tape.checkpoints().count());
        }
        assert!(most >= 3, "{most} checkpoints in {bytes} bytes");
        // Far from the present they stand farther apart.
        let cycles: Vec<u64> = tape.checkpoints().collect();
        assert!(cycles.is_sorted());
        if cycles.len() > 20 {
            let gap = |at: usize| cycles[at + 1] - cycles[at];
            let (old, new) = (gap(1), gap(cycles.len() - 3));
            assert!(old > 4 * new, "{old} after {new}: {cycles:?}");
        }
    }
}

#[test]
fn what_is_counted_is_what_is_allocated() {
    let keep = Keep { bytes: 60_000_000, work_per_byte: 0 };
    let mut with = tape(0.012, keep);
    let before = BYTES.get();
    with.advance(Cycle(9_000));
    let grown = BYTES.get() - before;
    let counted = with.checkpoint_bytes();
    assert!(counted > 8_000_000, "{counted}");
    // The run itself has grown as well, by less than a megabyte.
    let off = grown.abs_diff(counted);
    assert!(off < counted / 20 + 1_000_000, "{grown} allocated, {counted} counted");
}

#[test]
fn without_room_winding_goes_from_the_beginning() {
    let mut tape = tape(0.01, Keep { bytes: 0, work_per_byte: 0 });
    tape.advance(Cycle(3_000));
    let end = tape.session().fingerprint();
    assert_eq!(tape.checkpoints().count(), 0);
    tape.seek(Cycle(1_000), 0);
    while tape.advance_seek(100) != SeekProgress::Done {}
    tape.seek(Cycle(3_000), 0);
    tape.advance_seek(10);
    tape.cancel();
    assert_eq!(tape.now(), Cycle(1_000));
    tape.advance(Cycle(3_000));
    assert_eq!(tape.session().fingerprint(), end);
}
