//! How often 95 % intervals hold the long-run mean, and how far off the means are.
//!
//! `cargo bench --bench coverage -- [--runs N] [--jobs J] [--truth MESSAGES] [--messages N] [WORD…]`
//! measures four scenarios at 20, 60, 80 and 90 % of what they carry, in several ways of ending a run,
//! and prints a table in Markdown. With `--messages`, single runs of N messages in place of those methods; with
//! words, only the cells whose line holds all of them: `mesh-8x8 90 precision`.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use flitscope::experiment::compare::{self, Comparison};
use flitscope::experiment::{End, Outcome, Plan, together};
use flitscope::scenario::{self, Override, Scenario, contrast};
use flitscope::stats::{Estimate, WarmUp};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Scenarios, and the rates in messages per node and unit of time at which simulations saturate.
const SCENARIOS: [(&str, f64); 4] = [
    ("papers/adaptive-torus-8x8", 0.0509),
    ("mesh-8x8", 0.02917),
    ("uniform-torus-16x16", 0.02206),
    ("papers/circuit-hold-8", 0.26),
];

/// Loads in per cent of that.
const LOADS: [u32; 4] = [20, 60, 80, 90];

/// What one of them is held against, the same but for this field.
const AGAINST: (&str, &str, &str) = ("mesh-8x8", "switching.buffer_flits", "8");

/// Independent runs that tell the truth.
const TRUTH_RUNS: u32 = 8;

/// A way of ending a run.
struct Method {
    name: String,
    plan: Plan,
    /// Whether the mean difference from another run is measured.
    against: bool,
}

/// All methods, or single runs of a given number of messages.
fn methods(messages: Option<u64>) -> Vec<Method> {
    let of = |name: &str, precision, messages, replications, against| {
        let end = End::new(precision, messages, None);
        let plan = Plan { end, warm_up: WarmUp::Automatic, replications, ..Plan::default() };
        Method { name: name.to_owned(), plan, against }
    };
    if let Some(count) = messages {
        return vec![of(&format!("--messages {count}"), None, Some(count), 1, false)];
    }
    vec![
        of("--messages 20000", None, Some(20_000), 1, false),
        of("--replications 5 --messages 4000", None, Some(4_000), 5, false),
        of("--precision 0.05", Some(0.05), None, 1, false),
        of("--precision 0.01", Some(0.01), None, 1, false),
        of("--replications 2 --precision 0.02", Some(0.02), None, 2, false),
        of("--replications 5 --precision 0.02", Some(0.02), None, 5, false),
        of("--against --messages 20000", None, Some(20_000), 1, true),
        of("--against --messages 80000", None, Some(80_000), 1, true),
        of("--against --precision 0.01", Some(0.01), None, 1, true),
    ]
}

type Failed = Box<dyn Error + Send + Sync>;

fn open(name: &str, rate: f64, seed: u64) -> Result<Scenario, Failed> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name);
    let text = std::fs::read_to_string(file.with_extension("ron"))?;
    let fields =
        [("traffic.arrivals", format!("Poisson(rate: {rate})")), ("seed", seed.to_string())];
    let scenario = scenario::parse(name, &text, &fields.map(|(path, value)| set(path, value)));
    scenario.map_err(|problems| format!("{problems:?}").into())
}

fn set(path: &str, value: String) -> Override {
    Override { path: path.into(), value, label: path.into() }
}

/// What all replications of a method say of the latency, or of the difference, in cycles.
fn measure(scenario: Scenario, method: &Method) -> Result<Option<Estimate>, Failed> {
    let never = AtomicBool::new(false);
    let numbers = 0..method.plan.replications;
    let rounds = if method.plan.is_pooled() {
        vec![numbers]
    } else {
        numbers.map(|number| number..number + 1).collect()
    };
    let first = &Arc::new(scenario);
    if method.against {
        let (_, path, value) = AGAINST;
        let other = first.with([set(path, value.to_owned())]);
        let other = other.map_err(|problems| format!("{problems:?}"))?;
        let other = contrast::beside(first, &other).map_err(|refused| refused.what)?;
        let two = [first, &Arc::new(other)];
        let make = |numbers| compare::together(two, &method.plan, numbers, &never, &|_| ());
        let all: Result<Vec<Comparison>, _> = rounds.into_iter().flat_map(make).collect();
        let whole = Comparison::together(&all?, method.plan.replications);
        return Ok(whole.and_then(|it| it.pairs?.paired.difference));
    }
    let make = |numbers| together(first, &method.plan, numbers, &never, &|_| ());
    let all: Result<Vec<Outcome>, _> = rounds.into_iter().flat_map(make).collect();
    let whole = Outcome::together(&all?, method.plan.replications);
    Ok(whole.and_then(|it| it.summary.latency))
}

/// What the method says, once for each seed.
fn estimates(
    (name, rate): (&str, f64),
    seeds: std::ops::Range<u64>,
    method: &Method,
) -> Result<Vec<Estimate>, Failed> {
    let one = |seed| measure(open(name, rate, seed)?, method);
    let all: Result<Vec<Option<Estimate>>, Failed> = seeds.into_par_iter().map(one).collect();
    Ok(all?.into_iter().flatten().collect())
}

/// The mean of long runs.
fn truth(case: (&str, f64), messages: u64, against: bool) -> Result<f64, Failed> {
    let end = End::new(None, Some(messages), None);
    let plan = Plan { end, ..Plan::default() };
    let seeds = 1_000_000..1_000_000 + u64::from(TRUTH_RUNS);
    let long = estimates(case, seeds, &Method { name: String::new(), plan, against })?;
    Ok(long.iter().map(|one| one.mean).sum::<f64>() / long.len() as f64)
}

fn table(runs: u64, messages: u64, ways: &[Method], words: &[String]) -> Result<(), Failed> {
    let mut out = std::io::stdout();
    writeln!(
        out,
        "| scenario | load | ended by | runs | with interval | cover | bias | mean, cycles |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    for (name, saturation) in SCENARIOS {
        for load in LOADS {
            let case = (name, saturation * f64::from(load) / 100.0);
            let mut known = [None; 2];
            for method in ways.iter().filter(|method| !method.against || name == AGAINST.0) {
                let line = format!("| {name} | {load} % | `{}` |", method.name);
                if !words.iter().all(|word| line.contains(word.as_str())) {
                    continue;
                }
                let known = match &mut known[usize::from(method.against)] {
                    Some(known) => *known,
                    unknown => *unknown.insert(truth(case, messages, method.against)?),
                };
                let all = estimates(case, 0..runs, method)?;
                let given: Vec<(f64, f64)> =
                    all.iter().filter_map(|one| Some((one.mean, one.half_width?))).collect();
                let count = given.len() as f64;
                let hits = given.iter().filter(|one| (one.0 - known).abs() <= one.1).count() as f64;
                let mean = all.iter().map(|one| one.mean).sum::<f64>() / all.len() as f64;
                let cover = if given.is_empty() {
                    "-".to_owned()
                } else {
                    format!("{:.0} %", 100.0 * hits / count)
                };
                writeln!(
                    out,
                    "{line} {runs} | {:.0} % | {cover} | {:+.1} % | {known:.2} |",
                    100.0 * count / runs as f64,
                    100.0 * (mean / known - 1.0)
                )?;
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Failed> {
    let (mut runs, mut jobs, mut truth, mut messages) = (200, 0, 400_000, None);
    let mut words = Vec::new();
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().unwrap_or_default().parse::<u64>();
        match argument.as_str() {
            "--runs" => runs = number()?,
            "--jobs" => jobs = number()? as usize,
            "--truth" => truth = number()?,
            "--messages" => messages = Some(number()?),
            _ => words.push(argument),
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
    pool.install(|| table(runs, truth, &methods(messages), &words))
}
