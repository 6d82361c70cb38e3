//! Under fixed routes: holds and waits, and the bursts and lags that fit them.

use super::super::state::State;
use super::super::sweep::Sweep;

/// What is known of outputs and streams; `None` where a queue overflows, or nobody wants it any longer.
pub(super) fn follow(sweep: &Sweep<'_>) -> Option<State> {
    let mut state = sweep.start()?;
    sweep.alone(&mut state);
    sweep.slowed(&mut state);
    sweep.all(&mut state)?;
    // How bursts are smoothed out, and lags caught up with, hardly changes with what these change.
    sweep.bursts(&mut state);
    if sweep.slowed(&mut state) > 0.0 || !state.excesses.is_empty() {
        sweep.all(&mut state)?;
    }
    Some(state)
}
