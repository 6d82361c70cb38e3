//! Odd-even, minimal (Chiu, *The odd-even turn model*, 2000, algorithm ROUTE) on meshes of two
//! dimensions. x grows east, y grows north; x is offered first.
//!
//! No message turns from east to north or south in an even column, or from north or south to west
//! in an odd column. An eastbound message must therefore not enter an even destination column
//! before finishing north or south.

use std::cmp::Ordering;

use crate::routing::algorithm::prelude::*;

/// Odd-even.
#[derive(Clone, Copy, Debug)]
pub struct OddEven;

impl Algorithm for OddEven {
    const NAME: &'static str = "odd-even";
    const HELP: &'static str = "Turns from east in odd columns only and to west in even ones only.";
    const CHOOSES: bool = true;
    const LIMITS: &'static [Limit] = &[
        Limit::NoRingsForTurns("write `DimensionOrder` or `MinimalAdaptive`"),
        Limit::Flat("meshes"),
    ];

    #[inline]
    fn candidates(&self, mut step: Step<'_>) {
        let (here, there, started) = (step.here(), step.there(), step.started()[0]);
        let (x, y) = ((here[0], there[0]), (here[1], there[1]));
        let odd = |column: u16| column % 2 == 1;
        let (may_x, may_y) = match x.1.cmp(&x.0) {
            Ordering::Equal => (false, true),
            // Eastbound: no turn from east is made in the source column.
            Ordering::Greater => {
                (y.0 == y.1 || odd(x.1) || x.1 - x.0 > 1, odd(x.0) || x.0 == started)
            }
            // Westbound: a hop north or south is followed by a turn west in the same column.
            Ordering::Less => (true, !odd(x.0)),
        };
        if may_x {
            step.only(step.along(0, 0));
        }
        if may_y {
            step.only(step.along(1, 0));
        }
    }
}
