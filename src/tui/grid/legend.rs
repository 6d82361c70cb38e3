//! The legend of the present view, in the lower border of the network's pane.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::difference::STEPS;
use super::frame::BOXES;
use super::told::Told;
use super::{boxes, heat, marks, stubs, waits};
use crate::live::LinkUse;
use crate::tui::app::Shown;
use crate::tui::names::vc_use_name;
use crate::tui::pen::Pen;
use crate::tui::states;
use crate::tui::theme::LEVELS;
use crate::tui::view::{Pane, View};

/// Writes the legend of the present view into the lower border, item by item while they fit.
pub(in crate::tui) fn legend<'a>(app: impl Into<Shown<'a>>, buffer: &mut Buffer, rect: Rect) {
    let app = &app.into();
    if rect.height < 2 || rect.width < 20 {
        return;
    }
    let row = Rect { x: rect.x + 2, y: rect.bottom() - 1, width: rect.width - 4, height: 1 };
    let mut pen = Pen::new(buffer, row);
    let mut x = 0;
    for item in items(app) {
        if x + item.width() as i32 + 2 > i32::from(row.width) {
            break;
        }
        let end = pen.line(x + 1, 0, &item, app.glyphs.ellipsis);
        pen.each([(x, 0), (end, 0)], ' ', Style::new());
        x = end + 1;
    }
}

/// A sign in its style, and what it means.
fn item(app: &Shown<'_>, sign: impl Into<String>, style: Style, meaning: &str) -> Line<'static> {
    let meaning = Span::styled(meaning.to_owned(), app.theme.dim());
    Line::from_iter([Span::styled(sign.into(), style), meaning])
}

fn items(app: &Shown<'_>) -> Vec<Line<'static>> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let frame = app.shown_frame().filter(|_| !app.plane.is_graph());
    let zoom = frame.map(|frame| frame.zoom);
    let doomed = app.snapshot().deadlock.is_some();
    if app.shows_one_router() {
        let item = Line::styled("in the deadlock", theme.alarm());
        return doomed.then_some(item).into_iter().collect();
    }
    let matrix = is_matrix(app);
    let pixels = matrix || zoom == Some(0);
    let plain = |text: String| Line::styled(text, theme.dim());
    let slices = (app.plane.slices > 1).then(|| item(app, "{ }", theme.text(), " slice"));
    let of_view: Vec<Line<'_>> = match app.view {
        View::Difference => differences(app),
        View::Worms if app.has_circuits() => {
            let occurring = states::ALL.into_iter().filter(|&state| states::occurs(app, state));
            let named = |state| {
                let (sign, meaning) = (states::sign(app.screen, state), states::name(state));
                item(app, sign, states::style(app.screen, state), &format!(" {meaning}"))
            };
            occurring.map(named).collect()
        }
        View::Worms if !pixels => vec![
            item(app, format!("{}A", glyphs.arrow[0]), theme.hue(0), " moves"),
            item(app, format!("{}A", glyphs.blocked), theme.hue(0), " blocked"),
            item(app, "a", theme.hue(0), " tail"),
            plain(format!("{} queue waits", glyphs.node[2])),
        ],
        View::Waits if !pixels => {
            let edge = format!("{}{}{}", glyphs.blocked, glyphs.tail[0], glyphs.arrow[0]);
            let cycle = waits::predicted(app).map(|cycle| {
                let line = format!("{}{}", glyphs.body[0], glyphs.arrow[0]);
                let text = format!(" predicted cycle of {} virtual channels", cycle.len());
                item(app, line, theme.alarm(), &text)
            });
            let dead = item(app, &edge, theme.alarm(), " in the deadlock (reversed)");
            let wants = item(app, edge, theme.warning(), " wants this link");
            cycle.into_iter().chain(doomed.then_some(dead)).chain([wants]).collect()
        }
        View::Classes if !pixels => {
            let relation = &app.system().relation;
            let class = |vc| {
                let line = heat::class_line(relation.vc_use(vc));
                let glyph = glyphs.class_across[line];
                let sign = format!("{glyph}{glyph} ");
                item(app, sign, theme.hue(line), vc_use_name(relation.vc_use(vc)))
            };
            let mut items: Vec<Line<'_>> = Vec::new();
            for item in (0..relation.virtual_channels()).map(class) {
                if !items.contains(&item) {
                    items.push(item);
                }
            }
            items
        }
        View::Occupancy | View::Worms | View::Classes | View::Utilisation | View::Waits => {
            let share = match app.view {
                View::Utilisation => app.words().utilisation,
                View::Classes => "share of VCs held",
                View::Occupancy => app.words().occupancy,
                View::Worms | View::Waits | View::Difference => "share of buffers full",
            };
            let lanes = app.plane.is_graph() && !matrix;
            let lanes = lanes.then(|| plain("traffic keeps to the right".to_owned()));
            [scale(app, pixels), plain(share.to_owned())].into_iter().chain(lanes).collect()
        }
    };
    let mut items: Vec<Line<'_>> = slices.into_iter().chain(of_view).collect();
    if let Some(block) = frame.map(|frame| frame.block()).filter(|&block| block > 1) {
        let signs = app.view == View::Worms && app.has_circuits();
        let name = if signs { "the foremost sign" } else { app.aggregate.name() };
        items.push(plain(format!("a pixel is {block}{}{block} nodes, {name}", glyphs.times)));
    }
    if zoom == Some(BOXES) {
        items.extend(buffers(app));
    }
    if frame.is_some_and(|frame| frame.has_seam() && frame.whole()) {
        items.push(item(app, glyphs.seam, theme.warning(), " seam of the ring"));
    }
    if zoom.is_some_and(|zoom| (2..=BOXES).contains(&zoom)) && stubs::exist(app) {
        let [above, below] = glyphs.slices;
        items.push(plain(if app.network().is_hypercube() {
            "below: other dimensions".to_owned()
        } else {
            format!("{above} {below} slice above, below")
        }));
    }
    if app.plane.is_graph() && !matrix {
        items.push(item(app, glyphs.host[0], theme.dim(), " host"));
    }
    if !matrix && marks::hot(app).next().is_some() {
        items.push(item(app, glyphs.hot, theme.warning(), " hot spot"));
    }
    items
}

/// Whether a graph of switches is too large to be drawn otherwise than as a matrix of pixels.
fn is_matrix(app: &Shown<'_>) -> bool {
    let inner = app.screen.arrangement().inside(Pane::Grid).filter(|_| app.plane.is_graph());
    inner.is_some_and(|inner| app.map((inner.width, inner.height)).is_none())
}

/// The scale of heat in the characters that the picture is drawn in.
fn scale(app: &Shown<'_>, pixels: bool) -> Line<'static> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let full = theme.has_ramp() && !glyphs.ascii;
    let mut scale = Line::from(Span::styled("0 ", theme.dim()));
    for level in (1..LEVELS).step_by(2) {
        let (told, heat) = (Told::Level(level), Style::new().fg(theme.heat(level)));
        let (glyph, style) = match pixels {
            true if full => (glyphs.shade[4], heat),
            true => (glyphs.shade_of(level), heat),
            false => (told.glyph(glyphs, true), told.style(app)),
        };
        scale.push_span(Span::styled(glyph.to_string(), style));
    }
    scale.push_span(Span::styled(format!(" {}", app.heat_top), theme.dim()));
    scale
}

/// The scale of differences with its numbers, what is compared, and with what.
fn differences(app: &Shown<'_>) -> Vec<Line<'static>> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let Some(end) = app.differences.end() else {
        return vec![Line::styled(silence(app), theme.warning())];
    };
    let mut scale = Line::from(Span::styled(format!("{}{end} ", glyphs.below[0]), theme.dim()));
    for told in (-STEPS..=STEPS).map(Told::Step) {
        scale.push_span(Span::styled(told.glyph(glyphs, true).to_string(), told.style(app)));
    }
    scale.push_span(Span::styled(format!(" +{end}"), theme.dim()));
    let (with, mismatch) = if app.contrasts() {
        (Some(format!("{}, B less A", app.words().flow)), None)
    } else {
        (against(app), app.theory().and_then(|theory| theory.mismatches.first()))
    };
    let with = with.map(|with| Line::styled(with, theme.dim()));
    let outside = |found| Line::styled(format!("outside the model: {found}"), theme.warning());
    let mismatch = mismatch.map(|it| outside(&it.found));
    let time = format!("over {}", app.times().with_unit(app.update.usage.cycles));
    let time = Some(Line::styled(time, theme.dim()));
    [Some(scale), with, mismatch, time].into_iter().flatten().collect()
}

/// What the bars in the boxes mean.
fn buffers(app: &Shown<'_>) -> Vec<Line<'static>> {
    let (per_bar, dim) = (boxes::per_bar(app.snapshot().virtual_channels), app.theme.dim());
    let buffers = if app.view == View::Worms && per_bar == 1 {
        Line::styled("in boxes: whose VC", dim)
    } else {
        let fill: String = app.glyphs.fill.iter().collect();
        item(app, fill, app.theme.text(), " buffer: free to full")
    };
    let buffers = (!app.has_circuits()).then_some(buffers);
    let shared = (per_bar > 1).then(|| Line::styled(format!("a bar is {per_bar} VCs"), dim));
    buffers.into_iter().chain(shared).collect()
}

/// With what the measured use is compared.
pub(in crate::tui) fn against(app: &Shown<'_>) -> Option<String> {
    Some(match app.theory()?.utilisation.as_deref()? {
        LinkUse::Channels(_) => format!("{}, link by link", app.words().flow),
        LinkUse::Mean(mean) => format!("one mean for all links: {mean:.3}"),
    })
}

/// Why nothing can be compared.
pub(in crate::tui) fn silence(app: &Shown<'_>) -> &'static str {
    match app.theory() {
        _ if app.contrasts() => "nothing was measured yet",
        None => "no model for this network",
        Some(theory) if theory.utilisation.is_none() => "no model predicts the use of these links",
        Some(_) => "nothing was measured yet",
    }
}
