//! Tests of saturation searched from above, with and without persistent congestion.

use super::*;

/// Runs a study to its end; returns its table, and the results of the search from above.
fn searched(scenario: &str, more: &str) -> (String, String) {
    let text = format!(
        "Study(scenario: \"{scenario}\", loads: Auto, bracket: 0.15, from_above: true, \
         precision: 0.1, messages: 60000, {more})"
    );
    let kept = TempDir::new().unwrap();
    let mut folder = Folder::begin(kept.path(), &study(&text), false).unwrap();
    loop {
        run(&folder, &Part::All, 2);
        if folder.plan().unwrap() == Next::Done {
            break;
        }
    }
    // Stored rounds give the same points.
    let again = Folder::open(kept.path()).unwrap();
    assert_eq!(fingerprints(&again.study), fingerprints(&folder.study));
    assert!(folder.study.points.iter().any(|point| point.from_above));
    let results = Results::of(&folder, false);
    results.write_plots(&folder, false).unwrap();
    let picture = fs::read_to_string(kept.path().join("latency.svg")).unwrap();
    let text = results.text();
    let notes = text.lines().filter(|line| line.starts_with("from above: "));
    let notes: String = notes.collect();
    assert_eq!(picture.contains("from above"), notes.contains("only"), "{text}");
    (text, notes)
}

/// A torus under minimal adaptive routing accepts less once worms block each other; in a mesh under
/// dimension order the queues drain as soon as the offered load is below saturation.
#[test]
fn a_network_that_stays_congested_carries_less_from_above() {
    let (text, note) =
        searched("papers/adaptive-torus-8x8", "set: {\"switching.virtual_channels\": 3}");
    let (from, rest) =
        note.split_once("only between ").expect(&text).1.split_once(" and ").unwrap();
    let (from, to): (f64, f64) =
        (from.parse().unwrap(), rest.split_once(' ').unwrap().0.parse().unwrap());
    let below = text.lines().find_map(|line| line.strip_prefix("saturates between ")).unwrap();
    let below: f64 = below.split_once(' ').unwrap().0.parse().unwrap();
    assert!(from < to && to <= below && from < 0.9 * below, "{text}");
    let (text, note) = searched("mesh-8x8", "");
    assert!(note.contains("recovers at ") && note.contains(" too"), "{text}");
}

/// The initial load neither counts nor shortens the run.
#[test]
fn a_run_that_begins_congested_measures_its_own_load() {
    use std::sync::Arc;

    use crate::experiment::{Before, Ended, Job, Plan, together};
    use crate::stats::WarmUp;
    use crate::units::Load;

    let one = study("Study(scenario: \"mesh-8x8\", loads: [0.05], cycles: 20000, warm_up: 1000)");
    let job = &one.points[0].task.job;
    let before = Some(Before { load: Load(0.6), cycles: 4096 });
    let congested = Plan { before, ..job.plan };
    let made = |plan: &Plan| {
        let scenario = Arc::clone(&job.scenario);
        together(&scenario, plan, 0..1, &AtomicBool::new(false), &|_| ()).remove(0).unwrap()
    };
    let (plain, from_above) = (made(&job.plan), made(&congested));
    assert_eq!(job.plan.warm_up, WarmUp::Cycles(1000));
    assert_eq!((plain.ended, from_above.ended), (Ended::Reached, Ended::Reached));
    assert_eq!(from_above.rate, plain.rate);
    assert!(from_above.cycles >= plain.cycles + 4096 && from_above.cycles < plain.cycles + 9000);
    assert_eq!(from_above.summary.measured_from, Some(4096 + 1000));
    let offered = from_above.summary.offered / plain.summary.offered;
    assert!((0.99..1.01).contains(&offered), "{offered}");
    let names = [job.plan, congested]
        .map(|plan| Task::new(String::new(), Job { plan, ..job.clone() }, 0).fingerprint);
    assert_ne!(names[0], names[1]);
}
