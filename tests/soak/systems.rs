//! Random systems: every law in every cycle, the same run however it is cut, copied, wound back and
//! saved, and no deadlock where none can be.

use std::sync::Arc;

use crate::dice::Dice;
use crate::grammar;
use crate::rounds::{Found, IsOver, Tally, at, guarded};
use crate::shrink::shrink;
use flitscope::engine::Change;
use flitscope::experiment::forecast::Forecast;
use flitscope::experiment::report::CheckRow;
use flitscope::scenario::{self, Override, RATE_MIN, Scenario, builtin};
use flitscope::session::Session;
use flitscope::session::saved::{self, Saved};
use flitscope::session::tape::{Keep, SeekProgress, Tape};
use flitscope::stats::WarmUp;
use flitscope::units::{Cycle, Rate};

/// Fields that are set in a scenario, one after the other.
const STEPS: (u64, u64) = (4, 24);
/// Audits of a run.
const AUDITS: (u64, u64) = (64, 1500);
/// What audits of one run may look at in all: messages, and virtual channels in tens.
const LOOKED_AT_MAX: u64 = 2_000_000;
/// The most messages under way.
const UNDER_WAY_MAX: u64 = 4_000;
/// Runs that are made to make a system simpler.
const TRIES: u32 = 60;
/// Up to this size deadlock is proven impossible or not.
const PROVEN_NODES_MAX: usize = 40;
/// Where systems begin.
const ORIGINS: [&str; 12] = [
    "bubble-torus-8x8",
    "mesh-8x8",
    "ring-deadlock",
    "switches-campus",
    "dragonfly-72",
    "request-reply",
    "request-reply-deadlock",
    "pipelined-mesh-8x8",
    "papers/adaptive-torus-4x4",
    "papers/circuit-hold-8",
    "papers/circuit-drop-8",
    "papers/switch-torus-3x3-50",
];

/// A field set to a value.
fn set(path: &str, value: &str) -> Override {
    Override { path: path.to_owned(), value: value.to_owned(), label: format!("{path}={value}") }
}

/// The fields of a network with a routing algorithm and a number of virtual channels.
fn on(network: &str, routing: &str, vcs: &str) -> [Override; 3] {
    [set("network", network), set("routing", routing), set("switching.virtual_channels", vcs)]
}

/// Examines every network with every routing algorithm that serves it. Returns the pairs.
pub fn every_pair(audits: u64) -> Result<Vec<(&'static str, String)>, String> {
    let name = "dragonfly-72";
    let text = builtin::find(name).map(|found| found.text).unwrap_or_default();
    let mut pairs = Vec::new();
    for network in grammar::NETWORKS {
        for routing in grammar::values("routing") {
            let Ok(scenario) = scenario::parse(name, text, &on(network, &routing, "8")) else {
                continue;
            };
            let tally = (&mut Tally::default(), &(|| false) as &IsOver<'_>);
            guarded(|| examine(&scenario, audits, 1, tally))
                .map_err(|why| format!("{network} with {routing}: {why}"))?;
            pairs.push((network, routing));
        }
    }
    Ok(pairs)
}

/// Draws a system from a seed and examines it; what fails is made simpler.
pub fn round(seed: u64, tally: &mut Tally, is_over: &IsOver<'_>) -> Option<Found> {
    let mut dice = Dice::new(seed);
    let name = dice.of(&ORIGINS);
    let origin = scenario::parse(name, builtin::find(name)?.text, &[]).ok()?;
    let routings = grammar::values("routing");
    let (network, routing) = (dice.of(&grammar::NETWORKS), &routings[dice.index(routings.len())]);
    let vcs = dice.of(&["1", "2", "4", "8"]);
    let begun = origin.with(on(network, routing, vcs));
    let small = || origin.with([set("network", "Mesh(radix: [3, 3])")]);
    let origin = begun.or_else(|_| small()).unwrap_or(origin);
    let steps = dice.within(STEPS.0, STEPS.1);
    let (scenario, [tried, fitted]) = grammar::wander(&mut dice, &origin, steps);
    tally.add("fields set", tried);
    tally.add("fields that fitted", fitted);
    let audits = dice.within(AUDITS.0, AUDITS.1);
    let file = |set: &[Override]| {
        let set = set.iter().map(|one| format!("{}={}\n", one.path, one.value));
        format!("{name} {seed} {audits}\n{}", set.collect::<String>())
    };
    at(|| format!("{seed:016x}.system"), || file(&scenario.overrides));
    let examined = guarded(|| examine(&scenario, audits, seed, (tally, is_over)));
    let why = examined.err()?;
    // The fewest fields that still fail.
    let fails = |set: &[Override]| {
        let Ok(scenario) = scenario::parse(name, &origin.text, set) else { return false };
        let mut tally = Tally::default();
        !is_over() && guarded(|| examine(&scenario, audits, seed, (&mut tally, is_over))).is_err()
    };
    let set = shrink(&scenario.overrides, TRIES, fails);
    let text = file(&set);
    Some(Found { name: format!("{seed:016x}.system"), text, why })
}

/// Examines a system of which the file is known.
pub fn again(text: &str) -> Result<(), String> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let words: Vec<&str> = first.split(' ').collect();
    let &[name, seed, audits] = words.as_slice() else { return Err(first.to_owned()) };
    let number = |word: &str| word.parse::<u64>().map_err(|_| format!("{word} is no number"));
    let builtin = builtin::find(name).ok_or_else(|| format!("there is no scenario {name}"))?;
    let lines = rest.lines().filter_map(|line| line.split_once('='));
    let given: Vec<Override> = lines.map(|(path, value)| set(path, value)).collect();
    let scenario = scenario::parse(name, builtin.text, &given);
    let scenario = scenario.map_err(|problems| scenario::render(&problems))?;
    let (seed, audits) = (number(seed)?, number(audits)?);
    guarded(|| examine(&scenario, audits, seed, (&mut Tally::default(), &|| false)))
}

fn sure(what: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if what { Ok(()) } else { Err(otherwise()) }
}

/// Audits a run after every cycle (of circuits after every little while), and makes it again in other
/// ways. The run is shorter, and no model is asked, once there is no more time.
fn examine(
    scenario: &Scenario,
    audits: u64,
    seed: u64,
    (tally, is_over): (&mut Tally, &IsOver<'_>),
) -> Result<(), String> {
    let mut dice = Dice::new(!seed);
    let system = &scenario.system;
    let step = system.time_unit().cycles.div_ceil(50);
    let scenario = Arc::new(scenario.clone());
    let begun = Session::new(Arc::clone(&scenario), seed, 0, WarmUp::Automatic);

    // Straight on, with a change on the way.
    let change = (
        step * dice.below(audits),
        Rate((system.traffic.rate.0 * dice.share().max(1e-3)).max(RATE_MIN)),
    );
    let half = step * (audits / 2);
    let mut straight = begun.clone();
    let mut at_half = None;
    let channels = (system.network.channels().len() as u64) / 10;
    let channels = channels * u64::from(system.relation.virtual_channels());
    let mut looked_at = 0;
    for cycle in (1..=audits).map(|at| at * step) {
        if straight.now().0 == change.0 {
            straight.set_rate(change.1);
        }
        if straight.now().0 == half {
            at_half = Some(straight.fingerprint());
        }
        straight.advance(Cycle(cycle));
        straight.audit().map_err(|violation| violation.to_string())?;
        let (generated, delivered) = straight.engine().messages_so_far();
        let under_way = generated - delivered;
        looked_at += channels + under_way;
        let much = looked_at > LOOKED_AT_MAX || under_way > UNDER_WAY_MAX;
        if much || straight.deadlock().is_some() || is_over() {
            break;
        }
        tally.add("audited cycles", 1);
    }
    let end = straight.now();
    let fingerprint = straight.fingerprint();
    tally.add("systems", 1);

    // What is proven free of deadlock has none.
    if system.network.nodes() <= PROVEN_NODES_MAX {
        let row = CheckRow::proven(&scenario, &system.proof());
        if row.deadlock_free == Some(true) {
            tally.add("systems proven free of deadlock", 1);
            let found = straight.engine().find_deadlock();
            sure(found.is_none(), || format!("proven free, and yet there is {found:?}"))?;
        } else if straight.deadlock().is_some() {
            tally.add("systems that deadlocked", 1);
        }
    }

    // Cut elsewhere, and copied on the way.
    let mut cut = begun.clone();
    let mut changed = false;
    while cut.now() < end && cut.deadlock().is_none() {
        let to = cut.now() + 1 + dice.below(step * 90);
        if !changed && cut.now().0 == change.0 {
            cut.set_rate(change.1);
            changed = true;
        }
        let to = if changed || to.0 < change.0 { to } else { Cycle(change.0.max(cut.now().0 + 1)) };
        cut.advance(to.min(end));
        cut = cut.clone();
    }
    sure(cut.fingerprint() == fingerprint, || format!("cut elsewhere, cycle {end} is another"))?;

    wind(&begun, change, (half, at_half), (end, fingerprint), &mut dice)?;
    round_trip(&straight)?;

    // Models say something finite, or why not.
    if system.network.nodes() <= PROVEN_NODES_MAX && !is_over() {
        for forecast in Forecast::all(&scenario) {
            let Ok(prediction) = &forecast.prediction else { continue };
            tally.add("predictions", 1);
            let sum: f64 = prediction.terms.iter().map(|term| term.cycles).sum();
            let (mean, model) = (prediction.latency_mean, forecast.model);
            let whole = (sum - mean).abs() <= 1e-6 * mean.abs().max(1.0);
            sure(mean.is_finite() && mean > 0.0 && whole, || {
                format!("{model} predicts {mean}, in parts {sum}")
            })?;
        }
    }
    Ok(())
}

/// Back and forth on a tape with little room.
fn wind(
    begun: &Session,
    change: (u64, Rate),
    (half, at_half): (u64, Option<u64>),
    (end, fingerprint): (Cycle, u64),
    dice: &mut Dice,
) -> Result<(), String> {
    let bytes = [usize::MAX / 2, 400_000, 0][dice.index(3)];
    let mut tape = Tape::new(begun.clone(), Keep { bytes, work_per_byte: 0 });
    tape.advance(Cycle(change.0).min(end));
    if tape.now().0 == change.0 && change.0 < end.0 {
        tape.apply(Change::Rate(change.1));
    }
    tape.advance(end);
    let same = |tape: &Tape, wanted: u64, what: &str| {
        sure(tape.session().fingerprint() == wanted, || {
            format!("{what}, cycle {} of the tape is another", tape.now())
        })
    };
    same(&tape, fingerprint, "straight on")?;
    let slice = dice.within(1, 300);
    let mut to = |tape: &mut Tape, cycle: Cycle| {
        tape.seek(cycle, dice.below(64));
        while matches!(tape.advance_seek(slice), SeekProgress::Going | SeekProgress::Passing) {}
    };
    for _ in 0..2 {
        if let Some(wanted) = at_half.filter(|_| half <= tape.live().0) {
            to(&mut tape, Cycle(half));
            same(&tape, wanted, "wound back")?;
        }
        to(&mut tape, end);
        same(&tape, fingerprint, "wound forward")?;
    }
    Ok(())
}

/// Saved and read again it is the same session.
fn round_trip(session: &Session) -> Result<(), String> {
    let saved = Saved {
        scenario: Arc::clone(session.scenario()),
        seed: session.seed(),
        warm_up: session.warm_up(),
        journal: session.journal().to_vec(),
        bookmarks: vec![session.now()],
        cycle: session.now(),
        live: session.now(),
        fingerprint: Some(session.fingerprint()),
    };
    let text = saved.text();
    let read = saved::parse("saved", &text).map_err(|it| scenario::render(&it))?;
    sure(read.text() == text, || format!("what was saved is read as\n{}", read.text()))?;
    let mut again = Session::new(read.scenario, read.seed, 0, read.warm_up);
    for done in &read.journal {
        again.advance(done.cycle);
        again.apply(done.change);
    }
    again.advance(read.cycle);
    sure(Some(again.fingerprint()) == read.fingerprint, || "what was saved is another run".into())
}
