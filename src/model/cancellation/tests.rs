//! Tests of `cancellation`.

use std::time::{Duration, Instant};

use super::*;
use crate::model::{Unsolved, models_for};
use crate::scenario::parse;
use crate::units::Rate;

/// A large network, with equations and solutions that take far longer than a cancellation.
#[test]
fn what_nobody_wants_is_given_up_at_once() {
    let text = "Scenario(
        network: Mesh(radix: [128, 128]),
        switching: Wormhole(virtual_channels: 2),
        routing: DimensionOrder(),
        traffic: (arrivals: Poisson(rate: 0.0001), destinations: Transpose, lengths: Fixed(16)),
    )";
    let system = parse("test", text, &[]).unwrap().system;
    let given_up = Arc::new(AtomicBool::new(true));
    for model in models_for(&system) {
        let prepared = model.prepare(&system).unwrap();
        let whole = prepared.predict(Rate(0.0001));
        assert!(whole.is_ok(), "{model:?} {whole:?}");
        let again = with_flag(&given_up, || prepared.predict(Rate(0.0002)));
        // Very fast answers never check for cancellation.
        assert!(again == Err(Unsolved::GivenUp) || again.is_ok(), "{model:?} {again:?}");
        if model.name() == "channel flow" {
            assert_eq!(again, Err(Unsolved::GivenUp));
            let equations = with_flag(&given_up, || model.prepare(&system).map(|_| ()));
            assert_eq!(equations, Err(Unsolved::GivenUp));
        }
    }
    // Cancelled while in progress, by another thread.
    let flow = models_for(&system).remove(0);
    let prepared = flow.prepare(&system).unwrap();
    given_up.store(false, Ordering::Relaxed);
    let end = Arc::clone(&given_up);
    let timer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        end.store(true, Ordering::Relaxed);
        Instant::now()
    });
    let answers = with_flag(&given_up, || {
        // Solved rates are cached, so each rate is new.
        (1..u32::MAX)
            .map(|number| prepared.predict(Rate(0.0001 + 1e-9 * f64::from(number))))
            .take_while(|it| *it != Err(Unsolved::GivenUp))
            .count()
    });
    let late = timer.join().unwrap().elapsed();
    // Cancellation does not wait for an answer, which takes some 400 ms without optimisation.
    assert!(late < Duration::from_secs(1), "{late:?} after {answers} answers");
    assert!(prepared.predict(Rate(0.0001)).is_ok());
}
