//! The pane of the router under the cursor.
//!
//! Sentences about the selection are followed by the link chosen in the table of links and, in the
//! view of differences, by the use of the router's links. Then follow the buffers of incoming
//! channels with their owners, the stages of a pipeline, and the waits of heads; for circuits, the holders of links and the
//! circuits at the router.

use ratatui::text::{Line, Span};

use super::list::Item;
use crate::engine::messages::Activity;
use crate::engine::{CircuitState, CircuitView, HeadState, VcView, Wait, WaitKind};
use crate::ids::RouterId;
use crate::tui::names::{capital, channel_name, into_router, vc_name};
use crate::tui::pen::{plural, wrap};
use crate::tui::scene::Scene;
use crate::tui::view::View;
use crate::tui::{sentence, stages, states};

mod cube;
mod pipeline;
mod uses;

/// The deepest buffer drawn slot by slot.
const SLOTS_MAX: u32 = 4;

pub(super) fn title(app: &Scene<'_>) -> String {
    let Some(router) = app.cursor_router() else { return "router".to_owned() };
    let network = app.network();
    let number = if network.has_long_names() { format!(" {}", router.0) } else { String::new() };
    format!("router{number} {}", network.router_name(router))
}

pub(in crate::tui) fn lines(app: &Scene<'_>, width: usize) -> Vec<Item> {
    let router = app.cursor_router();
    router.map(|router| items(app, router, width)).unwrap_or_default()
}

/// The number of lines: all, or only the sentences.
pub(in crate::tui) fn said(app: &Scene<'_>, width: usize, all: bool) -> usize {
    if all {
        return lines(app, width).len();
    }
    let router = app.cursor_router();
    let said = |router| {
        let others = planned(app, router, width).count() + failures(app, router, width).count();
        sentence::of_router(app, router, width).len() + others
    };
    router.map_or(0, said)
}

/// The differences from the plan at a router.
fn planned(app: &Scene<'_>, router: RouterId, width: usize) -> impl Iterator<Item = Item> {
    let sentences = app.planned.map_or(&[][..], |planned| planned.sentences(router));
    let style = app.theme.warning();
    let lines = sentences.iter().flat_map(move |sentence| wrap(sentence, width));
    lines.map(move |line| Item::new(line, style))
}

/// The failure of a router, or of some of its links, in words.
pub(in crate::tui) fn failed(app: &Scene<'_>, router: RouterId) -> Option<String> {
    let (failed, network) = (app.update.failed.as_ref()?, app.network());
    if failed.holds_router(router) {
        return Some("failed, with all of its links".to_owned());
    }
    let links = network.outputs(router).iter().filter(|&&link| failed.holds(link));
    let names: Vec<String> =
        links.map(|&link| network.short_router_name(network.channel(link).to)).collect();
    (!names.is_empty()).then(|| format!("failed links to {}", names.join(", ")))
}

/// The lines on the failure of a router.
fn failures(app: &Scene<'_>, router: RouterId, width: usize) -> impl Iterator<Item = Item> {
    let lines = failed(app, router).map_or_else(Vec::new, |words| wrap(&words, width));
    let style = app.theme.alarm_line();
    lines.into_iter().map(move |line| Item::new(line, style))
}

/// All lines about a router.
pub(in crate::tui) fn items(app: &Scene<'_>, router: RouterId, width: usize) -> Vec<Item> {
    let mut lines = sentence::of_router(app, router, width);
    if let Some(channel) = app.chosen_link() {
        uses::chosen(app, channel, &mut lines);
    }
    if app.map.view == View::Difference {
        uses::add(app, router, &mut lines);
    }
    lines.extend(planned(app, router, width));
    lines.extend(failures(app, router, width));
    let count = |what: &str, count: u64, of: &str| {
        let style = if count > 0 { app.theme.strong() } else { app.theme.dim() };
        Item::new(format!("{what}: {}", plural(count, of)), style)
    };
    lines.push(count("source queue", app.heat.queued(router.index()), "message"));
    if let Some(&jobs) = app.snapshot().controllers.get(router.index()) {
        lines.push(count("controller", u64::from(jobs), "job"));
        circuits(app, router, &mut lines);
    } else {
        buffers(app, router, width, &mut lines);
        pipeline::add(app, router, width, &mut lines);
        worms(app, router, &mut lines);
    }
    cube::add(app, router, width, &mut lines);
    lines
}

/// Adds the buffers of the channels into a router, as many per line as fit.
fn buffers(app: &Scene<'_>, router: RouterId, width: usize, lines: &mut Vec<Item>) {
    let depth = app.snapshot().buffer_flits;
    let cell =
        if depth <= SLOTS_MAX { depth as usize + 3 } else { 2 * depth.to_string().len() + 4 };
    let name = |channel| app.network().heading(channel, router);
    let names = into_router(app, router).map(|channel| name(channel).chars().count() + 1);
    let names = names.max().unwrap_or(0).clamp(5, (width / 2).max(5));
    let per_line = (width.saturating_sub(names) / cell).max(1);
    let vcs = app.snapshot().virtual_channels as usize;
    if (2..=per_line).contains(&vcs) {
        let heading = |vc| {
            if cell > 4 + usize::from(vcs > 10) { format!("VC {vc}") } else { format!("{vc}") }
        };
        let before = format!("{:<names$}", "");
        let text = (0..vcs).fold(before, |text, vc| text + &format!("{:<cell$}", heading(vc)));
        lines.push(Item::new(text.trim_end().to_owned(), app.theme.dim()));
    }
    for channel in into_router(app, router) {
        for (nth, vcs) in app.snapshot().vcs_of(channel).chunks(per_line).enumerate() {
            let name = if nth == 0 { name(channel) } else { String::new() };
            let name: String = name.chars().take(names - 1).collect();
            let name = Span::styled(format!("{name:<names$}"), app.theme.dim());
            let vcs = vcs.iter().map(|vc| buffer(app, vc, cell));
            lines.push(std::iter::once(name).chain(vcs).collect::<Line<'_>>().into());
        }
    }
}

/// Adds the worms with heads at a router, and their waits.
fn worms(app: &Scene<'_>, router: RouterId, lines: &mut Vec<Item>) {
    let snapshot = app.snapshot();
    for worm in snapshot.worms.iter().filter(|worm| worm.head_at == router) {
        let name = app.full_name(worm.name());
        let goal = app.network().short_node_name(worm.destination);
        let does = match worm.head {
            HeadState::Blocked(_) => format!("waits {} for", app.since(Activity::Worm(worm.head))),
            HeadState::Arriving => format!("drains, {} of {}", worm.consumed, worm.length),
            HeadState::AtSource | HeadState::Moving => stages::activity(worm.stage).to_owned(),
        };
        let text = format!("{name}{}{goal} {does}", app.glyphs.to);
        lines.push(Item::new(text, app.theme.hue(worm.letter.index())));
        for wait in snapshot.waits.iter().filter(|wait| wait.worm == worm.id) {
            let text = format!("  {}", wanted(app, wait));
            lines.push(Item::new(text, app.theme.text()));
        }
    }
}

/// The object of a wait, and its user.
fn wanted(app: &Scene<'_>, wait: &Wait) -> String {
    let snapshot = app.snapshot();
    let (channel, vc) = snapshot.split(wait.wants);
    let name = vc_name(app, wait.wants);
    let served = wait.holder.and_then(|id| snapshot.worms.iter().find(|it| it.id == id));
    let served = served.map(|worm| capital(worm.letter));
    match (wait.kind, served) {
        (WaitKind::Credit, _) => format!("a credit of {name}"),
        (WaitKind::Output, Some(worm)) => format!("the crossbar: {name} serves {worm}"),
        (WaitKind::Input, Some(worm)) => format!("the crossbar: its input serves {worm}"),
        (WaitKind::Output | WaitKind::Input, None) => format!("the crossbar to {name}"),
        (WaitKind::Vc | WaitKind::HeadOfLine | WaitKind::Room | WaitKind::Reply, _) => {
            match snapshot.holder(channel, vc) {
                Some(holder) => format!("{name}, held by {}", capital(holder.letter)),
                None => format!("{name}, free, next cycle"),
            }
        }
    }
}

/// A buffer and its owner, such as `■■□□ A `.
fn buffer(app: &Scene<'_>, view: &VcView, width: usize) -> Span<'static> {
    let [full, free] = app.glyphs.slot;
    let depth = app.snapshot().buffer_flits;
    let mut text: String = match depth {
        ..=SLOTS_MAX => (0..depth).map(|at| if at < view.flits { full } else { free }).collect(),
        _ => format!("{}/{depth}", view.flits),
    };
    let letter = app.snapshot().owner(view).map(|(_, worm)| worm.letter);
    text += &letter.map_or_else(String::new, capital);
    let style = letter.map_or(app.theme.dim(), |letter| app.theme.hue(letter.index()));
    Span::styled(format!("{text:<width$}"), style)
}

/// Adds the holders of the links out of a router under circuit switching, and the circuits at the
/// router.
fn circuits(app: &Scene<'_>, router: RouterId, lines: &mut Vec<Item>) {
    let (snapshot, theme) = (app.snapshot(), app.theme);
    let mut held = vec![Span::styled("links out: ", theme.dim())];
    let holders: Vec<&CircuitView> = states::with_links(snapshot).collect();
    for &channel in app.network().outputs(router) {
        for (lane, vc) in snapshot.vcs_of(channel).iter().enumerate() {
            let circuit = snapshot.owner(vc).and_then(|(at, _)| holders.get(at));
            let activity = circuit.map(|circuit| Activity::Circuit(circuit.state, circuit.since));
            let (sign, style) =
                activity.map_or((app.glyphs.rest, None), |activity| app.sign(activity));
            let name =
                if lane == 0 { app.network().heading(channel, router) } else { String::new() };
            held.push(Span::styled(format!("{name}{sign} "), style.unwrap_or(theme.dim())));
        }
    }
    lines.push(Line::from(held).into());
    for circuit in snapshot.circuits.iter().filter(|circuit| stands_at(app, circuit, router)) {
        let goal = app.network().short_node_name(circuit.destination);
        let name = app.full_name(circuit.name());
        let activity = Activity::Circuit(circuit.state, circuit.since);
        let (sign, style) = app.sign(activity);
        let (does, since) = (states::name(circuit.state), app.since(activity));
        let text = format!("{sign} {name}{}{goal} {does} {since}", app.glyphs.to);
        lines.push(Item::new(text, style.unwrap_or_default()));
        let share = 100.0 * f64::from(circuit.consumed) / f64::from(circuit.length.max(1));
        let sends = matches!(circuit.state, CircuitState::Transmitting | CircuitState::Stopped);
        let more = [
            circuit.wants.map(|it| format!("for {}", channel_name(app, snapshot.split(it).0))),
            (circuit.path_len > 0).then(|| plural(u64::from(circuit.path_len), "link")),
            sends.then(|| format!("{share:.0} % sent")),
            circuit.set_up.map(|cycles| format!("set up in {}", app.times().with_unit(cycles))),
            (circuit.aborts > 0).then(|| plural(u64::from(circuit.aborts), "abort")),
        ];
        let more: Vec<String> = more.into_iter().flatten().collect();
        if !more.is_empty() {
            lines.push(Item::new(format!("  {}", more.join(", ")), theme.text()));
        }
    }
}

/// True if a sending circuit begins or ends at a router, or another circuit made its last request
/// at the router.
fn stands_at(app: &Scene<'_>, circuit: &CircuitView, router: RouterId) -> bool {
    let ends = [circuit.source, circuit.destination].map(|node| app.network().router_of(node));
    if matches!(circuit.state, CircuitState::Transmitting | CircuitState::Stopped) {
        return ends.contains(&router);
    }
    circuit.at == router
}
