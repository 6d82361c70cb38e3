//! Reports of losses and departures, on which other messages may depend.

use super::Sources;
use super::source::Source;
use crate::ids::NodeId;
use crate::traffic::script::Event;

impl Sources {
    /// Records the loss of a message in cycle `now`. Messages that follow its delivery in a script, and the
    /// next request of a closed loop, are sent nevertheless, as after a timeout; its reply is not.
    pub fn lost(&mut self, source: NodeId, serial: u64, now: u64) {
        match &mut self.source {
            Source::Random(_) => {}
            Source::Script(script) => {
                if script.report(source, serial, Event::Delivered, now) {
                    self.next = script.next();
                }
            }
            Source::Classes(classed) => {
                classed.lost(source, serial, now);
                self.next = classed.next();
            }
        }
    }

    /// Records that a message left its source, by cycle `done`; others may follow.
    pub fn departed(&mut self, source: NodeId, serial: u64, event: Event, done: u64) {
        if let Source::Script(script) = &mut self.source
            && script.report(source, serial, event, done)
        {
            self.next = script.next();
        }
    }
}
