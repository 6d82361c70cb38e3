//! The network: which of its drawers to call, the cursor, and the legend.

mod circuits;
pub mod difference;
pub mod frame;
pub mod graph;
pub mod heat;
mod lattice;
mod pixels;
pub mod plane;
mod waits;
mod worms;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::app::App;
use super::pen::Pen;
use super::theme::LEVELS;
use super::view::View;
use crate::routing::VcUse;

/// Draws the network into the inside of its pane.
pub fn draw(app: &App, buffer: &mut Buffer, inner: Rect) {
    if app.plane.is_graph() {
        return graph::draw(app, buffer, inner);
    }
    let frame = app.frame((inner.width, inner.height));
    let mut pen = Pen::new(buffer, inner);
    if frame.zoom == 0 {
        if app.view == View::Difference {
            difference::pixels(app, &frame, &mut pen);
        } else if app.view == View::Worms && app.has_circuits() {
            circuits::pixels(app, &frame, &mut pen);
        } else {
            pixels::draw(app, &frame, &mut pen);
        }
    } else {
        lattice::draw(app, &frame, &mut pen);
        if app.view == View::Worms {
            worms::draw(app, &frame, &mut pen);
            if app.has_circuits() {
                circuits::draw(app, &frame, &mut pen);
            }
        } else if app.view == View::Occupancy && app.has_circuits() {
            circuits::numbers(app, &frame, &mut pen, (0, 0));
        } else if app.view == View::Waits {
            waits::draw(app, &frame, &mut pen);
        }
    }
    cursor(app, &frame, &mut pen);
}

fn cursor(app: &App, frame: &frame::Frame, pen: &mut Pen<'_>) {
    let Some((x, y)) = frame.at(app.cursor.0, app.cursor.1) else { return };
    let style = app.theme.cursor();
    if frame.zoom == 0 {
        let high = if app.half_rows() { frame.pitch_y.div_euclid(2).max(1) } else { frame.pitch_y };
        let y = if app.half_rows() { y.div_euclid(2) } else { y };
        for row in 0..high {
            pen.put(x - 1, y + row, '[', style);
            pen.put(x + frame.pitch_x, y + row, ']', style);
        }
        return;
    }
    for row in 0..frame.size {
        for col in 0..frame.size {
            pen.restyle(x + col, y + row, style);
        }
    }
    pen.put(x - 1, y, '[', style);
    pen.put(x + frame.size, y + frame.size - 1, ']', style);
}

/// The view's name; circuits have words of their own.
fn name(app: &App) -> &'static str {
    match app.view {
        View::Occupancy if app.has_circuits() => "controllers",
        View::Worms if app.has_circuits() => "circuits",
        View::Classes if app.has_circuits() => "lanes held",
        view => view.name(),
    }
}

/// The title of the pane, without what there is no room for.
pub fn title(app: &App, width: u16) -> String {
    let glyphs = &app.glyphs;
    let zoom = app.shown_frame().map_or(0, |frame| frame.zoom);
    let mut parts = vec![if app.contrasts() {
        "d use in B less use in A".to_owned()
    } else {
        format!("{} {}", app.view.digit(), name(app))
    }];
    // Of two runs it matters most which this is, and how it does.
    if let Some(called) = app.called().filter(|_| !app.contrasts()) {
        parts.insert(0, called);
        if app.update.snapshot.deadlock.is_some() {
            parts.insert(1, glyphs.run[2].to_owned());
        } else if let Some(latency) = app.update.summary.latency {
            parts.insert(1, format!("mean {}", app.times().mean(latency.mean)));
        }
    }
    if let Some(vc) = app.vc {
        parts.push(format!("VC {vc} only"));
    }
    if app.view == View::Utilisation {
        parts.push(format!("window {}", app.times().with_unit(app.update.window)));
    }
    if let Some(slice) = app.plane.slice_name() {
        parts.push(slice);
    }
    if let Some(router) = app.cursor_router() {
        parts.push(app.update.scenario.system.network.router_name(router));
    }
    if !app.plane.is_graph() {
        parts.push(format!("zoom {zoom}"));
    }
    while parts.len() > 1 && parts.join(glyphs.dot).chars().count() + 4 > usize::from(width) {
        parts.pop();
    }
    parts.join(glyphs.dot)
}

/// Writes the legend of the present view into the lower border, item by item while they fit.
pub fn legend(app: &App, buffer: &mut Buffer, rect: Rect) {
    if rect.height < 2 || rect.width < 20 {
        return;
    }
    let row = Rect { x: rect.x + 2, y: rect.bottom() - 1, width: rect.width - 4, height: 1 };
    let mut pen = Pen::new(buffer, row);
    let mut x = 0;
    for item in items(app) {
        let length = item.iter().map(|(text, _)| text.chars().count()).sum::<usize>() as i32 + 2;
        if x + length > i32::from(row.width) {
            break;
        }
        x = pen.text(x, 0, " ", Style::new());
        for (text, style) in item {
            x = pen.text(x, 0, &text, style);
        }
        x = pen.text(x, 0, " ", Style::new());
    }
}

type Item = Vec<(String, Style)>;

fn items(app: &App) -> Vec<Item> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let frame = app.shown_frame().filter(|_| !app.plane.is_graph());
    let pixels = frame.is_some_and(|frame| frame.zoom == 0);
    let plain = |text: String| vec![(text, theme.dim())];
    let mut items: Vec<Item> = Vec::new();
    match app.view {
        View::Difference => items = difference::legend(app),
        View::Worms if app.has_circuits() => items = circuits::legend(app),
        View::Worms if !pixels => {
            items.push(vec![
                (format!("{}A", glyphs.arrow[0]), theme.hue(0)),
                (" moves".into(), theme.dim()),
            ]);
            items.push(vec![
                (format!("{}A", glyphs.blocked), theme.hue(0)),
                (" blocked".into(), theme.dim()),
            ]);
            items.push(vec![("a".into(), theme.hue(0)), (" tail".into(), theme.dim())]);
            items.push(plain(format!("{} queue waits", glyphs.node[2])));
        }
        View::Waits if !pixels => {
            let edge = format!("{}{}{}", glyphs.blocked, glyphs.tail[0], glyphs.arrow[0]);
            if let Some(cycle) = waits::predicted(app) {
                let line = format!("{}{}", glyphs.body[0], glyphs.arrow[0]);
                let text = format!(" predicted cycle of {} virtual channels", cycle.len());
                items.push(vec![(line, theme.alarm()), (text, theme.dim())]);
            }
            if app.update.snapshot.deadlock.is_some() {
                let text = " in the deadlock (reversed)".to_owned();
                items.push(vec![(edge.clone(), theme.alarm()), (text, theme.dim())]);
            }
            items.push(vec![(edge, theme.warning()), (" wants this link".into(), theme.dim())]);
        }
        View::Classes if !pixels => {
            let relation = &app.update.scenario.system.relation;
            for vc in 0..relation.virtual_channels() {
                let line = heat::class_line(relation.vc_use(vc));
                let name = match relation.vc_use(vc) {
                    VcUse::Open => "open",
                    VcUse::Class(0) => "class 0",
                    VcUse::Class(_) => "class 1",
                    VcUse::Escape(0) => "escape 0",
                    VcUse::Escape(_) => "escape 1",
                    VcUse::Adaptive => "adaptive",
                    VcUse::Hop(class) => {
                        ["hop 0, 3, 6", "hop 1, 4, 7", "hop 2, 5, 8"][usize::from(class) % 3]
                    }
                };
                let glyph = glyphs.class_across[line];
                let text = format!("{glyph}{glyph} ");
                let item = vec![(text, theme.hue(line)), (name.into(), theme.dim())];
                if !items.contains(&item) {
                    items.push(item);
                }
            }
        }
        _ => {
            let mut scale = vec![("0 ".to_owned(), theme.dim())];
            for level in (1..LEVELS).step_by(2) {
                let glyph = if theme.has_ramp() && !glyphs.ascii {
                    glyphs.shade[4]
                } else {
                    glyphs.shade_of(level)
                };
                scale.push((glyph.to_string(), Style::new().fg(theme.heat(level))));
            }
            scale.push((" 1".to_owned(), theme.dim()));
            items.push(scale);
            items.push(plain(
                match app.view {
                    View::Utilisation if app.has_circuits() => "share of time held",
                    View::Occupancy if app.has_circuits() => "links held; digits: jobs",
                    View::Utilisation => "share of cycles used",
                    View::Classes => "share of VCs held",
                    _ => "share of buffers full",
                }
                .to_owned(),
            ));
            if app.plane.is_graph() {
                items.push(plain("traffic keeps to the right".to_owned()));
            }
        }
    }
    if let Some(block) = frame.map(|frame| frame.block).filter(|&block| block > 1) {
        items.push(plain(format!("a pixel is {block}{}{block} nodes, the hottest", glyphs.times)));
    }
    items
}
