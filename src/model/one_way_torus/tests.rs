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
    /// By the number of dimensions that the next one is further.
    turning: Vec<f64>,
    hops: f64,
}

/// Follows all routes in n dimensions; counts the ring of the first one routed.
fn count(k: usize, n: u32) -> Counted {
    let none = || vec![0.0; k];
    let turning = vec![0.0; n as usize];
    let mut counted =
        Counted { a: none(), b: none(), leaving: none(), turning, ..Counted::default() };
    let each = 1.0 / (k.pow(n) - 1) as f64;
    for start in 0..k {
        for first_hops in 0..k {
            // The hops in the other dimensions, the next one fastest.
            for others in 0..k.pow(n - 1) {
                if first_hops + others == 0 {
                    continue;
                }
                let other_hops = (0..n - 1).map(|digit| others / k.pow(digit) % k);
                let zeros = other_hops.clone().take_while(|&hops| hops == 0).count();
                let all_hops = first_hops + other_hops.sum::<usize>();
                // Averaged over the k positions of the source: a ring's share of one node's messages.
                counted.hops += all_hops as f64 * each / k as f64;
                counted.entering += f64::from(first_hops > 0) * each / k as f64;
                if first_hops > 0 && others > 0 {
                    counted.turning[zeros + 1] += each / k as f64;
                }
                let (mut at, mut class_a) = (start, true);
                for hop in 1..=first_hops {
                    let flow = if class_a { &mut counted.a } else { &mut counted.b };
                    flow[at] += each;
                    if class_a && (at == 0 || hop == first_hops) {
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

/// All sizes tried, in one to three dimensions.
fn sizes() -> impl Iterator<Item = Rings> {
    let of = |n| (2..=if n > 2 { 8 } else { 17 }).map(move |k| (k, n));
    (1..=3).flat_map(of).map(|(radix, dimensions)| Rings { radix, dimensions, length: 32.0 })
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn flows_are_those_of_all_ways() {
    for equations in sizes() {
        let (k, n) = (equations.radix, equations.dimensions);
        let counted = count(k, n as u32);
        assert!(close(counted.entering, equations.entering()), "{k}");
        for across in 1..n {
            assert!(close(counted.turning[across], equations.turning(across)), "{k} {across}");
        }
        assert!(close(counted.hops, equations.distance()), "{k}");
        let (kf, others) = (k.pow(n as u32 - 1) as f64, (k.pow(n as u32) - 1) as f64);
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
fn turning_and_injected_messages_enter() {
    for equations in sizes() {
        let n = equations.dimensions;
        // Into the ring routed last, from all others and from the source.
        let turning: f64 = (1..n).map(|across| equations.turning(across)).sum();
        let injected = (equations.k() - 1.0) * equations.share(0);
        assert!(close(turning + injected, equations.entering()));
    }
}

#[test]
fn an_empty_torus_takes_the_transfer_only() {
    for equations in sizes() {
        let latency = equations.predict(Rate(0.0)).unwrap().latency_mean;
        assert!((latency - (32.0 + equations.distance() + 1.0)).abs() < 1e-9);
    }
}

/// The wait `F_W(y, z)` of the appendix.
fn wait(y: f64, z: f64, base: f64) -> f64 {
    y * z * z * (1.0 + ((z - base) / z).powi(2)) / (2.0 * (1.0 - y * z))
}

/// The appendix for n = 3, dimension by dimension: z is routed first, then y, then x.
fn latency_in_three_dimensions(k: usize, length: f64, node: f64) -> f64 {
    let kf = k as f64;
    let others = kf.powi(3) - 1.0;
    let net = node * (kf - 1.0) / 2.0 * kf.powi(3) / others;
    let new = node * kf * kf * (kf - 1.0) / others;
    let flow = |j: usize| match j as f64 {
        j if j > 1.0 => node * kf * kf * (kf * (kf - 1.0) - j * (j - 1.0)) / (2.0 * others),
        _ => net,
    };
    let stretch = 1.0 + net / 2.0 * length;
    let base = stretch * length;
    // Service and wait by position, from the service at the seam.
    let ring = |first: f64| {
        let mut ring = vec![(first, wait(flow(0), first, base))];
        for j in 1..k {
            let (x, w) = ring[j - 1];
            let stay = (kf + j as f64 - 3.0) / (kf + j as f64 - 1.0);
            let x = stay * (x + w * new / flow(j - 1)) + (1.0 - stay) * first;
            ring.push((x, wait(flow(j), x, base)));
        }
        ring
    };
    let to_next = node * kf * (kf - 1.0).powi(2) / others;
    let to_last = node * (kf - 1.0).powi(2) / others;
    let entered = |(x, w): (f64, f64), j: usize, of: f64| x + w * (1.0 - of / flow(j));
    let xs = ring(base);
    let mut sum = 0.0;
    for (a, &x) in xs.iter().enumerate() {
        let ys = ring(base / kf + (kf - 1.0) / kf * entered(x, a, to_next / 2.0));
        for (b, &y) in ys.iter().enumerate() {
            let zs = ring(
                base / kf.powi(2)
                    + (kf - 1.0) / kf * entered(y, b, to_next / 2.0)
                    + (kf - 1.0) / kf.powi(2) * entered(x, a, to_last / 2.0),
            );
            for (c, &z) in zs.iter().enumerate() {
                let [to_x, to_y, to_z] = [1.0, kf, kf * kf].map(|it| it * (kf - 1.0) / others);
                let injection = to_x * entered(x, a, to_x * node)
                    + to_y * entered(y, b, to_y * node)
                    + to_z * entered(z, c, to_z * node);
                sum += injection + wait(node, injection, base);
            }
        }
    }
    let distance = 3.0 * net / node;
    sum / kf.powi(3) + (distance - 1.0) * stretch + 2.0
}

#[test]
fn three_dimensions_written_out_give_the_same_latency() {
    for (radix, length) in [(3, 8.0), (4, 20.0), (8, 32.0)] {
        let equations = Rings { radix, dimensions: 3, length };
        for load in [0.1, 0.5, 0.9] {
            let rate = load * equations.saturation_rate().0;
            let found = equations.predict(Rate(rate)).unwrap().latency_mean;
            let wanted = latency_in_three_dimensions(radix, length, rate);
            assert!((found / wanted - 1.0).abs() < 1e-12, "{radix} at {load}: {found}, {wanted}");
        }
    }
}
