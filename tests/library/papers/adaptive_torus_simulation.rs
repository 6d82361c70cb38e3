//! The simulation of the adaptive torus against the paper's own, row by row of its tables 1 and 2
//! (`scenarios/studies/adaptive-torus.csv`, column `printed`).
//!
//! The protocol is that of the specification: ten independent replications of 20 000 messages after
//! the warm-up. One row by hand:
//!
//! ```text
//! flitscope simulate papers/adaptive-torus-8x8 --rate 0.005 --messages 20000 --replications 10
//! ```
//!
//! All rows: `FLITSCOPE_ALL=1 cargo test --test library adaptive_torus_simulation -- --nocapture`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use flitscope::experiment::{self, End, Outcome, Plan};
use flitscope::files;
use flitscope::scenario::{Override, Scenario};
use flitscope::stats::WarmUp;
use serde::Deserialize;

use crate::share::share;

/// A row of the tables.
#[derive(Deserialize)]
struct Row {
    /// Routers on a side.
    k: u32,
    /// Messages per node and cycle.
    rate: f64,
    /// Mean latency in cycles, by the paper's simulation.
    printed: f64,
}

/// Worst relative deviation of a row.
const WORST: f64 = 0.025;
/// Root mean square of the relative deviations.
const ROOT_MEAN_SQUARE: f64 = 0.01;

fn scenario(row: &Row) -> Arc<Scenario> {
    let rate = Override {
        path: "traffic.arrivals.rate".into(),
        value: format!("{:?}", row.rate),
        label: format!("--rate {:?}", row.rate),
    };
    let name = format!("papers/adaptive-torus-{0}x{0}", row.k);
    Arc::new(files::open(&name, &[rate]).unwrap_or_else(|error| panic!("{error:?}")))
}

#[test]
#[expect(clippy::print_stderr, reason = "the table is what `--nocapture` is asked for")]
fn the_simulation_agrees_with_the_tables() {
    let text = include_str!("../../../scenarios/studies/adaptive-torus.csv");
    let rows: Vec<Row> = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
        .deserialize()
        .map(Result::unwrap)
        .collect();
    assert_eq!(rows.len(), 40);
    let rows = share(rows, 3);
    let scenarios: Vec<Arc<Scenario>> = rows.iter().map(scenario).collect();
    let plan = Plan {
        end: End::new(None, Some(20_000), None),
        warm_up: WarmUp::Automatic,
        replications: 10,
        ..Plan::default()
    };
    let mut deviations: Vec<(String, f64)> = Vec::new();
    let never = AtomicBool::new(false);
    experiment::run_all(&scenarios, &plan, None, &never, &|_| {}, |at, results| {
        let row = &rows[at];
        let outcomes: Vec<Outcome> = results.into_iter().map(Result::unwrap).collect();
        let together = Outcome::together(&outcomes, plan.replications).unwrap();
        let latency = together.summary.latency.unwrap();
        let deviation = latency.mean / row.printed - 1.0;
        let half = latency.half_width.unwrap();
        deviations.push((
            format!(
                "{0}x{0} at {1}: {2:.2} in the paper, {3:.3} ± {half:.3} here, {4:+.2} %",
                row.k,
                row.rate,
                row.printed,
                latency.mean,
                100.0 * deviation
            ),
            deviation,
        ));
    })
    .unwrap();
    let table: Vec<&str> = deviations.iter().map(|(line, _)| line.as_str()).collect();
    let table = table.join("\n");
    assert_eq!(deviations.len(), rows.len());
    for (line, deviation) in &deviations {
        assert!(deviation.abs() <= WORST, "{line}\n\nof\n{table}");
    }
    let squares: f64 = deviations.iter().map(|(_, deviation)| deviation * deviation).sum();
    let root_mean_square = (squares / deviations.len() as f64).sqrt();
    assert!(root_mean_square <= ROOT_MEAN_SQUARE, "{root_mean_square}\n{table}");
    eprintln!("{table}\nroot mean square {:.3} %", 100.0 * root_mean_square);
}
