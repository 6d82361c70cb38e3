//! Tests of `routes`.

use std::sync::Arc;

use super::*;
use crate::ids::RouterId;
use crate::routing::{Paths, Routing};
use crate::switching::{Terminals, Wormhole};
use crate::topology::switches::Switches;
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::Rate;

#[test]
fn routes_that_end_alike_are_kept_together() {
    // Two switches with a link in each direction; one host on the first, two on the second.
    let network = Arc::new(Switches::random(2, &[(0, 1)], &[0, 1, 1]));
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.01), Destinations::Uniform, Lengths::Fixed(8));
    let machine = Wormhole { terminals: Terminals::Channels, ..Wormhole::new(1, 4) };
    let routing = Routing::UpDown { roots: RouterId(0).into(), paths: Paths::First };
    let system = System::new(network, routing, machine, traffic);
    let routes = Routes::of(&system, 10).unwrap();
    // Half a worm each: two from the first host, one from each of the others to the first and to
    // each other.
    let flows = |role| -> Vec<f64> {
        let stations = routes.stations.iter().filter(|station| station.role == role);
        stations.map(|station| station.flow).collect()
    };
    assert_eq!(flows(Role::Link), [1.0, 1.0]);
    assert_eq!(flows(Role::Injection), [1.0, 1.0, 1.0]);
    assert_eq!(flows(Role::Ejection), [1.0, 1.0, 1.0]);
    // Ejections; the link before each; a host on the same switch; a host before a link.
    assert_eq!(routes.suffixes.len(), 3 + 3 + 2 + 4);
    let expected = (4.0 * 30.0 + 2.0 * 20.0) / 6.0;
    assert!((routes.delay - expected).abs() < 1e-12);
    assert_eq!(routes.longest, 3);
}
