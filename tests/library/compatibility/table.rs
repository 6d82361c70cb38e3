//! The tables of errors against other simulators.

use std::fmt::Write;

use super::point::{self, Given, Kind, Measured};
use super::{Case, Peer};

const END: &str = "<!-- end -->\n";

/// The mark above a table.
fn mark(peer: Peer) -> &'static str {
    match peer {
        Peer::BookSim2 => "<!-- measured -->\n",
        Peer::Caminos => "<!-- measured for CAMINOS -->\n",
    }
}

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
    if case.peer == Peer::Caminos {
        return format!("`{}`", case.configuration);
    }
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
    let saturation = saturation * case.flits();
    let text = cell(format!("{saturation:+.3}"), saturation.abs() <= SATURATION);
    let overload = case.find(Kind::Overload).map_or("–".to_owned(), |given| {
        let Given { load, accepted, .. } = given;
        // BookSim2 counts packets of nodes to themselves, which no permutation has here.
        let silent = match case.peer {
            Peer::BookSim2 => 1.0 - point::share_of_senders(case),
            Peer::Caminos => 0.0,
        };
        let theirs = accepted.unwrap() - load * silent;
        let error = 100.0 * (find(Kind::Overload).value / theirs - 1.0);
        cell(format!("{error:+.1}"), error.abs() <= OVERLOAD)
    });
    let _ = writeln!(row, " | {text} | {overload} |");
    row
}

/// The table of errors against a simulator, and the refusals below, if any.
fn table(peer: Peer, cases: &[Case], measured: &[Measured]) -> String {
    let first = match peer {
        Peer::BookSim2 => "changed keys",
        Peer::Caminos => "machine",
    };
    let mut errors = format!(
        "| {first} | lowest | 10 % | 30 % | 50 % | 70 % | 90 % | saturation | overload |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let (mut refusals, mut others) = (String::new(), Vec::new());
    for case in cases.iter().filter(|case| case.peer == peer) {
        match case.refusal() {
            None if !case.is_measured(measured) => others.push(keys(case)),
            None => errors += &row(case, measured),
            Some(what) => {
                let _ = writeln!(refusals, "| {} | {what} |", keys(case));
            }
        }
    }
    if !others.is_empty() {
        let _ = write!(errors, "\nConverted, and not compared yet:\n\n- {}\n", others.join("\n- "));
    }
    if !refusals.is_empty() {
        let _ = write!(errors, "\nRefused:\n\n| {first} | message |\n|---|---|\n{refusals}");
    }
    errors
}

/// The text of the guide with the tables put in place.
pub fn replaced(text: &str, cases: &[Case], measured: &[Measured]) -> String {
    [Peer::BookSim2, Peer::Caminos].into_iter().fold(text.to_owned(), |text, peer| {
        let mark = mark(peer);
        let (before, rest) = text.split_once(mark).unwrap();
        let (_, after) = rest.split_once(END).unwrap();
        format!("{before}{mark}{}{END}{after}", table(peer, cases, measured))
    })
}
