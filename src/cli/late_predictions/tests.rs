//! Tests of waiting for predictions.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::thread::spawn;

use super::*;

#[test]
fn an_answer_is_waited_for_unless_a_signal_came() {
    let (go, held) = channel::<()>();
    let mut work = BackgroundWork(Some(spawn(move || held.recv().is_ok())));
    assert_eq!(work.wait(10 * LOOK, &AtomicBool::new(false)), None, "no patience");
    assert_eq!(work.wait(Duration::MAX, &AtomicBool::new(true)), None, "told to stop");
    go.send(()).unwrap();
    assert_eq!(work.wait(Duration::MAX, &AtomicBool::new(false)), Some(true));
}

#[test]
fn a_panic_reaches_the_one_who_waits() {
    let mut work: BackgroundWork<()> = BackgroundWork(Some(spawn(|| panic!("broken"))));
    let stop = AtomicBool::new(false);
    let panic = catch_unwind(AssertUnwindSafe(|| work.wait(Duration::MAX, &stop)));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"broken"));
}
