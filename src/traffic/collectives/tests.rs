//! Tests of collective operations: amounts of data, and completion times against closed forms.

use super::*;

fn nodes(count: usize) -> Vec<NodeId> {
    (0..count).map(NodeId::new).collect()
}

fn size(flits: u32) -> Size {
    Size { flits, packet_flits: None, delay: 0 }
}

/// Messages and flits of an operation.
fn amounts(operation: Collective, flits: u32, count: usize) -> (u64, u64) {
    let script = operation.script(size(flits), &nodes(count)).unwrap();
    (script.len(), script.flits())
}

#[test]
fn operations_move_the_data_that_they_need() {
    assert_eq!(amounts(Collective::RingAllReduce, 64, 8), (8 * 14, 14 * 64));
    assert_eq!(amounts(Collective::RingReduceScatter, 64, 8), (8 * 7, 7 * 64));
    assert_eq!(amounts(Collective::RingAllGather, 64, 8), (8 * 7, 7 * 64));
    assert_eq!(amounts(Collective::RecursiveAllReduce, 64, 8), (8 * 6, 8 * 2 * 56));
    assert_eq!(amounts(Collective::AllToAll, 64, 8), (56, 56 * 8));
    assert_eq!(amounts(Collective::Broadcast, 64, 7), (6, 6 * 64));
    // Parts differ by a flit, and none is empty.
    assert_eq!(amounts(Collective::RingReduceScatter, 10, 4), (12, 30));
    assert_eq!(amounts(Collective::AllToAll, 1, 4).1, 12);
}

#[test]
fn operations_take_the_time_of_their_closed_forms() {
    // Every message takes a cycle for each flit and three more.
    let takes = |flits: u64| flits + 3;
    let time = |operation: Collective, count: usize, delay: u32| {
        let script = operation.script(Size { delay, ..size(64) }, &nodes(count)).unwrap();
        script.last_delivery(|message, _| takes(message.length.into())).unwrap()
    };
    for delay in [0, 5] {
        let each = u64::from(delay);
        assert_eq!(time(Collective::RingAllReduce, 8, delay), 14 * takes(8) + 13 * each);
        assert_eq!(time(Collective::RingAllGather, 8, delay), 7 * takes(8) + 6 * each);
        let halves = takes(32) + takes(16) + takes(8);
        assert_eq!(time(Collective::RecursiveAllReduce, 8, delay), 2 * halves + 5 * each);
        // The first node has the data for all of its messages from the beginning.
        assert_eq!(time(Collective::Broadcast, 9, delay), 3 * takes(64) + 2 * each);
        assert_eq!(time(Collective::AllToAll, 8, delay), takes(8));
    }
}

#[test]
fn packets_of_a_message_are_awaited_together() {
    let size = Size { flits: 50, packet_flits: Some(20), delay: 1 };
    let script = Collective::Broadcast.script(size, &nodes(4)).unwrap();
    assert_eq!((script.len(), script.flits(), script.lengths()), (9, 150, [10, 20]));
    // The second step begins after the longest packet of the first.
    assert_eq!(script.last_delivery(|message, _| message.length.into()), Some(41));
    let many = Size { flits: FLITS_MAX, packet_flits: Some(1), delay: 0 };
    let refused = Collective::RingAllReduce.script(many, &nodes(64)).unwrap_err();
    assert!(refused.what.contains("too many packets"), "{refused}");
}

#[test]
fn operations_refuse_numbers_of_nodes_that_they_cannot_serve() {
    let refused = Collective::RecursiveAllReduce.script(size(8), &nodes(6)).unwrap_err();
    assert_eq!(refused.what, "recursive all reduce needs 2, 4, 8, … nodes, not 6");
    assert!(Collective::Broadcast.script(size(8), &nodes(1)).is_err());
}
