//! Fewer and simpler failures under which a case deadlocks.

use super::failures::failures;
use super::times::with;
use super::{Case, Search, without_superfluous};
use crate::system::failures::{Failure, Failures, Flits, OnFailure, UnderWay};

/// Removes failures until none can be, and lets the others last for the rest of the run, with the default
/// consequences, where the case deadlocks.
pub(super) fn reduce(search: &Search<'_>, case: &mut Case) {
    let Failures { given, consequences, .. } = failures(&case.scenario).clone();
    if given.is_empty() {
        return;
    }
    without_superfluous(given, search.stop, |fewer| {
        let fewer = with(case, fewer.to_vec(), consequences);
        search.replaces(case, fewer)
    });
    for at in 0..failures(&case.scenario).given.len() {
        let mut given = failures(&case.scenario).given.clone();
        if given[at].lasts.is_some() {
            given[at] = Failure { lasts: None, ..given[at] };
            search.replaces(case, with(case, given, consequences));
        }
    }
    for simpler in [
        OnFailure { flits: Flits::Lose, ..consequences },
        OnFailure { under_way: UnderWay::Continue, ..consequences },
    ] {
        let Failures { given, consequences, .. } = failures(&case.scenario).clone();
        if !given.is_empty() && simpler != consequences {
            search.replaces(case, with(case, given, simpler));
        }
    }
}
