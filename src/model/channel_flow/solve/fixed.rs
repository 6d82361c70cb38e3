//! Under fixed routes: holds and waits, and the bursts and lags that fit them.

use super::super::state::State;
use super::super::sweep::Sweep;

/// Rounds in which bursts and lags are renewed, from where there are none on.
const ROUNDS: usize = 2;

/// What is known of outputs and streams; `None` where a queue overflows, or nobody wants it any longer.
pub(super) fn follow(sweep: &Sweep<'_>) -> Option<State> {
    let mut state = sweep.empty();
    sweep.all(&mut state)?;
    for _ in 0..ROUNDS {
        sweep.bursts(&mut state);
        if sweep.slowed(&mut state) > 0.0 || !state.excesses.is_empty() {
            sweep.all(&mut state)?;
        }
    }
    Some(state)
}
