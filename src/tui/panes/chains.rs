//! Who waits for whom: trees with the root cause on top, the worm that itself waits for nobody;
//! or the circle of a deadlock.

use super::Line;
use crate::engine::{HeadState, Snapshot, Wait};
use crate::ids::WormId;
use crate::tui::app::App;
use crate::tui::header::plural;
use crate::tui::names::{capital, index_of};
use crate::tui::panes::worms;
use crate::tui::pen::Pen;
use crate::tui::states;
use crate::tui::view::Pane;

mod circuits;

/// The most lines made.
const LINES_MAX: usize = 400;

/// Who waits for whom, by first choice.
struct Forest {
    /// For each worm, the wait that holds it up: its first with a holder.
    wait: Vec<Option<Wait>>,
    /// For each worm, the one it waits for.
    parent: Vec<Option<usize>>,
    /// For each worm, those that wait for it.
    children: Vec<Vec<usize>>,
}

impl Forest {
    /// The waits of a snapshot among those with these ids, in this order.
    fn new(snapshot: &Snapshot, members: impl Iterator<Item = WormId> + Clone) -> Self {
        let count = members.clone().count();
        let ids = members.clone().map(|id| id.index() + 1).max().unwrap_or(0);
        let mut index = vec![usize::MAX; ids];
        for (at, id) in members.enumerate() {
            index[id.index()] = at;
        }
        let find = |id: usize| index.get(id).copied().filter(|&at| at != usize::MAX);
        let mut forest = Self {
            wait: vec![None; count],
            parent: vec![None; count],
            children: vec![vec![]; count],
        };
        for wait in &snapshot.waits {
            let Some(at) = find(wait.worm.index()) else { continue };
            if forest.parent[at].is_some() {
                continue;
            }
            forest.wait[at] = Some(*wait);
            if let Some(holder) = wait.holder.and_then(|holder| find(holder.index())) {
                forest.parent[at] = Some(holder);
            }
        }
        for at in 0..count {
            if let Some(parent) = forest.parent[at] {
                forest.children[parent].push(at);
            }
        }
        forest
    }

    /// How many wait behind each worm, itself not counted; and for each circle one member.
    fn sizes(&self) -> (Vec<usize>, Vec<usize>) {
        let count = self.parent.len();
        let mut missing: Vec<usize> = self.children.iter().map(Vec::len).collect();
        let mut sizes = vec![0; count];
        let mut ready: Vec<usize> = (0..count).filter(|&at| missing[at] == 0).collect();
        let mut done = vec![false; count];
        while let Some(at) = ready.pop() {
            done[at] = true;
            if let Some(parent) = self.parent[at] {
                sizes[parent] += sizes[at] + 1;
                missing[parent] -= 1;
                if missing[parent] == 0 {
                    ready.push(parent);
                }
            }
        }
        let mut circles = Vec::new();
        for at in 0..count {
            if !done[at] {
                circles.push(at);
                let mut member = at;
                while !done[member] {
                    done[member] = true;
                    member = self.parent[member].unwrap_or(member);
                }
            }
        }
        (sizes, circles)
    }
}

/// The title, with how many are blocked.
pub(super) fn title(app: &App) -> String {
    if app.has_circuits() {
        return circuits::title(app);
    }
    let worms = &app.update.snapshot.worms;
    let blocked = worms.iter().filter(|worm| matches!(worm.head, HeadState::Blocked(_))).count();
    format!("blocked chains{}{blocked} of {}", app.glyphs.dot, plural(worms.len() as u64, "worm"))
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    super::list(app, Pane::Chains, pen, &lines(app), Some(app.theme.dim()));
}

/// Every line.
fn lines(app: &App) -> Vec<Line> {
    let snapshot = &app.update.snapshot;
    let mut lines = pinned(app);
    if app.has_circuits() {
        circuits::add(app, &mut lines);
        return lines;
    }
    if snapshot.deadlock.is_some() {
        deadlock(app, &mut lines);
    }
    let forest = Forest::new(snapshot, snapshot.worms.iter().map(|worm| worm.id));
    let (sizes, circles) = forest.sizes();
    let mut roots: Vec<usize> = (0..sizes.len())
        .filter(|&at| sizes[at] > 0 && forest.parent[at].is_none() && !app.names.is_doomed(at))
        .collect();
    roots.sort_by_key(|&at| (std::cmp::Reverse(sizes[at]), at));
    if roots.is_empty() && circles.is_empty() && lines.is_empty() {
        let text = if snapshot.worms.is_empty() {
            "no worm in the network"
        } else {
            "nobody waits for another worm"
        };
        lines.push((text.to_owned(), String::new(), app.theme.dim()));
    }
    if snapshot.deadlock.is_none() {
        for &member in &circles {
            circle(app, &forest, member, &mut lines);
        }
    }
    for root in roots {
        if lines.len() > LINES_MAX {
            break;
        }
        let worm = &snapshot.worms[root];
        let network = &app.update.scenario.system.network;
        let place = network.router_name(worm.head_at);
        let does = match worm.head {
            HeadState::Moving | HeadState::AtSource => "moves at",
            HeadState::Arriving => "drains at",
            HeadState::Blocked(_) => "next at",
        };
        let name = app.call_worm(worm);
        let text = format!("{name} {does} {place}");
        lines.push((text, format!("{} wait", sizes[root]), app.theme.strong()));
        branches(app, &forest, root, &waiting, &mut lines);
    }
    lines
}

/// The pinned messages that are in the network, and what each does.
fn pinned(app: &App) -> Vec<Line> {
    let snapshot = &app.update.snapshot;
    let pins = app.names.pins().iter().filter_map(|&name| {
        let mark = app.letter_of(name).map_or_else(String::new, capital) + worms::PINNED;
        if let Some(circuit) = snapshot.circuits.iter().find(|one| one.name() == name) {
            let since = app.times().exact(snapshot.cycle.0.saturating_sub(circuit.since.0));
            let text = format!("{mark} {} {}", app.message_name(name), states::name(circuit.state));
            return Some((text, since, app.theme.strong()));
        }
        let at = snapshot.worms.iter().position(|worm| worm.name() == name)?;
        let worm = &snapshot.worms[at];
        let place = app.update.scenario.system.network.router_name(worm.head_at);
        let (does, since) = match worm.head {
            HeadState::Moving | HeadState::AtSource => ("moves at", String::new()),
            HeadState::Arriving => ("drains at", String::new()),
            HeadState::Blocked(since) => {
                let time = app.times().exact(snapshot.cycle.0.saturating_sub(since.0));
                ("stands at", time)
            }
        };
        let text = format!("{mark} {} {does} {place}", app.message_name(name));
        Some((text, since, app.theme.strong()))
    });
    pins.collect()
}

/// What one that waits says of itself, and for how long it has.
type Words = dyn Fn(&App, &Forest, usize) -> (String, String);

/// The tree above a root, without recursion: chains can be as long as the network.
fn branches(app: &App, forest: &Forest, root: usize, words: &Words, lines: &mut Vec<Line>) {
    let [fork, last, along] = app.glyphs.tree;
    let mut stack: Vec<(usize, String, bool)> = Vec::new();
    let push = |stack: &mut Vec<(usize, String, bool)>, at: usize, prefix: &str| {
        for (nth, &child) in forest.children[at].iter().enumerate().rev() {
            stack.push((child, prefix.to_owned(), nth + 1 == forest.children[at].len()));
        }
    };
    push(&mut stack, root, "");
    while let Some((at, prefix, is_last)) = stack.pop() {
        if lines.len() > LINES_MAX {
            return;
        }
        let (text, cycles) = words(app, forest, at);
        let branch = if is_last { last } else { fork };
        lines.push((format!("{prefix}{branch}{text}"), cycles, app.theme.text()));
        // Long chains stop indenting, or they would leave the pane.
        let deeper = match (prefix.chars().count() < 12, is_last) {
            (true, true) => format!("{prefix}  "),
            (true, false) => format!("{prefix}{along}"),
            (false, _) => prefix,
        };
        push(&mut stack, at, &deeper);
    }
}

/// `B wants (4,2)+Y VC 1`, and for how long.
fn waiting(app: &App, forest: &Forest, at: usize) -> (String, String) {
    let snapshot = &app.update.snapshot;
    let worm = &snapshot.worms[at];
    let name = app.call_worm(worm);
    let since = match worm.head {
        HeadState::Blocked(since) => app.times().exact(snapshot.cycle.0.saturating_sub(since.0)),
        _ => String::new(),
    };
    match forest.wait[at] {
        Some(wait) => (format!("{name} wants {}", vc_name(app, wait)), since),
        None => (name, since),
    }
}

/// The VC wanted: its channel and number.
fn vc_name(app: &App, wait: Wait) -> String {
    let (channel, vc) = app.update.snapshot.split(wait.wants);
    if app.update.snapshot.virtual_channels == 1 && app.has_circuits() {
        return crate::tui::names::channel_name(app, channel);
    }
    format!("{} VC {vc}", crate::tui::names::channel_name(app, channel))
}

fn deadlock(app: &App, lines: &mut Vec<Line>) {
    let snapshot = &app.update.snapshot;
    let Some(deadlock) = &snapshot.deadlock else { return };
    let call = |id| {
        let circuit = snapshot.circuits.iter().find(|circuit| circuit.worm == id);
        circuit
            .map(|circuit| app.call_circuit(circuit))
            .or_else(|| index_of(snapshot, id).map(|at| app.call_worm(&snapshot.worms[at])))
    };
    for set in &deadlock.sets {
        let (circle, all) = (set.circle.len(), set.worms.len());
        let text = if set.knot {
            format!(" DEADLOCK: a knot of {all}, in it a circle of {circle} ")
        } else {
            format!(" DEADLOCK: a circle of {circle} ")
        };
        lines.push((text, String::new(), app.theme.alarm()));
        let by = set.closers.iter().map(|&name| app.call(name)).collect::<Vec<_>>().join(" ");
        let seen = app.times().now(deadlock.found.0);
        let text = format!("closed at {} by {by}, seen at {seen}", app.times().now(set.closed.0));
        lines.push((text, String::new(), app.theme.dim()));
        for wait in &set.circle {
            let name = call(wait.worm).unwrap_or_default();
            let holder = wait.holder.and_then(call).unwrap_or_default();
            let text = format!("{name} wants {}, held by {holder}", vc_name(app, *wait));
            lines.push((text, String::new(), app.theme.strong()));
        }
        let others = set.worms.iter().filter(|&&id| set.circle.iter().all(|wait| wait.worm != id));
        let others: Vec<String> = others.filter_map(|&id| call(id)).collect();
        named(&others, "in the knot", app, lines);
    }
    let caught: Vec<String> = deadlock.caught.iter().filter_map(|&id| call(id)).collect();
    named(&caught, "caught behind them", app, lines);
}

/// A line with names, and how many there are.
fn named(names: &[String], what: &str, app: &App, lines: &mut Vec<Line>) {
    if !names.is_empty() {
        let text = format!("{what}: {}", names[..names.len().min(24)].join(" "));
        lines.push((text, names.len().to_string(), app.theme.text()));
    }
}

fn circle(app: &App, forest: &Forest, member: usize, lines: &mut Vec<Line>) {
    let snapshot = &app.update.snapshot;
    let mut names = Vec::new();
    let mut at = member;
    // The member found may stand before the circle: walk on until one comes twice.
    let mut seen = vec![false; snapshot.worms.len()];
    while !seen[at] {
        seen[at] = true;
        at = forest.parent[at].unwrap_or(at);
    }
    let first = at;
    // With one thing to wait for each, nobody in the circle can ever go on.
    let mut stuck = true;
    loop {
        let worm = &snapshot.worms[at];
        stuck &= snapshot.waits.iter().filter(|wait| wait.worm == worm.id).count() == 1;
        names.push(app.call_worm(worm));
        at = forest.parent[at].unwrap_or(first);
        if at == first || names.len() > 30 {
            break;
        }
    }
    names.push(names[0].clone());
    let text = format!("circle {}", names.join(app.glyphs.to));
    let fate = if stuck { "for ever" } else { "has ways out" };
    lines.push((text, fate.to_owned(), app.theme.warning()));
}
