//! A study as a job array of a real Slurm on this machine; its rows are those of a run without.

use std::sync::OnceLock;

use super::*;

/// A Slurm that stops with the test.
struct Cluster(PathBuf);

impl Cluster {
    /// `None`, with the reason, where it cannot be had.
    fn start() -> Option<Self> {
        for name in ["slurmctld", "slurmd", "sbatch", "munged"] {
            let found =
                ["/usr/bin", "/usr/sbin"].iter().any(|at| Path::new(at).join(name).exists());
            if !found {
                println!("skipped: there is no {name}; install slurm-wlm and munge");
                return None;
            }
        }
        let id = Command::new("id").arg("-u").output().unwrap();
        if text(&id.stdout).trim() != "0" {
            println!("skipped: a Slurm of its own is started by root alone");
            return None;
        }
        let cluster = Self(folder("slurm"));
        cluster.tell("up");
        Some(cluster)
    }

    fn tell(&self, what: &str) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/one-machine");
        // Daemons keep what they inherit open.
        let done = Command::new(script)
            .arg(what)
            .env("FLITSCOPE_SLURM_PORT", port().to_string())
            .arg(&self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(done.unwrap().success(), "one-machine {what}: see {}", self.0.display());
    }

    fn run(&self, mut command: Command) -> String {
        command.env("SLURM_CONF", self.0.join("slurm.conf"));
        let done = command.output().unwrap();
        status(&done, 0);
        text(&done.stdout)
    }

    fn sweep(&self, arguments: &[&str]) -> String {
        self.run(program(arguments))
    }

    /// Kills a daemon at once, by the number that it has written down.
    fn kill(&self, daemon: &str) {
        let id = fs::read_to_string(self.0.join(format!("{daemon}.pid"))).unwrap();
        let id = id.trim();
        let name = fs::read_to_string(format!("/proc/{id}/comm")).unwrap();
        assert_eq!(name.trim(), daemon);
        assert!(Command::new("kill").args(["-KILL", id]).status().unwrap().success());
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Ok(folder) = self.0.clone().into_os_string().into_string() {
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/one-machine");
            let _ = Command::new(script).args(["down", folder.as_str()]).status();
        }
    }
}

/// Others may test on this machine too: the first of two ports of this process's own.
fn port() -> u32 {
    20_000 + std::process::id() % 6000 * 2
}

/// One Slurm for all tests, at a time.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: OnceLock<std::sync::Mutex<()>> = OnceLock::new();
    let alone = ALONE.get_or_init(std::sync::Mutex::default);
    alone.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Processes of this program that are at work in a folder, as its leases name them.
fn at_work(out: &str) -> Vec<String> {
    let status = said(&["status", out]);
    let lines = status.lines().filter(|line| line.starts_with("at work"));
    let id = |line: &str| Some(line.split_once("process ")?.1.split_once(' ')?.0.to_owned());
    lines.filter_map(id).collect()
}

#[test]
fn without_slurm_the_script_is_written_and_what_is_missing_is_said() {
    let path = folder("slurm-none");
    let out = begin(&path, 10, 3000);
    said(&["run", &out, "--point", "3,7", "--quiet"]);
    let options = ["--per-task", "7", "--time", "10", "--sbatch=--account=it's", "--cpus", "2"];
    let mut none = program(&[&["slurm", &out, "--submit"], &options[..]].concat());
    let error = status(&none.env("PATH", "").output().unwrap(), 2);
    assert!(
        error.contains("sbatch: No such file") && error.contains("handed over to Slurm"),
        "{error}"
    );
    let script = fs::read_to_string(path.join("slurm/array.sh")).unwrap();
    for part in ["--array=0-2%100\n", "--time=10\n", "--signal=B:TERM@60\n", "--account=it's\n"] {
        assert!(script.contains(&format!("#SBATCH {part}")), "{script}");
    }
    // Each missing point stands in one task.
    let tasks = script.split_once("points=(\n").unwrap().1.split_once(')').unwrap().0;
    assert_eq!(tasks.lines().count(), 3);
    for task in tasks.lines() {
        said(&["run", &out, "--point", task.trim(), "--quiet"]);
    }
    assert_eq!(said(&["missing", &out]), "");
    let none = said(&["slurm", &out, "--format", "json"]);
    assert_eq!(none, "{\"tasks\":[],\"script\":null,\"array_job\":null,\"next_job\":null}\n");
    for script in ["slurm/array.sh", "slurm/next.sh"] {
        let read = Command::new("bash").arg("-n").arg(path.join(script)).output().unwrap();
        status(&read, 0);
    }
    let again = fs::read_to_string(path.join("slurm/next.sh")).unwrap();
    let same = "--submit --past 2 --per-task 7 --throttle 100 --cpus 2 --time 10 --sbatch='--account=it'\\''s'";
    assert!(again.contains(same), "{again}");
    assert!(said(&["status", &out]).contains("done      20\n"));
}

/// A job that ends while `status` asks has handed over the next before.
#[test]
#[cfg(unix)]
fn what_is_handed_over_meanwhile_is_asked_for_too() {
    use std::os::unix::fs::PermissionsExt;

    let path = folder("slurm-meanwhile");
    let out = begin(&path, 10, 3000);
    fs::create_dir(path.join("slurm")).unwrap();
    let jobs = path.join("slurm/jobs");
    fs::write(&jobs, "1\n").unwrap();
    let squeue = path.join("squeue");
    let script = "#!/bin/sh\ncase $* in *1,2*) echo RUNNING;; *) echo 2 >>";
    fs::write(&squeue, format!("{script}'{}';; esac\n", jobs.display())).unwrap();
    fs::set_permissions(&squeue, fs::Permissions::from_mode(0o755)).unwrap();
    let said = program(&["status", &out]).env("PATH", &path).output().unwrap();
    let said = status(&said, 0);
    assert!(said.contains("slurm     1 running\n"), "{said}");
}

#[test]
fn a_study_of_20_points_as_an_array_has_the_rows_of_a_run_without() {
    let _alone = alone();
    let Some(cluster) = Cluster::start() else { return };
    let expected = undisturbed("slurm-undisturbed", 10, 20_000);
    let path = folder("slurm-study");
    let out = begin(&path, 10, 20_000);
    let script = cluster.sweep(&["slurm", &out, "--per-task", "3", "--throttle", "2"]);
    assert!(script.contains("20 points in 7 tasks"), "{script}");
    let script = fs::read_to_string(path.join("slurm/array.sh")).unwrap();
    for part in ["#SBATCH --array=0-6%2\n", "#SBATCH --requeue\n", "slurm/%A_%a.log\n"] {
        assert!(script.contains(part), "{script}");
    }
    let begun = Instant::now();
    let submit = ["slurm", &out, "--per-task", "3", "--throttle", "2", "--submit"];
    let handed = cluster.sweep(&[&submit[..], &["--format", "json"]].concat());
    let array: serde_json::Value = serde_json::from_str(&handed).unwrap();
    assert_eq!(array["tasks"].as_array().unwrap().len(), 7, "{handed}");
    let jobs = ["array_job", "next_job"].map(|key| format!("{}\n", array[key].as_str().unwrap()));
    assert_eq!(fs::read_to_string(path.join("slurm/jobs")).unwrap(), jobs.concat());
    let mut seen = String::new();
    wait_until("the array ends", 240, || {
        seen += &cluster.sweep(&["status", &out]);
        seen.contains("slurm     no job is queued or running")
    });
    let seconds = begun.elapsed().as_secs_f64();
    assert!(seen.contains(" running") && seen.contains(" pending"), "{seen}");
    // The last job has made the tables.
    assert_eq!(fs::read_to_string(path.join("table.txt")).unwrap(), expected.0);
    assert_eq!(tables(&path), expected);
    let logs = fs::read_dir(path.join("slurm")).unwrap();
    let logs =
        logs.filter(|it| it.as_ref().unwrap().path().extension().is_some_and(|e| e == "log"));
    assert_eq!(logs.count(), 8);
    let none = cluster.sweep(&["slurm", &out, "--submit"]);
    assert_eq!(none, "no point is missing: nothing to hand over\n");
    println!("20 points in 7 tasks: {seconds:.1} s");
}

/// What the jobs of a study said, one after the other.
fn logs(folder: &Path) -> String {
    let logs = fs::read_dir(folder.join("slurm")).unwrap().map(|it| it.unwrap().path());
    let mut logs: Vec<PathBuf> =
        logs.filter(|it| it.extension().is_some_and(|e| e == "log")).collect();
    logs.sort();
    logs.iter().map(|it| fs::read_to_string(it).unwrap()).collect()
}

/// Rounds follow from each other, each an array that waits for the one before.
#[test]
fn a_search_in_rounds_goes_on_by_itself_as_arrays_that_wait_for_each_other() {
    let _alone = alone();
    let Some(cluster) = Cluster::start() else { return };
    let begin = |name: &str| {
        let path = folder(name);
        let out = path.to_str().unwrap().to_owned();
        let study = ["papers/adaptive-torus-4x4", "--auto", "--bracket", "0.2", "--no-run"];
        let runs = ["--precision", "0.1", "--messages", "20000", "--out", &out];
        said(&[&study[..], &runs].concat());
        (path, out)
    };
    let (whole, out) = begin("slurm-search-undisturbed");
    said(&["run", &out, "--quiet"]);
    let expected = tables(&whole);
    let (path, out) = begin("slurm-search");
    let begun = Instant::now();
    cluster.sweep(&["slurm", &out, "--per-task", "3", "--submit"]);
    wait_until("the last round ends", 240, || {
        let seen = cluster.sweep(&["status", &out]);
        seen.contains("slurm     no job is queued or running")
    });
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(tables(&path), expected, "{}", logs(&path));
    assert!(said(&["plan", &out]).starts_with("0 points: finished after round "));
    let rounds = fs::read_dir(path.join("rounds")).unwrap().count() + 1;
    let jobs = fs::read_to_string(path.join("slurm/jobs")).unwrap().lines().count() / 2;
    assert!(rounds > 2 && jobs == rounds, "{rounds} rounds in {jobs} arrays");
    println!("{rounds} rounds, one array after the other: {seconds:.1} s");
}

/// Minutes: a task, the node's daemon and the controller are killed on the way.
#[test]
#[ignore = "takes minutes: .ci/long runs it"]
fn a_study_of_200_points_survives_the_death_of_a_task_the_node_and_the_controller() {
    const LOADS: usize = 100;
    const CYCLES: u64 = 400_000;
    let _alone = alone();
    let Some(cluster) = Cluster::start() else { return };
    let expected = undisturbed("slurm-200-undisturbed", LOADS, CYCLES);
    let path = folder("slurm-200");
    let out = begin(&path, LOADS, CYCLES);
    let begun = Instant::now();
    cluster.sweep(&["slurm", &out, "--per-task", "10", "--submit"]);
    let done = |count: usize| finished(&path) >= count;
    wait_until("20 points are done", 300, || done(20));
    let mut killed = Vec::new();
    wait_until("a task is killed", 60, || {
        killed = at_work(&out);
        killed.truncate(1);
        killed.iter().any(|id| Command::new("kill").args(["-KILL", id]).status().unwrap().success())
    });
    wait_until("40 points are done", 300, || done(40));
    // One is told to end, as when it is preempted, and begins anew two minutes later.
    let mut preempted = String::new();
    wait_until("a task is preempted", 60, || {
        let mut running = Command::new("squeue");
        running.args(["-h", "-r", "-t", "RUNNING", "-o", "%i"]).stdout(Stdio::piped());
        preempted = cluster.run(running).lines().next().unwrap_or_default().to_owned();
        let mut requeue = Command::new("scontrol");
        requeue.args(["requeue", &preempted]).env("SLURM_CONF", cluster.0.join("slurm.conf"));
        requeue.stderr(Stdio::null()).status().unwrap().success()
    });
    wait_until("60 points are done", 300, || done(60));
    cluster.kill("slurmd");
    std::thread::sleep(Duration::from_secs(15));
    cluster.tell("node");
    let now = finished(&path);
    wait_until("it goes on", 300, || done((now + 20).min(200)));
    cluster.kill("slurmctld");
    std::thread::sleep(Duration::from_secs(3));
    cluster.tell("controller");
    let mut handed = 1;
    wait_until("all is done", 1200, || {
        cluster.tell("mend");
        let status = cluster.sweep(&["status", &out]);
        let ended = status.contains("slurm     no job is queued or running");
        if ended && !done(200) {
            cluster.sweep(&["slurm", &out, "--per-task", "10", "--submit"]);
            handed += 1;
        }
        ended && done(200)
    });
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(tables(&path), expected);
    // What the task that was killed had not done was handed over once more, by the last job.
    let jobs = fs::read_to_string(path.join("slurm/jobs")).unwrap().lines().count() / 2;
    assert!(jobs > handed, "{jobs} arrays");
    println!(
        "200 points; task {preempted} preempted, process {killed:?}, node and controller killed; \
         {seconds:.1} s, {jobs} arrays, {handed} of them by hand"
    );
}
