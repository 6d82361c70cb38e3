//! `soak`: the program as its own adversary, for a given time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::interruption::Interruption;
use super::{Failure, config, memory, output};
use crate::files;
use crate::scenario::{self, Problem};
use crate::soak::texts::{self, SOURCE, Target, Verdict, judge};
use crate::soak::{self, Found, Kind, Plan, Report};

/// The most memory that each round at a time may come to take, in MiB: the largest networks, several times.
const PEAK_MAX: u64 = 1024;

/// The arguments of `soak`.
#[derive(Args, Debug)]
pub(super) struct Soak {
    /// How long
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// The most rounds of each kind
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    rounds: u64,
    /// All that is random follows from it
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Rounds at a time
    #[arg(long, short, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Seconds that a line of a film, a text or a system may take: what takes longer hangs, and ends all
    #[arg(long, value_name = "N", default_value_t = 300)]
    patience: u64,
    /// What rounds are about; several times for several
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(Kind::ALL.iter().map(|kind| kind.name())))]
    only: Vec<String>,
    /// A folder of files to make texts of, beside those built in; several times for several
    #[arg(long, value_name = "FOLDER")]
    corpus: Vec<PathBuf>,
    /// Where to put what fails
    #[arg(long, value_name = "FOLDER", default_value = "found")]
    found: PathBuf,
    /// Play what was found again, and nothing else
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Soak {
    pub(super) fn run(&self) -> Result<(), Failure> {
        soak::keep_panics();
        let folder = tempfile::tempdir()?;
        let mut targets = texts::targets();
        targets.push(configurations());
        for folder in &self.corpus {
            seed(&mut targets, folder)?;
        }
        if !self.files.is_empty() {
            return self.again(&targets, folder.path());
        }
        let kinds = Kind::ALL.iter().copied();
        let kinds: Vec<Kind> = kinds
            .filter(|kind| self.only.is_empty() || self.only.iter().any(|it| it == kind.name()))
            .collect();
        let interruption = Interruption::listen()?;
        interruption.keep(true);
        let plan = Plan {
            seed: self.seed,
            kinds: &kinds,
            rounds: self.rounds,
            time: Duration::from_secs(self.seconds),
            threads: self.jobs,
            targets: &targets,
            folder: folder.path(),
            stop: &interruption.stop,
            patience: Duration::from_secs(self.patience),
        };
        let began = Instant::now();
        let hung = |found: &Found, report: &Report| -> () {
            self.tell(found, began.elapsed());
            // Whoever hangs cannot be told to stop.
            let _ = output::print(&self.figures(report, began.elapsed()));
            std::process::exit(i32::from(Failure::Verdict.status()));
        };
        let report = soak::run(&plan, |found| self.tell(found, began.elapsed()), hung);
        output::print(&self.figures(&report, began.elapsed()))?;
        let peak = memory::peak().map_or(0, |bytes| bytes >> 20);
        if peak > PEAK_MAX * self.jobs as u64 {
            return Err(Failure::Internal(format!("it took {peak} MiB of memory")));
        }
        if report.found == 0 { interruption.end(false) } else { Err(Failure::Verdict) }
    }

    /// What was done, with what a thread does of it in a second of its kind's time.
    fn figures(&self, report: &Report, took: Duration) -> String {
        let line =
            |what: &str, count: u64, more: String| format!("{what:<34} {count:>12} {more}\n");
        let mut said = format!("seed {}: {:.1} s\n", self.seed, took.as_secs_f64());
        for (kind, done) in &report.done {
            let seconds = done.time.as_secs_f64();
            let spent = format!("in {seconds:.1} s of threads");
            said += &line(&format!("rounds of {}", kind.name()), done.rounds, spent);
            for (what, count) in done.tally.figures() {
                let rate = format!("{:>12.1} per second of a thread", count as f64 / seconds);
                said += &line(what, count, rate);
            }
        }
        let peak = memory::peak().map_or(0, |bytes| bytes >> 20);
        let last = [("MiB of memory at most", peak), ("failures", report.found)];
        said.extend(last.map(|(what, count)| line(what, count, String::new())));
        said
    }

    fn tell(&self, found: &Found, after: Duration) {
        let path = self.found.join(&found.name);
        let kept =
            files::make_folder(&self.found).and_then(|()| files::write(&path, &found.text, true));
        let kept = kept.map_or_else(|error| error.to_string(), |()| path.display().to_string());
        let first = found.why.lines().next().unwrap_or_default();
        output::remark(&format!("after {:.1} s, {kept}: {first}", after.as_secs_f64()));
    }

    fn again(&self, targets: &[Target], folder: &Path) -> Result<(), Failure> {
        let mut failed = false;
        for file in &self.files {
            let text = files::read_file(file)?;
            let name = file.display().to_string();
            if let Err(why) = soak::again(&name, &text, targets, folder) {
                failed = true;
                output::remark(&format!("{name}: {why}"));
            }
        }
        if failed { Err(Failure::Verdict) } else { Ok(()) }
    }
}

/// Gives each target the files in a folder, and in those below it, that it reads.
fn seed(targets: &mut [Target], folder: &Path) -> Result<(), Failure> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(|error| files::named(folder, &error))?;
    names.sort();
    for path in names {
        if path.is_dir() {
            seed(targets, &path)?;
        } else if let Ok(text) = fs::read_to_string(&path) {
            let name = texts::target_of(&path.display().to_string(), &text);
            let reads = |target: &&mut Target| target.name == name;
            targets.iter_mut().filter(reads).for_each(|target| target.seeds.push(text.clone()));
        }
    }
    Ok(())
}

/// Configurations, which only the command line reads.
fn configurations() -> Target {
    let known = "Config(scenario: \"mesh-8x8\", fps: 17, theme: \"night\", keys: {\"Ctrl-x\": \
                 \"toggle-run\", \"q\": \"nothing\", \"F5\": \"view-waits\"}, themes: {\"night\": \
                 (like: \"tritanopia\", background: \"dark\", palette: \"cividis\", colours: \
                 {\"alarm\": \"#ff7043\"})})";
    let printed = |text: &str| -> Result<String, Vec<Problem>> {
        let file = config::parse(SOURCE, text)?;
        Ok(config::text(file.scenario.as_deref().unwrap_or("a"), &file.screen, &file))
    };
    let check = move |text: &str| -> Verdict {
        let once = match printed(text) {
            Ok(once) => once,
            Err(problems) => return judge(text, &problems),
        };
        match printed(&once) {
            Ok(twice) if twice == once => Ok(true),
            Ok(twice) => Err(format!("{once}\nis read as\n{twice}")),
            Err(problems) => Err(scenario::render(&problems)),
        }
    };
    Target::new("config", vec![known.to_owned()], check)
}
