//! Tests of the waits of the queue against exact formulas.

use super::*;

#[test]
fn poisson_arrivals_wait_as_pollaczek_and_khinchine_say() {
    let arrivals = Arrivals::new(Process::Poisson);
    let service = Moments::with_variance(16.0, 64.0);
    let expected = 0.03 * service.square / (2.0 * (1.0 - 0.48));
    let found = arrivals.wait(0.5, 0.03, service, 1.0).unwrap();
    assert!((found / expected - 1.0).abs() < 1e-12);
    assert_eq!(arrivals.wait(0.5, 0.07, service, 1.0), None);
    // E[W²] = 2E[W]² + λE[S³]/(3(1 − ρ)), with the E[S³] of a gamma time.
    let square = 2.0 * expected * expected + 0.03 * 320.0 * 16.0 * 1.5 / (3.0 * 0.52);
    let spread = arrivals.spread(1.0, 0.03, service)(expected).square;
    assert!((spread / square - 1.0).abs() < 1e-12, "{spread}, {square}");
}

#[test]
fn bursts_wait_as_in_a_queue_with_exponential_service() {
    let (burst, peak) = (8.0, 4.0);
    let arrivals = Arrivals::new(Process::Bursts { burst, peak });
    let service = Moments::with_variance(10.0, 100.0);
    for load in [0.05, 0.3, 0.7, 0.95] {
        // σ = A((1 − σ)/x), solved by halving.
        let transform = |at: f64| {
            let pause = burst - (burst - 1.0) / peak;
            1.0 / burst / (1.0 + at * pause) + (1.0 - 1.0 / burst) / (1.0 + at / peak)
        };
        let (mut low, mut high) = (0.0, 1.0 - 1e-9);
        for _ in 0..100 {
            let met = f64::midpoint(low, high);
            *if transform((1.0 - met) / load) > met { &mut low } else { &mut high } = met;
        }
        let expected = 10.0 * low / (1.0 - low);
        let found = arrivals.wait(1.0, load / 10.0, service, 1.0).unwrap();
        assert!((found / expected - 1.0).abs() < 1e-3, "{load}: {found}, {expected}");
        // Waiting messages have an exponential wait: E[W²] = 2σ(10/(1 − σ))².
        let square = 2.0 * low * (10.0 / (1.0 - low)).powi(2);
        let spread = arrivals.spread(1.0, load / 10.0, service)(found).square;
        assert!((spread / square - 1.0).abs() < 1e-3, "{load}: {spread}, {square}");
        let poisson = Arrivals::new(Process::Poisson).wait(1.0, load / 10.0, service, 1.0).unwrap();
        let thinned = arrivals.wait(0.1, load / 10.0, service, 1.0).unwrap();
        assert!(poisson < thinned && thinned < found, "{load}: {poisson}, {thinned}, {found}");
    }
}

#[test]
fn a_root_is_found_wherever_it_lies_between_the_ends() {
    let cube = |at: f64| at.powi(3) - 2.0;
    assert!((root(cube, (0.0, -2.0), (10.0, 998.0)) / 2.0_f64.cbrt() - 1.0).abs() < 1e-13);
    for small in [1e-1, 1e-4, 1e-9] {
        let saturating = |at: f64| at / (1.0 + at) - small;
        let found = root(saturating, (0.0, -small), (1e6, saturating(1e6)));
        assert!((found / small * (1.0 - small) - 1.0).abs() < 1e-9, "{small}: {found}");
    }
}
