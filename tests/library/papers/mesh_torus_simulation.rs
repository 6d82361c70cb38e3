//! Simulation on the machines of 003 and 004 agrees with the tables of the specification
//! `mesh-torus-and-hop-routing.md`.
//!
//! The paper routes y first and the specification's simulator too; here x is first. On a square
//! network with uniform destinations that only swaps the axes, so means agree.

use std::sync::atomic::{AtomicUsize, Ordering};

use flitscope::engine::Delivery;
use flitscope::engine::Simulator;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::scenario::{Override, builtin, parse};
use flitscope::system::System;
use flitscope::units::Cycle;

use super::tables;
use crate::share::share;

/// A row of table A.5.
#[derive(Clone, Debug)]
struct Row {
    network: String,
    radix: u32,
    length: u32,
    load: f64,
    parallel: f64,
    parallel_error: f64,
    single: f64,
    single_error: f64,
}

/// Rates of saturation of the model (A.3), in messages per node and cycle.
fn saturation(row: &Row) -> f64 {
    match (row.network.as_str(), row.radix, row.length) {
        ("mesh", 8, 20) => 0.009_960,
        ("mesh", 8, 32) => 0.006_225,
        ("mesh", 16, 32) => 0.002_734,
        ("mesh", 16, 64) => 0.001_367,
        ("torus", 8, 20) => 0.004_349,
        ("torus", 8, 32) => 0.002_718,
        ("torus", 16, 32) => 0.001_191,
        _ => 0.000_595,
    }
}

fn rows() -> Vec<Row> {
    let text = include_str!("../../papers/mesh_torus_simulation.csv");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    text.lines()
        .filter(|line| line.starts_with("mesh") || line.starts_with("torus"))
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            Row {
                network: fields[0].into(),
                radix: number(fields[1]) as u32,
                length: number(fields[2]) as u32,
                load: number(fields[3]),
                parallel: number(fields[6]),
                parallel_error: number(fields[7]),
                single: number(fields[8]),
                single_error: number(fields[9]),
            }
        })
        .collect()
}

fn system(name: &str, overrides: &[(&str, String)]) -> System {
    let scenario = builtin::find(name).expect("a built-in scenario");
    let overrides: Vec<Override> = overrides
        .iter()
        .map(|(path, value)| Override {
            path: (*path).into(),
            value: value.clone(),
            label: format!("--set {path}={value}"),
        })
        .collect();
    parse(name, scenario.text, &overrides).expect("it is sound").system
}

/// The mean latency of the messages born from `warm_up` on, in cycles, over several seeds.
fn latency_mean(system: &System, seeds: u64, warm_up: u64, cycles: u64) -> f64 {
    let (mut count, mut sum) = (0u64, 0u64);
    let mut batch: Vec<Delivery> = Vec::new();
    for seed in 1..=seeds {
        let mut engine = WormholeEngine::new(system, seed, 0);
        for now in (1..=(warm_up + cycles) / 1000).map(|thousand| Cycle(1000 * thousand)) {
            engine.advance(now);
            engine.take_deliveries(&mut batch);
            for delivery in batch.iter().filter(|delivery| delivery.born.0 >= warm_up) {
                count += 1;
                sum += delivery.latency();
            }
        }
        engine.audit().expect("every law holds");
    }
    sum as f64 / count as f64
}

fn row_system(row: &Row, ejection: &str) -> System {
    let kind = if row.network == "mesh" { "mesh" } else { "uni-torus" };
    let name = format!("papers/{kind}-{0}x{0}-{1}", row.radix, row.length);
    let rate = format!("{:.9}", row.load * saturation(row));
    let ejection = ("switching.ejection", ejection.to_string());
    system(&name, &[("traffic.arrivals.rate", rate), ejection])
}

/// Simulates the rows on all cores and compares: within 1.5 % and 2.3 of the table's standard errors.
fn compare(rows: &[Row], ejection: &str, seeds: u64, cycles: u64) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let work = || {
            let mut failures = Vec::new();
            while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                let found = latency_mean(&row_system(row, ejection), seeds, 10_000, cycles);
                let (wanted, error) = if ejection == "PerWorm" {
                    (row.parallel, row.parallel_error)
                } else {
                    (row.single, row.single_error)
                };
                let deviation = found / wanted - 1.0;
                let Row { network, radix, length, load, .. } = row;
                let line = format!(
                    "{network} {radix}x{radix}, {length} flits, {ejection} at {load}: {found:.2} \
                     against {wanted} ({error}), {:+.2} %",
                    100.0 * deviation
                );
                std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes())
                    .expect("stderr is open");
                if (found - wanted).abs() > 0.015 * wanted + 2.3 * error {
                    failures.push(line);
                }
            }
            failures
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn mesh_and_torus_agree_with_the_table() {
    let short = |row: &Row| row.load < 0.7 || (row.load < 0.8 && row.radix == 8);
    let rows: Vec<Row> = rows().into_iter().filter(short).collect();
    compare(&rows, "PerWorm", 1, 120_000);
}

#[test]
fn large_networks_near_saturation_agree_with_the_table() {
    // One run of 400 000 cycles still scatters by 2 % here: the mean of several is compared.
    let rows: Vec<Row> = rows()
        .into_iter()
        .filter(|row| row.radix == 16 && (0.7..0.8).contains(&row.load))
        .collect();
    assert_eq!(rows.len(), 4);
    let rows = share(rows, 4);
    compare(&rows, "PerWorm", 8, 400_000);
}

#[test]
fn one_ejection_channel_agrees_with_the_table() {
    let rows: Vec<Row> = rows()
        .into_iter()
        .filter(|row| row.radix == 8 && row.length == 20 && (0.3..0.7).contains(&row.load))
        .collect();
    compare(&rows, "Shared", 1, 120_000);
}

/// B.4, the column of e-cube with destination classes: latency by channel utilisation.
#[test]
fn e_cube_at_fixed_bandwidth_agrees_with_the_table() {
    for (utilisation, wanted) in [(0.02, 22.48), (0.05, 23.45), (0.10, 26.25)] {
        let rate = format!("{:.9}", utilisation / 8.0314);
        let system = system("papers/hops-e-cube-uniform", &[("traffic.arrivals.rate", rate)]);
        let found = latency_mean(&system, 1, 5_000, 40_000);
        let within = 0.015 * wanted + 2.3 * 0.1;
        assert!((found - wanted).abs() <= within, "{utilisation}: {found:.2}, not {wanted}");
    }
}

/// B.4 and B.5: below and above the utilisation at which latency is four times that without load,
/// by runs as long as the schemes need. The brackets lie within 004's published figures for the two schemes.
#[test]
fn saturation_is_where_the_table_says_and_in_its_order() {
    let on_demand: &[(&str, &str)] =
        &[("switching.bandwidth", "OnDemand"), ("switching.virtual_channels", "2")];
    let brackets = vec![
        ("papers/hops-e-cube-uniform", &[][..], 4.0 * 22.06, 0.145, 0.160, 16_000),
        ("papers/hops-e-cube-hotspot", &[][..], 4.0 * 22.06, 0.112, 0.132, 16_000),
        ("papers/hops-e-cube-uniform", on_demand, 4.0 * 11.03, 0.280, 0.310, 16_000),
        ("papers/hops-negative-hop-uniform", &[][..], 4.0 * 99.28, 0.2425, 0.2675, 16_000),
        ("papers/hops-negative-hop-hotspot", &[][..], 4.0 * 99.28, 0.2225, 0.2491, 80_000),
        ("papers/hops-north-last-uniform", &[][..], 4.0 * 22.06, 0.1225, 0.1400, 32_000),
        ("papers/hops-north-last-hotspot", &[][..], 4.0 * 22.06, 0.1030, 0.1200, 16_000),
    ];
    for (name, rules, four_times, below, above, cycles) in share(brackets, 4) {
        for (utilisation, saturated) in [(below, false), (above, true)] {
            let rate = format!("{:.9}", utilisation / 8.0314);
            let mut overrides = vec![("traffic.arrivals.rate", rate)];
            overrides.extend(rules.iter().map(|&(path, value)| (path, value.to_string())));
            let found = latency_mean(&system(name, &overrides), 1, cycles / 4, cycles);
            assert_eq!(found > four_times, saturated, "{name} at {utilisation}: {found:.1}");
        }
    }
}

/// Two independent simulators differ on negative-hop by up to 6 %; both are met, each by its own
/// reading of two choices, so that nothing else differs. At the lowest of these rates a way round that is
/// drawn where both are equally long adds 1.1 %, and a VC granted only once its buffer is empty 1.0 %; near
/// saturation both grow. From 0.2 to 1.1 % are left, with a sign that depends on the scheme and no known
/// cause. The paper supports the first: its scheme
/// is fully adaptive, which it defines as any minimal path being possible, and half way round a
/// ring both ways are minimal; and it lets a channel accept the flits of another message once it
/// has *transmitted* all of this one's.
#[test]
fn negative_hop_agrees_with_independent_simulators_reading_by_reading() {
    let rows = tables::rows("hop_routing_readings.csv");
    assert_eq!(rows.len(), 8);
    for row in &share(rows, 3) {
        let name = format!("papers/hops-negative-hop-{}", row["destinations"]);
        let system = system(
            &name,
            &[
                ("traffic.arrivals.rate", row["rate"].clone()),
                ("routing", format!("NegativeHop(half_way: {})", row["half_way"])),
                ("switching.release", row["release"].clone()),
            ],
        );
        let found = latency_mean(&system, 1, 10_000, 50_000);
        let (wanted, half_width): (f64, f64) =
            (tables::number(row, "latency"), tables::number(row, "half_width"));
        // Three standard errors of the reference and as much for a run of about its length.
        let within = 3.0 / 1.96 * 2.0 * half_width;
        assert!((found - wanted).abs() <= within, "{row:?}: {found:.2}");
    }
}
