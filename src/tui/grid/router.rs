//! Draws one router at the highest zoom level.
//!
//! A table of the virtual channels into the router lists the owner of the flits in each buffer, the
//! next channel, and the waiting time of blocked heads.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::engine::{HeadState, WormView};
use crate::ids::{ChannelId, RouterId};
use crate::tui::names::{capital, into_router, vc_name, vc_use_name};
use crate::tui::panes::table::{self, Column};
use crate::tui::panes::{inspector, list};
use crate::tui::pen::plural;
use crate::tui::pen::{Pen, grouped};
use crate::tui::scene::Scene;

/// Headings and widths of the columns; the last column takes the remaining width.
const COLUMNS: [(&str, i32); 7] = [
    ("port", 6),
    ("VC", 3),
    ("class", 9),
    ("flits", 6),
    ("owner", 10),
    ("since", 8),
    ("wants", 12),
];
/// The order in which columns are dropped for lack of room.
const LEFT_OUT: [usize; 6] = [2, 5, 3, 4, 0, 1];

/// A row of the table: texts by column, and style.
struct Row {
    texts: [String; 7],
    style: Style,
    held: bool,
}

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let Some(router) = app.cursor_router() else { return };
    if !app.has_buffers() {
        // The inspector's lines fill the pane.
        let width = pen.width().saturating_sub(1);
        let mut pen = pen.within(Rect::new(1, 0, width, pen.height()));
        let items = inspector::items(app, router, usize::from(width).saturating_sub(1));
        return list::all(app, &mut pen, &items);
    }
    let waiting = app.heat.queued(router.index());
    let queue = format!("source queue: {}", plural(waiting, "message"));
    let style = if waiting > 0 { app.theme.strong() } else { app.theme.dim() };
    let end = pen.text(1, 0, &queue, style);
    if let Some(failed) = inspector::failed(app, router) {
        pen.cut(end + 2, 0, &failed, app.glyphs.ellipsis, app.theme.alarm_line());
    }
    let ports = into_router(app, router).map(|channel| app.network().heading(channel, router));
    let ports = ports.map(|port| port.chars().count() as i32 + 1).max().unwrap_or(0).min(20);
    let (chosen, places) = columns(i32::from(pen.width()) - 1, ports);
    let headings = chosen.iter().map(|&at| (COLUMNS[at].0, app.theme.title()));
    table::cells(app, pen, (1, 1), &places, headings);
    let room = usize::from(pen.height()).saturating_sub(2);
    let mut rows = rows(app, router);
    let all = rows.len();
    if all > room {
        rows.retain(|row| row.held);
    }
    let free = all - rows.len();
    // The last line counts the hidden rows.
    let shown = if free > 0 || rows.len() > room { room.saturating_sub(1) } else { room };
    let from = usize::from(app.layout.panes.scroll).min(rows.len().saturating_sub(shown));
    for (nth, row) in rows.iter().skip(from).take(shown).enumerate() {
        let texts = chosen.iter().map(|&at| (&row.texts[at], row.style));
        table::cells(app, pen, (1, nth as i32 + 2), &places, texts);
    }
    if shown < room {
        let below = rows.len().saturating_sub(from + shown);
        let more = format!("{} {below} more (J K)", app.glyphs.more[1]);
        let left_out = format!("{free} free VCs not shown");
        let text = match (below, free) {
            (0, _) => left_out,
            (_, 0) => more,
            _ => format!("{more}, {left_out}"),
        };
        pen.cut(1, room as i32 + 1, &text, app.glyphs.ellipsis, app.theme.dim());
    }
}

/// The columns that fit into a width, and their positions; the first is at least as wide as the names of
/// ports.
fn columns(width: i32, ports: i32) -> (Vec<usize>, Vec<Column>) {
    let wide = |at: usize| if at == 0 { ports.max(COLUMNS[0].1) } else { COLUMNS[at].1 };
    let mut chosen: Vec<usize> = (0..COLUMNS.len()).collect();
    let total = |chosen: &[usize]| chosen.iter().map(|&at| wide(at)).sum::<i32>();
    for column in LEFT_OUT {
        if total(&chosen) > width {
            chosen.retain(|&at| at != column);
        }
    }
    let spare = (width - total(&chosen)).max(0);
    let mut places: Vec<Column> = chosen.iter().map(|&at| Column::text(wide(at))).collect();
    if let Some(last) = places.last_mut() {
        *last = Column::text(last.width + spare);
    }
    (chosen, places)
}

fn rows(app: &Scene<'_>, router: RouterId) -> Vec<Row> {
    let snapshot = app.snapshot();
    let mut rows = Vec::new();
    for channel in into_router(app, router) {
        for (vc, view) in (0..).zip(snapshot.vcs_of(channel)) {
            let worm = snapshot.owner(view);
            if !app.selects(vc) || worm.is_some_and(|(_, worm)| !app.shows(worm)) {
                continue;
            }
            let style = match worm {
                None => app.theme.dim(),
                Some((at, _)) if app.is_doomed(at) => app.theme.alarm(),
                Some((_, worm)) => app.theme.hue(worm.letter.index()),
            };
            let (wants, since) =
                worm.map_or_else(Default::default, |(_, worm)| next(app, worm, channel, vc));
            rows.push(Row {
                texts: [
                    app.network().heading(channel, router),
                    vc.to_string(),
                    vc_use_name(app.system().relation.vc_use(vc)),
                    format!("{}/{}", view.flits, snapshot.buffer_flits),
                    worm.map_or(String::new(), |(_, worm)| capital(worm.letter)),
                    since,
                    wants,
                ],
                style,
                held: worm.is_some(),
            });
        }
    }
    rows
}

/// The next VC of the flits in a VC, or the VCs that the head waits for; and the waiting time of a
/// blocked head.
fn next(app: &Scene<'_>, worm: &WormView, channel: ChannelId, vc: u32) -> (String, String) {
    let snapshot = app.snapshot();
    let here = |&at: &_| snapshot.split(at) == (channel, vc);
    let path = snapshot.path_of(worm);
    if let Some(&next) = path.iter().skip_while(|at| !here(at)).nth(1) {
        return (format!("goes on to {}", vc_name(app, next)), String::new());
    }
    match worm.head {
        HeadState::Blocked(since) => {
            let waited = grouped(snapshot.cycle.0.saturating_sub(since.0));
            let waits = snapshot.waits.iter().filter(|wait| wait.worm == worm.id);
            let wants: Vec<String> = waits.map(|wait| vc_name(app, wait.wants)).collect();
            let wants = if wants.is_empty() { "a free VC".to_owned() } else { wants.join(", ") };
            (wants, waited)
        }
        HeadState::Arriving => {
            (format!("drains, {} of {}", worm.consumed, worm.length), String::new())
        }
        HeadState::AtSource | HeadState::Moving => ("goes on".to_owned(), String::new()),
    }
}
