//! Random films: keys, commands, clicks, sizes and other scenarios with everything open.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use tempfile::TempDir;

use crate::dice::Dice;
use crate::grammar;
use crate::ordeal::Ordeal;
use crate::rounds::{Found, IsOver, Tally, at, guarded};
use crate::shrink::shrink;
use flitscope::files::Fence;
use flitscope::recording::PICTURES;
use flitscope::scenario::{self, Scenario, builtin};
use flitscope::session::saved::{self, Saved};
use flitscope::stats::WarmUp;
use flitscope::tui::commands::{COMMANDS, What};
use flitscope::tui::film;
use flitscope::units::Cycle;

/// Lines of a film.
const LINES: (u64, u64) = (20, 160);
/// Films that are played to make one that fails shorter.
const TRIES: u32 = 300;
/// The most nodes of a scenario that is opened by its name.
const NODES_MAX: usize = 300;
/// What nobody means to type.
pub const HOSTILE: [&str; 18] = [
    "",
    "-1",
    "0",
    "18446744073709551615",
    "99999999999999999999999",
    "1e308",
    "NaN",
    "inf",
    "-0.0",
    "(((((((((((((((((((((((((",
    "\\u{202e}",
    "\u{1b}[2J\u{9b}31m",
    "\u{fffe}\u{202e}",
    "../../a.svg",
    "/dev/full",
    "a/b/c/.txt",
    "e\u{301}\u{301}\u{301}\u{1f469}\u{200d}\u{1f680}",
    "m99999,,,,#",
];

/// Begins the line of a film's head that says where its session was left, and how far it had come.
const LEFT: &str = "# left at ";

/// Plays a film from a seed; what fails is made short.
pub fn round(seed: u64, folder: &Path, tally: &mut Tally, is_over: &IsOver<'_>) -> Option<Found> {
    let mut dice = Dice::new(seed);
    let names: &[&str] = &NAMES;
    let name = dice.of(names);
    let size = (dice.within(30, 200), dice.within(8, 60));
    // Where a session was left, and how far it had come: a file may say anything.
    let left = dice.one_in(4).then(|| [0, 0].map(|_| far(&mut dice)));
    let left_at = left.map_or_else(String::new, |[at, live]| format!("\n{LEFT}{at} {live}"));
    let head = format!("scenario {name}\nsize {}x{}{left_at}", size.0, size.1);
    let mut lines: Vec<String> = Vec::new();
    let why = guarded(|| {
        let stage = stage(folder)?;
        let mut play = begin(name, left, (size.0 as u16, size.1 as u16), &stage)?;
        for _ in 0..dice.within(LINES.0, LINES.1) {
            if is_over() {
                break;
            }
            for line in next(&mut dice, &play, names) {
                lines.push(line);
                at(|| format!("{seed:016x}.keys"), || format!("{head}\n{}\n", lines.join("\n")));
                play.play(lines.last().map_or("", String::as_str))?;
            }
            if play.is_over() {
                break;
            }
        }
        tally.add("screen actions", play.end()?);
        nothing_outside(&stage)
    })
    .err()?;
    let kind = signature(&why);
    let fails = |lines: &[String]| {
        let text = format!("{head}\n{}\n", lines.join("\n"));
        !is_over() && again(&text, folder).is_err_and(|why| signature(&why) == kind)
    };
    let short = shrink(&lines, TRIES, fails);
    let text = format!("{head}\n{}\n", short.join("\n"));
    Some(Found { name: format!("{seed:016x}.keys"), text, why })
}

/// What is the same in failures of one kind: their beginning without its numbers.
fn signature(why: &str) -> String {
    why.chars().filter(|letter| !letter.is_ascii_digit()).take(60).collect()
}

/// Plays a film of which the text is known.
pub fn again(text: &str, folder: &Path) -> Result<(), String> {
    guarded(|| {
        let script = film::script("found", text).map_err(|it| scenario::render(&it))?;
        let name = script.scenario.as_deref().unwrap_or("mesh-8x8");
        let left = text.lines().find_map(|line| line.strip_prefix(LEFT));
        let left = left.and_then(|numbers| numbers.split_once(' '));
        let left = left.and_then(|(cycle, live)| Some([cycle.parse().ok()?, live.parse().ok()?]));
        let stage = stage(folder)?;
        let mut play = begin(name, left, script.size.unwrap_or(film::SIZE), &stage)?;
        let heads = ["scenario ", "size ", "#"];
        for line in text.lines().filter(|line| !heads.iter().any(|head| line.starts_with(head))) {
            if !line.trim().is_empty() && !play.is_over() {
                play.play(line)?;
            }
        }
        play.end()?;
        nothing_outside(&stage)
    })
}

/// The scenarios that are opened.
static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let small = |scenario: Arc<Scenario>| scenario.system.network.nodes() <= NODES_MAX;
    builtin::ALL.iter().map(|it| it.name).filter(|name| opened(name).is_ok_and(small)).collect()
});

fn opened(name: &str) -> Result<Arc<Scenario>, String> {
    let builtin = builtin::find(name).ok_or_else(|| format!("there is no scenario {name}"))?;
    let checked = scenario::parse(name, builtin.text, &[]);
    checked.map(Arc::new).map_err(|problems| scenario::render(&problems))
}

/// A folder in which a film may write below `film` alone.
fn stage(folder: &Path) -> Result<TempDir, String> {
    tempfile::tempdir_in(folder).map_err(|error| error.to_string())
}

fn begin(
    name: &str,
    left: Option<[u64; 2]>,
    size: (u16, u16),
    stage: &TempDir,
) -> Result<Ordeal, String> {
    let scenario = opened(name)?;
    let fence = Fence { folder: stage.path().join("film") };
    let saved = left.and_then(|[cycle, live]| {
        let saved = Saved {
            seed: scenario.seed,
            scenario: Arc::clone(&scenario),
            warm_up: WarmUp::Automatic,
            journal: Vec::new(),
            bookmarks: vec![Cycle(cycle)],
            cycle: Cycle(cycle),
            live: Cycle(live),
            fingerprint: None,
        };
        saved::parse("left", &saved.text()).ok()
    });
    let run = saved.as_ref().map_or(&scenario, |saved| &saved.scenario);
    match Ordeal::begin(Arc::clone(run), saved.clone(), size, fence.clone()) {
        Err(_) if saved.is_some() => Ordeal::begin(scenario, None, size, fence),
        begun => begun,
    }
}

/// A cycle: mostly near, sometimes beyond all.
fn far(dice: &mut Dice) -> u64 {
    match dice.below(8) {
        0 => 99_999_999_999,
        1 => i64::MAX as u64,
        2 => 0,
        _ => dice.below(9_000),
    }
}

fn nothing_outside(stage: &TempDir) -> Result<(), String> {
    let entries = fs::read_dir(stage.path()).map_err(|error| error.to_string())?;
    let mut names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    match names.find(|name| name != "film") {
        Some(name) => Err(format!("{} was written outside the film's folder", name.display())),
        None => Ok(()),
    }
}

/// The next lines of a film that has come so far.
fn next(dice: &mut Dice, play: &Ordeal, names: &[&str]) -> Vec<String> {
    match dice.below(100) {
        0..5 => another(dice, play, names),
        5..20 => open(dice, play),
        20..36 => vec![command(dice, play, names)],
        36..44 => vec![pointer(dice, play)],
        44..47 => vec![format!("resize {}x{}", dice.within(1, 220), dice.within(1, 70))],
        47..57 => vec![format!("wait {}ms", dice.of(&["0", "5", "100", "400"]))],
        57..64 => vec![typed(&text(dice))],
        _ => {
            let keys = play.keys();
            let key = match dice.below(6) {
                0 => dice.of(&["j", "k", "h", "l", "Esc", "Enter", "Tab", "1", "9", "#", "("]),
                _ if keys.is_empty() => "Esc",
                _ => &keys[dice.index(keys.len())],
            };
            // Leaving ends the film: seldom.
            let quits = matches!(key, "q" | "Ctrl-C") && !dice.one_in(40);
            let times = dice.of(&["", "", "", " x2", " x9"]);
            let every = dice.of(&["0ms", "0ms", "1ms", "40ms", "200ms"]);
            vec![format!("key {}{times} every {every}", if quits { "Esc" } else { key })]
        }
    }
}

/// Everything is opened, then another scenario, mostly a smaller one; what comes next may still be
/// meant for the one before.
fn another(dice: &mut Dice, play: &Ordeal, names: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..dice.within(1, 5) {
        lines.extend(open(dice, play));
    }
    let quick = dice.one_in(2);
    lines.push(match dice.below(3) {
        0 => given(&format!("open {}", dice.of(names))),
        1 => given(&format!("set network {}", dice.of(&grammar::NETWORKS))),
        _ => {
            let (path, value) = grammar::setting(dice, play.scenario());
            given(&format!("set {path} {value}"))
        }
    });
    if quick {
        lines.extend(open(dice, play));
    }
    lines
}

/// Opens something that holds on to the run that is shown.
fn open(dice: &mut Dice, play: &Ordeal) -> Vec<String> {
    let nodes = play.scenario().system.network.nodes() as u64;
    // The last nodes are those that a smaller network lacks.
    let node = if dice.one_in(2) { nodes - 1 } else { dice.below(nodes) };
    let serial = dice.below(4);
    let row = dice.within(1, 9);
    let plain = |key: &str| vec![format!("key {key} every 1ms")];
    match dice.below(17) {
        0 => plain("i"),
        1 => plain("f"),
        2 => plain("p"),
        3 => vec![given(&format!("break node {node}, message {node}#{serial}"))],
        4 => vec![given(&format!("break chain {}, latency {}", 2 + serial, 30 * row))],
        5 => plain(dice.of(&["T", "T x2", "P", "Enter", "v", "n", "Q", "d", "b"])),
        // A message of the table, followed or with its history.
        6..9 => {
            let last = dice.of(&["i", "f", "p"]);
            let keys = ["Esc x3", "T x2", &format!("j x{row}"), last];
            keys.map(|key| format!("key {key} every 1ms")).to_vec()
        }
        9 => {
            let other = dice.of(&["routing=DimensionOrder()", "switching.buffer_flits=3"]);
            vec![given(&format!("compare {other}"))]
        }
        10 => vec![given(&format!("find {node}#{serial}"))],
        11 => vec![given(&format!("find {node}"))],
        12 => plain(dice.of(&["1", "2", "3", "4", "5", "6", "m", "x", "z", "e"])),
        13 => vec![given(dice.of(&["record a.cast", "back 100", "set load 0.9", "goto 10"]))],
        14 => plain(dice.of(&["space", "]", "] x3", ">", "<", "D", "G", "r", "S"])),
        15 => {
            // What may be far away, or never come.
            let kinds = dice.of(&["deadlock", "blocking", "delivery"]);
            let on = dice.of(&[">", "<", "> x3", "D"]);
            vec![given(&format!("events {kinds}")), format!("key {on} every 1ms")]
        }
        _ => {
            let far = dice.of(&["goto 99999999999", "step 99999999", "back 99999", "goto 20000"]);
            vec![given(far)]
        }
    }
}

/// A command, with what it asks for or with something else.
fn command(dice: &mut Dice, play: &Ordeal, names: &[&str]) -> String {
    let command = COMMANDS[dice.index(COMMANDS.len())];
    let argument =
        if dice.one_in(6) { text(dice) } else { argument(dice, command.what, play, names) };
    if command.what == What::Quit && !dice.one_in(20) {
        return "wait 1ms".to_owned();
    }
    given(&format!("{} {argument}", command.name))
}

fn argument(dice: &mut Dice, what: What, play: &Ordeal, names: &[&str]) -> String {
    let count = dice.of(&["1", "2", "7", "100", "3000", "0.5", "12.5", "99999999"]);
    let node = dice.below(80);
    let (x, y) = (dice.below(9), dice.below(9));
    let file = dice.of(&["a", "b/c", "a-very-long-name", "..", "../x", "/x", "d/"]);
    match what {
        What::Cycle => match dice.below(4) {
            0 => format!("+{count}"),
            1 => format!("-{count}"),
            2 => dice.of(&["live", "m1", "m2", "0"]).to_owned(),
            _ => dice.below(4000).to_string(),
        },
        What::Set => match dice.below(5) {
            0 => format!("load {}", dice.of(&["0.01", "0.2", "0.9", "1", "2"])),
            1 => format!("rate {}", dice.of(&["0.001", "0.01", "0.05", "1e-9"])),
            2 => dice.of(&["seed 7", "perf", "perf off", "palette cividis", "seed x"]).to_owned(),
            _ => {
                let (path, value) = grammar::setting(dice, play.scenario());
                format!("{path} {value}")
            }
        },
        What::Speed => dice.of(&["1", "64", "4000", "max", "natural", "0.001"]).to_owned(),
        What::View => dice.of(&["1", "2", "3", "4", "5", "6", "worms", "7"]).to_owned(),
        What::Theme => dice.of(&["dark", "light", "mono"]).to_owned(),
        What::Layout => dice.of(&["balanced", "network", "statistics", "teaching"]).to_owned(),
        What::Pane => dice.of(&["latency", "history", "links", "messages", "lens"]).to_owned(),
        What::Open => dice.of(names).to_owned(),
        What::Compare if dice.one_in(3) => dice.of(names).to_owned(),
        What::Compare => {
            let (path, value) = grammar::setting(dice, play.scenario());
            format!("{path}={value}")
        }
        What::Session | What::Copy => format!("{file}.session.ron"),
        What::Export => format!("{file}{}", dice.of(&[".csv", ".json", ""])),
        What::Recording => format!("{file}.cast"),
        What::Picture => format!("{file}{}", dice.of(&[&PICTURES[..], &[""]].concat())),
        What::Place => match dice.below(4) {
            0 => format!("({x},{y})"),
            1 => format!("{node}#{x}"),
            2 => format!("({x},{y})#{x}"),
            _ => dice.of(&["A", "B", "Z", "0", "63", "é"]).to_owned(),
        },
        What::Break => match dice.below(5) {
            0 => format!("chain {x}"),
            1 => format!("latency {count}, node ({x},{y})"),
            2 => format!("cycle {count}"),
            3 => format!("node {node}, message {node}#{y}"),
            _ => "off".to_owned(),
        },
        What::Events => {
            dice.of(&["delivery", "injection", "blocking", "deadlock", "all"]).to_owned()
        }
        What::Cycles | What::CyclesBack | What::Window => count.to_owned(),
        What::Mark | What::Dimension => x.to_string(),
        What::Fail if dice.one_in(2) => format!("({x},{y}) ({},{y})", x + 1),
        What::Fail => node.to_string(),
        What::Bookmark | What::Quit => String::new(),
    }
}

/// What somebody might type, or nobody.
fn text(dice: &mut Dice) -> String {
    match dice.below(4) {
        0 => dice.of(&HOSTILE).to_owned(),
        1 => (0..dice.within(1, 300)).map(|_| 'x').collect(),
        _ => {
            let letters = "0123456789(),#abcm+-=: ";
            let any = |dice: &mut Dice| letters.as_bytes()[dice.index(letters.len())];
            (0..dice.within(1, 6)).map(|_| char::from(any(dice))).collect()
        }
    }
}

/// A line that gives a command, whatever is open.
fn given(command: &str) -> String {
    format!("key Esc x4 every 0ms\n{}", typed(&format!(":{command}")))
}

/// A line that types a text and Enter.
fn typed(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("type \"{text}\\n\"")
}

fn pointer(dice: &mut Dice, play: &Ordeal) -> String {
    let (columns, rows) = play.size();
    let mut spot = || {
        // Sometimes outside.
        let (x, y) = (dice.below(u64::from(columns) + 9), dice.below(u64::from(rows) + 3));
        format!("{x} {y}")
    };
    let (from, to) = (spot(), spot());
    match dice.below(5) {
        0 => format!("click {from}"),
        1 => format!("click {from} x2"),
        2 => format!("drag {from} {to}"),
        3 => format!("wheel up {from}"),
        _ => format!("wheel down {from}"),
    }
}

#[test]
fn a_round_is_cut_short_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let actions = |lines: u32| {
        let (asked, mut tally) = (AtomicU32::new(0), Tally::default());
        let is_over = || asked.fetch_add(1, Ordering::Relaxed) >= lines;
        assert!(round(3, folder.path(), &mut tally, &is_over).is_none());
        tally.figures().next().unwrap().1
    };
    let (few, more) = (actions(5), actions(30));
    assert!(0 < few && few < more, "{few} and {more} actions");
}
