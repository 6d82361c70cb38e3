//! The legend of the present view, in the lower border of the network's pane.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::comparison::{against, silence};
use super::difference::STEPS;
use super::frame::{BOXES, LINES};
use super::link_value::LinkValue;
use super::{boxes, emphasis, heat, labels, marks, stubs, waits};
use crate::engine::WormView;
use crate::live::Ring;
use crate::routing::VcUse;
use crate::tui::glyphs::Glyphs;
use crate::tui::layout::inside;
use crate::tui::names::{is_letter, vc_use_name};
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;
use crate::tui::states;
use crate::tui::theme::LEVELS;
use crate::tui::view::{Pane, ROUTED, View};

/// Writes the legend of the present view into the lower border and the free rows above; short
/// wording is used if the long one does not fit.
pub(in crate::tui) fn legend<'a>(app: impl Into<Scene<'a>>, buffer: &mut Buffer, rect: Rect) {
    let app = &app.into();
    if rect.height < 2 || rect.width < 20 {
        return;
    }
    let width = rect.width - 4;
    let inner = inside(rect);
    let free = |y: &u16| {
        let mut cells = (inner.x..inner.right()).map(|x| (x, *y));
        cells.all(|at| buffer.cell(at).is_none_or(|cell| cell.symbol() == " "))
    };
    let spare = (inner.y..inner.bottom()).rev().take_while(free).count();
    let nameless = has_nameless_head(app, buffer, inner);
    let long = items(app, false, nameless);
    let wide = long.iter().any(|item| item.width() + 2 > usize::from(width));
    let mut rows = in_rows(long, width);
    if wide || rows.len() > 1 + spare {
        rows = in_rows(items(app, true, nameless), width);
        rows.truncate(1 + spare);
    }
    for (up, row) in (0..).zip(rows) {
        let y = rect.bottom() - 1 - up;
        let mut pen = Pen::new(buffer, Rect { x: rect.x + 2, y, width, height: 1 });
        let mut x = 0;
        for item in row {
            let end = pen.line(x + 1, 0, &item, app.glyphs.ellipsis);
            pen.each([(x, 0), (end, 0)], ' ', Style::new());
            x = end + 1;
        }
    }
}

/// The long and the short items of the legend, without the optional items: deviations from the
/// model, and measured time.
#[cfg(test)]
pub(in crate::tui) fn words(app: &Scene<'_>) -> [Vec<String>; 2] {
    [false, true].map(|short| {
        let items = items(app, short, false).into_iter().map(|item| item.to_string());
        items
            .filter(|item| !item.starts_with("outside the model") && !item.starts_with("over "))
            .collect()
    })
}

/// Distributes items over rows, with a free column on both sides of each; items wider than a row
/// are dropped.
fn in_rows(items: Vec<Line<'static>>, width: u16) -> Vec<Vec<Line<'static>>> {
    let mut rows: Vec<Vec<Line<'static>>> = vec![Vec::new()];
    let mut used = 0;
    for item in items {
        let wide = item.width() + 2;
        if wide > usize::from(width) {
            continue;
        }
        if used + wide > usize::from(width) {
            rows.push(Vec::new());
            used = 0;
        }
        used += wide;
        rows.last_mut().expect("there is one").push(item);
    }
    rows
}

fn say<'a>(short: bool, long: &'a str, brief: &'a str) -> &'a str {
    if short { brief } else { long }
}

/// A styled symbol and its meaning.
fn item(app: &Scene<'_>, sign: impl Into<String>, style: Style, meaning: &str) -> Line<'static> {
    let meaning = Span::styled(meaning.to_owned(), app.theme.dim());
    Line::from_iter([Span::styled(sign.into(), style), meaning])
}

/// The lines of the classes of virtual channels.
fn classes(app: &Scene<'_>) -> Vec<Line<'static>> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let relation = &app.system().relation;
    let vcs = 0..relation.virtual_channels();
    let classes = vcs.map(|vc| match relation.vc_use(vc) {
        VcUse::Class(class) => class,
        VcUse::Open | VcUse::Hop(_) | VcUse::Escape(_) | VcUse::Adaptive => 0,
    });
    let highest = classes.max().unwrap_or_default();
    let class = |vc| {
        let line = heat::class_line(relation.vc_use(vc));
        let glyph = glyphs.class_across[line];
        let sign = format!("{glyph}{glyph} ");
        // Higher classes have the same line.
        let vc_use = relation.vc_use(vc);
        let name = if highest > 1 && matches!(vc_use, VcUse::Class(1..)) {
            format!("class 1 to {highest}")
        } else {
            vc_use_name(vc_use)
        };
        item(app, sign, theme.hue(line), &name)
    };
    let mut items: Vec<Line<'_>> = Vec::new();
    for item in (0..relation.virtual_channels()).map(class) {
        if !items.contains(&item) {
            items.push(item);
        }
    }
    items
}

/// True if a head on the screen has no name.
fn has_nameless_head(app: &Scene<'_>, buffer: &Buffer, inner: Rect) -> bool {
    if app.map.view != View::Worms || app.shows_states() || app.shows_one_router() {
        return false;
    }
    if !app.plane.is_graph() {
        let frame = app.shown_frame().filter(|frame| frame.zoom > 0);
        return frame.is_some() && labels::leave_out(app);
    }
    let shown = |x: u16, y: u16| {
        let cell = buffer.cell((x, y)).filter(|_| inner.contains((x, y).into()));
        cell.and_then(|cell| cell.symbol().chars().next()).unwrap_or(' ')
    };
    // Some signs are letters in ASCII, as tails are.
    let is_sign = |glyph: char| glyph == app.glyphs.blocked || app.glyphs.arrow.contains(&glyph);
    let is_head = |glyph: char| is_sign(glyph) && !glyph.is_alphabetic();
    inner.positions().any(|at| {
        let (x, y) = (at.x, at.y);
        let beside = [(x + 1, y), (x, y + 1), (x.saturating_sub(1), y), (x, y.saturating_sub(1))];
        is_head(shown(x, y)) && !beside.into_iter().any(|(x, y)| is_letter(shown(x, y)))
    })
}

/// The items of the legend, abbreviated if `short`; `nameless` if a head has no name.
fn items(app: &Scene<'_>, short: bool, nameless: bool) -> Vec<Line<'static>> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let frame = app.shown_frame().filter(|_| !app.plane.is_graph());
    let zoom = frame.map(|frame| frame.zoom);
    let doomed = app.deadlock().is_some();
    if app.shows_one_router() {
        let item = Line::styled("in the deadlock", theme.alarm());
        return doomed.then_some(item).into_iter().collect();
    }
    let matrix = is_matrix(app);
    let pixels = matrix || zoom == Some(0);
    let plain = |text: String| Line::styled(text, theme.dim());
    let slices = (app.plane.slices > 1).then(|| item(app, "{ }", theme.text(), " slice"));
    let of_view: Vec<Line<'_>> = match app.map.view {
        View::Difference => differences(app, short),
        View::Worms if app.shows_states() => {
            let occurring =
                states::ALL.into_iter().filter(|&state| states::occurs(app.system(), state));
            let named = |state| {
                let (sign, meaning) = (states::sign(&app.glyphs, state), states::name(state));
                item(app, sign, states::style(app.theme, state), &format!(" {meaning}"))
            };
            occurring.map(named).collect()
        }
        View::Worms if !pixels => worms(app, zoom, short, nameless),
        View::Waits if !pixels => wishes(app, short),
        View::Classes if !pixels => classes(app),
        View::Occupancy
        | View::Worms
        | View::Classes
        | View::Utilisation
        | View::Waits
        | View::Routed => {
            let share = match app.map.view {
                View::Utilisation => app.words().utilisation,
                View::Routed => ROUTED,
                View::Classes => "share of VCs held",
                View::Occupancy => app.words().occupancy,
                View::Worms | View::Waits | View::Difference => app.words().held,
            };
            let lanes = app.plane.is_graph() && !matrix;
            let right = say(short, "traffic keeps to the right", "keeps right");
            let lanes = lanes.then(|| plain(right.to_owned()));
            let brief = if app.map.view == View::Classes { "VCs held" } else { "in use" };
            let share = say(short, share, brief);
            [scale(app, pixels, short), plain(share.to_owned())].into_iter().chain(lanes).collect()
        }
    };
    let mut items: Vec<Line<'_>> = slices.into_iter().chain(of_view).collect();
    if let Some(block) = frame.map(|frame| frame.block()).filter(|&block| block > 1) {
        let name = if app.shows_states() { "the foremost sign" } else { app.map.aggregate.name() };
        let (a, times) = (say(short, "a pixel is ", ""), glyphs.times);
        items.push(plain(format!("{a}{block}{times}{block} nodes, {name}")));
    }
    if zoom == Some(BOXES) {
        items.extend(buffers(app, short));
    }
    if frame.is_some_and(|frame| frame.has_seam() && frame.whole()) {
        let seam = say(short, " seam of the ring", " seam");
        items.push(item(app, glyphs.seam, theme.warning(), seam));
    }
    if zoom.is_some_and(|zoom| (LINES..=BOXES).contains(&zoom)) && stubs::exist(app) {
        let [above, below] = glyphs.slices;
        items.push(plain(if app.network().is_hypercube() {
            say(short, "letters beside a node: links not drawn here", "letters: links not drawn")
                .to_owned()
        } else {
            format!("{above} {below} {}above, below", say(short, "slice ", ""))
        }));
    }
    if app.plane.is_graph() && !matrix {
        items.push(item(app, glyphs.host[0], theme.dim(), " host"));
    }
    if let Some(planned) = app.planned.filter(|_| app.plane.is_graph() && !matrix) {
        let lines = [
            (0, " missing", !planned.missing().is_empty()),
            (1, " unplanned", planned.has_excess()),
        ];
        for (lane, meaning, _) in lines.into_iter().filter(|line| line.2) {
            items.push(item(app, glyphs.lane[lane], theme.warning(), meaning));
        }
    }
    if !matrix && marks::hot(app).next().is_some() {
        items.push(item(app, glyphs.hot, theme.warning(), say(short, " hot spot", " hot")));
    }
    items
}

fn worms(app: &Scene<'_>, zoom: Option<u8>, short: bool, nameless: bool) -> Vec<Line<'static>> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let (moves, stands) = match zoom {
        Some(1) => ("A".to_owned(), "A".to_owned()),
        _ => (format!("{}A", glyphs.arrow[0]), format!("{}A", glyphs.blocked)),
    };
    let (hue, reversed) = (theme.hue(0), theme.hue(0).add_modifier(Modifier::REVERSED));
    let signs = format!("{}{}", glyphs.arrow[0], glyphs.blocked);
    let alone = nameless.then(|| item(app, signs, hue, say(short, " name hidden", " unnamed")));
    let others = emphasis::of(app).map(|drawn| {
        let is_other = |worm: &&WormView| app.shows(worm) && !drawn.contains(&worm.id);
        let others = app.snapshot().worms.iter().filter(is_other).count();
        Line::styled(format!("{others} others{}", say(short, " as heat", "")), theme.dim())
    });
    let in_boxes = zoom == Some(BOXES);
    let tail = (!in_boxes).then(|| item(app, "a", hue, " tail"));
    let queue = format!("{}{}", glyphs.node[2], say(short, " queue waits", " queue"));
    let dead = say(short, " in the deadlock", " deadlock");
    let dead = app.deadlock().map(|_| item(app, &stands, theme.alarm(), dead));
    let heads = [item(app, moves, hue, " moves"), item(app, stands, reversed, " blocked")];
    heads
        .into_iter()
        .chain(dead)
        .chain(tail)
        .chain([Line::styled(queue, theme.dim())])
        .chain(alone)
        .chain(others)
        .collect()
}

fn wishes(app: &Scene<'_>, short: bool) -> Vec<Line<'static>> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let edge = format!("{}{}{}", glyphs.blocked, glyphs.tail[0], glyphs.arrow[0]);
    let cycle = waits::example(app).map(|cycle| {
        let line = format!("{}{}", glyphs.body[0], glyphs.arrow[0]);
        let long = format!(" a ring of {} virtual channels that could close", cycle.len());
        item(app, line, theme.alarm(), say(short, &long, " could close"))
    });
    let ring = waits::ring(app).map(|ring| {
        let left = closes_in(app, ring);
        let closing = item(app, &edge, theme.alarm(), &format!(" {left}"));
        let missing = ring.waits.iter().filter(|wait| !wait.begun).count();
        let all = ring.waits.len();
        let long = format!(" missing to it: {missing} of {all} waits");
        let line = format!("{}{}", glyphs.gap[0], glyphs.arrow[0]);
        let missing = item(app, line, theme.warning(), say(short, &long, " missing"));
        [closing, missing]
    });
    let cycle = cycle.into_iter().chain(ring.into_iter().flatten());
    let dead = say(short, " in the deadlock (reversed)", " in deadlock");
    let dead = item(app, &edge, theme.alarm(), dead);
    let wants = item(app, edge, theme.warning(), say(short, " wants this link", " wants it"));
    let room = waits::any_for_room(app).then(|| {
        let text = say(short, " waits for room for a reply", " for room");
        item(app, glyphs.blocked.to_string(), theme.warning(), text)
    });
    cycle.chain(app.deadlock().is_some().then_some(dead)).chain([wants]).chain(room).collect()
}

/// Formats the time until a ring closes: `closes in 1 cycle`.
pub(in crate::tui) fn closes_in(app: &Scene<'_>, ring: &Ring) -> String {
    let left = ring.closes.0.saturating_sub(app.snapshot().cycle.0);
    format!("closes in {}", app.times().with_unit(left))
}

/// True if the network is a graph of switches drawn as a matrix.
fn is_matrix(app: &Scene<'_>) -> bool {
    let inner = app.arrangement().inside(Pane::Grid).filter(|_| app.plane.is_graph());
    inner.is_some_and(|inner| app.map((inner.width, inner.height)).is_none())
}

/// The scale of heat, in the characters of the picture.
fn scale(app: &Scene<'_>, pixels: bool, short: bool) -> Line<'static> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let full = theme.has_ramp() && !glyphs.ascii;
    let mut scale = Line::from(Span::styled("0 ", theme.dim()));
    for level in (1..LEVELS).step_by(if short { 4 } else { 2 }) {
        let (value, heat) = (LinkValue::Level(level), Style::new().fg(theme.heat(level)));
        let (glyph, style) = match pixels {
            true if full => (glyphs.shade[4], heat),
            true => (glyphs.shade_of(level), heat),
            false if app.plane.is_graph() => {
                (glyphs.lane[Glyphs::weight(level).saturating_sub(1)], value.style(app))
            }
            false => value.mark(app, true),
        };
        scale.push_span(Span::styled(glyph.to_string(), style));
    }
    scale.push_span(Span::styled(format!(" {}", app.map.heat_top), theme.dim()));
    scale
}

/// Items for differences: the scale, the compared quantity and its reference, the measured time,
/// and a violated assumption.
fn differences(app: &Scene<'_>, short: bool) -> Vec<Line<'static>> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let Some(end) = app.differences.end() else {
        let why = say(short, silence(app), "nothing to compare");
        return vec![Line::styled(why, theme.warning())];
    };
    let mut scale = Line::from(Span::styled(format!("{}{end} ", glyphs.below[0]), theme.dim()));
    let all: Vec<i8> = (-STEPS..=STEPS).collect();
    for value in
        if short { vec![-STEPS, -1, 0, 1, STEPS] } else { all }.into_iter().map(LinkValue::Step)
    {
        scale.push_span(Span::styled(value.glyph(glyphs, true).to_string(), value.style(app)));
    }
    scale.push_span(Span::styled(format!(" +{end}"), theme.dim()));
    let (with, mismatch) = if app.contrasts {
        (Some(format!("{}, B - A", app.words().flow)), None)
    } else {
        (against(app), app.theory().and_then(|theory| theory.mismatches.first()))
    };
    let with = with.filter(|_| !short).map(|with| Line::styled(with, theme.dim()));
    let mismatch = mismatch.map(|it| {
        let found = if short { String::new() } else { format!(": {}", it.found) };
        Line::styled(format!("outside the model{found}"), theme.warning())
    });
    let time = format!("over {}", app.times().with_unit(app.update.usage.cycles));
    let time = Some(Line::styled(time, theme.dim()));
    [Some(scale), with, time, mismatch].into_iter().flatten().collect()
}

fn buffers(app: &Scene<'_>, short: bool) -> Vec<Line<'static>> {
    let (per_bar, dim) = (boxes::per_bar(app.snapshot().virtual_channels), app.theme.dim());
    let buffers = if app.map.view == View::Worms && per_bar == 1 {
        Line::styled("in boxes: whose VC", dim)
    } else {
        let fill: String = app.glyphs.fill.iter().collect();
        item(app, fill, app.theme.text(), say(short, " buffer: free to full", " buffer"))
    };
    let buffers = app.has_buffers().then_some(buffers);
    let shared = (per_bar > 1).then(|| Line::styled(format!("a bar is {per_bar} VCs"), dim));
    buffers.into_iter().chain(shared).collect()
}
