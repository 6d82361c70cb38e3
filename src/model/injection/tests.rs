//! Tests of models limited by the sources.

use std::sync::Arc;

use super::*;
use crate::model::models_for;
use crate::routing::{Escape, Routing};
use crate::switching::{Injection, Terminals, Wormhole};
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Lengths, Process, Traffic};

fn torus(radix: u32, machine: Wormhole) -> System {
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.001), Destinations::Uniform, Lengths::Fixed(12));
    let network = Cube::network(Family::Torus { unidirectional: false }, &[radix, radix]);
    let routing = Routing::minimal_adaptive(Escape::Destination);
    System::new(Arc::new(network), routing, machine, traffic)
}

#[test]
fn no_model_saturates_above_what_sources_can_send() {
    let direct = Wormhole::new(4, 2);
    // A message holds the single VC of the injection channel until its tail has left the buffer.
    let channels = Wormhole {
        injection: Injection::OneMessage,
        terminals: Terminals::Channels,
        ..Wormhole::new(4, 2)
    };
    for (machine, most) in [(direct, 1.0 / 12.0), (channels, 1.0 / 13.0)] {
        for radix in [4, 8] {
            let system = torus(radix, machine);
            for model in models_for(&system) {
                let (prepared, equations) =
                    (model.prepare(&system).unwrap(), model.equations(&system).unwrap());
                assert!(prepared.overflow() <= most * (1.0 + 1e-12), "{}", model.name());
                if equations.overflow() <= most {
                    continue;
                }
                let (found, name) = (prepared.saturation_rate().0, model.name());
                assert!(found <= most * (1.0 + 1e-12), "{name} {radix}: {found}");
                assert!(prepared.predict(Rate(1.001 * most)).is_err(), "{name} {radix}");
                let own = equations.saturation_rate().0;
                assert!((found - own.min(most)).abs() < 1e-9, "{name} {radix}: {found}, {own}");
                let limit = prepared.injection_limit();
                assert_eq!(limit.is_some(), own > most, "{name} {radix}: {own}");
            }
        }
    }
}

#[test]
fn below_the_limit_the_equations_are_what_they_were() {
    let system = torus(4, Wormhole::new(4, 2));
    // Channel flow has its own limit.
    let papers = models_for(&system).into_iter().filter(|it| !it.name().starts_with("channel"));
    for model in papers {
        let (limited, own) = (model.prepare(&system).unwrap(), model.equations(&system).unwrap());
        let rate = Rate(0.03);
        assert_eq!(limited.predict(rate), own.predict(rate));
        assert_eq!(limited.utilisation_mean(rate), own.utilisation_mean(rate));
    }
}
