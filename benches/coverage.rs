//! How often 95 % intervals hold the long-run mean, and how far off the means are.
//!
//! `cargo bench --bench coverage -- [--runs N] [--jobs J] [--truth MESSAGES] [WORD…]` measures four
//! scenarios at 20, 60 and 90 % of what they carry, in four ways of ending a run, and prints a table
//! in Markdown. With words, only the cells whose line holds all of them: `mesh-8x8 90 precision`.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use flitscope::experiment::{End, Outcome, Plan, run};
use flitscope::scenario::{self, Override, Scenario};
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
const LOADS: [u32; 3] = [20, 60, 90];

/// Independent runs that tell the truth.
const TRUTH_RUNS: u32 = 8;

/// Ways of ending a run.
const METHODS: [(&str, Option<f64>, Option<u64>, u32); 4] = [
    ("--messages 20000", None, Some(20_000), 1),
    ("--replications 5 --messages 4000", None, Some(4_000), 5),
    ("--precision 0.05", Some(0.05), None, 1),
    ("--precision 0.01", Some(0.01), None, 1),
];

fn open(name: &str, rate: f64, seed: u64) -> Result<Arc<Scenario>, Box<dyn Error + Send + Sync>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(name);
    let text = std::fs::read_to_string(file.with_extension("ron"))?;
    let set = |path: &str, value: String| Override { path: path.into(), value, label: path.into() };
    let fields =
        [set("traffic.arrivals", format!("Poisson(rate: {rate})")), set("seed", seed.to_string())];
    let scenario = scenario::parse(name, &text, &fields);
    scenario.map(Arc::new).map_err(|problems| format!("{problems:?}").into())
}

/// What all replications of a plan say of the latency, in cycles.
fn measure(scenario: &Arc<Scenario>, plan: &Plan) -> Result<Option<Estimate>, String> {
    let never = AtomicBool::new(false);
    let one = |number| run::run(scenario, plan, number, &never, &|_| ());
    let outcomes: Result<Vec<Outcome>, _> = (0..plan.replications).filter_map(one).collect();
    let outcomes = outcomes.map_err(|crash| crash.to_string())?;
    let together = Outcome::together(&outcomes, plan.replications);
    Ok(together.and_then(|it| it.summary.latency))
}

/// What the plan says of the latency, once for each seed.
fn estimates(
    (name, rate): (&str, f64),
    seeds: std::ops::Range<u64>,
    plan: &Plan,
) -> Result<Vec<Estimate>, Box<dyn Error + Send + Sync>> {
    let one = |seed| Ok(measure(&open(name, rate, seed)?, plan)?);
    let all: Result<Vec<Option<Estimate>>, Box<dyn Error + Send + Sync>> =
        seeds.into_par_iter().map(one).collect();
    Ok(all?.into_iter().flatten().collect())
}

fn plan(precision: Option<f64>, messages: Option<u64>, replications: u32) -> Plan {
    let end = End::new(precision, messages, None);
    Plan { end, warm_up: WarmUp::Automatic, replications }
}

fn table(runs: u64, truth: u64, words: &[String]) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut out = std::io::stdout();
    writeln!(
        out,
        "| scenario | load | ended by | runs | with interval | cover | bias | mean, cycles |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    for (name, saturation) in SCENARIOS {
        for load in LOADS {
            let case = (name, saturation * f64::from(load) / 100.0);
            let mut known = None;
            for (method, precision, messages, replications) in METHODS {
                let line = format!("| {name} | {load} % | `{method}` |");
                if !words.iter().all(|word| line.contains(word.as_str())) {
                    continue;
                }
                let known = if let Some(mean) = known {
                    mean
                } else {
                    let seeds = 1_000_000..1_000_000 + u64::from(TRUTH_RUNS);
                    let long = estimates(case, seeds, &plan(None, Some(truth), 1))?;
                    let sum: f64 = long.iter().map(|one| one.mean).sum();
                    *known.insert(sum / long.len() as f64)
                };
                let all = estimates(case, 0..runs, &plan(precision, messages, replications))?;
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

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let (mut runs, mut jobs, mut truth, mut words) = (200, 0, 400_000, Vec::new());
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().unwrap_or_default().parse::<u64>();
        match argument.as_str() {
            "--runs" => runs = number()?,
            "--jobs" => jobs = number()? as usize,
            "--truth" => truth = number()?,
            _ => words.push(argument),
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
    pool.install(|| table(runs, truth, &words))
}
