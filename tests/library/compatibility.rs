//! Scenarios against figures of BookSim2 and of CAMINOS: the tables of the guide.
//!
//! `FLITSCOPE_UPDATE=1 cargo test --release --test library compatibility -- --ignored` simulates all
//! points; with `FLITSCOPE_CASES=torus,-rw-`, those of cases with one of these texts in their names.
//! The same command without `--release` and `--ignored` writes the tables.

mod caminos;
mod point;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use flitscope::network_files::booksim::read_configuration;
use flitscope::scenario::{Scenario, parse};
use point::{Given, Kind, Measured, simulate};

const MEASURED: &str = "tests/compatibility/measured.csv";
const GUIDE: &str = "src/guide/compatibility.md";

/// A simulator with figures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    BookSim2,
    Caminos,
}

impl Peer {
    fn file(self) -> &'static str {
        match self {
            Self::BookSim2 => "tests/compatibility/booksim2.csv",
            Self::Caminos => "tests/compatibility/caminos.csv",
        }
    }
}

/// A configuration with its points.
pub struct Case {
    peer: Peer,
    name: String,
    configuration: String,
    points: Vec<Given>,
}

impl Case {
    /// The scenario at an offered load, or the message that refuses it.
    fn scenario(&self, load: f64) -> Result<Scenario, String> {
        let text = match self.peer {
            Peer::BookSim2 => self.converted(load)?,
            Peer::Caminos => caminos::scenario(&self.configuration, load),
        };
        Ok(parse(&self.name, &text, &[]).unwrap_or_else(|why| panic!("{text}: {why:?}")))
    }

    /// The converted configuration of BookSim2 at an offered load.
    fn converted(&self, load: f64) -> Result<String, String> {
        let keys = self.configuration.replace("; ", ";\n");
        let unit = "injection_rate_uses_flits";
        let unit = if keys.contains(unit) { String::new() } else { format!("{unit}=1;\n") };
        let text = format!("{keys};\n{unit}injection_rate={load};\n");
        match read_configuration(&text) {
            Ok(converted) => Ok(converted.scenario),
            Err(mistakes) => Err(mistakes[0].what.clone()),
        }
    }

    /// Flits per node and cycle at a load of 1: more than one if loads are requests with replies.
    fn flits(&self) -> f64 {
        if !self.configuration.contains("use_read_write=1") {
            return 1.0;
        }
        self.scenario(0.01).map_or(1.0, |it| it.system.load().0 / 0.01)
    }

    /// True if nodes also send to themselves.
    fn sends_to_itself(&self) -> bool {
        self.peer == Peer::BookSim2 && self.configuration.contains("traffic=uniform")
    }

    fn find(&self, kind: Kind) -> Option<&Given> {
        self.points.iter().find(|it| it.point == kind)
    }

    fn point(&self, kind: Kind) -> &Given {
        self.find(kind).unwrap()
    }

    /// True if the points were simulated.
    fn is_measured(&self, measured: &[Measured]) -> bool {
        measured.iter().any(|it| it.case == self.name)
    }

    /// The message that refuses the configuration.
    fn refusal(&self) -> Option<String> {
        self.scenario(0.1).err()
    }
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn cases_of(peer: Peer) -> Vec<Case> {
    let mut rows = csv::Reader::from_path(file(peer.file())).unwrap();
    let points: Vec<Given> = rows.deserialize().map(|row| row.unwrap()).collect();
    let of_case = |points: &[Given]| {
        let first = &points[0];
        let configuration = first.configuration.clone().unwrap();
        Case { peer, name: first.case.clone(), configuration, points: points.to_vec() }
    };
    points.chunk_by(|a, b| a.case == b.case).map(of_case).collect()
}

fn cases() -> Vec<Case> {
    [Peer::BookSim2, Peer::Caminos].into_iter().flat_map(cases_of).collect()
}

fn kept() -> Vec<Measured> {
    let mut rows = csv::Reader::from_path(file(MEASURED)).unwrap();
    rows.deserialize().map(|row| row.unwrap()).collect()
}

/// The results of all points of a case, in order.
fn all_of(case: &Case) -> Vec<Measured> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(vec![None; case.points.len()]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(point) = case.points.get(number) else { break };
                    let measured = simulate(case, point);
                    done.lock().unwrap()[number] = Some(measured);
                }
            });
        }
    });
    done.into_inner().unwrap().into_iter().flatten().collect()
}

fn keep(measured: &[Measured]) {
    let mut rows = csv::Writer::from_path(file(MEASURED)).unwrap();
    for row in measured {
        rows.serialize(row).unwrap();
    }
    rows.flush().unwrap();
}

/// Nothing is stale: points of two cases are simulated again.
#[test]
fn the_guide_has_the_errors_against_booksim2_and_caminos() {
    let (cases, kept) = (cases(), kept());
    let taken: Vec<&Case> = cases.iter().filter(|case| case.is_measured(&kept)).collect();
    assert!(taken.len() > 30 && taken.iter().all(|case| case.refusal().is_none()));
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
fn all_points_of_booksim2_and_caminos_are_simulated() {
    let only = std::env::var("FLITSCOPE_CASES").unwrap_or_default();
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.refusal().is_none()).collect();
    let names: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
    let is_taken = |case: &Case| only.split(',').any(|text| case.name.contains(text));
    let mut measured = kept();
    measured.retain(|it| names.contains(&it.case));
    for case in cases.iter().filter(|case| is_taken(case)) {
        measured.retain(|it| it.case != case.name);
        measured.extend(all_of(case));
        measured.sort_by_key(|it| names.iter().position(|name| *name == it.case));
        if std::env::var_os("FLITSCOPE_UPDATE").is_some() {
            keep(&measured);
        }
    }
    assert_eq!(measured, kept());
}
