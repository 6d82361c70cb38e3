//! `sweep slurm`: writes or submits a study as a job array of Slurm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde::Serialize;

use super::arguments::{FolderArgument, OneObject};
use crate::cli::Failure;
use crate::experiment::sweep::{Folder, Part, Results, expected_seconds};
use crate::{files, text};

/// The folder of scripts, logs and job numbers.
const PLACE: &str = "slurm";
/// The file of submitted job numbers, one per line.
const JOBS: &str = "slurm/jobs";
/// The maximum number of tasks in an array, permitted at most sites.
const TASKS_MAX: usize = 1000;
/// The maximum number of jobs queried; older jobs are ignored.
const ASKED: usize = 20;

#[derive(Args, Debug)]
pub(super) struct Slurm {
    #[command(flatten)]
    at: FolderArgument,
    /// Points of a task; more, where there would be over 1000 tasks
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    per_task: u16,
    /// Tasks at a time
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..))]
    throttle: u16,
    /// Cores of a task, and runs at a time in it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    cpus: u16,
    /// The time limit of a task, as `sbatch --time` takes it; what runs a minute before it is given back
    #[arg(long, value_name = "LIMIT", value_parser = one_line)]
    time: Option<String>,
    /// Another option for `sbatch`: `--sbatch=--partition=long`; may be repeated
    #[arg(long, value_name = "OPTION", value_parser = one_line, allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Hand the array over, and behind it a job that makes the tables, plans the next round and hands
    /// that over
    #[arg(long)]
    submit: bool,
    /// Hand over only if more points than this are done, so that a chain of jobs comes to an end
    #[arg(long, value_name = "N", hide = true)]
    past: Option<usize>,
    #[command(flatten)]
    form: OneObject,
}

/// A job array, as JSON has it.
#[derive(Serialize, Default, Debug)]
struct Submission {
    /// The points of each task.
    tasks: Vec<Vec<usize>>,
    /// The script of the array; `None` if no point is missing.
    script: Option<PathBuf>,
    /// The job of the array; `None` unless it was submitted.
    array_job: Option<String>,
    /// The job behind it.
    next_job: Option<String>,
}

fn one_line(option: &str) -> Result<String, String> {
    let plain = !option.is_empty() && option.chars().all(text::shows);
    if plain { Ok(option.to_owned()) } else { Err("this must be one line of text".to_owned()) }
}

impl Slurm {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let folder = self.at.open()?;
        let results = Results::of(&folder, false);
        let (missing, done) = (results.missing().collect::<Vec<_>>(), results.rows().len());
        let path = folder.path();
        if missing.is_empty() {
            let text = "no point is missing: nothing to hand over\n";
            return self.form.print(&Submission::default(), text.to_owned());
        }
        if self.past.is_some_and(|past| done <= past) {
            let what = "none of the points that were handed over before has been finished";
            return Err(Failure::usage(what, format!("look at the logs in {PLACE}")));
        }
        let tasks = self.tasks(&folder, &results, &missing);
        files::make_folder(&path.join(PLACE))?;
        folder.write("slurm/array.sh", self.array(&tasks).as_bytes())?;
        folder.write("slurm/next.sh", self.next(done).as_bytes())?;
        let name = text::line(&path.display().to_string());
        let (points, count) = (
            text::count(missing.len(), "point", "points"),
            text::count(tasks.len(), "task", "tasks"),
        );
        let script = Some(path.join("slurm/array.sh"));
        let written = Submission { tasks, script, ..Submission::default() };
        if !self.submit {
            let how = "`sbatch slurm/array.sh` in that folder, or --submit, hands it over";
            let text = format!("{name}/slurm/array.sh: {points} in {count}; {how}\n");
            return self.form.print(&written, text);
        }
        let array = submit(path, &["slurm/array.sh"])?;
        let after = format!("--dependency=afterany:{array}");
        let next = submit(path, &[after.as_str(), "slurm/next.sh"])?;
        let known = fs::read_to_string(path.join(JOBS)).unwrap_or_default();
        folder.write(JOBS, format!("{known}{array}\n{next}\n").as_bytes())?;
        let text = format!("job {array}: {points} in {count}, then job {next}\n");
        self.form
            .print(&Submission { array_job: Some(array), next_job: Some(next), ..written }, text)
    }

    /// The points of each task: tasks of similar total time, the longest points assigned first.
    fn tasks(&self, folder: &Folder, results: &Results<'_>, missing: &[usize]) -> Vec<Vec<usize>> {
        let seconds = expected_seconds(&folder.study, &results.found);
        let mut points = missing.to_vec();
        points.sort_by(|&one, &two| seconds[two].total_cmp(&seconds[one]));
        let count = missing.len().div_ceil(usize::from(self.per_task)).min(TASKS_MAX);
        let mut tasks: Vec<(f64, Vec<usize>)> = vec![(0.0, Vec::new()); count];
        for point in points {
            let shortest = tasks.iter_mut().min_by(|one, two| one.0.total_cmp(&two.0));
            if let Some((sum, points)) = shortest {
                *sum += seconds[point];
                points.push(point);
            }
        }
        let sorted = |(_, mut points): (f64, Vec<usize>)| {
            points.sort_unstable();
            points
        };
        tasks.into_iter().map(sorted).collect()
    }

    fn array(&self, tasks: &[Vec<usize>]) -> String {
        let lines = tasks.iter().map(|points| format!("    {}\n", Part::list(points.clone())));
        let (last, throttle, cpus) = (tasks.len() - 1, self.throttle, self.cpus);
        let signal = if self.time.is_some() { "#SBATCH --signal=B:TERM@60\n" } else { "" };
        format!(
            "#!/bin/bash\n\
             # Runs missing points of the study in this folder: `sbatch slurm/array.sh`. What a task is at\n\
             # when it is told to end is given back; a task that was preempted is queued again.\n\
             #SBATCH --array=0-{last}%{throttle}\n\
             #SBATCH --cpus-per-task={cpus}\n\
             #SBATCH --requeue\n\
             #SBATCH --open-mode=append\n\
             #SBATCH --output=slurm/%A_%a.log\n\
             {signal}{}\
             # The points of each task.\n\
             points=(\n{})\n\
             exec {} sweep run . --quiet --jobs {cpus} --point \"${{points[SLURM_ARRAY_TASK_ID]}}\"\n",
            self.options(),
            lines.collect::<String>(),
            program(),
        )
    }

    fn next(&self, done: usize) -> String {
        let (program, options) = (program(), self.options());
        let Self { per_task, throttle, cpus, .. } = self;
        let mut again = format!(" --per-task {per_task} --throttle {throttle} --cpus {cpus}");
        again.extend(self.time.iter().map(|limit| format!(" --time {}", text::shell_word(limit))));
        again.extend(
            self.sbatch.iter().map(|option| format!(" --sbatch={}", text::shell_word(option))),
        );
        format!(
            "#!/bin/bash\n\
             # Makes the tables when an array has ended, however it did, plans the next round, and hands\n\
             # over what is missing.\n\
             #SBATCH --output=slurm/%j.log\n\
             {options}\
             {program} sweep merge . --quiet || exit\n\
             {program} sweep plot . --quiet || exit\n\
             {program} sweep plan .\n\
             exec {program} sweep slurm . --submit --past {done}{again}\n"
        )
    }

    /// The `sbatch` options common to both scripts.
    fn options(&self) -> String {
        let time = self.time.iter().map(|limit| format!("#SBATCH --time={limit}\n"));
        time.chain(self.sbatch.iter().map(|option| format!("#SBATCH {option}\n"))).collect()
    }
}

/// The path of this program, quoted for a shell.
fn program() -> String {
    let path = std::env::current_exe();
    path.map_or_else(
        |_| "flitscope".to_owned(),
        |path| text::shell_word(&path.display().to_string()),
    )
}

/// Submits a script and returns the job number.
fn submit(folder: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let mut sbatch = Command::new("sbatch");
    sbatch.arg("--parsable").args(arguments).current_dir(folder);
    let said = sbatch.output().map_err(|error| {
        Failure::usage(format!("sbatch: {error}"), "run it where jobs are handed over to Slurm")
    })?;
    let out = String::from_utf8_lossy(&said.stdout);
    // A cluster name follows a semicolon if several clusters exist.
    let job = out.trim().split(';').next().unwrap_or_default();
    if said.status.success() && !job.is_empty() && job.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(job.to_owned());
    }
    let said = String::from_utf8_lossy(&said.stderr);
    let help = "the script is there: change it, or ask otherwise with --sbatch";
    Err(Failure::usage(text::line(said.trim()), help))
}

/// The state of the jobs submitted for a folder, if any.
pub(super) fn queued(folder: &Folder) -> Option<String> {
    let known = || fs::read_to_string(folder.path().join(JOBS)).ok();
    let mut jobs = known()?;
    loop {
        let said = said_of(&jobs);
        // A job ended in the meantime may have submitted the next.
        let now = known()?;
        if now == jobs {
            return Some(said);
        }
        jobs = now;
    }
}

/// The states of the most recent jobs; `jobs` has one number per line.
fn said_of(jobs: &str) -> String {
    let jobs: Vec<&str> = jobs.lines().collect();
    let asked = jobs[jobs.len().saturating_sub(ASKED)..].join(",");
    let mut squeue = Command::new("squeue");
    let said = match squeue.args(["-h", "-r", "-o", "%T", "-j", asked.as_str()]).output() {
        Ok(said) => said,
        Err(error) => return format!("squeue: {error}"),
    };
    let err = String::from_utf8_lossy(&said.stderr);
    // The error for jobs ended long ago.
    if !said.status.success() && !err.contains("Invalid job id") {
        return format!("squeue: {}", err.trim());
    }
    let mut states: Vec<(String, usize)> = Vec::new();
    for state in String::from_utf8_lossy(&said.stdout).lines().map(str::to_lowercase) {
        match states.iter_mut().find(|(known, _)| *known == state) {
            Some((_, count)) => *count += 1,
            None => states.push((state, 1)),
        }
    }
    let states: Vec<String> =
        states.iter().map(|(state, count)| format!("{count} {state}")).collect();
    if states.is_empty() { "no job is queued or running".to_owned() } else { states.join(", ") }
}
