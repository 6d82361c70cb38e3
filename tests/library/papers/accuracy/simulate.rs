//! Simulates drawn systems with the program and keeps what is found.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;

use serde::Deserialize;

use super::drawn::Drawn;
use super::simulated::{LOADS, Run, file};

/// Messages of a run that looks whether a rate is too high, unless that does not tell. With fewer at most, what
/// it takes to fill the queues counts as a lack of capacity, for up to 9 % of it.
const MESSAGES_MIN: u32 = 20_000;
const MESSAGES_MAX: u32 = 320_000;

/// What is accepted of the load where the longest of these runs does not tell.
pub const ACCEPTED_MIN: f64 = 0.99;

/// Cycles of a run at most.
const CYCLES_MAX: &str = "40000000";

/// When a run that measures latencies ends. 200,000 messages give the 99th percentile. A second run is made if
/// the mean is not known by then, a third if the second is too short to tell.
const ENDS: [&[&str]; 3] = [
    &["--messages", "200000"],
    &["--precision", "0.01", "--messages", "800000"],
    &["--messages", "3200000"],
];

/// The half width of the mean with which a run may end before, as a part of it.
const HALF_WIDTH: f64 = 0.01;

/// How often the saturation is looked for again below one that did not last.
const LOWER_MAX: u32 = 6;

/// What `simulate` prints of a run.
#[derive(Deserialize, Debug)]
pub struct Printed {
    pub latency_mean: Option<f64>,
    pub latency_half_width: Option<f64>,
    latency_p50: Option<f64>,
    latency_p95: Option<f64>,
    latency_p99: Option<f64>,
    source_wait_mean: Option<f64>,
    blocking_mean: Option<f64>,
    pub offered_flits_per_node_cycle: f64,
    pub accepted_flits_per_node_cycle: f64,
    pub steadiness: String,
    pub ended: String,
}

impl Printed {
    /// The half width of the interval of the mean latency, as a part of it; `None` where there is none.
    fn half_width(&self) -> Option<f64> {
        Some(self.latency_half_width? / self.latency_mean?)
    }
}

/// Runs the program, or that which `FLITSCOPE_PROGRAM` names: an optimised one is much faster.
pub fn simulate(text: &str, rate: f64, end: &[&str]) -> Printed {
    let built = env!("CARGO_BIN_EXE_flitscope");
    let program = std::env::var("FLITSCOPE_PROGRAM").unwrap_or_else(|_| built.to_owned());
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join("drawn.ron");
    std::fs::write(&scenario, text).unwrap();
    let rate = rate.to_string();
    let fixed = ["--format", "csv", "--jobs", "1", "-q", "--rate", rate.as_str()];
    let run = Command::new(program).arg("simulate").arg(&scenario).args(fixed).args(end).output();
    let out = run.unwrap().stdout;
    let row = csv::Reader::from_reader(&out[..]).deserialize().next();
    row.unwrap_or_else(|| panic!("{text} at {rate}")).unwrap()
}

/// Whether the network stands a rate: what it accepts says so where a run is too short for the
/// program's own verdict.
pub fn stands(text: &str, rate: f64, messages: u32) -> bool {
    let count = messages.to_string();
    let found = simulate(text, rate, &["--messages", &count, "--cycles", CYCLES_MAX]);
    let offered = found.accepted_flits_per_node_cycle / found.offered_flits_per_node_cycle;
    match found.steadiness.as_str() {
        "too short to tell" if messages < MESSAGES_MAX => stands(text, rate, 4 * messages),
        "too short to tell" => offered > ACCEPTED_MIN,
        steadiness => steadiness == "steady" && found.ended == "reached",
    }
}

/// The highest rate below `high`, to 1 %, that the network stands.
fn saturation(system: &Drawn, mut high: f64) -> f64 {
    let mut low = high / 50.0;
    while high / low > 1.01 {
        let rate = (low * high).sqrt();
        *if stands(&system.text, rate, MESSAGES_MIN) { &mut low } else { &mut high } = rate;
    }
    low
}

/// To four digits.
pub fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap()
}

/// What is found at a load; nothing where the network does not stand it.
fn run(system: &Drawn, saturation: f64, load: u32) -> Option<Run> {
    let rate = saturation * f64::from(load) / 100.0;
    let measure = |end: &&[&str]| {
        simulate(&system.text, rate, &[end, &["--cycles", CYCLES_MAX][..]].concat())
    };
    let mut found = measure(&ENDS[0]);
    if found.half_width().is_none_or(|part| part > HALF_WIDTH) {
        found = measure(&ENDS[1]);
    }
    if found.half_width().is_none() && found.steadiness == "too short to tell" {
        found = measure(&ENDS[2]);
    }
    let accepted = found.accepted_flits_per_node_cycle / found.offered_flits_per_node_cycle;
    if found.steadiness == "saturated" || accepted < ACCEPTED_MIN {
        return None;
    }
    Some(Run {
        system: system.number,
        saturation,
        load,
        latency: rounded(found.latency_mean?),
        half_width: found.latency_half_width.map(rounded),
        source_wait: rounded(found.source_wait_mean?),
        blocking: rounded(found.blocking_mean?),
        p50: found.latency_p50?,
        p95: found.latency_p95?,
        p99: found.latency_p99?,
    })
}

/// Simulates a system and appends what was found to the file of this name.
pub fn keep(name: &str, system: &Drawn) {
    let most = 1.0 / system.scenario().system.traffic.lengths.mean();
    let mut saturates = rounded(saturation(system, most));
    let mut rows: Vec<Run> =
        LOADS.iter().filter_map(|&load| run(system, saturates, load)).collect();
    // Some networks break down only after a long time.
    for _ in 0..LOWER_MAX {
        if rows.len() == LOADS.len() {
            break;
        }
        saturates = rounded(saturation(system, 0.95 * saturates));
        rows = LOADS.iter().filter_map(|&load| run(system, saturates, load)).collect();
    }
    assert_eq!(rows.len(), LOADS.len(), "{}", system.text);
    let kept = file(name);
    let begun = kept.exists();
    let mut out = csv::WriterBuilder::new().has_headers(!begun).from_writer(Vec::new());
    for row in rows {
        out.serialize(row).unwrap();
    }
    let text = out.into_inner().unwrap();
    let mut file = OpenOptions::new().create(true).append(true).open(kept).unwrap();
    file.write_all(&text).unwrap();
}
