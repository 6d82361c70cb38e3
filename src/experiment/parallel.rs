//! Runs several plans at the same time.

use std::ops::Range;
use std::sync::mpsc;

use super::{Crash, Plan, Progress};

/// Makes the replications of every plan on `threads` threads: pooled plans use all threads, other
/// replications one each. `make` receives the index of the plan and the replication numbers.
pub(super) fn run<T: Send>(
    plans: &[Plan],
    threads: Option<usize>,
    progress: &(dyn Fn(Progress) + Sync),
    make: impl Fn(usize, Range<u32>, &(dyn Fn(Progress) + Sync)) -> Vec<Result<T, Crash>> + Sync,
    finished: &mut dyn FnMut(usize, Vec<Result<T, Crash>>),
) -> Result<(), rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()?;
    let (sender, receiver) = mpsc::channel();
    let replications = |plan: &Plan| plan.replications.max(1);
    let first_run =
        |at: usize| plans[..at].iter().map(|plan| replications(plan) as usize).sum::<usize>();
    let make = |at: usize, numbers: Range<u32>| {
        let first = first_run(at);
        make(at, numbers.clone(), &|seen| {
            for number in numbers.clone() {
                progress(Progress { run: first + number as usize, ..seen });
            }
        })
    };
    pool.in_place_scope_fifo(|scope| {
        for (at, plan) in plans.iter().enumerate().filter(|(_, plan)| !plan.is_pooled()) {
            for number in 0..replications(plan) {
                let (sender, make) = (sender.clone(), &make);
                scope.spawn_fifo(move |_| {
                    // Sending fails only while the receiver unwinds.
                    let _ = sender.send((at, number, make(at, number..number + 1)));
                });
            }
        }
        drop(sender);
        let mut results: Vec<Vec<_>> = plans.iter().map(|_| Vec::new()).collect();
        for (at, number, made) in receiver {
            results[at].push((number, made));
            if results[at].len() == replications(&plans[at]) as usize {
                let mut done = std::mem::take(&mut results[at]);
                done.sort_by_key(|&(number, _)| number);
                finished(at, done.into_iter().flat_map(|(_, made)| made).collect());
            }
        }
    });
    // Each pooled plan uses all threads.
    for (at, plan) in plans.iter().enumerate().filter(|(_, plan)| plan.is_pooled()) {
        finished(at, pool.install(|| make(at, 0..plan.replications)));
    }
    Ok(())
}
