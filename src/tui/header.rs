//! Draws the header line: state and settings of the run.
//!
//! Fields without enough space are omitted as a whole.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::app::App;
use super::grid::closes_in;
use super::pen::{Pen, brief, grouped, plural};
use crate::live::{RunState, Seeking};
use crate::routing::dependency::Verdict;
use crate::session::verdict;
use crate::text::short_name;
use crate::traffic::classes::Feedback;

/// Minimum width for showing the share of saturation.
const WORDS_WIDTH: u16 = 70;
/// Minimum width for the nouns of counts of failures.
const COUNTS_WIDTH: u16 = 150;

/// A field: importance (0 is highest), text and style.
type Field = (u8, String, Style);

/// Draws the header line.
pub fn draw(app: &App, buffer: &mut Buffer, area: Rect) {
    let mut pen = Pen::new(buffer, area);
    pen.fill(' ', app.theme.bar());
    let all = fields(app);
    let mut used = 1;
    let mut kept: Vec<usize> = (0..all.len()).collect();
    kept.sort_by_key(|&at| all[at].0);
    kept.retain(|&at| {
        let length = all[at].1.chars().count() + 2;
        // The first field is kept and truncated if necessary.
        let fits = used + length <= usize::from(area.width) + 1 || used == 1;
        used += if fits { length } else { 0 };
        fits
    });
    kept.sort_unstable();
    let mut x = 1;
    for (_, text, style) in kept.into_iter().map(|at| &all[at]) {
        x = pen.cut(x, 0, text, app.glyphs.ellipsis, *style) + 2;
    }
}

fn fields(app: &App) -> Vec<Field> {
    let (update, theme) = (&app.update, app.theme);
    let times = app.times();
    let bar = theme.bar();
    let strong = bar.patch(theme.strong());
    let system = &update.scenario.system;
    let load = system.load_at(update.rate).0;
    let (running, reached) = (update.state == RunState::Running, update.cycles_per_second);
    let reached = (running && reached > 0.0).then(|| {
        if times.in_cycles() {
            format!("{} cycles/s", brief(reached))
        } else {
            times.per_second(reached)
        }
    });
    let [runs, paused, _] = app.glyphs.run;
    let state = match (&app.death, update.state) {
        (Some(_), _) => (0, " SIMULATION DIED ".to_owned(), theme.alarm()),
        (None, RunState::Running) => (0, runs.to_owned(), strong),
        (None, RunState::Paused) if app.deadlock().is_some() => (0, deadlock(app), theme.alarm()),
        (None, RunState::Paused) => {
            let reason = update.stopped_by.as_ref().map(|reason| format!(": {reason}"));
            (0, format!("{paused}{}", reason.unwrap_or_default()), strong)
        }
        (None, RunState::Seeking) => (0, seeking(app), strong),
        (None, RunState::Limit) => (0, format!("{paused} at limit"), strong),
        (None, RunState::Delivered) => (0, " DELIVERED ".to_owned(), strong),
        (None, RunState::Deadlocked) => (0, deadlock(app), theme.alarm()),
    };
    let warning = bar.patch(theme.warning());
    let room = app.size.0 >= WORDS_WIDTH;
    let words = |words| if room { words } else { verdict::SATURATED.to_owned() };
    let stops = || format!("stops at {}", update.breakpoint.words(system));
    let called: Vec<String> = app.all().filter_map(|run| run.called()).collect();
    let behind = update.live.0.saturating_sub(app.now().0);
    let optional = [
        saturation(app).map(|told| (1, words(told), warning)),
        app.tells_of_recording().then(|| (2, app.glyphs.recording.to_owned(), warning)),
        app.is_behind().then(|| (1, format!("REPLAY -{}", times.exact(behind)), warning)),
        update
            .ring
            .as_ref()
            .map(|ring| (2, format!("a deadlock {}", closes_in(&app.shown(), ring)), warning)),
        app.following().map(|following| (2, following, strong)),
        reached.map(|reached| (9, reached, bar)),
        app.perf.as_ref().map(|perf| (1, perf.words(), bar.patch(theme.dim()))),
        (!update.breakpoint.is_off()).then(|| (3, stops(), bar)),
        app.other().map(|_| (1, called.join(" | "), strong)),
    ];
    let mut fields = vec![state, (1, times.now(update.snapshot.cycle.0), bar)];
    fields.extend(optional.into_iter().flatten());
    // A scenario's name may reveal the answer to a question of the tour.
    if !app.conceals() {
        fields.push((2, short_name(&update.scenario.name).to_owned() + &set(app), strong));
    }
    fields.push((3, system.network.name(), bar));
    let amount = match (system.traffic.messages_in_all(), system.traffic.closed_loop) {
        (None, None) => format!("load {load:.3}"),
        (None, Some(Feedback::ClosedLoop { window, .. })) => format!("window {window}"),
        (Some(messages), _) => {
            let delivered = update.snapshot.counters.delivered;
            format!("{} of {} delivered", grouped(delivered), grouped(messages))
        }
    };
    fields.push((4, amount, bar));
    fields.push((6, system.relation.routing().name().to_owned(), bar));
    fields.extend(failures(app));
    fields.extend(verdict(app));
    fields
}

/// The changed fields of the scenario, such as ` (changed: routing)`.
fn set(app: &App) -> String {
    let field = |path: &str| path.rsplit('.').next().unwrap_or(path).replace('_', " ");
    let fields: Vec<String> =
        app.update.scenario.set_fields().map(|one| field(&one.path)).collect();
    match fields.as_slice() {
        [] => String::new(),
        [one] => format!(" (changed: {one})"),
        [one, two] => format!(" (changed: {one}, {two})"),
        many => format!(" (changed: {} fields)", many.len()),
    }
}

/// The verdict on saturation; during a question of the tour, from measurements alone.
fn saturation(app: &App) -> Option<String> {
    let update = &app.update;
    if app.conceals() {
        return verdict::announced(&update.summary);
    }
    verdict::announced_at(&update.scenario, update.rate, &update.summary)
}

/// Failed links, and what they stop.
fn failures(app: &App) -> Option<Field> {
    let lost = app.update.snapshot.counters.lost;
    let failed = app.update.failed.as_ref();
    let links = failed.map_or(0, |it| it.links.len());
    let mut parts = Vec::new();
    let is_wide = app.size.0 >= COUNTS_WIDTH;
    if links > 0 {
        let channels =
            if is_wide { plural(links as u64, "channel") } else { grouped(links as u64) };
        parts.push(format!("{channels} failed"));
    }
    let counts = failed.map_or([0, 0], |it| [it.stopped as u64, it.unreachable]);
    let words = ["stopped", if is_wide { "pairs apart" } else { "apart" }, "lost"];
    for (count, word) in counts.into_iter().chain([lost]).zip(words).filter(|(count, _)| *count > 0)
    {
        parts.push(format!("{} {word}", grouped(count)));
    }
    (!parts.is_empty()).then(|| (2, parts.join(", "), app.theme.bar().patch(app.theme.warning())))
}

fn verdict(app: &App) -> Option<Field> {
    if let Some(failed) = app.update.failed.as_ref().filter(|_| !app.conceals()) {
        // More important than the counts of failures.
        return Some((1, failed.routes.words().to_owned(), app.theme.bar()));
    }
    let proof = app.update.proof.as_deref().filter(|_| !app.conceals())?;
    let words = match &proof.verdict {
        Verdict::Free { .. } => "proven deadlock-free",
        Verdict::SharedBuffers => "not proven deadlock-free",
        Verdict::Cyclic { .. } if !proof.can_deadlock() => "not proven deadlock-free",
        Verdict::Cyclic { .. } => "can deadlock",
        Verdict::Stranded { .. } => "can strand messages",
        Verdict::TooLarge { .. } => return None,
    };
    Some((7, words.to_owned(), app.theme.bar()))
}

fn seeking(app: &App) -> String {
    match &app.update.seeking {
        Some(Seeking { to: Some(_), share }) => format!("SEEK {:.0} %", share * 100.0),
        _ => "SEEK event".to_owned(),
    }
}

fn deadlock(app: &App) -> String {
    let Some(deadlock) = app.deadlock() else {
        return format!(" {} ", app.glyphs.run[2]);
    };
    format!(
        " {} since {}: {} never move again ",
        app.glyphs.run[2],
        app.times().now(deadlock.closed().0),
        plural(deadlock.worms().count() as u64, app.carrier())
    )
}
