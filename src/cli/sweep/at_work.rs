//! Who is at work in a folder: the programs that have points, and the jobs that a cluster has of it.

use std::collections::BTreeMap;
use std::time::Duration;

use super::slurm;
use crate::cli::Failure;
use crate::experiment::sweep::{Folder, Part};

/// Lines about it, each behind what it is about.
pub(super) fn lines(folder: &Folder) -> Result<Vec<(&'static str, String)>, Failure> {
    // Program, whether it is gone, since when; points and the last sign of life.
    let mut programs: BTreeMap<_, (Vec<usize>, Duration)> = BTreeMap::new();
    for (point, lease) in folder.at_work()? {
        let (points, age) =
            programs.entry((lease.owner.name(), lease.gone)).or_insert((Vec::new(), lease.age));
        points.push(point);
        *age = lease.age.min(*age);
    }
    let program = |((name, gone), (mut points, age)): ((String, bool), (Vec<usize>, Duration))| {
        points.sort_unstable();
        let (points, age) = (Part::list(points), age.as_secs());
        if gone {
            return ("lost", format!("{points}: {name} is gone; the next program takes over"));
        }
        ("at work", format!("{points}: {name}, last heard of {age} s ago"))
    };
    let programs = programs.into_iter().map(program);
    Ok(programs.chain(slurm::queued(folder).map(|said| ("slurm", said))).collect())
}
