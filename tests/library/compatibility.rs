//! Imported configurations of BookSim2 against figures of BookSim2: the table of the guide.
//!
//! `FLITSCOPE_UPDATE=1 cargo test --release --test library booksim2 -- --ignored` simulates all
//! points. The same command without `--release` and `--ignored` writes the table.

mod point;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use flitscope::network_files::booksim::read_configuration;
use point::{Given, Kind, Measured, simulate};

const GIVEN: &str = "tests/compatibility/booksim2.csv";
const MEASURED: &str = "tests/compatibility/measured.csv";
const GUIDE: &str = "src/guide/compatibility.md";

/// A configuration with its points.
pub struct Case {
    name: String,
    configuration: String,
    points: Vec<Given>,
}

impl Case {
    /// The text of the configuration at an offered load.
    fn text(&self, load: f64) -> String {
        let keys = self.configuration.replace("; ", ";\n");
        let unit = "injection_rate_uses_flits";
        let unit = if keys.contains(unit) { String::new() } else { format!("{unit}=1;\n") };
        format!("{keys};\n{unit}injection_rate={load};\n")
    }

    fn point(&self, kind: Kind) -> &Given {
        self.points.iter().find(|it| it.point == kind).unwrap()
    }

    /// The message of the importer that refuses the configuration.
    fn refusal(&self) -> Option<String> {
        let mistakes = read_configuration(&self.text(0.1)).err()?;
        Some(mistakes[0].what.clone())
    }
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn cases() -> Vec<Case> {
    let mut rows = csv::Reader::from_path(file(GIVEN)).unwrap();
    let points: Vec<Given> = rows.deserialize().map(|row| row.unwrap()).collect();
    let of_case = |points: &[Given]| {
        let first = &points[0];
        let configuration = first.configuration.clone().unwrap();
        Case { name: first.case.clone(), configuration, points: points.to_vec() }
    };
    points.chunk_by(|a, b| a.case == b.case).map(of_case).collect()
}

fn kept() -> Vec<Measured> {
    let mut rows = csv::Reader::from_path(file(MEASURED)).unwrap();
    rows.deserialize().map(|row| row.unwrap()).collect()
}

/// The results of all points of the cases, in order.
fn simulate_all(cases: &[Case]) -> Vec<Measured> {
    let tasks: Vec<(&Case, &Given)> =
        cases.iter().flat_map(|case| case.points.iter().map(move |point| (case, point))).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&(case, point)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let measured = simulate(case, point);
                    done.lock().unwrap().push(measured);
                }
            });
        }
    });
    let mut all = done.into_inner().unwrap();
    let place = |it: &Measured| tasks.iter().position(|(_, point)| point.is_of(it));
    all.sort_by_key(place);
    all
}

/// Nothing is stale: points of two cases are simulated again.
#[test]
fn the_guide_has_the_errors_against_booksim2() {
    let (cases, kept) = (cases(), kept());
    let taken: Vec<&Case> = cases.iter().filter(|case| case.refusal().is_none()).collect();
    let names: Vec<&str> = kept.iter().map(|it| it.case.as_str()).collect();
    assert!(taken.iter().all(|case| names.contains(&case.name.as_str())));
    for case in taken.iter().step_by(16) {
        let measured = simulate(case, case.point(Kind::Thirty));
        assert!(kept.contains(&measured), "{measured:?}: simulate again, see {}", file!());
    }
    let text = std::fs::read_to_string(file(GUIDE)).unwrap();
    let current = table::replaced(&text, &cases, &kept);
    if std::env::var_os("FLITSCOPE_UPDATE").is_some() {
        std::fs::write(file(GUIDE), current).unwrap();
    } else {
        assert!(text == current, "{GUIDE}: an old table, see {}", file!());
    }
}

#[test]
#[ignore = "simulates minutes long"]
fn all_points_of_booksim2_are_simulated() {
    let cases = cases();
    let taken: Vec<Case> = cases.into_iter().filter(|case| case.refusal().is_none()).collect();
    let measured = simulate_all(&taken);
    if std::env::var_os("FLITSCOPE_UPDATE").is_none() {
        assert_eq!(measured, kept());
        return;
    }
    let mut rows = csv::Writer::from_path(file(MEASURED)).unwrap();
    for row in &measured {
        rows.serialize(row).unwrap();
    }
    rows.flush().unwrap();
}
