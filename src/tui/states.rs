//! Display names, symbols and colours of circuit states.

use ratatui::style::Style;

use super::glyphs::Glyphs;
use super::theme::Theme;
use crate::engine::{CircuitState, CircuitView, Snapshot};
use crate::switching::circuit::{Conflict, Duplex, Remedy};
use crate::system::System;

/// All states in the order of a message's life, also the order of their numbers.
pub const ALL: [CircuitState; 7] = [
    CircuitState::SettingUp,
    CircuitState::Waiting,
    CircuitState::Transmitting,
    CircuitState::Releasing,
    CircuitState::Aborting,
    CircuitState::BackingOff,
    CircuitState::Stopped,
];

const HUES: [usize; 7] = [0, 5, 2, 4, 3, 1, 6];

/// The display name of a state, in one or two words.
pub fn name(state: CircuitState) -> &'static str {
    match state {
        CircuitState::SettingUp => "sets up",
        CircuitState::Waiting => "waits",
        CircuitState::Transmitting => "sends",
        CircuitState::Releasing => "releases",
        CircuitState::Aborting => "gives up",
        CircuitState::BackingOff => "backs off",
        CircuitState::Stopped => "stopped",
    }
}

pub(super) fn style(theme: Theme, state: CircuitState) -> Style {
    theme.hue(HUES[state as usize])
}

pub(super) fn sign(glyphs: &Glyphs, state: CircuitState) -> char {
    glyphs.circuit[state as usize]
}

/// True if the state can occur in the scenario.
pub fn occurs(system: &System, state: CircuitState) -> bool {
    let Some(machine) = system.circuit() else { return false };
    let hold = matches!(machine.conflict, Conflict::Hold);
    let (relation, fails) = (&system.relation, !system.plan().is_empty());
    // Circuits that meet head on wait for each other, except where routes follow an order of links.
    let meet = machine.duplex == Duplex::Half && !system.network.is_hypercube();
    let tree = !meet && relation.routing().settles_routes(&system.network);
    match state {
        CircuitState::Waiting => hold,
        CircuitState::Aborting | CircuitState::BackingOff => {
            // Under hold only cyclic waits are resolved, and cyclic waits require cycles of links.
            !hold
                || !tree && matches!(machine.on_deadlock, Remedy::Abort { .. })
                || fails && !system.plan().stalls()
        }
        CircuitState::Stopped => fails && system.plan().stalls(),
        CircuitState::SettingUp | CircuitState::Transmitting | CircuitState::Releasing => true,
    }
}

/// The circuits with links, in the order of the snapshot's worms.
pub fn with_links(snapshot: &Snapshot) -> impl Iterator<Item = &CircuitView> {
    snapshot.circuits.iter().filter(|circuit| circuit.path_len > 0)
}

/// Number of circuits in each state of [`ALL`].
pub fn counts(snapshot: &Snapshot) -> [usize; 7] {
    let mut counts = [0; 7];
    for circuit in &snapshot.circuits {
        counts[circuit.state as usize] += 1;
    }
    counts
}
