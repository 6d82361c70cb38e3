//! Draws a graph of switches.
//!
//! Links are straight lines of dots, with a lane per direction, and worms along the lanes.
//!
//! Links around the edge of a lattice are stubs with the names of their far ends. Traffic keeps to the right. A lane is denser the more its link is used; an idle link is a faint
//! thread. Graphs with too many switches for the pane are drawn as a matrix instead (`matrix`). The
//! visible part of a zoomed graph is computed by `map`.

mod canvas;
mod course;
mod hosts;
pub mod map;
mod matrix;
mod titles;

use std::collections::BTreeSet;

use ratatui::style::Modifier;

use self::canvas::{Canvas, Line, Trace};
use self::course::{Course, captions};
use self::hosts::Hosts;
use self::map::Map;
use self::titles::Titles;
use super::difference::sign;
use super::link_value::LinkValue;
use super::waits::{MarkReason, wants};
use super::worms::{inks, path};
use super::{marks, put, router};
use crate::engine::WormView;
use crate::ids::{ChannelId, RouterId};
use crate::tui::glyphs::Glyphs;
use crate::tui::pen::{Pen, brief};
use crate::tui::scene::Scene;
use crate::tui::view::View;

/// Cells with the symbols and labels of switches.
type Labels = BTreeSet<(i32, i32)>;

/// Ranks of lines drawn over each other; lower ranks are levels of heat.
const OVER_HEAT: u8 = 32;
const NAMED: u8 = 48;
const ALARM: u8 = 80;

/// Draws the graph into the inside of its pane.
pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    if app.shows_one_router() {
        return router::draw(app, pen);
    }
    match app.map((pen.width(), pen.height())) {
        Some(map) => part(app, &map, pen),
        None => matrix::draw(app, pen),
    }
}

/// Draws the visible part of the graph.
pub(in crate::tui) fn part(app: &Scene<'_>, map: &Map, pen: &mut Pen<'_>) {
    let network = app.network();
    let mut canvas = Canvas::new(pen.width(), pen.height(), !app.glyphs.braille);
    threads(app, map, &mut canvas);
    let hosts = Hosts::new(app, map, &canvas);
    let titles = Titles::new(network, map, &hosts, &canvas);
    links(app, map, &mut canvas);
    planned(app, map, &mut canvas);
    match app.map.view {
        View::Worms => bodies(app, map, &mut canvas),
        View::Waits => waits(app, map, &mut canvas),
        View::Occupancy | View::Classes | View::Utilisation | View::Difference | View::Routed => {}
    }
    canvas.paint(pen);
    hosts.draw(app, pen);
    for ((x, y), name) in captions(network, map) {
        pen.text(x, y, &name, app.theme.dim());
    }
    let others = (0..network.routers()).map(RouterId::new);
    let others = others.filter(|&router| app.cursor_router() != Some(router));
    let mut labels = Labels::new();
    for router in others.chain(app.cursor_router()) {
        let (x, y) = map.at(router);
        let end = switch(app, map, &hosts, pen, router);
        labels.extend((x..end).map(|x| (x, y)));
    }
    match app.map.view {
        View::Worms => ends(app, map, &labels, pen),
        View::Waits => arrows(app, map, pen),
        View::Difference => signs(app, map, pen),
        View::Occupancy | View::Classes | View::Utilisation | View::Routed => {}
    }
    titles.draw(app, pen);
    let start = |link| Some(Course::of(network, map, link)?.start().point(2, 5));
    put(pen, marks::ranked(app, start));
    put(pen, marks::failed(app, start).collect::<Vec<_>>());
}

/// Draws all links as threads; the two channels of a link share the thread between their lanes.
fn threads(app: &Scene<'_>, map: &Map, canvas: &mut Canvas) {
    let network = app.network();
    for channel in (0..network.links()).map(ChannelId::new) {
        let Some(course) = Course::of(network, map, channel) else { continue };
        let ends = network.channel(channel);
        let leads_back = network.neighbours(ends.to).any(|back| back == ends.from);
        if ends.from < ends.to || !leads_back {
            for line in course.lines() {
                canvas.draw(&line, Trace::Thread, 0, app.theme.frame());
            }
        }
    }
}

/// Draws the lanes of links by heat, difference or VC class, depending on the view.
fn links(app: &Scene<'_>, map: &Map, canvas: &mut Canvas) {
    let network = app.network();
    for channel in (0..network.links()).map(ChannelId::new) {
        let Some(course) = Course::of(network, map, channel) else { continue };
        let Some(value) = LinkValue::of(app, [channel].into_iter()) else { continue };
        let level = app.heat.channel(channel.index());
        let (rank, trace) = match value {
            LinkValue::Step(0) => continue,
            LinkValue::Step(step @ -2..=2) => (step.unsigned_abs(), Trace::Dotted),
            LinkValue::Step(step) => (step.unsigned_abs(), Trace::Solid),
            LinkValue::Level(_) | LinkValue::Class(_) => {
                let traces = [Trace::Dotted, Trace::Dotted, Trace::Solid, Trace::Broad];
                (level, traces[Glyphs::weight(level)])
            }
        };
        // Heat is dimmed behind worms.
        let style = if app.map.view == View::Worms { app.theme.dim() } else { value.style(app) };
        for line in course.lines() {
            canvas.draw(&line, trace, rank, style);
        }
    }
}

/// Draws missing cables as dots, and links beyond those of the plan.
fn planned(app: &Scene<'_>, map: &Map, canvas: &mut Canvas) {
    let Some(planned) = app.planned else { return };
    let (network, style) = (app.network(), app.theme.warning());
    for &[from, to] in planned.missing() {
        let line = Line::new(map.at(from), map.at(to));
        canvas.draw(&line, Trace::Dotted, OVER_HEAT, style);
    }
    for channel in (0..network.links()).map(ChannelId::new) {
        let ends = network.channel(channel);
        if planned.is_excess(ends.from, ends.to) {
            let lines = Course::of(network, map, channel).into_iter().flat_map(|it| it.lines());
            lines.for_each(|line| canvas.draw(&line, Trace::Solid, OVER_HEAT, style));
        }
    }
}

/// The courses of a worm's links, from tail to head.
fn courses(app: &Scene<'_>, map: &Map, worm: &WormView) -> impl DoubleEndedIterator<Item = Course> {
    path(app, worm).filter_map(|channel| Course::of(app.network(), map, channel?))
}

fn bodies(app: &Scene<'_>, map: &Map, canvas: &mut Canvas) {
    for ink in inks(app) {
        let rank = ALARM - ink.worm.letter.0.min(u32::from(ALARM - NAMED)) as u8;
        for (nth, course) in courses(app, map, ink.worm).enumerate() {
            let leaving = ink.has_left && nth == 0;
            let trace = if leaving { Trace::Dotted } else { Trace::Broad };
            for line in course.lines() {
                canvas.draw(&line, trace, rank, ink.line);
            }
        }
    }
}

/// Draws heads as arrows or stop signs with their letters, and tails as small letters.
fn ends(app: &Scene<'_>, map: &Map, labels: &Labels, pen: &mut Pen<'_>) {
    let free = |pen: &mut Pen<'_>, at: (i32, i32)| !labels.contains(&at) && !is_name(app, pen, at);
    for ink in inks(app) {
        let lines = || courses(app, map, ink.worm).flat_map(|course| course.lines());
        if let Some(tail) = lines().next().filter(|_| ink.worm.path_len > 1) {
            // A tail without room is still the end of a line.
            if let Some((x, y)) = clear_of_names(&free, pen, &tail, &ink.name, &[2, 3, 1, 4]) {
                pen.text(x, y, &ink.name.to_ascii_lowercase(), ink.ends);
            }
        }
        let Some(line) = lines().next_back() else { continue };
        let sign = ink.sign.unwrap_or(arrow(app, &line));
        let points = [6, 5, 4, 3, 2];
        let Some((x, y)) = clear_of_names(&free, pen, &line, &ink.name, &points) else {
            // Without room for its name, a head is only a symbol, on a free cell if there is one.
            let mut cells = points.into_iter().map(|eighths| line.point(eighths, 8));
            let (x, y) = cells.find(|&cell| free(pen, cell)).unwrap_or(line.point(6, 8));
            pen.put(x, y, sign, ink.head);
            continue;
        };
        let end = pen.text(x, y, &ink.name, ink.head);
        let (sign_x, sign_y) = line.beyond((x, y));
        pen.put(if sign_x > x && sign_y == y { end } else { sign_x }, sign_y, sign, ink.head);
    }
}

/// True if a cell shows a name or the symbol of a switch.
fn is_name(app: &Scene<'_>, pen: &mut Pen<'_>, (x, y): (i32, i32)) -> bool {
    pen.has_word(x, y) || app.glyphs.node.iter().any(|&node| pen.shows(x, y, node))
}

/// The first of some points of a lane, in eighths, at which a name and a symbol cover no other name.
fn clear_of_names(
    free: &impl Fn(&mut Pen<'_>, (i32, i32)) -> bool,
    pen: &mut Pen<'_>,
    line: &Line,
    name: &str,
    at: &[i32],
) -> Option<(i32, i32)> {
    let width = name.chars().count() as i32;
    let mut points = at.iter().map(|&eighths| line.point(eighths, 8));
    points.find(|&(x, y)| {
        (x..=x + width).all(|x| free(pen, (x, y))) && free(pen, line.beyond((x, y)))
    })
}

/// The arrow nearest to the direction of a line.
fn arrow(app: &Scene<'_>, line: &Line) -> char {
    app.glyphs.arrow[line.side() as usize]
}

/// The courses of the links marked in the view of waits, with the reasons.
fn wanted(app: &Scene<'_>, map: &Map) -> impl Iterator<Item = (Course, MarkReason)> {
    let course = |(channel, why)| Some((Course::of(app.network(), map, channel)?, why));
    wants(app).into_iter().filter_map(course)
}

fn waits(app: &Scene<'_>, map: &Map, canvas: &mut Canvas) {
    for (course, why) in wanted(app, map) {
        let rank = match why {
            MarkReason::Example => OVER_HEAT,
            MarkReason::Wanted | MarkReason::Gap => NAMED,
            MarkReason::Ring | MarkReason::Dead => ALARM,
        };
        let style = why.style(app).remove_modifier(Modifier::REVERSED);
        for line in course.lines() {
            canvas.draw(&line, Trace::Broad, rank, style);
        }
    }
}

fn arrows(app: &Scene<'_>, map: &Map, pen: &mut Pen<'_>) {
    for (course, why) in wanted(app, map) {
        let line = course.start();
        let (x, y) = line.point(3, 4);
        pen.put(x, y, arrow(app, &line), why.style(app));
        if why == MarkReason::Gap {
            let (x, y) = line.point(1, 2);
            pen.put(x, y, why.line(app)[0], why.style(app));
        }
        if why.waits() {
            let (x, y) = line.point(1, 5);
            pen.put(x, y, app.glyphs.blocked, why.style(app));
        }
    }
}

/// Draws the sign of each link's difference in the middle of the lane.
fn signs(app: &Scene<'_>, map: &Map, pen: &mut Pen<'_>) {
    for channel in (0..app.network().links()).map(ChannelId::new) {
        let step = app.differences.channel(channel);
        let course = Course::of(app.network(), map, channel);
        if let Some((course, sign)) = course.zip(sign(&app.glyphs, step)) {
            let (x, y) = course.start().point(1, 2);
            pen.put(x, y, sign, app.theme.difference(step));
        }
    }
}

/// Draws a switch: symbol, name or number, the count of hosts if they are not drawn and not everywhere
/// the same, and the count of queued messages. Returns the column after them.
fn switch(app: &Scene<'_>, map: &Map, hosts: &Hosts, pen: &mut Pen<'_>, router: RouterId) -> i32 {
    let (x, y) = map.at(router);
    let level = app.heat.router(router.index());
    let waiting = app.heat.queued(router.index());
    let state = if waiting > 0 { 2 } else { usize::from(level > 0) };
    let style = if waiting > 0 { app.theme.strong() } else { app.theme.text() };
    if marks::is_failed(app, router) {
        pen.put(x, y, app.glyphs.failed, app.theme.alarm_line());
    } else {
        pen.put(x, y, app.glyphs.node[state], style);
    }
    let is_cursor = app.cursor_router() == Some(router);
    let label = if is_cursor {
        map.label_above(app.network(), router)
    } else {
        map.label(app.network(), router)
    };
    let mut end = pen.text(x + 1, y, &label, app.theme.text());
    if marks::hot(app).any(|hot| hot == router) {
        pen.put(end, y, app.glyphs.hot, app.theme.warning());
        end += 1;
    }
    if pen.width() >= 60 && hosts.are_counted(app, router) {
        let count = format!("{}{}", app.glyphs.times, app.network().terminals_at(router));
        end = pen.text(end, y, &count, app.theme.dim());
    }
    if waiting > 0 && pen.width() >= 60 {
        end = pen.text(end, y, &format!("+{}", brief(waiting as f64)), app.theme.dim());
    }
    if is_cursor {
        pen.restyle(x, y, app.theme.cursor());
        pen.put(x - 1, y, '[', app.theme.cursor());
        pen.put(end, y, ']', app.theme.cursor());
    }
    end
}
