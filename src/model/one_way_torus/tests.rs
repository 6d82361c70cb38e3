//! Tests of the equations against an enumeration of all routes of small rings.

use super::*;

/// Flows counted over all routes, per message of a node.
#[derive(Default)]
struct Counted {
    /// Class A by position.
    a: Vec<f64>,
    /// Class B by position.
    b: Vec<f64>,
    /// Class A messages by position that leave class A before the next channel of the ring.
    leaving: Vec<f64>,
    entering: f64,
    turning: f64,
    hops: f64,
}

/// Follows all routes; counts the ring of the first dimension (y).
fn count(k: usize) -> Counted {
    let mut counted =
        Counted { a: vec![0.0; k], b: vec![0.0; k], leaving: vec![0.0; k], ..Counted::default() };
    let hops = |from: usize, to: usize| (from + k - to) % k;
    let others = (k * k - 1) as f64;
    for sy in 0..k {
        for dy in 0..k {
            let y_hops = hops(sy, dy);
            for x_hops in 0..k {
                if y_hops + x_hops == 0 {
                    continue;
                }
                // Averaged over the k positions of the source in x: a ring's share of one node's
                // messages.
                let each = 1.0 / others;
                counted.hops += (y_hops + x_hops) as f64 * each / k as f64;
                counted.entering += f64::from(y_hops > 0) * each / k as f64;
                counted.turning += f64::from(y_hops > 0 && x_hops > 0) * each / k as f64;
                let (mut at, mut class_a) = (sy, true);
                for hop in 1..=y_hops {
                    let flow = if class_a { &mut counted.a } else { &mut counted.b };
                    flow[at] += each;
                    if class_a && (at == 0 || hop == y_hops) {
                        counted.leaving[at] += each;
                    }
                    class_a &= at != 0;
                    at = (at + k - 1) % k;
                }
            }
        }
    }
    counted
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn flows_are_those_of_all_ways() {
    for k in 2..=17 {
        let equations = Rings { radix: k, length: 20.0 };
        let counted = count(k);
        assert!(close(counted.entering, equations.entering()), "{k}");
        assert!(close(counted.turning, equations.turning()), "{k}");
        assert!(close(counted.hops, equations.distance()), "{k}");
        assert!(close(2.0 * equations.link(), equations.distance()), "{k}");
        let (kf, others) = (k as f64, (k * k - 1) as f64);
        for j in 0..k {
            let jf = j as f64;
            assert!(close(counted.a[j], equations.flow(j)), "{k} {j}");
            assert!(close(counted.a[j] + counted.b[j], equations.link()), "{k} {j}");
            // No messages of class B at the seam.
            let b = kf * jf * (jf - 1.0) / (2.0 * others);
            assert!(close(counted.b[j], b), "{k} {j}");
            if j > 0 {
                let leaving = counted.leaving[j] / counted.a[j];
                assert!(close(leaving, equations.leaving(j)), "{k} {j}: {leaving}");
                // Messages on the next channel stayed in class A or have just entered.
                let stays = (1.0 - leaving) * equations.flow(j);
                assert!(close(equations.flow(j - 1), stays + equations.entering()), "{k} {j}");
                // (6).
                let blocking = 1.0 - stays / equations.flow(j - 1);
                assert!(close(equations.blocking(j - 1), blocking), "{k} {j}");
            }
        }
    }
}

#[test]
fn turning_and_entering_messages_add_up() {
    for k in 2..=17 {
        let equations = Rings { radix: k, length: 20.0 };
        let kf = k as f64;
        assert!(close(equations.entering() * (kf - 1.0) / kf, equations.turning()));
        let injected = (kf - 1.0) / (kf * kf - 1.0);
        assert!(close(equations.turning() + injected, equations.entering()));
    }
}

#[test]
fn an_empty_torus_takes_the_transfer_only() {
    for k in 2..=17 {
        let equations = Rings { radix: k, length: 32.0 };
        let latency = equations.predict(Rate(0.0)).unwrap().latency_mean;
        assert!((latency - (32.0 + equations.distance() + 1.0)).abs() < 1e-9);
    }
}
