//! Lists the programs that run points of a study at present.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::cli::Failure;
use crate::experiment::sweep::{Folder, Part};

/// A program with leases on points of a study.
#[derive(Serialize, Debug)]
pub(super) struct Worker {
    /// The machine.
    host: String,
    /// The process identifier on that machine.
    process: u32,
    /// The numbers of the points.
    points: Vec<usize>,
    /// True if the program has ended: another program takes its points over.
    lost: bool,
    /// The time since the last renewal of a lease.
    seconds_since_renewal: u64,
}

/// The programs with leases on points of the study in a folder.
pub(super) fn workers(folder: &Folder) -> Result<Vec<Worker>, Failure> {
    let mut programs: BTreeMap<_, (Vec<usize>, Duration)> = BTreeMap::new();
    for (point, lease) in folder.at_work()? {
        let program = (lease.owner.host, lease.owner.process, lease.gone);
        let (points, age) = programs.entry(program).or_insert((Vec::new(), lease.age));
        points.push(point);
        *age = lease.age.min(*age);
    }
    let worker =
        |((host, process, lost), (mut points, age)): ((_, _, _), (Vec<usize>, Duration))| {
            points.sort_unstable();
            Worker { host, process, points, lost, seconds_since_renewal: age.as_secs() }
        };
    Ok(programs.into_iter().map(worker).collect())
}

impl Worker {
    /// The label and the text of a line.
    pub(super) fn line(&self) -> (&'static str, String) {
        let Self { host, process, points, lost, seconds_since_renewal: age } = self;
        let points = Part::list(points.iter().copied());
        let name = format!("process {process} on {host}");
        if *lost {
            return ("lost", format!("{points}: {name} is gone; the next program takes over"));
        }
        ("at work", format!("{points}: {name}, last heard of {age} s ago"))
    }
}
