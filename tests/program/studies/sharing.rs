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
    let out = begin(&path, 2, 2000);
    said(&["run", &out, "--quiet"]);
    let points = fs::read_dir(path.join("points")).unwrap();
    let names: Vec<PathBuf> = points.map(|it| it.unwrap().file_name().into()).collect();
    begin(&path, 2, 2000);
    // Of another machine, on which the process was killed, and what is no lease.
    fs::create_dir_all(path.join("claims")).unwrap();
    let claims = ["{\"host\":\"elsewhere\",\"process\":1,\"since\":1}", "rubbish"];
    for (name, claim) in names.iter().zip(claims) {
        fs::write(path.join("claims").join(name).with_extension("lease"), claim).unwrap();
    }
    let named = said(&["status", &out]);
    assert!(named.contains("process 1 on elsewhere"), "{named}");
    let none = program(&["run", &out, "--budget", "1s"]).output().unwrap();
    let none = status(&none, 75);
    assert!(none.contains("waiting for process 1 on elsewhere: it has 1 point"), "{none}");
    assert!(none.contains("2 points are missing: the time is over"), "{none}");
    assert_eq!(finished(&path), 2);
    said(&["run", &out, "--lease-seconds", "1"]);
    assert_eq!(finished(&path), 4);
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

#[test]
fn ended_before_a_run_has_measured_anything_a_process_gives_back_its_points() {
    let path = folder("sharing-ended");
    let out = path.to_str().unwrap();
    // A network that takes longer to build than the work has to end by itself.
    let network = "network=Torus(radix: [256, 256])";
    let what = ["papers/adaptive-torus-4x4", "--set", network, "--cycles", "100000000"];
    said(&[&what[..], &["--loads", "0.1,0.2", "--out", out, "--no-run"]].concat());
    let run = program(&["run", out, "--quiet", "--jobs", "1"]).spawn().unwrap();
    wait_until("it has a point", 60, || path.join("claims").exists());
    let kill = Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap();
    assert!(kill.success());
    status(&run.wait_with_output().unwrap(), 143);
    assert!(!path.join("claims").exists(), "it is given back");
}

/// Where one may give a process another host's name.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_process_of_another_machine_is_waited_for_and_then_replaced() {
    let path = folder("sharing-machines");
    let long = begin(&path, 2, 100_000_000_000);
    let elsewhere = |what: &str| {
        let script = format!("hostname elsewhere && exec {what}");
        let mut command = Command::new("unshare");
        command.args(["--uts", "sh", "-c", &script]).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    if !elsewhere("true").status().is_ok_and(|done| done.success()) {
        println!("skipped: no other host's name can be given here");
        return;
    }
    // Leases long enough for a process that gets no processor for seconds, as among other tests.
    let run =
        format!("{} sweep run {long} --lease-seconds 15 --jobs 4", env!("CARGO_BIN_EXE_flitscope"));
    let mut other = elsewhere(&run).spawn().unwrap();
    let all = |word: &str| said(&["status", &long]).matches(word).count() == 1;
    wait_until("the other is at work", 60, || all("0-3: process ") && all(" on elsewhere"));
    // It renews what it has: nobody takes it over.
    let none =
        program(&["run", &long, "--budget", "5s", "--lease-seconds", "15"]).output().unwrap();
    other.kill().unwrap();
    other.wait().unwrap();
    let none = status(&none, 75);
    assert!(none.contains("on elsewhere: it has 4 points"), "{none}");
    // Killed, it renews nothing: what it was at is taken over, after a while.
    let mut here = program(&["run", &long, "--quiet", "--lease-seconds", "15", "--jobs", "4"]);
    let here = here.spawn().unwrap();
    let own = format!("0-3: process {} on ", here.id());
    wait_until("its points are taken over", 120, || all(&own));
    let kill = Command::new("kill").args(["-TERM", &here.id().to_string()]).status().unwrap();
    assert!(kill.success());
    status(&here.wait_with_output().unwrap(), 143);
    assert!(!path.join("claims").exists(), "what runs is given back");
}
