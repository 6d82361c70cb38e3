//! Rounds of random films, texts and systems, each from a seed, on several threads.
//!
//! A round is a film of many actions ([`Kind::Screen`]), some hundreds of texts ([`Kind::Texts`]) or a
//! system that is run in several ways ([`Kind::Systems`]). It depends on its number and the seed alone.
//! A failure is made small and becomes a file that can be played again ([`again`]).

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use flitscope::random::mix;
use flitscope::session::fault::Fault;
use strum::{IntoStaticStr, VariantArray};

use crate::texts::Target;
use crate::{screen, systems, texts};

/// Time between two looks at the threads.
const LOOK: Duration = Duration::from_millis(50);

/// What a round is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// Actions on the screen.
    Screen,
    /// Texts that are read.
    Texts,
    /// Systems that are simulated.
    Systems,
}

impl Kind {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Something that failed.
#[derive(Clone, Debug)]
pub struct Found {
    /// A name for its file.
    pub name: String,
    /// What makes it fail again.
    pub text: String,
    /// How.
    pub why: String,
}

/// What was done, in figures, by name.
#[derive(Clone, Default, Debug)]
pub struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    pub fn add(&mut self, what: &'static str, count: u64) {
        *self.0.entry(what).or_default() += count;
    }

    /// The figures, by name.
    pub fn figures(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|(&what, &count)| (what, count))
    }
}

/// What to do.
pub struct Plan<'a> {
    /// All that is random follows from it.
    pub seed: u64,
    /// What rounds are about.
    pub kinds: &'a [Kind],
    /// The most rounds of each kind.
    pub rounds: u64,
    /// Rounds are cut short after this time, and none begins.
    pub time: Duration,
    /// Rounds at a time.
    pub threads: usize,
    /// Longest time that a line of a film, a text or a system may take: what takes longer hangs.
    pub patience: Duration,
    /// What is read.
    pub targets: &'a [Target],
    /// An empty folder below which films may write.
    pub folder: &'a Path,
    /// Whether to cut them short before.
    pub stop: &'a AtomicBool,
}

/// A test for the end of a soak, made between the steps of a round.
pub type IsOver<'a> = dyn Fn() -> bool + Sync + 'a;

/// What was done in rounds of one kind.
#[derive(Default, Debug)]
pub struct Done {
    /// How many rounds.
    pub rounds: u64,
    /// The time that they took, added up over threads.
    pub time: Duration,
    /// The figures.
    pub tally: Tally,
}

/// What a round is at, once it is at something, and since when.
type AtWork = Arc<Mutex<Option<(Instant, Found)>>>;

thread_local! {
    static AT_WORK: RefCell<Option<AtWork>> = const { RefCell::new(None) };
}

/// Says what this thread does next, for the case that it never comes to an end.
pub fn at(name: impl FnOnce() -> String, text: impl FnOnce() -> String) {
    AT_WORK.with_borrow(|at| {
        if let Some(at) = at {
            let found = Found { name: name(), text: text(), why: String::new() };
            *lock(at) = Some((Instant::now(), found));
        }
    });
}

/// What became of it.
#[derive(Default, Debug)]
pub struct Report {
    /// What was done in the rounds of each kind.
    pub done: BTreeMap<Kind, Done>,
    /// How many failed.
    pub found: u64,
}

/// Plays rounds until there are enough; `tell` is told what fails. What hangs cannot be ended: `hung` is
/// told of it, and is not to come back.
pub fn run(
    plan: &Plan<'_>,
    tell: impl Fn(&Found) + Sync,
    hung: impl Fn(&Found, &Report),
) -> Report {
    let began = Instant::now();
    let report = Mutex::new(Report::default());
    let is_over = || plan.stop.load(Ordering::Relaxed) || began.elapsed() >= plan.time;
    // The kind that has had the least time comes next.
    let next = || {
        let mut report = lock(&report);
        let over = is_over();
        let so_far = |kind: &Kind| {
            let done = report.done.get(kind);
            done.map_or((Duration::ZERO, 0, *kind), |done| (done.time, done.rounds, *kind))
        };
        let kinds = plan.kinds.iter().filter(|_| !over);
        let mut open: Vec<(Duration, u64, Kind)> =
            kinds.map(so_far).filter(|(_, rounds, _)| *rounds < plan.rounds).collect();
        open.sort_unstable();
        let &(_, number, kind) = open.first()?;
        report.done.entry(kind).or_default().rounds += 1;
        Some((kind, number))
    };
    let all_at_work = Mutex::new(Vec::<AtWork>::new());
    std::thread::scope(|scope| {
        let player = |_| {
            scope.spawn(|| {
                while let Some((kind, number)) = next() {
                    let began = Instant::now();
                    let at_work = AtWork::default();
                    lock(&all_at_work).push(Arc::clone(&at_work));
                    AT_WORK.set(Some(Arc::clone(&at_work)));
                    let mut tally = Tally::default();
                    let found = round(plan, kind, number, &mut tally, &is_over);
                    found.iter().for_each(&tell);
                    lock(&all_at_work).retain(|one| !Arc::ptr_eq(one, &at_work));
                    let mut report = lock(&report);
                    report.found += u64::from(found.is_some());
                    let done = report.done.entry(kind).or_default();
                    done.time += began.elapsed();
                    tally.figures().for_each(|(what, count)| done.tally.add(what, count));
                }
            })
        };
        let players: Vec<_> = (0..plan.threads.max(1)).map(player).collect();
        while players.iter().any(|player| !player.is_finished()) {
            std::thread::sleep(LOOK);
            for at_work in lock(&all_at_work).iter() {
                let at_work = lock(at_work);
                let Some((since, found)) = &*at_work else { continue };
                if since.elapsed() > plan.patience {
                    let why = format!("it hangs: {} s at the last", since.elapsed().as_secs());
                    let mut report = lock(&report);
                    report.found += 1;
                    hung(&Found { why, ..found.clone() }, &report);
                }
            }
        }
    });
    report.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plays a round, or as much of it as there is time for.
fn round(
    plan: &Plan<'_>,
    kind: Kind,
    number: u64,
    tally: &mut Tally,
    is_over: &IsOver<'_>,
) -> Option<Found> {
    let seed = mix(mix(plan.seed, kind as u64), number);
    match kind {
        Kind::Screen => screen::round(seed, plan.folder, tally, is_over),
        Kind::Texts => texts::round(seed, plan.targets, tally, is_over),
        Kind::Systems => systems::round(seed, tally, is_over),
    }
}

/// Plays again what was found under this file name. The error is how it fails.
pub fn again(name: &str, text: &str, targets: &[Target], folder: &Path) -> Result<(), String> {
    let ending = name.rsplit('.').next().unwrap_or_default();
    match ending {
        "keys" => return screen::again(text, folder),
        "system" => return systems::again(text),
        _ => {}
    }
    match targets.iter().find(|target| target.name == ending) {
        Some(target) => guarded(|| (target.check)(text)).map(drop),
        None => Err(format!("nothing is known of files that end in `.{ending}`")),
    }
}

thread_local! {
    /// The place and the message of the last panic of this thread.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
    /// Whether panics of this thread are findings rather than failures of the test itself.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the panics of guarded threads for the report in place of printing them.
fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                return print(info);
            }
            let what = Fault::of(info.payload()).what;
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            PANIC.with_borrow_mut(|kept| *kept = format!("panic at {place}: {what}"));
        }));
    });
}

/// The result of `work`, a panic as an error.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    keep_panics();
    let before = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    result.unwrap_or_else(|_| Err(PANIC.with_borrow_mut(std::mem::take)))
}
