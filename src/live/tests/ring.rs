//! Tests of the ring of a deadlock before it closes.

use super::*;

/// A run in a deadlock, and the cycle at which the deadlock closed.
fn deadlocked() -> (ClockedRun, Box<Update>, u64) {
    let options = Options { running: false, ..Options::default() };
    let mut run = ClockedRun::new(scenario_with(Classes::None, 1, 0.05), options);
    let mut update = Box::new(Update::empty(scenario()));
    while update.state != RunState::Deadlocked {
        assert!(update.ring.is_none() && update.snapshot.cycle < Cycle(100_000));
        run.execute(Command::Step(500));
        run.draw(&mut update);
    }
    assert!(update.ring.is_none());
    let closed = update.snapshot.deadlock.as_ref().unwrap().sets[0].closed;
    (run, update, closed.0)
}

#[test]
fn before_a_deadlock_its_ring_is_known_with_what_is_missing() {
    let (mut run, mut update, closed) = deadlocked();
    let circle = update.snapshot.deadlock.as_ref().unwrap().sets[0].circle.clone();
    let wanted: Vec<_> = circle.iter().map(|wait| wait.wants).collect();
    let mut before = usize::MAX;
    for back in [1, 2, 10, closed] {
        run.execute(Command::Seek(Cycle(closed - back)));
        run.draw(&mut update);
        let ring = update.ring.as_ref().unwrap();
        assert_eq!(ring.closes, Cycle(closed));
        assert_eq!(ring.waits.iter().map(|wait| wait.wants).collect::<Vec<_>>(), wanted);
        let begun = ring.waits.iter().filter(|wait| wait.begun).count();
        assert!(begun < wanted.len() && begun <= before, "{back} cycles before");
        before = begun;
        // The snapshot has the same waits.
        for wait in ring.waits.iter().filter(|wait| wait.begun) {
            let name = |id| {
                update
                    .snapshot
                    .worms
                    .iter()
                    .find(|it| it.id == id)
                    .map(crate::engine::WormView::name)
            };
            assert!(update.snapshot.waits.iter().any(|shown| {
                shown.wants == wait.wants
                    && name(shown.worm) == Some(wait.message)
                    && shown.holder.and_then(name) == wait.holder
            }));
        }
    }
    assert_eq!(before, 0, "nothing waits in an empty network");
    run.execute(Command::Seek(Cycle(closed)));
    run.draw(&mut update);
    assert!(update.ring.is_none());
}

#[test]
fn in_another_future_nothing_is_known_of_the_ring() {
    let (mut run, mut update, closed) = deadlocked();
    run.execute(Command::Seek(Cycle(closed - 5)));
    run.execute(Command::Change(Change::Rate(Rate(0.001))));
    run.draw(&mut update);
    assert!(update.ring.is_none());
}
