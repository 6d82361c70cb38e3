//! Who waits for whom: trees with the root cause on top, which itself waits for nobody, or the circle
//! of a deadlock. Circuits that never wait are listed by how often they have failed to get a link.

use super::list::{self, Item};
use crate::engine::messages::Doing;
use crate::engine::{CircuitState, HeadState, Wait};
use crate::ids::WormId;
use crate::tui::app::App;
use crate::tui::carrier::{Carrier, verb};
use crate::tui::header::plural;
use crate::tui::names::{capital, channel_name};
use crate::tui::panes::worms;
use crate::tui::pen::Pen;
use crate::tui::states;
use crate::tui::view::Pane;

/// The most lines made.
const LINES_MAX: usize = 400;
/// Circuits listed where none waits.
const LIST_MAX: usize = 200;

/// Who waits for whom, by first choice.
struct Forest<'a> {
    /// Those that wait and are waited for; the rest is told of each.
    carriers: Vec<Carrier<'a>>,
    /// The wait that holds it up: its first with a holder.
    wait: Vec<Option<Wait>>,
    /// The one it waits for.
    parent: Vec<Option<usize>>,
    /// Those that wait for it.
    children: Vec<Vec<usize>>,
}

impl<'a> Forest<'a> {
    fn new(app: &'a App) -> Self {
        let carriers = app.carriers();
        let count = carriers.len();
        let ids = carriers.iter().map(|it| it.id().index() + 1).max().unwrap_or(0);
        let mut index = vec![None; ids];
        for (at, carrier) in carriers.iter().enumerate() {
            index[carrier.id().index()] = Some(at);
        }
        let find = |id: WormId| index.get(id.index()).copied().flatten();
        let mut forest = Self {
            carriers,
            wait: vec![None; count],
            parent: vec![None; count],
            children: vec![vec![]; count],
        };
        for wait in &app.snapshot().waits {
            let Some(at) = find(wait.worm).filter(|&at| forest.parent[at].is_none()) else {
                continue;
            };
            forest.wait[at] = Some(*wait);
            forest.parent[at] = wait.holder.and_then(find);
        }
        for at in 0..count {
            if let Some(parent) = forest.parent[at] {
                forest.children[parent].push(at);
            }
        }
        forest
    }

    /// How many wait behind each, itself not counted; and for each circle one member.
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

/// The title, with how many are blocked, or have to ask again.
pub(super) fn title(app: &App) -> String {
    let carriers = app.carriers();
    let of = plural(carriers.len() as u64, app.carrier());
    let count = |counts: fn(&Carrier<'_>) -> bool| carriers.iter().filter(|it| counts(it)).count();
    let (what, count) = if !app.has_circuits() {
        let blocked = |it: &Carrier<'_>| matches!(it.doing(), Doing::Worm(HeadState::Blocked(_)));
        ("blocked chains", count(blocked))
    } else if states::occurs(app, CircuitState::Waiting) {
        ("waiting for links", app.snapshot().waits.len())
    } else {
        ("tried again", app.snapshot().circuits.iter().filter(|circuit| circuit.aborts > 0).count())
    };
    format!("{what}{}{count} of {of}", app.glyphs.dot)
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    list::draw(app, Pane::Chains, pen, &items(app));
}

/// Every line.
fn items(app: &App) -> Vec<Item> {
    let mut lines = pinned(app);
    deadlock(app, &mut lines);
    if app.has_circuits() && !states::occurs(app, CircuitState::Waiting) {
        attempts(app, &mut lines);
        return lines;
    }
    let forest = Forest::new(app);
    let (sizes, mut circles) = forest.sizes();
    if app.has_circuits() {
        // They are broken as soon as they are found.
        circles.clear();
    }
    let doomed = |at: usize| app.is_dead(forest.carriers[at].id());
    let mut roots: Vec<usize> = (0..sizes.len())
        .filter(|&at| sizes[at] > 0 && forest.parent[at].is_none() && !doomed(at))
        .collect();
    roots.sort_by_key(|&at| (std::cmp::Reverse(sizes[at]), at));
    if roots.is_empty() && circles.is_empty() && lines.is_empty() {
        let text = match (app.has_circuits(), app.snapshot().worms.is_empty()) {
            (true, _) => "no circuit waits for a link",
            (false, true) => "no worm in the network",
            (false, false) => "nobody waits for another worm",
        };
        lines.push(Item::new(text, app.theme.dim()));
    }
    if app.snapshot().deadlock.is_none() {
        for &member in &circles {
            circle(app, &forest, member, &mut lines);
        }
    }
    for at in roots {
        if lines.len() > LINES_MAX {
            break;
        }
        lines.push(root(app, forest.carriers[at], sizes[at]));
        branches(app, &forest, at, &mut lines);
    }
    lines
}

/// One that others wait for: what it does, and how many wait behind it.
fn root(app: &App, carrier: Carrier<'_>, waiting: usize) -> Item {
    let name = app.call_carrier(carrier);
    let dim = app.theme.dim();
    match carrier {
        Carrier::Worm(worm) => {
            let place = app.network().router_name(worm.head_at);
            let does = match worm.head {
                HeadState::Blocked(_) => "next",
                head @ (HeadState::AtSource | HeadState::Moving | HeadState::Arriving) => {
                    verb(head)
                }
            };
            let item = Item::new(format!("{name} {does} at {place}"), app.theme.strong());
            item.with(format!("{waiting} wait"), dim)
        }
        Carrier::Circuit(circuit) => {
            let held = plural(u64::from(circuit.path_len), "link");
            let (sign, style) = app.sign(carrier.doing());
            let does = states::name(circuit.state);
            let style = style.unwrap_or_default().patch(app.theme.strong());
            let item = Item::new(format!("{sign} {name} {does}, holds {held}"), style);
            item.with(format!("{waiting} wait{}", if waiting == 1 { "s" } else { "" }), dim)
        }
    }
}

/// The pinned messages that are in the network, and what each does.
fn pinned(app: &App) -> Vec<Item> {
    let carriers = app.carriers();
    let pins = app.pins.iter().filter_map(|&name| {
        let carrier = carriers.iter().find(|it| it.name() == name)?;
        let mark = carrier.letter().map_or_else(String::new, capital) + worms::PINNED;
        let does = match carrier.doing() {
            Doing::Circuit(state, _) => states::name(state).to_owned(),
            Doing::Worm(head) => {
                let place = app.network().router_name(carrier.at());
                format!("{} at {place}", verb(head))
            }
        };
        let text = format!("{mark} {} {does}", app.message_name(name));
        let since = app.since(carrier.doing());
        Some(Item::new(text, app.theme.strong()).with(since, app.theme.dim()))
    });
    pins.collect()
}

/// The tree above a root, without recursion: chains can be as long as the network.
fn branches(app: &App, forest: &Forest<'_>, root: usize, lines: &mut Vec<Item>) {
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
        let carrier = forest.carriers[at];
        let branch = if is_last { last } else { fork };
        let wants = forest.wait[at].map(|wait| format!(" wants {}", vc_name(app, wait)));
        let name = app.call_carrier(carrier);
        let text = format!("{prefix}{branch}{name}{}", wants.unwrap_or_default());
        let since = app.since(carrier.doing());
        lines.push(Item::new(text, app.theme.text()).with(since, app.theme.dim()));
        // Long chains stop indenting, or they would leave the pane.
        let deeper = match (prefix.chars().count() < 12, is_last) {
            (true, true) => format!("{prefix}  "),
            (true, false) => format!("{prefix}{along}"),
            (false, _) => prefix,
        };
        push(&mut stack, at, &deeper);
    }
}

/// The VC wanted: its channel and number.
fn vc_name(app: &App, wait: Wait) -> String {
    let (channel, vc) = app.snapshot().split(wait.wants);
    let name = channel_name(app, channel);
    if app.snapshot().virtual_channels == 1 && app.has_circuits() {
        return name;
    }
    format!("{name} VC {vc}")
}

fn deadlock(app: &App, lines: &mut Vec<Item>) {
    let Some(deadlock) = &app.snapshot().deadlock else { return };
    let carriers = app.carriers();
    let call = |id| {
        let found = carriers.iter().find(|it| it.id() == id);
        found.map(|&carrier| app.call_carrier(carrier))
    };
    let (theme, times) = (app.theme, app.times());
    for set in &deadlock.sets {
        let (circle, all) = (set.circle.len(), set.worms.len());
        let text = if set.knot {
            format!(" DEADLOCK: a knot of {all}, in it a circle of {circle} ")
        } else {
            format!(" DEADLOCK: a circle of {circle} ")
        };
        lines.push(Item::new(text, theme.alarm()));
        let by = set.closers.iter().map(|&name| app.call(name)).collect::<Vec<_>>().join(" ");
        let (closed, seen) = (times.now(set.closed.0), times.now(deadlock.found.0));
        lines.push(Item::new(format!("closed at {closed} by {by}, seen at {seen}"), theme.dim()));
        for wait in &set.circle {
            let name = call(wait.worm).unwrap_or_default();
            let holder = wait.holder.and_then(call).unwrap_or_default();
            let text = format!("{name} wants {}, held by {holder}", vc_name(app, *wait));
            lines.push(Item::new(text, theme.strong()));
        }
        let others = set.worms.iter().filter(|&&id| set.circle.iter().all(|wait| wait.worm != id));
        let others: Vec<String> = others.filter_map(|&id| call(id)).collect();
        named(&others, "in the knot", app, lines);
    }
    let caught: Vec<String> = deadlock.caught.iter().filter_map(|&id| call(id)).collect();
    named(&caught, "caught behind them", app, lines);
}

/// A line with names, and how many there are.
fn named(names: &[String], what: &str, app: &App, lines: &mut Vec<Item>) {
    if !names.is_empty() {
        let text = format!("{what}: {}", names[..names.len().min(24)].join(" "));
        lines
            .push(Item::new(text, app.theme.text()).with(names.len().to_string(), app.theme.dim()));
    }
}

/// The circle that one member of it waits in.
fn circle(app: &App, forest: &Forest<'_>, member: usize, lines: &mut Vec<Item>) {
    let mut names = Vec::new();
    let mut at = member;
    // The member found may stand before the circle: walk on until one comes twice.
    let mut seen = vec![false; forest.carriers.len()];
    while !seen[at] {
        seen[at] = true;
        at = forest.parent[at].unwrap_or(at);
    }
    let first = at;
    // With one thing to wait for each, nobody in the circle can ever go on.
    let mut stuck = true;
    loop {
        let carrier = forest.carriers[at];
        stuck &= app.snapshot().waits.iter().filter(|wait| wait.worm == carrier.id()).count() == 1;
        names.push(app.call_carrier(carrier));
        at = forest.parent[at].unwrap_or(first);
        if at == first || names.len() > 30 {
            break;
        }
    }
    names.push(names[0].clone());
    let text = format!("circle {}", names.join(app.glyphs.to));
    let fate = if stuck { "for ever" } else { "has ways out" };
    lines.push(Item::new(text, app.theme.warning()).with(fate, app.theme.dim()));
}

/// The circuits with the most aborts, what they do, and for how long they have been at it.
fn attempts(app: &App, lines: &mut Vec<Item>) {
    let circuits = app.snapshot().circuits.iter().filter(|circuit| circuit.aborts > 0);
    let mut again: Vec<_> = circuits.collect();
    again.sort_by_key(|circuit| std::cmp::Reverse(circuit.aborts));
    if again.is_empty() && lines.is_empty() {
        lines.push(Item::new("no circuit under way has given up before", app.theme.dim()));
    }
    for circuit in again.into_iter().take(LIST_MAX) {
        let doing = Carrier::Circuit(circuit).doing();
        let (sign, style) = app.sign(doing);
        let [home, goal] =
            [circuit.source, circuit.destination].map(|it| app.network().node_name(it));
        let aborts = plural(u64::from(circuit.aborts), "abort");
        let does = states::name(circuit.state);
        let text = format!("{sign} {aborts}, {does} {home}{}{goal}", app.glyphs.to);
        let item = Item::new(text, style.unwrap_or_default());
        lines.push(item.with(app.since(doing), app.theme.dim()));
    }
}
