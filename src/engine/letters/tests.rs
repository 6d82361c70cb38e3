//! Tests of `letters`.

use super::*;
use crate::ids::NodeId;

fn message(serial: u64) -> MessageId {
    MessageId { source: NodeId(0), serial }
}

#[test]
fn letters_go_round_and_only_where_there_are_none_higher_numbers_are_given() {
    let mut letters = Letters::default();
    let give = |letters: &mut Letters| letters.give(0, message(0)).0;
    assert_eq!([give(&mut letters), give(&mut letters)], [0, 1]);
    letters.give_back(0, message(0), Letter(0));
    // Not the label just returned.
    assert_eq!(give(&mut letters), 2);
    let rest: Vec<u32> = (3..LETTERS).map(|_| give(&mut letters)).collect();
    assert!(rest.iter().copied().eq(3..LETTERS), "{rest:?}");
    assert_eq!(give(&mut letters), 0);
    assert!((0..200).map(|_| give(&mut letters)).eq(LETTERS..LETTERS + 200));
    letters.give_back(0, message(0), Letter(LETTERS + 130));
    letters.give_back(0, message(0), Letter(LETTERS + 7));
    letters.give_back(0, message(0), Letter(5));
    let given: Vec<u32> = (0..4).map(|_| give(&mut letters)).collect();
    assert_eq!(given, [5, LETTERS + 7, LETTERS + 130, LETTERS + 200]);
}
