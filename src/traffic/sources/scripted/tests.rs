//! Tests of the birth of messages that await others.

use super::*;
use crate::traffic::script::Draft;

fn node(index: usize) -> NodeId {
    NodeId::new(index)
}

fn script(messages: &[(u64, [usize; 2], u32, &[usize])]) -> Scripted {
    let mut draft = Draft::default();
    for &(born, ends, delay, awaited) in messages {
        draft.add(born, ends.map(node), 1, delay);
        for &other in awaited {
            draft.await_message(other);
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
    source.delivered(node(0), 0, 12);
    let kept = source.clone();
    source.delivered(node(1), 0, 9);
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
    again.delivered(node(1), 0, 30);
    again.take();
    assert_eq!(due(&again), (40, 2), "after the later of the two");
}

#[test]
fn nothing_remains_of_long_chains() {
    let mut draft = Draft::default();
    for index in 0..10_000 {
        draft.add(0, [node(index % 3), node(3)], 1, 1);
        if index > 0 {
            draft.await_message(index - 1);
        }
    }
    let mut source = Scripted::new(&draft.finish().unwrap(), 4);
    let mut serials = [0; 4];
    for index in 0..10_000 {
        let Due { cycle, node: from, .. } = source.next();
        assert_eq!((cycle, from as usize), (3 * index as u64, index % 3));
        source.take();
        source.delivered(node(index % 3), serials[index % 3], cycle + 2);
        serials[index % 3] += 1;
        assert!(source.awaited.is_empty() && source.ready.len() <= 1);
    }
    assert!(source.is_at_end() && source.awaited.is_empty());
}
