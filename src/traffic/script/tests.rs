//! Tests of the order of scripts, and of circles.

use super::*;

fn node(index: usize) -> NodeId {
    NodeId::new(index)
}

/// A script of messages from node 0 to node 1, each with the messages that it awaits; the lengths are
/// the indices in the draft, from 1.
fn draft(messages: &[(u64, &[usize])]) -> Result<Script, Circle> {
    let mut draft = Draft::default();
    for (index, (born, awaited)) in messages.iter().enumerate() {
        draft.add(*born, [node(0), node(1)], index as u32 + 1, 3);
        awaited.iter().for_each(|&other| draft.await_message(other));
    }
    assert_eq!(draft.len(), messages.len());
    draft.finish()
}

fn order(script: &Script) -> Vec<u32> {
    (0..script.len()).map(|at| script.message(at).unwrap().length).collect()
}

#[test]
fn messages_follow_those_they_await_and_the_others_are_ordered_by_birth() {
    let script = draft(&[(9, &[]), (0, &[2, 0]), (4, &[]), (0, &[1])]).unwrap();
    assert_eq!(order(&script), [3, 1, 2, 4]);
    assert_eq!(script.awaited(2, 0), [0, 1]);
    assert_eq!(script.awaited(3, 2), [2]);
    let followers: Vec<u32> = (0..4).map(|at| script.message(at).unwrap().followers).collect();
    assert_eq!(followers, [1, 1, 1, 0]);
    assert_eq!((script.flits(), script.lengths(), script.span()), (10, [1, 4], 10));
    assert!(script.awaits() && script.message(4).is_none());
}

#[test]
fn messages_that_await_each_other_are_found() {
    let circle = draft(&[(0, &[]), (0, &[0, 3]), (0, &[1]), (0, &[2]), (0, &[3])]).unwrap_err();
    let mut found = circle.0.clone();
    found.sort_unstable();
    assert_eq!(found, [1, 2, 3]);
    // Each awaits the next.
    let at = |place: usize| circle.0[place % 3];
    assert!((0..3).all(|place| [(1, 3), (3, 2), (2, 1)].contains(&(at(place), at(place + 1)))));
    assert_eq!(draft(&[(0, &[0])]).unwrap_err(), Circle(vec![0]));
}

#[test]
fn scripts_of_several_pages_know_what_their_messages_await() {
    let mut draft = Draft::default();
    let many = 3 * PAGE + 7;
    for index in 0..many {
        draft.add(index as u64, [node(index % 3), node(3)], 1, 0);
        if index % 2 == 1 {
            draft.await_message(index - 1);
        }
    }
    let script = draft.finish().unwrap();
    assert_eq!(script.len(), many as u64);
    let mut first = 0;
    for at in 0..script.len() {
        if Script::begins_page(at) {
            first = 0;
        }
        let awaited = script.awaited(at, first);
        assert_eq!(awaited, if at % 2 == 1 { vec![at - 1] } else { vec![] });
        first += awaited.len();
    }
    let same = script.clone();
    assert_eq!(script, same);
}
