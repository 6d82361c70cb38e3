//! The pane of waits: trees under a root cause that waits for nobody, or the circle of a deadlock.
//! Circuits that never wait are listed by their number of failed attempts.

use std::cmp::Reverse;

use ratatui::style::Style;

use super::list::Item;
use super::worms::PINNED;
use crate::engine::WaitKind;
use crate::engine::messages::Activity;
use crate::engine::{CircuitState, CircuitView, HeadState, Wait};
use crate::ids::WormId;
use crate::live::RingWait;
use crate::tui::carrier::{Carrier, verb};
use crate::tui::forest::Forest;
use crate::tui::grid::closes_in;
use crate::tui::names::{capital, channel_name, vc_name};
use crate::tui::pen::plural;
use crate::tui::pen::wrap;
use crate::tui::scene::Scene;
use crate::tui::{sentence, states};

const LINES_MAX: usize = 400;
/// The most trees to list, and the most waits of each if there are more trees.
const TREES_MAX: usize = 5;
const BRANCHES_MAX: usize = 6;
/// The most missing waits of a ring to list.
const MISSING_MAX: usize = 4;
/// The most circuits to list if circuits never wait.
const LIST_MAX: usize = 200;

/// The title, with the number of blocked carriers, or of circuits that have given up before.
pub(super) fn title(app: &Scene<'_>) -> String {
    let (what, count) = match try_again(app) {
        Some(again) => ("tried again", again.len()),
        None => (app.words().chains, app.waiting()),
    };
    let of = plural(app.carriers().count() as u64, app.carrier());
    format!("{what}{}{count} of {of}", app.glyphs.dot)
}

pub(super) fn lines(app: &Scene<'_>, width: usize) -> Vec<Item> {
    let shown = *app;
    let mut lines = pinned(app);
    // The deadlock is listed first. The wait of the message at the cursor follows, after the heading if
    // the cursor has jumped to the message.
    let [heading, first, rest] = deadlock(app, width);
    let said = sentence::of_wait(&shown, width);
    let (before, after) = if app.pointed_at().is_some() { (said, vec![]) } else { (vec![], said) };
    lines.extend([heading, before, first, after, rest].into_iter().flatten());
    if let Some(again) = try_again(app) {
        attempts(app, again, &mut lines);
        return lines;
    }
    let mut forest = Forest::new(app);
    if let Some(name) = shown.cursor_router().and_then(|router| shown.selected(router)) {
        forest.begin_with(name);
    }
    forest.circles.retain(|_| app.words().circles_last);
    if forest.roots.is_empty() && forest.circles.is_empty() && lines.is_empty() {
        let none = forest.carriers.is_empty();
        let text = if none { app.words().nobody } else { app.words().free };
        lines.push(Item::new(text, app.theme.dim()));
    }
    if app.deadlock().is_none() {
        lines.extend(forest.circles.iter().map(|members| circle(app, &forest, members)));
    }
    // The largest of many trees are drawn in part, and the others are counted.
    let folds = forest.roots.len() > TREES_MAX;
    let shown = if folds { TREES_MAX } else { forest.roots.len() };
    let (largest, others) = forest.roots.split_at(shown);
    for &(at, size) in largest {
        lines.push(root(app, forest.carriers[at], size));
        let before = lines.len();
        branches(app, &forest, at, &mut lines, if folds { BRANCHES_MAX } else { LINES_MAX });
        let left = size.saturating_sub(lines.len() - before);
        lines.extend((left > 0).then(|| Item::new(format!("  and {left} more"), app.theme.dim())));
    }
    if !others.is_empty() {
        let trees = plural(others.len() as u64, "smaller tree");
        let waiting: usize = others.iter().map(|&(_, size)| size).sum();
        lines.push(
            Item::new(trees, app.theme.dim()).with(format!("{waiting} wait"), app.theme.dim()),
        );
    }
    lines
}

/// A line for the root of a tree: name, state, and number of carriers waiting behind.
fn root(app: &Scene<'_>, carrier: Carrier, waiting: usize) -> Item {
    let name = app.call_carrier(carrier);
    let strong = app.theme.strong();
    let (text, style, waits) = match carrier.activity {
        Activity::Worm(head) => {
            let place = app.network().short_router_name(carrier.at);
            let blocked = matches!(head, HeadState::Blocked(_));
            let does = if blocked { "next" } else { verb(carrier.activity) };
            (format!("{name} {does} at {place}"), strong, "wait")
        }
        Activity::Circuit(..) => {
            let held = plural(u64::from(carrier.links), "link");
            let (sign, style) = app.sign(carrier.activity);
            let text = format!("{sign} {name} {}, holds {held}", verb(carrier.activity));
            let waits = if waiting == 1 { "waits" } else { "wait" };
            (text, style.unwrap_or_default().patch(strong), waits)
        }
    };
    Item::new(text, style).with(format!("{waiting} {waits}"), app.theme.dim())
}

/// A line for each pinned message in the network, with its state.
fn pinned(app: &Scene<'_>) -> Vec<Item> {
    let pins = app.pins.iter().filter_map(|&name| {
        let carrier = app.carriers().find(|it| it.name == name)?;
        let mark = carrier.letter.map_or_else(String::new, capital) + PINNED;
        let at = match carrier.activity {
            Activity::Circuit(..) => String::new(),
            Activity::Worm(_) => format!(" at {}", app.network().short_router_name(carrier.at)),
        };
        let text = format!("{mark} {} {}{at}", app.message_name(name), verb(carrier.activity));
        let since = app.since(carrier.activity);
        Some(Item::new(text, app.theme.strong()).with(since, app.theme.dim()))
    });
    pins.collect()
}

/// Adds at most `most` lines of the tree above a root, without recursion: chains can be as long as the
/// network.
fn branches(app: &Scene<'_>, forest: &Forest, root: usize, lines: &mut Vec<Item>, most: usize) {
    let end = lines.len() + most;
    let [fork, last, along] = app.glyphs.tree;
    let mut stack: Vec<(usize, String, bool)> = Vec::new();
    let push = |stack: &mut Vec<(usize, String, bool)>, at: usize, prefix: &str| {
        for (nth, &child) in forest.children[at].iter().enumerate().rev() {
            stack.push((child, prefix.to_owned(), nth + 1 == forest.children[at].len()));
        }
    };
    push(&mut stack, root, "");
    while let Some((at, prefix, is_last)) = stack.pop() {
        if lines.len() >= end {
            return;
        }
        let carrier = forest.carriers[at];
        let branch = if is_last { last } else { fork };
        let wants = forest.wait[at].map(|wait| format!(" wants {}", wanted(app, wait)));
        let name = app.call_carrier(carrier);
        let text = format!("{prefix}{branch}{name}{}", wants.unwrap_or_default());
        let since = app.since(carrier.activity);
        lines.push(Item::new(text, app.theme.text()).with(since, app.theme.dim()));
        // Long chains are not indented further, to stay within the pane.
        let deeper = match (prefix.chars().count() < 12, is_last) {
            (true, true) => format!("{prefix}  "),
            (true, false) => format!("{prefix}{along}"),
            (false, _) => prefix,
        };
        push(&mut stack, at, &deeper);
    }
}

/// The name of the awaited link or virtual channel, or of the node with the awaited room.
fn wanted(app: &Scene<'_>, wait: Wait) -> String {
    if wait.kind == WaitKind::Reply {
        let channel = app.snapshot().split(wait.wants).0;
        let node = app.network().terminal_of(channel);
        let name = node.map(|node| app.network().short_node_name(node)).unwrap_or_default();
        return format!("room for a reply at {name}");
    }
    match wait.kind {
        WaitKind::Credit => return format!("a credit of {}", vc_name(app, wait.wants)),
        WaitKind::Output | WaitKind::Input => {
            return format!("the crossbar to {}", vc_name(app, wait.wants));
        }
        WaitKind::Vc | WaitKind::HeadOfLine | WaitKind::Room | WaitKind::Reply => {}
    }
    if app.snapshot().virtual_channels == 1 && !app.has_buffers() {
        return channel_name(app, app.snapshot().split(wait.wants).0);
    }
    vc_name(app, wait.wants)
}

/// Lines about a deadlock: the heading of the set that closed first, then its circle, then all other
/// sets and the worms caught behind. Before a deadlock, lines about the ring that will close.
fn deadlock(app: &Scene<'_>, width: usize) -> [Vec<Item>; 3] {
    let [mut first, mut members, mut rest] = [const { Vec::new() }; 3];
    let Some(deadlock) = app.deadlock() else { return [ring(app, width), members, rest] };
    let call = |id: WormId| Some(app.call_carrier(app.carriers().find(|it| it.id == id)?));
    let (theme, times) = (app.theme, app.times());
    for (nth, set) in deadlock.sets.iter().enumerate() {
        let (circle, all) = (set.circle.len(), set.worms.len());
        let set_name =
            if set.knot { format!("knot of {all} worms") } else { format!("circle of {circle}") };
        let heading = Item::new(format!(" DEADLOCK: a {set_name} "), theme.alarm());
        let by = set.closers.iter().map(|&name| app.call(name)).collect::<Vec<_>>().join(" ");
        let seen = match app.snapshot().deadlock {
            Some(_) => format!("detected at {}", times.now(deadlock.found.0)),
            None => "not yet detected".to_owned(),
        };
        let told = format!("closed at {} by {by}, {seen}", times.now(set.closed.0));
        let lines = if nth == 0 { &mut first } else { &mut rest };
        lines.push(heading);
        if set.knot {
            let meaning = format!(
                "every link that one of them could take is held by another; a circle of {circle} in it"
            );
            lines.extend(whole(&meaning, width, theme.dim()));
        }
        lines.extend(whole(&told, width, theme.dim()));
        let lines = if nth == 0 { &mut members } else { &mut rest };
        let explained = if nth == 0 { explanation(app, width) } else { Vec::new() };
        let is_explained = !explained.is_empty();
        lines.extend(explained);
        let unexplained = set.circle.iter().filter(|_| !is_explained);
        lines.extend(unexplained.flat_map(|wait| {
            let name = call(wait.worm).unwrap_or_default();
            let holder = wait.holder.and_then(call).unwrap_or_default();
            let text = format!("{name} wants {}, held by {holder}", wanted(app, *wait));
            whole(&text, width, theme.strong())
        }));
        let others = set.worms.iter().filter(|&&id| set.circle.iter().all(|wait| wait.worm != id));
        lines.extend(named(app, "in the knot", others.filter_map(|&id| call(id))));
    }
    let caught = deadlock.caught.iter().filter_map(|&id| call(id));
    rest.extend(named(app, "caught behind them", caught));
    [first, members, rest]
}

/// Lines about the ring that will close: the remaining time, and the missing waits.
fn ring(app: &Scene<'_>, width: usize) -> Vec<Item> {
    let Some(ring) = &app.update.ring else { return Vec::new() };
    let heading = format!(" circle of {} {} ", ring.waits.len(), closes_in(app, ring));
    let missing: Vec<&RingWait> = ring.waits.iter().filter(|wait| !wait.begun).collect();
    let mut lines = vec![Item::new(heading, app.theme.alarm())];
    if missing.len() > MISSING_MAX {
        let text = format!("{} of its waits have not begun", missing.len());
        lines.extend(whole(&text, width, app.theme.dim()));
        lines.extend(explanation(app, width));
        return lines;
    }
    lines.extend(missing.into_iter().flat_map(|wait| {
        let name = app.call(wait.message);
        let text = format!("missing: {name} will want {}", vc_name(app, wait.wants));
        whole(&text, width, app.theme.strong())
    }));
    lines.extend(explanation(app, width));
    lines
}

/// The grants that built the deadlock, each with the cycle to go to, and a remedy.
fn explanation(app: &Scene<'_>, width: usize) -> Vec<Item> {
    let Some(found) = &app.update.single_messages.explanation else { return Vec::new() };
    let (now, times) = (app.snapshot().cycle, app.times());
    let mut lines = Vec::new();
    for (number, grant) in (1..).zip(&found.grants) {
        let Some(cycle) = grant.cycle else { continue };
        let since =
            grant.waits_from.map_or_else(String::new, |it| format!(" from {}", times.exact(it.0)));
        let text = format!(
            "d{number} {}: {} took {}, {} waits for it{since}",
            times.now(cycle.0),
            app.call(grant.holder),
            vc_name(app, grant.vc),
            app.call(grant.wanted_by)
        );
        let style = if cycle < now { app.theme.text() } else { app.theme.dim() };
        lines.extend(whole(&text, width, style));
    }
    lines.extend(whole(&format!("would be prevented by {}", found.remedy), width, app.theme.dim()));
    lines
}

/// The text as one line, or wrapped with an indent.
fn whole(text: &str, width: usize, style: Style) -> Vec<Item> {
    if text.chars().count() <= width {
        return vec![Item::new(text.to_owned(), style)];
    }
    let lines = wrap(text, width.saturating_sub(2)).into_iter().enumerate();
    lines.map(|(at, line)| Item::new("  ".repeat(at.min(1)) + &line, style)).collect()
}

/// A line with names and their number; `None` without names.
fn named(app: &Scene<'_>, what: &str, names: impl Iterator<Item = String>) -> Option<Item> {
    let names: Vec<String> = names.collect();
    let text = format!("{what}: {}", names[..names.len().min(24)].join(" "));
    let item = Item::new(text, app.theme.text());
    (!names.is_empty()).then(|| item.with(names.len().to_string(), app.theme.dim()))
}

/// A line for a circle: its first members, and a note on ways out.
fn circle(app: &Scene<'_>, forest: &Forest, members: &[usize]) -> Item {
    let told = || members.iter().take(31).map(|&at| forest.carriers[at]);
    let mut names: Vec<String> = told().map(|carrier| app.call_carrier(carrier)).collect();
    names.push(names[0].clone());
    // Members with a single wait each can never move again.
    let waits = |id| app.snapshot().waits.iter().filter(|wait| wait.worm == id).count();
    let stuck = told().all(|carrier| waits(carrier.id) == 1);
    let text = format!("circle {}", names.join(app.glyphs.to));
    let fate = if stuck { "for ever" } else { "has ways out" };
    Item::new(text, app.theme.warning()).with(fate, app.theme.dim())
}

/// The circuits that have given up before; `None` for worms and for circuits that can wait.
fn try_again<'a>(app: &'a Scene<'_>) -> Option<Vec<&'a CircuitView>> {
    let [waits, aborts] = [CircuitState::Waiting, CircuitState::Aborting]
        .map(|state| states::occurs(app.system(), state));
    let again = || app.snapshot().circuits.iter().filter(|circuit| circuit.aborts > 0).collect();
    (aborts && !waits).then(again)
}

/// Adds a line for each circuit that has given up, the most aborts first: number of aborts, state,
/// route, and time in the state.
fn attempts(app: &Scene<'_>, mut again: Vec<&CircuitView>, lines: &mut Vec<Item>) {
    again.sort_by_key(|circuit| Reverse(circuit.aborts));
    if again.is_empty() && lines.is_empty() {
        lines.push(Item::new("no circuit under way has given up before", app.theme.dim()));
    }
    lines.extend(again.into_iter().take(LIST_MAX).map(|circuit| {
        let activity = Activity::Circuit(circuit.state, circuit.since);
        let (sign, style) = app.sign(activity);
        let [home, goal] =
            [circuit.source, circuit.destination].map(|it| app.network().short_node_name(it));
        let aborts = plural(u64::from(circuit.aborts), "abort");
        let text = format!("{sign} {aborts}, {} {home}{}{goal}", verb(activity), app.glyphs.to);
        Item::new(text, style.unwrap_or_default()).with(app.since(activity), app.theme.dim())
    }));
}
