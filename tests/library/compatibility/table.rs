//! The table of errors against BookSim2.

use std::fmt::Write;

use super::Case;
use super::point::{self, Given, Kind, Measured};

const BEGIN: &str = "<!-- measured -->\n";
const END: &str = "<!-- end -->\n";

/// The keys that most cases share.
const USUAL: &str = "topology=mesh; k=8; n=2; routing_function=dor; num_vcs=2; vc_buf_size=8; \
     packet_size=4; traffic=uniform";

/// The columns with latencies, with their limits in per cent.
const LATENCIES: [(Kind, f64); 6] = [
    (Kind::Zero, 2.0),
    (Kind::Ten, 2.0),
    (Kind::Thirty, 2.0),
    (Kind::Fifty, 2.0),
    (Kind::Seventy, 2.0),
    (Kind::Ninety, 5.0),
];

/// The limit of the load at three times the lowest latency, in flits per node and cycle.
const SATURATION: f64 = 0.012;

/// The limit of the accepted load in overload, in per cent.
const OVERLOAD: f64 = 5.0;

fn cell(error: String, is_within: bool) -> String {
    let error = if error == "-0.0" { "+0.0".to_owned() } else { error };
    if is_within { error } else { format!("**{error}**") }
}

fn cell_of(case: &Case, given: &Given, measured: &Measured, limit: f64) -> String {
    let [first, second] = given.latencies(case);
    let Some(first) = first else { return "–".to_owned() };
    let (theirs, spread) = match second {
        Some(second) => (f64::midpoint(first, second), (first - second).abs() / 2.0),
        None => (first, 0.0),
    };
    let of = |cycles: f64| 100.0 * cycles / theirs;
    let error = of(measured.value - theirs);
    cell(format!("{error:+.1}"), error.abs() <= limit + of(measured.noise.max(spread)))
}

/// The keys of a case whose values differ from those of [`USUAL`].
fn keys(case: &Case) -> String {
    let usual: Vec<&str> = USUAL.split("; ").collect();
    let keys: Vec<&str> =
        case.configuration.split("; ").filter(|key| !usual.contains(key)).collect();
    if keys.is_empty() { "none".to_owned() } else { format!("`{}`", keys.join("; ")) }
}

/// The row of a case that is converted.
fn row(case: &Case, measured: &[Measured]) -> String {
    let find = |kind| measured.iter().find(|it| it.case == case.name && it.point == kind).unwrap();
    let mut row = format!("| {}", keys(case));
    for (kind, limit) in LATENCIES {
        let given = case.points.iter().find(|it| it.point == kind);
        let text = given.map_or("–".to_owned(), |given| cell_of(case, given, find(kind), limit));
        let _ = write!(row, " | {text}");
    }
    let saturation = find(Kind::Saturation).value - case.point(Kind::Saturation).load;
    let text = cell(format!("{saturation:+.3}"), saturation.abs() <= SATURATION);
    let Given { load, accepted, .. } = case.point(Kind::Overload);
    // BookSim2 counts packets of nodes to themselves, which no permutation has here.
    let theirs = accepted.unwrap() - load * (1.0 - point::share_of_senders(case));
    let overload = 100.0 * (find(Kind::Overload).value / theirs - 1.0);
    let _ = writeln!(
        row,
        " | {text} | {} |",
        cell(format!("{overload:+.1}"), overload.abs() <= OVERLOAD)
    );
    row
}

/// The tables: errors, then refusals.
pub fn table(cases: &[Case], measured: &[Measured]) -> String {
    let mut errors = String::from(
        "| changed keys | lowest | 10 % | 30 % | 50 % | 70 % | 90 % | saturation | overload |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut refusals = String::from("| changed keys | message |\n|---|---|\n");
    for case in cases {
        match case.refusal() {
            None => errors += &row(case, measured),
            Some(what) => {
                let _ = writeln!(refusals, "| {} | {what} |", keys(case));
            }
        }
    }
    format!("{errors}\nRefused:\n\n{refusals}")
}

/// The text of the guide with the tables put in place.
pub fn replaced(text: &str, cases: &[Case], measured: &[Measured]) -> String {
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    format!("{before}{BEGIN}{}{END}{after}", table(cases, measured))
}
