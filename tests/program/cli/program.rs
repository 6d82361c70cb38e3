//! Runs the program and keeps what it said.

use std::io::Write;
use std::process::{Command, Stdio};

/// The columns of `simulate`, in order, as promised.
pub const SIMULATE: [&str; 69] = [
    "scenario",
    "seed",
    "replication",
    "rate",
    "offered_flits_per_node_cycle",
    "accepted_flits_per_node_cycle",
    "channel_utilisation_mean",
    "latency_mean",
    "latency_half_width",
    "network_latency_mean",
    "latency_p50",
    "latency_p95",
    "latency_p99",
    "time_unit",
    "hops_mean",
    "messages",
    "cycles",
    "saturated",
    "deadlock",
    "aborts_mean",
    "flit_hops",
    "wall_seconds",
    "fingerprint",
    "version",
    "scenario_hash",
    "overrides",
    "ended",
    "steadiness",
    "warm_up_cycles",
    "source_wait_mean",
    "blocking_mean",
    "transfer_mean",
    "accepted_half_width",
    "latency_p99_half_width",
    "source_wait_half_width",
    "blocking_half_width",
    "transfer_half_width",
    "deadlock_closed",
    "deadlock_closers",
    "deadlock_members",
    "deadlock_caught",
    "congested_flits_per_node_cycle",
    "capacity_load",
    "capacity_kind",
    "capacity_channel",
    "completion_cycles",
    "completion_alone_cycles",
    "completion_busiest_cycles",
    "node_completion_cycles",
    "in_flight_messages",
    "in_flight_interval_cycles",
    "message_classes",
    "round_trip_mean",
    "round_trip_p50",
    "round_trip_p95",
    "round_trip_p99",
    "round_trips_per_node_cycle",
    "buffer_wait_mean",
    "vc_wait_mean",
    "crossbar_wait_mean",
    "credit_wait_mean",
    "deadlock_grants",
    "deadlock_remedy",
    "lost_messages",
    "unreachable_pairs",
    "phases",
    "new_routes_deadlock_free",
    "transitions_deadlock_free",
    "latency_variance_left",
];

/// What a run of the program left behind.
pub struct Said {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The program, not yet started.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flitscope"));
    // The person who runs the tests may have a configuration.
    command.env("FLITSCOPE_CONFIG", "");
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program without input.
pub fn run(arguments: &[&str]) -> Said {
    run_with(arguments, "")
}

/// Runs the program with this on its standard input.
pub fn run_with(arguments: &[&str], input: &str) -> Said {
    let mut child = program(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have ended without reading.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    Said {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The keys of a JSON object in the order in which they stand in its text. Lists and objects
/// inside it are passed over.
pub fn keys(line: &str) -> Vec<String> {
    let (mut keys, mut depth, mut string, mut in_string) = (Vec::new(), 0, String::new(), false);
    let mut escaped = false;
    for letter in line.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => {
                in_string = !in_string;
                if in_string {
                    string.clear();
                }
            }
            _ if in_string => string.push(letter),
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ':' if depth == 1 => keys.push(string.clone()),
            _ => {}
        }
    }
    keys
}

/// The objects of JSON lines.
pub fn objects(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
