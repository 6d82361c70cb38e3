//! Begins the study of a live run: a rough curve, computed alongside the run.

use std::path::Path;

use super::Study;
use super::draft::LOAD;
use super::folder::{Folder, OpenError};
use crate::files;
use crate::scenario::Scenario;
use crate::words::written;

/// Relative precision of saturation and latencies.
const BRACKET: f64 = 0.05;
const PRECISION: f64 = 0.02;

const SCENARIO: &str = "scenario.ron";

/// Begins the study of a scenario, run with this seed, in an empty folder.
pub fn begin_live_curve(
    scenario: &Scenario,
    seed: u64,
    folder: &Path,
) -> Result<Folder, OpenError> {
    files::write(folder.join(SCENARIO), &scenario.text, false)?;
    let given = ["seed", LOAD, "traffic.arrivals.rate"];
    let set = scenario.overrides.iter().filter(|it| !given.contains(&it.path.as_str()));
    let set: Vec<String> = set.map(|it| format!("{}: {}", written(&it.path), it.value)).collect();
    let text = format!(
        "Study(scenario: {SCENARIO:?}, set: {{{}}}, seed: {seed}, loads: Auto, bracket: {BRACKET}, \
         precision: {PRECISION})",
        set.join(", ")
    );
    let study = Study::read("the sweep", &text, folder, &[]).map_err(OpenError::Study)?;
    Folder::begin(folder, &study, false)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::scenario::{Override, builtin, parse};

    #[test]
    fn a_scenario_is_swept_with_its_fields_and_seed_whatever_its_load() {
        let set = [("routing", "DimensionOrder()"), ("traffic.arrivals.load", "0.3")];
        let set = set.map(|(path, value)| Override {
            path: path.into(),
            value: value.into(),
            label: format!("--set {path}={value}"),
        });
        for (name, set) in [("papers/adaptive-torus-4x4", &set[..]), ("ring-deadlock", &[])] {
            let text = builtin::find(name).unwrap().text;
            let scenario = Arc::new(parse(name, text, set).unwrap());
            let place = tempfile::tempdir().unwrap();
            let folder = begin_live_curve(&scenario, 77, place.path()).unwrap();
            assert!(folder.study.is_searched() && folder.study.curves.len() == 1);
            for point in &folder.study.points {
                let run = &point.task.job.scenario;
                assert_eq!(run.seed, 77);
                assert_eq!(run.system.relation.routing(), scenario.system.relation.routing());
                assert!((run.system.load().0 - point.load).abs() < 1e-9);
            }
        }
    }
}
