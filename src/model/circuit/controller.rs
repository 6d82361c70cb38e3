//! The routing controller as an M/G/1 queue (001, appendix A).
//!
//! A controller has looks at links, connections and releases to serve; each takes a constant time,
//! so that the first two moments of the mixture are sums.

use super::parameters::Times;
use crate::model::fixed_point::NoSolution;
use crate::model::queue::mean_wait;

/// The queue in front of a controller.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Controller {
    /// W in mean transmission times.
    pub wait: f64,
    /// ρ.
    pub load: f64,
}

impl Controller {
    /// The queue into which `first` and `second` flow per unit of time: the arrival rate times the
    /// first and second moment of the service time.
    pub fn fed_with(first: f64, second: f64) -> Result<Self, NoSolution> {
        let wait = mean_wait(first, second).ok_or(NoSolution::Saturated)?;
        Ok(Self { wait, load: first })
    }

    /// (A.1) to (A.3): hold, where a share `conflict` of the requests waits for its link. `requests`
    /// is λM; as many releases arrive, and the release of a link that is waited for connects it.
    pub fn of_hold(times: &Times, requests: f64, conflict: f64) -> Result<Self, NoSolution> {
        let services = [
            (times.verify + times.connect, 1.0 - conflict),
            (times.verify, conflict),
            (times.release, 1.0 - conflict),
            (times.release + times.connect, conflict),
        ];
        let moment = |power| {
            services.iter().map(|(time, share)| requests * share * time.powi(power)).sum::<f64>()
        };
        Self::fed_with(moment(1), moment(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_services_wait_as_long_as_in_an_m_d_1_queue() {
        let times = Times { verify: 0.1, connect: 0.0, release: 0.1, acknowledge: 0.0 };
        let queue = Controller::of_hold(&times, 2.5, 0.3).unwrap();
        // ρ = 2 · 2.5 · 0.1; ρ·x / (2(1 − ρ)).
        assert!((queue.load - 0.5).abs() < 1e-12);
        assert!((queue.wait - 0.05).abs() < 1e-12);
        assert_eq!(Controller::of_hold(&times, 5.0, 0.3), Err(NoSolution::Saturated));
    }
}
