//! Random texts for everything that is read: mutations of what is known to be right, and of what was
//! found before. What is accepted must be printed so that it is read as the same; what is refused must
//! say where.

use std::path::Path;
use std::sync::Arc;

use crate::dice::Dice;
use crate::grammar;
use crate::rounds::{Found, IsOver, Tally, at, guarded};
use crate::screen::HOSTILE;
use crate::shrink::shrink;
use flitscope::cli::config;
use flitscope::experiment::sweep;
use flitscope::live::{Breakpoint, Pace};
use flitscope::recording::demos;
use flitscope::scenario::{self, Override, PROBLEMS_MAX, Problem, Scenario, builtin};
use flitscope::session::saved::{self, Saved};
use flitscope::stats::WarmUp;
use flitscope::text;
use flitscope::tui::{film, tour};
use flitscope::units::Cycle;

/// Executions in a round.
const EXECUTIONS: u64 = 500;
/// The longest text that is made of others, in bytes.
const LONGEST: usize = 40_000;
const TRIES: u32 = 2_000;

/// Whether a text was accepted; the error is what is wrong with the program.
pub type Verdict = Result<bool, String>;

/// Something that is read.
pub struct Target {
    /// What it is called: the ending of the names of files that were found.
    pub name: &'static str,
    /// Reads a text.
    pub check: Box<dyn Fn(&str) -> Verdict + Send + Sync>,
    /// Texts to begin with.
    pub seeds: Vec<String>,
    /// How many times as long as others it takes: it is executed as much more seldom.
    pub cost: u64,
}

impl Target {
    /// A target without the seeds that come with files.
    pub fn new(
        name: &'static str,
        seeds: Vec<String>,
        check: impl Fn(&str) -> Verdict + Send + Sync + 'static,
    ) -> Self {
        Self { name, check: Box::new(check), seeds, cost: 1 }
    }
}

/// Which target reads a file, by its name's ending or by what stands in it.
pub fn target_of(name: &str, text: &str) -> &'static str {
    let begins = |word: &str| {
        text.lines().any(|line| {
            line.trim_start()
                .strip_prefix(word)
                .is_some_and(|rest| rest.trim_start().starts_with('('))
        })
    };
    let ending = name.rsplit('.').next().unwrap_or_default();
    match ending {
        "keys" => "script",
        "ron" if begins("Session") => "session",
        "ron" if begins("Study") && text.contains("claims:") => "paper",
        "ron" if begins("Study") => "study",
        "ron" if begins("Config") => "config",
        "ron" if begins("Stop") => "stop",
        "ron" => "scenario",
        "json" => "json",
        "set" => "set",
        "break" => "break",
        "session" => "session",
        _ => "",
    }
}

/// Judges problems: each says where and what, within bounds, and shows as it is.
pub fn judge(text: &str, problems: &[Problem]) -> Verdict {
    let wrong = |what: &str, problem: &Problem| Err(format!("{what}: {problem:?}"));
    if problems.is_empty() || problems.len() > PROBLEMS_MAX + 1 {
        return Err(format!("{} problems", problems.len()));
    }
    for problem in problems {
        if problem.what.is_empty() {
            return wrong("nothing is said", problem);
        }
        let Some(place) = &problem.place else {
            let whole = ["there are ", "this script has no commands", "this is a saved session"];
            if whole.iter().any(|known| problem.what.starts_with(known)) {
                continue;
            }
            return wrong("a problem without a place", problem);
        };
        let columns = place.text.chars().count();
        if place.length == 0 || !(1..=columns + 1).contains(&place.column) {
            return wrong("a place outside its line", problem);
        }
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let line = body.split('\n').nth(place.line.wrapping_sub(1));
        // A return at the very end stands in its line.
        let is_there =
            |line: &str| line == place.text || line.strip_suffix('\r') == Some(place.text.as_str());
        if problem.source == SOURCE && !line.is_some_and(is_there) {
            return wrong("a place that is not in the text", problem);
        }
    }
    let shown = scenario::render(problems);
    match shown.chars().find(|&letter| letter != '\n' && !text::shows(letter)) {
        Some(letter) => Err(format!("{letter:?} is shown in {shown}")),
        None => Ok(false),
    }
}

/// What problems call the text.
pub const SOURCE: &str = "text";

fn session_of(scenario: Scenario) -> Saved {
    Saved {
        seed: scenario.seed,
        scenario: Arc::new(scenario),
        warm_up: WarmUp::Automatic,
        journal: Vec::new(),
        bookmarks: vec![Cycle(7)],
        cycle: Cycle(100),
        live: Cycle(200),
        fingerprint: Some(7),
    }
}

fn again(saved: &Saved) -> Result<(), String> {
    let text = saved.text();
    let read = saved::parse("again", &text).map_err(|it| scenario::render(&it))?;
    if read.text() == text { Ok(()) } else { Err(format!("{text}\nis read as\n{}", read.text())) }
}

fn scenario(text: &str) -> Verdict {
    match scenario::parse(SOURCE, text, &[]) {
        Ok(scenario) => again(&session_of(scenario)).map(|()| true),
        Err(problems) => judge(text, &problems),
    }
}

fn session(text: &str) -> Verdict {
    match saved::parse(SOURCE, text) {
        Ok(saved) => again(&saved).map(|()| true),
        Err(problems) => judge(text, &problems),
    }
}

fn overridden(bases: &[Scenario], text: &str) -> Verdict {
    let (path, value) = text.split_once('=').unwrap_or((text, ""));
    let base = &bases[text.len() % bases.len()];
    let label = format!("--set {text}");
    match base.with([Override { path: path.to_owned(), value: value.to_owned(), label }]) {
        Ok(scenario) => again(&session_of(scenario)).map(|()| true),
        Err(problems) => judge(&base.text, &problems),
    }
}

fn conditions(bases: &[Scenario], text: &str) -> Verdict {
    let system = &bases[text.len() % bases.len()].system;
    let _ = text.parse::<Pace>();
    let Ok(read) = Breakpoint::parse(text, system) else { return Ok(false) };
    let words = read.words(system);
    match Breakpoint::parse(&words, system) {
        Ok(same) if same == read => Ok(true),
        other => Err(format!("{read:?} is written `{words}` and read as {other:?}")),
    }
}

/// Whatever `read` says, judged.
fn read<T>(text: &str, read: Result<T, Vec<Problem>>) -> Verdict {
    read.map_or_else(|problems| judge(text, &problems), |_| Ok(true))
}

const CONFIG: &str = "Config(scenario: \"mesh-8x8\", fps: 17, theme: \"night\", keys: {\"Ctrl-x\": \
                      \"toggle-run\", \"q\": \"nothing\", \"F5\": \"view-waits\"}, themes: \
                      {\"night\": (like: \"tritanopia\", background: \"dark\", palette: \
                      \"cividis\", colours: {\"alarm\": \"#ff7043\"})})";

/// A configuration is written anew in one way only.
fn configuration(text: &str) -> Verdict {
    let once = match config::rewritten(SOURCE, text) {
        Ok(once) => once,
        Err(problems) => return judge(text, &problems),
    };
    match config::rewritten(SOURCE, &once) {
        Ok(twice) if twice == once => Ok(true),
        Ok(twice) => Err(format!("{once}\nis read as\n{twice}")),
        Err(problems) => Err(scenario::render(&problems)),
    }
}

const SWEEPS: [&str; 2] = [
    "Study(\n    scenario: \"papers/adaptive-torus-4x4\",\n    vary: {\"routing\": \
     [DimensionOrder(), MinimalAdaptive(escape: Destination)]},\n    loads: Range(from: 0.1, to: \
     0.9, points: 3),\n    cycles: 20000,\n)\n",
    "Study(\n    scenario: \"mesh-8x8\",\n    set: {\"switching.buffer_flits\": 2},\n    loads: \
     [0.1, 0.2],\n    messages: 2000,\n)\n",
];

/// Everything that is read.
pub fn targets() -> Vec<Target> {
    let names = ["mesh-8x8", "papers/circuit-drop-8", "switches-campus", "hypercube-6"];
    let parse = |name: &str| scenario::parse(name, builtin::find(name)?.text, &[]).ok();
    let bases: Vec<Scenario> = names.iter().filter_map(|name| parse(name)).collect();
    let others = bases.clone();
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let scenarios: Vec<String> = builtin::ALL.iter().map(|it| it.text.to_owned()).collect();
    let in_json = scenarios.iter().filter_map(|text| scenario::json(text)).collect();
    let sessions = bases.iter().map(|base| session_of(base.clone()).text()).collect();
    let mut set = vec!["traffic.arrivals.rate=0.02".to_owned()];
    let mut dice = Dice::new(1);
    for _ in 0..200 {
        let (path, value) = grammar::setting(&mut dice, &bases[set.len() % bases.len()]);
        set.push(format!("{path}={value}"));
    }
    let breaks = ["chain 5, latency 200, cycle 900", "node (3,4), message 12#4", "time 1.5", "off"];
    let study = |text: &str| read(text, sweep::Study::read(SOURCE, text, Path::new("no"), &[]));
    // A problem may be about a case, not a line.
    let paper = |text: &str| match sweep::Study::read(SOURCE, text, Path::new("no"), &[]) {
        Ok(_) => Ok(true),
        Err(problems) if problems.is_empty() => Err("refused without a word".to_owned()),
        Err(_) => Ok(false),
    };
    let papers = include_str!("../../scenarios/studies/hops.ron").to_owned();
    let stops = tour::texts().into_iter().map(|(_, text)| text.to_owned()).collect();
    vec![
        Target::new("json", in_json, scenario),
        Target::new("scenario", scenarios, scenario),
        Target::new("set", set, move |text| overridden(&bases, text)),
        Target::new("session", sessions, session),
        Target::new("script", demos::ALL.iter().map(|it| it.text.to_owned()).collect(), |text| {
            read(text, film::script(SOURCE, text))
        }),
        Target::new("stop", stops, |text| read(text, tour::parse(SOURCE, text))),
        // These probe the engine.
        Target { cost: 25, ..Target::new("study", owned(&SWEEPS), study) },
        Target { cost: 25, ..Target::new("paper", vec![papers], paper) },
        Target::new("break", owned(&breaks), move |text| conditions(&others, text)),
        Target::new("config", owned(&[CONFIG]), configuration),
    ]
}

/// Executes a target many times from a seed; a text that fails is made short.
pub fn round(
    seed: u64,
    targets: &[Target],
    tally: &mut Tally,
    is_over: &IsOver<'_>,
) -> Option<Found> {
    let mut dice = Dice::new(seed);
    let target = &targets[dice.index(targets.len())];
    for _ in 0..EXECUTIONS / target.cost {
        if is_over() {
            break;
        }
        let text = mutated(&mut dice, &target.seeds);
        at(|| format!("{seed:016x}.{}", target.name), || text.clone());
        tally.add("texts", 1);
        match guarded(|| (target.check)(&text)) {
            Ok(true) => tally.add("texts accepted", 1),
            Ok(false) => {}
            Err(why) => {
                let fails = |parts: &[char]| {
                    let text: String = parts.iter().collect();
                    !is_over() && guarded(|| (target.check)(&text)).is_err()
                };
                let letters: Vec<char> = text.chars().collect();
                let text = shrink(&letters, TRIES, fails).into_iter().collect();
                let name = format!("{seed:016x}.{}", target.name);
                return Some(Found { name, text, why });
            }
        }
    }
    None
}

/// A text with some things changed.
fn mutated(dice: &mut Dice, seeds: &[String]) -> String {
    let mut text = seeds[dice.index(seeds.len())].clone();
    for _ in 0..dice.within(0, 5) {
        text = changed(dice, &text, seeds);
        if text.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end));
            text.truncate(end.unwrap_or(0));
        }
    }
    text
}

/// Pieces of a text: words, numbers, marks and what is between them.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);
        let end = if word(first) {
            rest.find(|letter| !word(letter)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(end);
        found.push(piece);
        rest = after;
    }
    found
}

fn changed(dice: &mut Dice, text: &str, seeds: &[String]) -> String {
    let other = &seeds[dice.index(seeds.len())];
    let (mut own, others) = (pieces(text), pieces(other));
    if own.is_empty() || others.is_empty() {
        return dice.of(&HOSTILE).to_owned();
    }
    let at = dice.index(own.len());
    let end = (at + dice.within(0, 12) as usize).min(own.len());
    let from = dice.index(others.len());
    let to = (from + dice.within(1, 12) as usize).min(others.len());
    let number = dice.draw().to_string();
    match dice.below(10) {
        0 => drop(own.drain(at..end)),
        1 => own[at] = others[from],
        2 => drop(own.splice(at..end, others[from..to].iter().copied())),
        3 => own[at] = dice.of(&HOSTILE),
        4 => own[at] = dice.of(&["0", "1", "2", "7", "65536", "-3", "0.5", &number]),
        5 => own.truncate(at),
        6 => {
            let again = own[at..end].to_vec();
            drop(own.splice(at..at, again));
        }
        7 => {
            let with = dice.index(own.len());
            own.swap(at, with);
        }
        8 => {
            // A letter of one piece, or one more.
            let mut letters: Vec<char> = own[at].chars().collect();
            let place = dice.index(letters.len());
            letters[place] = char::from_u32(dice.below(0x300) as u32).unwrap_or('\u{fffe}');
            let piece: String = letters.into_iter().collect();
            return format!("{}{piece}{}", own[..at].concat(), own[at + 1..].concat());
        }
        _ => {
            let deep = ["(", "[", "{", "/*", "\"", "r#\""][dice.index(6)];
            let deep = deep.repeat(dice.within(1, 400) as usize);
            return format!("{}{deep}{}", own[..at].concat(), own[at..].concat());
        }
    }
    own.concat()
}
