//! Tests of `classes`.

use super::*;

fn class(name: &str, flits: u32, origin: Origin) -> MessageClass {
    MessageClass { name: name.into(), lengths: Lengths::Fixed(flits), origin }
}

#[test]
fn replies_follow_the_class_that_they_answer() {
    let reply = |to, room| Origin::Reply { to, after: 3, room };
    let classes = MessageClasses(vec![
        class("read", 1, Origin::Arrivals { weight: 3.0 }),
        class("write", 5, Origin::Arrivals { weight: 1.0 }),
        class("data", 5, reply(0, Some(2))),
        class("acknowledgement", 1, reply(2, None)),
    ]);
    assert_eq!(classes.of_arrivals(), [(0, 0.75), (1, 0.25)]);
    assert_eq!(classes.shares(), [0.75, 0.25, 0.75, 0.75]);
    assert_eq!(classes.reply_to(0).map(|(number, _)| number), Some(2));
    assert_eq!(classes.reply_to(1), None);
    assert_eq!((0..4).map(|number| classes.depth(number)).collect::<Vec<_>>(), [0, 0, 1, 2]);
    assert_eq!([0, 2].map(|number| classes.room_after(number)), [Some(2), None]);
    assert!(classes.have_limited_room());
}
