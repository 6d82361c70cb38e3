//! Several processes in one folder, and a time after which they end.

use super::*;

#[test]
fn two_processes_share_out_a_folder_and_status_names_them() {
    let expected = undisturbed("sharing-undisturbed", 8, 200_000);
    let path = folder("sharing");
    let out = begin(&path, 8, 200_000);
    let start = || program(&["run", &out, "--quiet", "--jobs", "1"]).spawn().unwrap();
    let both = [start(), start()];
    let ids = both.each_ref().map(|child| format!("process {} on ", child.id()));
    let mut named = String::new();
    wait_until("both are named", 60, || {
        named = said(&["status", &out]);
        ids.iter().all(|id| named.contains(id)) || finished(&path) == 16
    });
    assert!(ids.iter().all(|id| named.contains(id)), "{named}");
    assert!(named.contains("\nat work   "), "{named}");
    for child in both {
        let done = child.wait_with_output().unwrap();
        status(&done, 0);
        assert_eq!(text(&done.stdout), expected.0, "each waits for the other");
    }
    assert_eq!(tables(&path), expected);
}

#[test]
fn a_lease_that_is_not_renewed_is_taken_over() {
    let path = folder("sharing-stale");
    let out = begin(&path, 1, 2000);
    fs::create_dir_all(path.join("claims")).unwrap();
    // Of another machine, on which the process was killed, and what no lease is.
    let names: Vec<String> = {
        said(&["run", &out, "--quiet"]);
        let points = fs::read_dir(path.join("points")).unwrap();
        let names = points.map(|it| it.unwrap().path().file_stem().unwrap().to_owned());
        names.map(|name| name.into_string().unwrap()).collect()
    };
    begin(&path, 1, 2000);
    fs::create_dir_all(path.join("claims")).unwrap();
    let claims = ["{\"host\":\"elsewhere\",\"process\":1,\"since\":1}", "rubbish"];
    for (name, claim) in names.iter().zip(claims) {
        fs::write(path.join("claims").join(format!("{name}.lease")), claim).unwrap();
    }
    let named = said(&["status", &out]);
    assert!(named.contains("process 1 on elsewhere"), "{named}");
    let none = program(&["run", &out, "--budget", "1s"]).output().unwrap();
    let none = status(&none, 75);
    assert!(none.contains("waiting for process 1 on elsewhere: it has 1 point"), "{none}");
    assert!(none.contains("2 points are missing: the time is over"), "{none}");
    assert_eq!(finished(&path), 0);
    said(&["run", &out, "--lease-seconds", "1"]);
    assert_eq!(finished(&path), 2);
    assert!(!path.join("claims").exists());
}

#[test]
fn when_its_time_is_over_a_process_gives_back_what_runs() {
    let path = folder("sharing-budget");
    let out = begin(&path, 2, 100_000_000_000);
    let begun = Instant::now();
    let done = program(&["run", &out, "--budget", "1s", "--shard", "1/2"]).output().unwrap();
    let said_so = status(&done, 75);
    assert!(said_so.contains("2 points are missing: the time is over"), "{said_so}");
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(!path.join("claims").exists());
    let wrong = program(&["run", &out, "--budget", "soon"]).output().unwrap();
    assert!(status(&wrong, 2).contains("as in `30m`"));
}
