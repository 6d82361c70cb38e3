//! Tests of events.

use std::sync::Arc;

use super::*;
use crate::scenario::{builtin, parse};
use crate::stats::WarmUp;

#[test]
fn failures_repairs_and_changes_of_routes_are_events_of_their_cycles() {
    let text = builtin::find("link-failures").unwrap().text;
    let scenario = Arc::new(parse("link-failures", text, &[]).unwrap());
    let mut session = Session::new(scenario, 1, 0, WarmUp::Automatic);
    let mut watch = EventWatch::default();
    let of_links = Events::FAILURE | Events::REPAIR | Events::REROUTING;
    let mut found = Vec::new();
    // A change in a cycle is an event of this cycle, seen after it.
    for cycle in [6_000, 6_200, 12_000, 12_200, 18_000, 18_200] {
        session.advance(Cycle(cycle - 5));
        watch.open(&session);
        for _ in 0..10 {
            session.advance(session.now() + 1);
            let events = watch.look(&session) & of_links;
            found.extend((!events.is_empty()).then_some((session.now().0 - 1, events)));
        }
    }
    let [failure, repair] = [Events::FAILURE, Events::REPAIR];
    let rerouting = Events::REROUTING;
    assert_eq!(
        found,
        [
            (6_000, failure),
            (6_200, rerouting),
            (12_000, failure),
            (12_200, rerouting),
            (18_000, repair),
            (18_200, rerouting)
        ]
    );
}
