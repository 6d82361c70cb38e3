//! Simulates the points of studies in rounds: all of them, then those again, as further replications,
//! that a verdict needs to be decided.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::point::{LONGER, ROUNDS};
use super::{Content, PointId, Results, Store};
use crate::experiment::points::{RunError, Running, Task, run_points};

/// The results of every content under a seed, from `store` where it has them, and simulated (and put
/// into it) where not. Points that undecided verdicts rest on get up to [`LONGER`] times the
/// replications, as long as a decision is in reach. After `running.stop` was set, results are missing.
pub fn run(
    contents: &[Content],
    seed: u64,
    store: &Store,
    running: &Running<'_>,
) -> Result<Vec<Results>, RunError> {
    let mut results: Vec<Results> =
        contents.iter().map(|content| Results::none(content.points.len())).collect();
    let mut wanted: Vec<BTreeSet<PointId>> =
        contents.iter().map(|content| (0..content.points.len()).map(PointId).collect()).collect();
    for round in 0..ROUNDS {
        run_round(contents, (seed, round, &wanted), store, running, &mut results)?;
        // Replications after this round, in units of those of the first.
        let times = f64::from(1_u32 << round);
        for ((content, results), wanted) in contents.iter().zip(&results).zip(&mut wanted) {
            let open = content.open(results, LONGER / times);
            // A point that was not run longer before is not as far as the others.
            wanted.retain(|point| open.contains(point));
        }
        if wanted.iter().all(BTreeSet::is_empty) || running.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(results)
}

/// Adds the results of a round of the points wanted of each content.
fn run_round(
    contents: &[Content],
    (seed, round, wanted): (u64, u32, &[BTreeSet<PointId>]),
    store: &Store,
    running: &Running<'_>,
    results: &mut [Results],
) -> Result<(), RunError> {
    let (mut tasks, mut places) = (Vec::new(), Vec::new());
    for (study, (content, wanted)) in contents.iter().zip(wanted).enumerate() {
        for &id in wanted {
            let point = &content.points[id.0];
            let job = point.job(seed, round);
            tasks.push(Task::probed(point.name.clone(), job));
            places.push((study, id));
        }
    }
    run_points(&tasks, store, running)?;
    for (task, (study, id)) in tasks.iter().zip(places) {
        if let Some(kept) = store.get(&task.fingerprint) {
            results[study].add(id, &kept);
        }
    }
    Ok(())
}
