//! Tests of the order in which points are run.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::experiment::points::{Running, run_points};
use crate::experiment::sweep::Folder;
use crate::experiment::sweep::tests::resealed;

#[test]
fn the_longest_come_first_by_their_load_and_then_by_what_their_neighbours_took() {
    let text = r#"Study(
        scenario: "papers/adaptive-torus-4x4",
        vary: {"routing": [DimensionOrder(), MinimalAdaptive(escape: Destination)]},
        loads: [0.1, 0.4, 0.2],
        cycles: 3000,
    )"#;
    let study = Study::read("study.ron", text, Path::new(""), &[]).unwrap();
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::begin(place.path(), &study, false).unwrap();
    let order = |part: &Part| longest_first(&folder.study, &folder.found(), part);
    assert_eq!(order(&Part::All), [1, 4, 2, 5, 0, 3]);
    assert_eq!(order(&"0,2-3".parse().unwrap()), [2, 0, 3]);

    // The lowest load of the first curve and the highest of the second are done, in 10 and in 1 s.
    let tasks = [0, 4].map(|at: usize| study.points[at].task.clone());
    let (stop, threads, until) = (&AtomicBool::new(false), Some(1), None);
    let running =
        Running { threads, stop, until, planned: &|_| {}, waiting: &|_| {}, progress: &|_| {} };
    run_points(&tasks, &folder, &running).unwrap();
    for (task, seconds) in tasks.iter().zip(["10.0", "1.0"]) {
        let file = place.path().join(format!("points/{}.json", task.fingerprint));
        let kept = fs::read_to_string(&file).unwrap();
        let (_, behind) = kept.split_once("\"wall_seconds\":").unwrap();
        let (took, _) = behind.split_once(',').unwrap();
        let [took, other] = [took, seconds].map(|it| format!("\"wall_seconds\":{it},"));
        fs::write(&file, resealed(&file, &took, &other)).unwrap();
    }
    let expected = expected_seconds(&folder.study, &folder.found());
    for (own, known) in expected.iter().zip([10.0, 40.0, 20.0, 0.25, 1.0, 0.5]) {
        assert!((own - known).abs() < 1e-9, "{expected:?}");
    }
    assert_eq!(order(&Part::All), [1, 2, 0, 4, 5, 3]);
}

#[test]
fn the_time_left_is_that_of_those_at_work_taking_the_longest_first() {
    // Two running points with 3 and 1 s left: the thread free first takes the point of 4 s, the
    // other the point of 2 s.
    let left = [
        seconds_left(&[3.0, 1.0], vec![2.0, 4.0]),
        seconds_left(&[0.0], vec![2.0, 4.0, 1.0]),
        seconds_left(&[9.0, 1.0], vec![2.0]),
        seconds_left(&[], vec![2.0]),
    ];
    assert_eq!(left.map(|seconds| seconds as u64), [5, 7, 9, 0]);
}
