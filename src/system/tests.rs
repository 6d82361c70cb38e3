//! Tests of `system`.

use super::*;
use crate::routing::Classes;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Lengths, Permutation, Process};

#[test]
fn loads_are_over_all_nodes_and_rates_of_those_that_send() {
    let system = |destinations| {
        System::new(
            Arc::new(Cube::network(Family::Mesh, &[8, 8])),
            Routing::dimension_order(Classes::None),
            Wormhole::new(1, 2),
            Traffic::random(Process::Poisson, Rate(0.02), destinations, Lengths::Fixed(8)),
        )
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
    let uniform = system(Destinations::Uniform);
    close(uniform.load().0, 0.16);
    let transpose = system(Destinations::Permutation(Permutation::Transpose));
    close(transpose.sending_share(), 0.875);
    close(transpose.load().0, 0.14);
    close(transpose.rate_for(Load(0.14)).0, 0.02);
}
