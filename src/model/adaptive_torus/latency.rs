//! The mean latency of the average message, eqs. (45), (46), term by term.

use super::ahead::{Ahead, single_stream};
use super::reading::Switches;
use super::unknowns::Unknowns;
use crate::model::square::Quadrant;
use crate::model::{Term, terms};

/// Eqs. (45), (46), sorted by where the time goes, in cycles:
///
/// * *source waiting*: for the first channel, by the single-dimension streams always, by the others
///   where both their channels are busy;
/// * *blocking on the way*: for all further channels, that is [`Ahead`] from the first one on;
/// * *transfer*: the hops and the flits, the latency of an empty network.
pub(super) fn parts(
    quadrant: &Quadrant,
    switches: &Switches,
    unknowns: &Unknowns,
    ahead: &Ahead,
) -> Vec<Term> {
    let &Quadrant { hops, both_share, single_share, .. } = quadrant;
    let &Unknowns { busy_x, busy_y, straight_east, turn_east, straight_south, turn_south } =
        unknowns;
    let for_x = straight_east + turn_east;
    let for_y = straight_south + turn_south;
    let both_busy = busy_x * busy_y;
    // (46): with both channels busy, the one with the smaller wait (the paper's v).
    let (wait, waited) =
        if for_x < for_y { (for_x, ahead.east[(1, 1)]) } else { (for_y, ahead.south[(1, 1)]) };
    // (45): typeset, the single-dimension streams pay both waits for their channel.
    let single_waits =
        if switches.singles_pay_turns { for_x + for_y } else { straight_east + straight_south };
    let both_blocked = (1.0 - busy_x) * ahead.east[(1, 1)]
        + busy_x * (1.0 - busy_y) * ahead.south[(1, 1)]
        + both_busy * waited;
    let single_blocked = single_stream(hops, straight_east) + single_stream(hops, straight_south);
    terms(
        both_share * both_busy * wait + single_share * single_waits,
        both_share * both_blocked + single_share * single_blocked,
        quadrant.transfer(),
    )
}
