//! No message takes longer than the bound: greedy sources, and a search for bad ones.
//!
//! `FLITSCOPE_BOUND_MESSAGES` has 50 systems tried with so many messages in all.

use flitscope::engine::Engine;
use flitscope::model::bound::{Bound, Equations};
use flitscope::random::mix;
use flitscope::scenario::{Scenario, parse};
use flitscope::units::{Cycle, Rate};

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix(self.0, 0xb0d) % sides
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len() as u64) as usize].clone()
    }

    fn share(&mut self) -> f64 {
        self.roll(1 << 30) as f64 / f64::from(1 << 30)
    }
}

/// A network and its routing by their texts, and the fewest VCs that they take.
fn network(dice: &mut Dice) -> (String, &'static str, u32) {
    const FREE: &str = "DimensionOrder(classes: None)";
    const DATELINE: &str = "DimensionOrder(classes: Dateline)";
    let mut radix = |name: &str, sizes: &[u32], dimensions: usize| {
        let size = dice.of(sizes).to_string();
        format!("{name}(radix: [{}])", vec![size; dimensions].join(", "))
    };
    let [mesh, line] = [radix("Mesh", &[3, 4, 5, 6, 8], 2), radix("Mesh", &[4, 8, 12], 1)];
    let [torus, ring] = [radix("Torus", &[3, 4, 5, 6], 2), radix("Torus", &[5, 8], 1)];
    let cube = format!("Hypercube(dimensions: {})", dice.of(&[3, 4, 5]));
    let (switches, seed) = (dice.of(&[6, 10, 16]), dice.roll(100));
    let graph = format!("RandomSwitches(switches: {switches}, degree: 3, hosts: 1, seed: {seed})");
    dice.of(&[
        (mesh, FREE, 1),
        (line, FREE, 1),
        (torus, DATELINE, 2),
        (ring, DATELINE, 2),
        (cube, FREE, 1),
        ("Mesh(radix: [4, 3, 2])".to_owned(), FREE, 1),
        (graph, "UpDown(root: 0)", 1),
    ])
}

/// A system of which only rate and spread are left open. It may not fit together.
fn system(dice: &mut Dice) -> (String, String) {
    let (network, routing, fewest) = network(dice);
    let vcs = dice.of(&[1, 2, 3, 4, 6, 8]).max(fewest);
    let buffer = dice.of(&[1, 2, 4, 8, 16, 64]);
    let pattern = pattern(dice);
    let longest = dice.of(&[1, 2, 5, 8, 16, 32]);
    let shortest = dice.of(&[1, longest, longest, longest]);
    let burst = dice.of(&[1, 1, 2, 4]);
    let allocation = dice.of(&["OldestFirst", "FirstComeFirstServed", "FirstAskedFirstServed"]);
    let text = format!(
        "(network: {network}, routing: {routing}, switching: \
         Wormhole(virtual_channels: {vcs}, buffer_flits: {buffer}, allocation: {allocation}), \
         traffic: (arrivals: GreedyBucket(burst: {burst}, OPEN), destinations: TO, \
         lengths: Uniform(min: {shortest}, max: {longest})))"
    );
    (text, pattern)
}

/// Where messages go.
fn pattern(dice: &mut Dice) -> String {
    let (hot, percent) = (dice.roll(5), dice.of(&[10, 50, 100]));
    let hotspot = format!("Hotspot(nodes: [{hot}], percent: {percent})");
    let patterns = ["Uniform", &hotspot, "Transpose", "Tornado", "Neighbour", "BitComplement"];
    dice.of(&patterns).to_owned()
}

fn scenario(text: &str, to: &str, rate: f64, spread: f64) -> Option<Scenario> {
    let open = format!("rate: {rate:.9}, spread: {spread}");
    parse("bound", &text.replace("OPEN", &open).replace("TO", to), &[]).ok()
}

/// The highest rate, nearly, at which there is a bound.
fn highest(equations: &Equations) -> f64 {
    let (mut low, mut high) = (1e-7_f64, 1.0 / 32.0);
    for _ in 0..10 {
        let middle = (low * high).sqrt();
        *if equations.solve(Rate(middle)).is_ok() { &mut low } else { &mut high } = middle;
    }
    low
}

/// Makes a run of some `messages`: how many there were, the longest latency, and the closest that any came to
/// the bound of its flow.
fn run(scenario: &Scenario, bound: &Bound, seed: u64, messages: u64) -> (u64, u64, f64) {
    let mut engine = Engine::new(&scenario.system, seed, 0);
    let rate = scenario.system.traffic.rate.0;
    let (mut count, mut longest, mut closest) = (0, 0, 0.0_f64);
    let mut come = Vec::new();
    for slice in 1..200 {
        engine.advance(Cycle((f64::from(slice) * 8.0 / rate) as u64));
        engine.take_deliveries(&mut come);
        for delivery in &come {
            let ends = (delivery.source, delivery.destination);
            let at = bound.flows.binary_search_by_key(&ends, |it| (it.source, it.destination));
            let cycles = bound.flows[at.unwrap()].cycles;
            let latency = delivery.latency();
            assert!(
                latency <= cycles,
                "{latency} cycles are more than {cycles}: seed {seed}, {ends:?}, {:?}, {}",
                scenario.system.traffic,
                scenario.text
            );
            longest = longest.max(latency);
            closest = closest.max(latency as f64 / cycles as f64);
        }
        count += come.len() as u64;
        if count >= messages {
            break;
        }
    }
    (count, longest, closest)
}

#[test]
#[expect(clippy::print_stdout, reason = "how tight it is, for people")]
fn no_message_takes_longer_than_the_bound() {
    let asked = std::env::var("FLITSCOPE_BOUND_MESSAGES").ok();
    let (systems, messages) = match asked {
        Some(messages) => (50, messages.parse::<u64>().unwrap()),
        None => (12, 24_000),
    };
    let mut dice = Dice(0);
    let (mut worst, mut flows, mut all) = (Vec::new(), Vec::new(), 0);
    while worst.len() < systems {
        let (text, pattern_of_bound) = system(&mut dice);
        let Some(base) = scenario(&text, &pattern_of_bound, 1e-6, 0.0) else { continue };
        let equations = Equations::of(&base.system).unwrap();
        let highest = highest(&equations);
        let least = equations.solve(Rate(1e-7)).unwrap().worst().cycles;
        let (mut best, mut closest, mut count) =
            ((0, highest, 0.0, 1, pattern_of_bound.clone()), 0.0_f64, 0);
        let mut tightest = 0.0_f64;
        while count < messages / systems as u64 {
            // Either anything, or near the worst so far.
            // Where messages may go anywhere, the bound holds wherever they go.
            let anywhere = pattern_of_bound == "Uniform";
            let (rate, spread, seed, to) = if dice.roll(2) == 0 {
                let share = dice.of(&[1.0, 1.0, 0.5, 0.1]);
                let share_of = dice.share();
                let spread = dice.of(&[0.0, share_of, share_of * 0.1, share_of * 0.01]);
                let other = if anywhere { pattern(&mut dice) } else { pattern_of_bound.clone() };
                ((highest * share).max(1e-6), spread, dice.roll(1 << 40), other)
            } else {
                let (_, rate, spread, seed, ref to) = best;
                let to = to.clone();
                let near: f64 = spread * (0.8 + 0.4 * dice.share());
                let other = dice.roll(1 << 40);
                (rate, near.min(1.0), dice.of(&[seed, other]), to)
            };
            // Not every network has every permutation.
            let Some(scenario) = scenario(&text, &to, rate, spread) else { continue };
            let Ok(bound) = equations.solve(scenario.system.traffic.rate) else {
                count += 1;
                continue;
            };
            let (more, longest, near) =
                run(&scenario, &bound, seed, messages / systems as u64 / 12);
            count += more;
            all += more;
            closest = closest.max(near);
            tightest = tightest.max(longest as f64 / bound.worst().cycles as f64);
            if longest > best.0 {
                best = (longest, rate, spread, seed, to);
            }
        }
        println!(
            "bound {least} at the least, seen {}, worst flow's bound is {:.2} of the longest seen, \
             the closest {:.2}, up to {highest:.6} messages/node/cycle, to {}: {text}",
            best.0,
            1.0 / tightest,
            1.0 / closest,
            best.4
        );
        worst.push(1.0 / tightest);
        flows.push(1.0 / closest);
    }
    for (name, mut ratios) in [("worst flow", worst), ("closest flow", flows)] {
        ratios.sort_by(f64::total_cmp);
        let (median, most) = (ratios[systems / 2], ratios[systems - 1]);
        println!("{name}: bound / worst seen {:.2} to {most:.2}, median {median:.2}", ratios[0]);
        // The bound says something: some system comes near it.
        assert!(ratios[0] < 1.1, "{}", ratios[0]);
    }
    println!("{all} messages, none beyond its bound");
}
