//! Describes the selected message, link or router in sentences.
//!
//! A message is described by the cause and duration of its wait, and the root of the chain.

use std::collections::HashMap;

use super::carrier::Carrier;
use super::names::{capital, channel_name};
use super::panes::list::Item;
use super::pen::plural;
use super::pen::wrap;
use super::scene::Scene;
use super::{stages, states};
use crate::engine::messages::Activity;
use crate::engine::{CircuitState, CircuitView, HeadState, Wait, WaitKind, WormView};
use crate::ids::{ChannelId, MessageId, RouterId, WormId};
use crate::live::Measured;
use crate::topology::Role;
use crate::topology::cube::Sign;

/// Maximum number of virtual channels listed individually.
const VCS: usize = 4;

/// Lines about the link chosen in the table, otherwise about the message selected by the cursor,
/// otherwise about the router under the cursor.
pub(super) fn of_router(app: &Scene<'_>, router: RouterId, width: usize) -> Vec<Item> {
    items(app, &about(app, router), width)
}

/// The same as sentences.
pub(super) fn about(app: &Scene<'_>, router: RouterId) -> Vec<String> {
    let link = app.chosen_link().map(|channel| link(app, channel));
    let said = link.or_else(|| message(app, app.selected(router)?));
    said.unwrap_or_else(|| node(app, router))
}

/// Lines about a blocked message under the cursor; empty without a blocked message.
pub(super) fn of_wait(app: &Scene<'_>, width: usize) -> Vec<Item> {
    let name = app.cursor_router().and_then(|router| app.selected(router));
    let stands = |name: &MessageId| {
        app.carriers().any(|it| it.name == *name && it.activity.blocked_since().is_some())
    };
    let said = name.filter(stands).and_then(|name| message(app, name));
    said.map(|said| items(app, &said, width)).unwrap_or_default()
}

fn items(app: &Scene<'_>, said: &[String], width: usize) -> Vec<Item> {
    let styles = std::iter::once(app.theme.strong()).chain(std::iter::repeat(app.theme.text()));
    let lines = |(text, style): (&String, _)| {
        wrap(text, width).into_iter().map(move |line| Item::new(line, style))
    };
    said.iter().zip(styles).flat_map(lines).collect()
}

/// Describes a message; `None` outside the network.
fn message(app: &Scene<'_>, name: MessageId) -> Option<Vec<String>> {
    let snapshot = app.snapshot();
    if let Some(circuit) = snapshot.circuits.iter().find(|it| it.name() == name) {
        return Some(of_circuit(app, circuit));
    }
    snapshot.worms.iter().position(|it| it.name() == name).map(|at| of_worm(app, at))
}

fn of_worm(app: &Scene<'_>, at: usize) -> Vec<String> {
    let (snapshot, network) = (app.snapshot(), app.network());
    let worm: &WormView = &snapshot.worms[at];
    let [from, to] = [worm.source, worm.destination].map(|node| network.short_node_name(node));
    let flits = plural(u64::from(worm.length), "flit");
    let class = app.system().traffic.classes.0.get(usize::from(worm.message_class));
    let class = class.map_or_else(String::new, |class| format!("{}, ", class.name));
    let who = format!("{}, {class}{flits} from {from} to {to},", capital(worm.letter));
    let place = network.short_router_name(worm.head_at);
    let (said, since) = match worm.head {
        HeadState::Blocked(since) if app.is_doomed(at) => ("never moves again: ".to_owned(), since),
        HeadState::Blocked(since) => (String::new(), since),
        HeadState::AtSource => return vec![format!("{who} has not left {place} yet.")],
        HeadState::Moving => {
            return vec![format!("{who} {} at {place}.", stages::activity(worm.stage))];
        }
        HeadState::Arriving => {
            return vec![format!("{who} drains: {} of {flits} are there.", worm.consumed)];
        }
    };
    let waited = app.since(Activity::Worm(worm.head));
    let unit = app.times().symbol();
    let waits = waits_of(app, worm.id);
    let what = wanted(app, &waits);
    let since = app.times().now(since.0);
    let first =
        format!("{who} {said}has waited {waited} {unit}, since {since}, at {place} {what}.");
    let mut all = vec![first.replace("has waited 1 cycles,", "has waited 1 cycle,")];
    all.extend(behind(app, worm.id));
    all
}

fn of_circuit(app: &Scene<'_>, circuit: &CircuitView) -> Vec<String> {
    let network = app.network();
    let [from, to] =
        [circuit.source, circuit.destination].map(|node| network.short_node_name(node));
    let name = circuit.letter.map_or_else(|| app.message_name(circuit.name()), capital);
    let long = f64::from(circuit.length) / f64::from(app.times().flits);
    let who = format!("{name}, data of {long:.3} T from {from} to {to},");
    let place = network.short_router_name(circuit.at);
    let holds = match circuit.path_len {
        0 => String::new(),
        links => format!(", and holds {}", plural(u64::from(links), "link")),
    };
    let time = app.times().with_unit(app.snapshot().cycle.0.saturating_sub(circuit.since.0));
    let share = 100.0 * f64::from(circuit.consumed) / f64::from(circuit.length.max(1));
    let tries = plural(u64::from(circuit.aborts), "attempt");
    let does = match circuit.state {
        CircuitState::Waiting => {
            let what = wanted(app, &waits_of(app, circuit.worm));
            let since = app.times().now(circuit.since.0);
            let first =
                format!("{who} has waited {time}, since {since}, at {place} {what}{holds}.");
            return std::iter::once(first).chain(behind(app, circuit.worm)).collect();
        }
        CircuitState::SettingUp => format!("sets up its way, and asks at {place}{holds}."),
        CircuitState::Transmitting => format!("has sent for {time}: {share:.0} % is there."),
        CircuitState::Releasing => "has sent all, and gives its links back.".to_owned(),
        CircuitState::Aborting => format!("found no link at {place}, and gives up{holds}."),
        CircuitState::BackingOff => format!("has failed in {tries}, and will try again."),
        CircuitState::Stopped => {
            format!("was stopped by a failed link after {share:.0} % of its data{holds}.")
        }
    };
    vec![format!("{who} {does}")]
}

fn waits_of(app: &Scene<'_>, id: WormId) -> Vec<Wait> {
    app.snapshot().waits.iter().filter(|wait| wait.worm == id).copied().collect()
}

/// Requested channels and their holders: `for VC 0 or 1 eastward, or VC 2 northward, held by H,
/// which drains`.
fn wanted(app: &Scene<'_>, waits: &[Wait]) -> String {
    let mut things: Vec<(WaitKind, ChannelId, Vec<u32>)> = Vec::new();
    for wait in waits {
        let (channel, vc) = app.snapshot().split(wait.wants);
        match things.iter_mut().find(|it| (it.0, it.1) == (wait.kind, channel)) {
            Some((.., vcs)) => vcs.push(vc),
            None => things.push((wait.kind, channel, vec![vc])),
        }
    }
    let things: Vec<String> = things.into_iter().map(|it| thing(app, it)).collect();
    let mut ids: Vec<WormId> = Vec::new();
    for id in waits.iter().filter_map(|wait| wait.holder) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if things.is_empty() {
        return "for its turn".to_owned();
    }
    let things = things.join(", or ");
    match (waits[0].kind, holders(app, &ids)) {
        (WaitKind::Credit, _) | (WaitKind::Output | WaitKind::Input, None) => things,
        (WaitKind::Output, Some(holders)) => format!("{things}, which serves {holders}"),
        (WaitKind::Input, Some(holders)) => format!("{things}; its input serves {holders}"),
        (WaitKind::Vc | WaitKind::HeadOfLine | WaitKind::Room | WaitKind::Reply, holders) => {
            match holders {
                Some(holders) => format!("{things}, held by {holders}"),
                None => format!("{things}, free now"),
            }
        }
    }
}

/// A requested channel: `for VC 0 or 1 eastward`.
fn thing(app: &Scene<'_>, (kind, channel, vcs): (WaitKind, ChannelId, Vec<u32>)) -> String {
    let way = way(app, channel);
    let numbers = vcs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    let single = app.snapshot().virtual_channels == 1;
    match kind {
        WaitKind::Vc if single => format!("for the link {way}"),
        WaitKind::Vc => format!("for VC {numbers} {way}"),
        WaitKind::HeadOfLine => "behind another in its buffer".to_owned(),
        WaitKind::Room if single => format!("for room in the buffer {way}"),
        WaitKind::Room => format!("for room in VC {numbers} {way}"),
        WaitKind::Credit if single => format!("for a credit {way}"),
        WaitKind::Credit => format!("for a credit of VC {numbers} {way}"),
        WaitKind::Output | WaitKind::Input => format!("for the crossbar {way}"),
        WaitKind::Reply => "for room for its reply at the node".to_owned(),
    }
}

/// The direction of a channel in one or two words.
pub(super) fn way(app: &Scene<'_>, channel: ChannelId) -> String {
    let network = app.network();
    match (network.channel(channel).role, network.direction(channel)) {
        (Role::Injection, _) => "into the network".to_owned(),
        (Role::Ejection, _) => "out to its node".to_owned(),
        (Role::Link, None) => {
            format!("to {}", network.short_router_name(network.channel(channel).to))
        }
        (Role::Link, Some((dimension, sign))) => match (dimension, sign) {
            _ if network.is_hypercube() => format!("across dimension {dimension}"),
            (0, Sign::Plus) => "eastward".to_owned(),
            (0, Sign::Minus) => "westward".to_owned(),
            (1, Sign::Plus) => "northward".to_owned(),
            (1, Sign::Minus) => "southward".to_owned(),
            _ => network.heading(channel, network.channel(channel).from),
        },
    }
}

/// Holders grouped by state: `H, which drains, and by I and K, each of which waits too`. A single
/// waiting holder is described with its waiting time, because its wait may be recent.
fn holders(app: &Scene<'_>, ids: &[WormId]) -> Option<String> {
    let mut alike: Vec<(&'static str, Vec<Carrier>)> = Vec::new();
    for &id in ids {
        let Some(carrier) = app.carriers().find(|it| it.id == id) else { continue };
        let does = does(carrier);
        match alike.iter_mut().find(|it| it.0 == does) {
            Some((_, carriers)) => carriers.push(carrier),
            None => alike.push((does, vec![carrier])),
        }
    }
    let now = app.snapshot().cycle.0;
    let told = alike.iter().map(|(does, carriers)| {
        let names: Vec<String> = carriers.iter().map(|&it| app.call_carrier(it)).collect();
        match (names.as_slice(), carriers[0].activity.blocked_since()) {
            ([name], Some(since)) => {
                let time = app.times().with_unit(now.saturating_sub(since.0));
                format!("{name}, which {does}, for {time}")
            }
            ([name], None) => format!("{name}, which {does}"),
            ([one, two], _) => format!("{one} and {two}, each of which {does}"),
            ([first @ .., last], _) => {
                format!("{} and {last}, each of which {does}", first.join(", "))
            }
            ([], _) => String::new(),
        }
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join(", and by "))
}

fn does(carrier: Carrier) -> &'static str {
    match carrier.activity {
        Activity::Worm(HeadState::AtSource | HeadState::Moving) => "goes on",
        Activity::Worm(HeadState::Arriving) => "drains",
        Activity::Worm(HeadState::Blocked(_)) | Activity::Circuit(CircuitState::Waiting, _) => {
            "waits too"
        }
        Activity::Circuit(state, _) => states::name(state),
    }
}

/// The root of a wait behind a waiting holder: the end of the chain of first choices, or the cycle
/// at its end.
fn behind(app: &Scene<'_>, id: WormId) -> Option<String> {
    let mut next: HashMap<WormId, WormId> = HashMap::new();
    for wait in &app.snapshot().waits {
        if let Some(holder) = wait.holder {
            next.entry(wait.worm).or_insert(holder);
        }
    }
    let mut chain = vec![id];
    let mut at = id;
    while let Some(&holder) = next.get(&at) {
        if let Some(from) = chain.iter().position(|&it| it == holder) {
            let circle = chain[from..].iter().chain([&holder]);
            let names: Vec<String> = circle.filter_map(|&id| call(app, id)).collect();
            let ever = if app.is_dead(holder) { ", for ever" } else { "" };
            let to = app.glyphs.to;
            return Some(format!("They wait in a circle{ever}: {}.", names.join(to)));
        }
        chain.push(holder);
        at = holder;
    }
    let between = chain.len().checked_sub(3)?;
    let root = app.carriers().find(|it| it.id == at)?;
    let place = app.network().short_router_name(root.at);
    let (name, does) = (app.call_carrier(root), does(root));
    let root = format!("{name}, which {does} at {place}");
    Some(match between {
        0 => format!("That one is held up by {root}."),
        1 => format!("That one waits for another, which is held up by {root}."),
        more => format!(
            "It is one of {} that wait one for the other; the last is held up by {root}.",
            more + 2
        ),
    })
}

fn call(app: &Scene<'_>, id: WormId) -> Option<String> {
    Some(app.call_carrier(app.carriers().find(|it| it.id == id)?))
}

/// Describes the use of a link, its holders, and the longest wait for the link.
fn link(app: &Scene<'_>, channel: ChannelId) -> Vec<String> {
    let snapshot = app.snapshot();
    let name = channel_name(*app, channel);
    let used = Measured::flow(&app.update, channel).measured;
    let used = used.map_or_else(
        || "has not been measured yet".to_owned(),
        |used| format!("was used in {:.1} % of {}", 100.0 * used, app.words().whole),
    );
    let vcs = snapshot.vcs_of(channel);
    let held: Vec<String> = (0..)
        .zip(vcs)
        .filter_map(|(vc, view)| {
            let (_, worm) = snapshot.owner(view)?;
            let what = if vcs.len() == 1 { "it".to_owned() } else { format!("VC {vc}") };
            Some(format!("{} holds {what}", capital(worm.letter)))
        })
        .collect();
    let now = match held.len() {
        0 => "nobody holds it now".to_owned(),
        1..=VCS => held.join(", "),
        many => format!("{many} of its {} VCs are held", vcs.len()),
    };
    let asks = |wait: &&Wait| snapshot.split(wait.wants).0 == channel;
    let asking: Vec<WormId> = snapshot.waits.iter().filter(asks).map(|wait| wait.worm).collect();
    let mut all = vec![format!("{name} {used}; {now}.")];
    all.extend(longest(app, |carrier| asking.contains(&carrier.id), "for it"));
    all
}

/// Describes blocked heads and waiting messages at a router.
fn node(app: &Scene<'_>, router: RouterId) -> Vec<String> {
    let (network, snapshot) = (app.network(), app.snapshot());
    let name = network.short_router_name(router);
    let vcs = || network.inputs(router).iter().flat_map(|&it| snapshot.vcs_of(it));
    let held = vcs().filter(|vc| vc.holder > 0).count();
    let (all, what) = (vcs().count(), app.words().vcs);
    let verb = if held == 1 { "is" } else { "are" };
    let passes = format!("{held} of {all} {what} into {name} {verb} in use");
    let queued = match app.heat.queued(router.index()) {
        0 => String::new(),
        waiting => format!(", and {} to go in", plural(waiting, "message").replace(' ', " more ")),
    };
    let carrier = app.carrier();
    let mut all = vec![format!("No {carrier} is blocked at {name}; {passes}{queued}.")];
    if let Some(stands) = longest(app, |carrier| carrier.at == router, "here") {
        all[0] = format!("{passes}{queued}.");
        all.insert(0, stands);
    }
    all
}

/// The longest wait: `3 wait here, V longest: 12 cycles.`
fn longest(app: &Scene<'_>, of: impl Fn(&Carrier) -> bool, place: &str) -> Option<String> {
    let waiting =
        app.carriers().filter(of).filter_map(|it| Some((it.activity.blocked_since()?, it)));
    let waiting: Vec<_> = waiting.collect();
    let &(since, first) = waiting.iter().min_by_key(|it| it.0)?;
    let time = app.times().with_unit(app.snapshot().cycle.0.saturating_sub(since.0));
    let name = app.call_carrier(first);
    Some(match waiting.len() {
        1 => format!("{name} has waited {place} for {time}."),
        many => format!("{many} wait {place}, {name} longest: {time}."),
    })
}
