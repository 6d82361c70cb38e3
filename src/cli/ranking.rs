//! `simulate --rank`: ranks many values of a field by latency.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::interruption::Interruption;
use super::options::{Printing, Runs};
use super::point_runs::outcomes;
use super::progress::spinner;
use super::{Failure, output};
use crate::experiment::rank::{Candidate, Place, candidates, reasons};
use crate::experiment::report::{RankRow, ranking_table};
use crate::experiment::{End, Plan};
use crate::scenario::{Scenario, fields, nearest, values_of};
use crate::stats::TELLING_CYCLES;

/// Default number of replications: enough for an interval over replications.
const REPLICATIONS: u32 = 8;
/// Minimum number of messages per replication: enough for most loads except near saturation.
const MESSAGES: u64 = 50_000;
/// Maximum number of messages per replication: in large networks the messages fill the time needed
/// to detect saturation.
const MESSAGES_MAX: u64 = 200_000;

/// A field and the values to rank; `None` for all possible values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Field {
    path: String,
    values: Option<Vec<String>>,
}

impl std::str::FromStr for Field {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, values) = match text.split_once('=') {
            Some((path, values)) => (path.trim(), Some(values)),
            None => (text.trim(), None),
        };
        let values = values.map(|values| {
            values_of(values).filter(|values| values.len() > 1).ok_or_else(|| {
                "these must be at least two values, as in `routing=DimensionOrder,OddEven`"
                    .to_owned()
            })
        });
        Ok(Self { path: path.to_owned(), values: values.transpose()? })
    }
}

/// Runs `scenario` with each value of a field, and prints the values in ranked order.
pub(super) fn rank(
    scenario: &Arc<Scenario>,
    field: &Field,
    runs: &Runs,
    printing: Printing,
) -> Result<(), Failure> {
    let (run, refused) = made(scenario, field)?;
    let plan = plan(scenario, runs)?;
    let interruption = Interruption::listen()?;
    let stop = &interruption.stop;
    let scenarios = run.iter().filter_map(|one| one.made.clone().ok()).collect::<Vec<_>>();
    let outcomes = outcomes(&scenarios, &plan, runs.jobs, stop, printing.quiet)?;
    if stop.load(Ordering::Relaxed) {
        // Runs of different lengths are not comparable.
        output::remark("stopped before all were run: there is no ranking");
        return interruption.failure().map_or(Ok(()), Err);
    }
    let _spinner = spinner("the proofs".to_owned(), printing.quiet);
    let places = Place::ranked(run.into_iter().map(|one| one.value).zip(outcomes));
    let rows = RankRow::all(&scenario.name, &field.path, &places, &refused);
    let table = || ranking_table(scenario, &field.path, &rows, (&places, &refused));
    output::print_rows(printing.format, &rows, table)
}

/// The values that can run, and the refused values.
fn made(
    scenario: &Arc<Scenario>,
    field: &Field,
) -> Result<(Vec<Candidate>, Vec<Candidate>), Failure> {
    let Field { path, values } = field;
    let known = fields(scenario);
    if !known.contains(path) {
        let near = nearest(path, known.iter().map(String::as_str));
        let help = near.map_or_else(
            || "`routing` is one, and `switching.virtual_channels`".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return Err(Failure::usage(format!("there is no field `{path}` in this scenario"), help));
    }
    let all = candidates(scenario, path, values.as_deref()).into_iter();
    let (run, refused): (Vec<_>, Vec<_>) = all.partition(|one| one.made.is_ok());
    if run.len() > 1 {
        return Ok((run, refused));
    }
    let told = |(values, why): &(Vec<&str>, &str)| format!("\n{}: {why}", values.join(", "));
    let why: String = reasons(&refused, &[]).iter().map(told).collect();
    let what = format!("fewer than two values of `{path}` can be run here{why}");
    Err(Failure::usage(what, format!("`--rank '{path}=[VALUE, ...]'` names others")))
}

fn plan(scenario: &Scenario, runs: &Runs) -> Result<Plan, Failure> {
    let given = runs.plan()?;
    let open = given.end == End::default();
    let system = &scenario.system;
    let each_cycle = system.traffic.rate.0 * f64::from(system.network.nodes() as u32);
    let messages = (each_cycle * TELLING_CYCLES as f64) as u64;
    let messages = End::new(None, Some(messages.clamp(MESSAGES, MESSAGES_MAX)), None);
    Ok(Plan {
        end: if open { messages } else { given.end },
        replications: runs.replications.unwrap_or(REPLICATIONS),
        ..given
    })
}
