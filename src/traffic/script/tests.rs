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
        draft.add(*born, [node(0), node(1)], index as u32 + 1);
        for &other in *awaited {
            draft.await_event(other, Event::Delivered, 3);
        }
    }
    assert_eq!(draft.len(), messages.len());
    draft.finish()
}

fn order(script: &Script) -> Vec<u32> {
    (0..script.len()).map(|at| script.message(at).unwrap().length).collect()
}

/// The messages that await a message.
fn followers(script: &Script, index: u64) -> Vec<u64> {
    script.followers(index).iter().map(|it| it.message).collect()
}

#[test]
fn messages_follow_those_they_await_and_the_others_are_ordered_by_birth() {
    let script = draft(&[(9, &[]), (0, &[2, 0]), (4, &[]), (0, &[1]), (0, &[2])]).unwrap();
    assert_eq!((order(&script), script.at_once()), (vec![3, 1, 5, 2, 4], 2));
    let followers: Vec<Vec<u64>> = (0..5).map(|at| followers(&script, at)).collect();
    assert_eq!(followers, [&[3, 2][..], &[3], &[], &[4], &[]]);
    assert_eq!((script.flits(), script.lengths(), script.span()), (15, [1, 5], 15));
    assert!(script.message(5).is_none());
    // Three cycles of delay, and two for a flit.
    assert_eq!(
        script.last_delivery(|message, _| 2 * u64::from(message.length)),
        Some(11 + 3 + 4 + 3 + 8)
    );
}

#[test]
fn events_and_delays_belong_to_conditions() {
    let with = |event, delay| {
        let mut draft = Draft::default();
        draft.add(4, [node(0), node(1)], 8);
        draft.add(0, [node(1), node(2)], 2);
        draft.await_event(0, event, delay);
        draft.finish().unwrap()
    };
    let takes = |message: &ScriptMessage, event| match event {
        Event::Started => 1,
        Event::Sent => message.length.into(),
        Event::Delivered => 100,
    };
    let last = |event, delay| with(event, delay).last_delivery(takes).unwrap();
    assert_eq!(last(Event::Started, 0), 105);
    assert_eq!(last(Event::Sent, 5), 117);
    assert_eq!(last(Event::Delivered, 5), 209);
    assert!(with(Event::Sent, 5).awaits_departures());
    assert!(!with(Event::Delivered, 5).awaits_departures());
    for (event, delay) in [(Event::Started, 0), (Event::Delivered, 0), (Event::Sent, 1)] {
        assert_ne!(with(Event::Sent, 0), with(event, delay));
    }
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
fn scripts_of_several_pages_know_what_follows_their_messages() {
    let mut draft = Draft::default();
    let many = 3 * PAGE + 8;
    for index in 0..many {
        draft.add(index as u64, [node(index % 3), node(3)], 1);
        if index % 2 == 1 {
            draft.await_event(index - 1, Event::Delivered, 0);
        }
    }
    let script = draft.finish().unwrap();
    let half = many as u64 / 2;
    assert_eq!((script.len(), script.at_once()), (many as u64, half));
    for at in 0..half {
        assert_eq!(followers(&script, at), [half + at]);
        assert_eq!(script.message(half + at).unwrap().born, 2 * at + 1);
        assert!(script.followers(half + at).is_empty());
    }
    let same = script.clone();
    assert_eq!(script, same);
}
