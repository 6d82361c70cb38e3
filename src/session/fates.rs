//! The ends of messages in a run, in order: deliveries and losses.

use crate::engine::{Delivery, Loss};

/// The end of a message.
#[derive(Clone, Copy, Debug)]
pub enum Fate<'a> {
    Delivered(&'a Delivery),
    Lost(&'a Loss),
}

/// Passes the ends of messages to `tell` by cycle, deliveries first. The order does not depend on the
/// division of a run into intervals.
pub(super) fn each_fate(deliveries: &[Delivery], losses: &[Loss], tell: &mut impl FnMut(Fate<'_>)) {
    let mut losses = losses.iter().peekable();
    for delivery in deliveries {
        while let Some(loss) = losses.next_if(|loss| loss.done < delivery.done) {
            tell(Fate::Lost(loss));
        }
        tell(Fate::Delivered(delivery));
    }
    losses.for_each(|loss| tell(Fate::Lost(loss)));
}
