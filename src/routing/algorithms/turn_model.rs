//! The turn model with routes that are not minimal (Glass and Ni 1992, *The turn model for adaptive
//! routing*) on meshes: a message may leave the shortest routes within the turns of west-first,
//! north-last or negative-first. x grows east, y grows north.
//!
//! A *detour* is a hop that does not lead closer. The head carries the number of its detours, and a
//! limit prevents livelock: a route is at most twice the limit longer than the shortest. Hops that
//! lead closer are preferred.
//!
//! Turns by 180 degrees are made from west to others (west-first), from others to north (north-last)
//! and from negative to positive (negative-first). A detour is offered only if the turns permit a
//! return: north or south while hops east remain (west-first), east or west while hops south remain
//! (north-last).
//!
//! *Proof.* Each rule has a first and a last phase. Within a phase some direction is never opposed:
//! east, south, and all positive or all negative ones; among the rest no turn by 180 degrees is made,
//! so no cycle of dependencies lies within a phase.

use crate::routing::algorithm::prelude::*;
use crate::routing::fields::Detours;

words! {
    /// The turns of the turn model.
    #[derive(Eq)]
    pub enum Turns {
        /// Hops west come before all others.
        WestFirst,
        /// Hops north come after all others.
        NorthLast,
        /// Hops to lower coordinates come before those to higher ones.
        NegativeFirst,
        /// All turns. Can deadlock.
        Any,
    }
}

/// The turn model with detours.
#[derive(Clone, Copy, Debug)]
pub struct TurnModel {
    /// The permitted turns.
    pub turns: Turns,
    /// The maximum number of detours.
    pub detours: Detours,
}

impl Algorithm for TurnModel {
    const NAME: &'static str = "turn model";
    const HELP: &'static str = "Goes closer within the turns of the turn model, or elsewhere for a \
                                limited number of hops.";
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;
    const LIMITS: &'static [Limit] =
        &[Limit::NoRingsForTurns("write `MinimalAdaptive`, or make the network a `Mesh`")];
    const READS_SOURCE: bool = false;
    const READS_ARRIVAL: bool = true;

    fn name(&self) -> &'static str {
        match self.turns {
            Turns::WestFirst => "west-first with detours",
            Turns::NorthLast => "north-last with detours",
            Turns::NegativeFirst => "negative-first with detours",
            Turns::Any => "detours with any turn",
        }
    }

    fn needs(&self, cube: &Cube) -> Result<Needs, Misfit> {
        match self.turns {
            Turns::WestFirst | Turns::NorthLast => {
                Limit::Flat("meshes").check(Algorithm::name(self), cube)?;
            }
            Turns::NegativeFirst | Turns::Any => {}
        }
        Ok(Needs::ONE)
    }

    fn count_max(&self) -> u8 {
        self.detours.0 as u8
    }

    fn count_after(&self, head: Position<'_>, link: ChannelId) -> u8 {
        head.count + u8::from(head.is_detour(link))
    }

    fn candidates(&self, mut step: Step<'_>) {
        let head = step.head;
        if head.at == head.header.destination {
            return;
        }
        let vcs = step.on.class_vcs[0];
        for closer in [true, false] {
            if !closer && u32::from(head.count) >= self.detours.0 {
                break;
            }
            let hops = head.hops().filter(|hop| hop.2 == closer);
            for (dimension, sign, _) in hops.filter(|&hop| self.turns.permit(head, hop)) {
                step.offer(dimension, sign, vcs);
            }
        }
    }
}

impl Turns {
    /// True if a head may make a hop, and reach its destination afterwards.
    fn permit(self, head: Position<'_>, (dimension, sign, closer): (usize, Sign, bool)) -> bool {
        let (here, there) = (head.here(), head.there());
        let came = head.heading();
        let turns_back = came.is_some_and(|(last, before)| last == dimension && before != sign);
        match (self, dimension, sign) {
            (Self::Any, ..) => true,
            (Self::NegativeFirst, _, Sign::Minus) => {
                came.is_none_or(|(_, before)| before == Sign::Minus)
            }
            (Self::NegativeFirst, _, Sign::Plus) => {
                closer && here.iter().zip(there).all(|(x, to)| x <= to)
            }
            (Self::WestFirst, 0, Sign::Minus) => came.is_none_or(|it| it == (0, Sign::Minus)),
            (Self::WestFirst, 0, Sign::Plus) => closer,
            (Self::WestFirst, ..) => {
                let east = here[0] < there[0];
                !turns_back && (east || here[0] == there[0] && closer)
            }
            (Self::NorthLast, 1.., Sign::Plus) => closer && here[0] == there[0],
            (Self::NorthLast, 0, _) => {
                let south = here[1] > there[1];
                came != Some((1, Sign::Plus)) && !turns_back && (south || closer)
            }
            (Self::NorthLast, 1.., Sign::Minus) => came != Some((1, Sign::Plus)),
        }
    }
}
