//! Tests of the birth of messages that await others.

use super::*;
use crate::traffic::script::Draft;

fn node(index: usize) -> NodeId {
    NodeId::new(index)
}

fn script(messages: &[(u64, [usize; 2], u32, &[usize])]) -> Scripted {
    let mut draft = Draft::default();
    for &(born, ends, delay, awaited) in messages {
        draft.add(born, ends.map(node), 1);
        for &other in awaited {
            draft.await_event(other, Event::Delivered, delay);
        }
    }
    Scripted::new(&draft.finish().unwrap(), 4)
}

fn due(source: &Scripted) -> (u64, u32) {
    let Due { cycle, node, .. } = source.next();
    (cycle, node)
}

#[test]
fn a_message_is_born_after_the_last_that_it_awaits_and_its_delay() {
    let mut source = script(&[
        (5, [0, 1], 0, &[]),
        (7, [1, 2], 0, &[]),
        (0, [2, 3], 10, &[0, 1]),
        (90, [3, 0], 0, &[0]),
        (20, [0, 1], 0, &[]),
    ]);
    assert_eq!(due(&source), (5, 0));
    source.take();
    assert_eq!(due(&source), (7, 1));
    source.take();
    assert_eq!(due(&source), (20, 0));
    source.report(node(0), 0, Event::Delivered, 12);
    let kept = source.clone();
    source.report(node(1), 0, Event::Delivered, 9);
    // The later delivery counts, and an earliest birth.
    assert_eq!(due(&source), (20, 0));
    source.take();
    assert_eq!(due(&source), (22, 2));
    assert!(!source.is_at_end());
    source.take();
    assert_eq!(due(&source), (90, 3));
    source.leave();
    assert_eq!(source.births_left(3).collect::<Vec<_>>(), [90]);
    assert_eq!(
        source.take_left(3, true),
        (90, Content { destination: node(0), length: 1, class: 0 })
    );
    assert!(source.is_at_end() && source.next().cycle == u64::MAX);
    assert!(source.awaited.is_empty() && source.waiting.is_empty());
    assert_ne!(kept.fingerprint(), source.fingerprint());
    let mut again = kept;
    again.report(node(1), 0, Event::Delivered, 30);
    again.take();
    assert_eq!(due(&again), (40, 2), "after the later of the two");
}

#[test]
fn events_release_those_that_await_them_and_only_once() {
    let mut draft = Draft::default();
    draft.add(0, [0, 1].map(node), 9);
    for (source, event, delay) in
        [(1, Event::Started, 2), (2, Event::Sent, 0), (3, Event::Delivered, 0)]
    {
        draft.add(0, [source, 0].map(node), 1);
        draft.await_event(0, event, delay);
    }
    draft.add(0, [0, 2].map(node), 1);
    draft.await_event(0, Event::Started, 90);
    draft.await_event(0, Event::Delivered, 1);
    let mut source = Scripted::new(&draft.finish().unwrap(), 4);
    source.take();
    let before = source.fingerprint();
    assert!(source.report(node(0), 0, Event::Started, 5));
    assert_eq!(due(&source), (7, 1));
    let after = source.fingerprint();
    assert_ne!(before, after);
    // An aborted message starts again.
    assert!(!source.report(node(0), 0, Event::Started, 50) && source.fingerprint() == after);
    assert!(source.report(node(0), 0, Event::Sent, 60));
    assert!(!source.report(node(0), 0, Event::Sent, 70));
    source.take();
    assert_eq!(due(&source), (60, 2));
    source.take();
    assert!(source.report(node(0), 0, Event::Delivered, 80));
    assert_eq!(due(&source), (80, 3));
    source.take();
    assert_eq!(due(&source), (95, 0));
    source.take();
    assert!(source.is_at_end() && source.awaited.is_empty());
}

#[test]
fn nothing_remains_of_long_chains() {
    let mut draft = Draft::default();
    for index in 0..10_000 {
        draft.add(0, [node(index % 3), node(3)], 1);
        if index > 0 {
            draft.await_event(index - 1, Event::Delivered, 1);
        }
    }
    let mut source = Scripted::new(&draft.finish().unwrap(), 4);
    let mut serials = [0; 4];
    for index in 0..10_000 {
        let Due { cycle, node: from, .. } = source.next();
        assert_eq!((cycle, from as usize), (3 * index as u64, index % 3));
        source.take();
        source.report(node(index % 3), serials[index % 3], Event::Delivered, cycle + 2);
        serials[index % 3] += 1;
        assert!(source.awaited.is_empty() && source.ready.len() <= 1);
    }
    assert!(source.is_at_end() && source.awaited.is_empty());
}
