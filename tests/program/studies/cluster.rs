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
    let handed = cluster.sweep(&["slurm", &out, "--per-task", "3", "--throttle", "2", "--submit"]);
    assert!(handed.contains("20 points in 7 tasks, then job "), "{handed}");
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
    println!(
        "200 points; task {preempted} preempted, process {killed:?}, node and controller killed; \
         {seconds:.1} s, handed over {handed} times"
    );
}
