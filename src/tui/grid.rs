//! Draws the network and its cursor, and composes the title of the network's pane.

mod arcs;
mod boxes;
mod circuits;
pub mod comparison;
mod coordinates;
pub mod difference;
mod emphasis;
pub mod frame;
pub mod graph;
pub mod heat;
mod labels;
mod lattice;
mod legend;
pub mod link_value;
mod marks;
pub mod pixels;
pub mod plane;
mod router;
mod stubs;
pub mod tiles;
mod waits;
mod worms;

use self::frame::{BOXES, Frame};
use self::plane::Plane;
use super::pen::{Mark, Pen, fitting};
use super::scene::Scene;
use super::view::{Pane, View};
#[cfg(test)]
pub(super) use legend::words as legend_words;
pub(super) use legend::{closes_in, legend};
pub(super) use marks::{HOTTEST, hottest};

/// Draws the network into the inside of its pane.
pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    if app.plane.is_graph() {
        return graph::draw(app, pen);
    }
    let size = (pen.width(), pen.height());
    let frame = app.frame(size);
    let Some(tiles) = app.tiles(size) else { return picture(app, &frame, pen) };
    for slice in 0..app.plane.slices {
        let plane = &Plane::new(app.network(), slice);
        let part = tiles.plane(slice);
        let style = if slice == app.plane.slice { app.theme.focus() } else { app.theme.dim() };
        let name = plane.slice_name().unwrap_or_default();
        let indent = (i32::from(part.width) - name.len() as i32) / 2;
        pen.text(i32::from(part.x) + indent, i32::from(part.y) - 1, &name, style);
        picture(Scene { plane, ..*app }, &frame, &mut pen.within(part));
    }
}

/// Draws one plane in the present view at the frame's zoom level.
pub(in crate::tui) fn picture<'a>(app: impl Into<Scene<'a>>, frame: &Frame, pen: &mut Pen<'_>) {
    let app = &app.into();
    if frame.zoom == 0 {
        if app.shows_states() {
            circuits::draw(app, frame, pen);
        } else {
            pixels::draw(app, frame, pen);
        }
        marks::hotspots(app, frame, pen);
        marks::ticks(app, frame, pen);
        put(pen, marks::on_links(app, frame));
    } else if frame.zoom > BOXES {
        return router::draw(app, pen);
    } else {
        marks::seams(app, frame, pen);
        lattice::draw(app, frame, pen);
        marks::hotspots(app, frame, pen);
        marks::underline(frame, pen);
        put(pen, coordinates::of(app, frame));
        match app.map.view {
            View::Worms => {
                worms::draw(app, frame, pen);
                put(pen, labels::of(app, frame, (pen.width(), pen.height())).cells);
                circuits::draw(app, frame, pen);
            }
            View::Occupancy => circuits::numbers(app, frame, pen),
            View::Waits => waits::draw(app, frame, pen),
            View::Classes | View::Utilisation | View::Difference | View::Routed => {}
        }
        put(pen, stubs::letters(app, frame));
        put(pen, marks::on_links(app, frame));
    }
    cursor(app, frame, pen);
}

fn put(pen: &mut Pen<'_>, marks: impl IntoIterator<Item = Mark>) {
    for ((x, y), glyph, style) in marks {
        pen.put(x, y, glyph, style);
    }
}

/// Positions of the cursor's brackets, left of the node's first row and right of its last; `None`
/// if the node is out of sight or the cursor is in another slice.
fn brackets(app: &Scene<'_>, frame: &Frame) -> Option<[(i32, i32); 2]> {
    let here = frame.at(app.map.cursor.0, app.map.cursor.1);
    let (x, y) = here.filter(|_| app.plane.slice == app.run.plane.slice)?;
    Some([(x - 1, y), (x + frame.across.size, y + frame.along.size - 1)])
}

fn cursor(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let here = frame.at(app.map.cursor.0, app.map.cursor.1);
    let Some((x, y)) = here.filter(|_| app.plane.slice == app.run.plane.slice) else { return };
    let style = app.theme.cursor();
    if frame.zoom == 0 {
        let pitch = frame.along.pitch;
        let high = if app.half_rows() { pitch.div_euclid(2).max(1) } else { pitch };
        let y = if app.half_rows() { y.div_euclid(2) } else { y };
        for row in 0..high {
            pen.put(x - 1, y + row, '[', style);
            pen.put(x + frame.across.pitch, y + row, ']', style);
        }
        return;
    }
    let (right, bottom) = (frame.across.size - 1, frame.along.size - 1);
    for row in 0..=bottom {
        for col in 0..=right {
            // Only the frame of a box is restyled; the contents keep their colours.
            if frame.zoom < BOXES || row == 0 || row == bottom || col == 0 || col == right {
                pen.restyle(x + col, y + row, style);
            }
        }
    }
    for (at, glyph) in brackets(app, frame).into_iter().flatten().zip(['[', ']']) {
        pen.put(at.0, at.1, glyph, style);
    }
}

/// The title of the pane, cut to the pane's width by dropping the last parts.
pub(super) fn title(app: &Scene<'_>) -> String {
    let (glyphs, contrasts) = (&app.glyphs, app.contrasts);
    let width = app.arrangement().pane(Pane::Grid).map_or(0, |rect| usize::from(rect.width));
    let view = if contrasts {
        "d: use of links, B - A".to_owned()
    } else {
        let digit = app.map.view.digit();
        let name = app.words().views[usize::from(digit) - 1].unwrap_or(app.map.view.name());
        let texts =
            [format!("view {digit}: {name}"), format!("{digit}: {name}"), format!("view {digit}")];
        fitting(texts, width.saturating_sub(4))
    };
    // The name and the result of a run are the last parts to be dropped.
    let called = app.called().filter(|_| !contrasts);
    let fares = called.as_ref().and_then(|_| match &app.snapshot().deadlock {
        Some(_) => Some(glyphs.run[2].to_owned()),
        // Growing latencies have no comparable mean; the accepted load is shown instead.
        None if app.summary().is_growing() => {
            Some(format!("accepts {:.3}", app.summary().accepted?))
        }
        None => Some(format!("mean {}", app.times().mean(app.summary().latency?.mean))),
    });
    let inner = app.arrangement().inside(Pane::Grid);
    let size = inner.map(|inner| (inner.width, inner.height));
    let corner = size.map(|size| app.frame(size)).filter(|it| it.whole() && it.has_seam());
    let zoom = size.map(|size| app.zoom_of(size));
    let parts = [
        called,
        fares,
        Some(view),
        app.plane.slice_name(),
        app.filter().vc.map(|vc| format!("VC {vc} only")),
        class_name(app).map(|class| format!("{class} only")),
        (app.map.view == View::Utilisation)
            .then(|| format!("window {}", app.times().with_unit(app.update.window))),
        app.cursor_router().map(|router| app.network().router_name(router)),
        zoom.filter(|&it| it != 1 || !app.plane.is_graph()).map(|zoom| format!("zoom {zoom}")),
        corner.map(|frame| format!("corner ({},{})", frame.across.from, frame.along.from)),
    ];
    let mut parts: Vec<String> = parts.into_iter().flatten().collect();
    while parts.len() > 1 && parts.join(glyphs.dot).chars().count() + 4 > width {
        parts.pop();
    }
    parts.join(glyphs.dot)
}

/// The selected message class, in views of the messages.
fn class_name<'a>(app: &Scene<'a>) -> Option<&'a str> {
    let class = app.filter().message_class.filter(|_| match app.map.view {
        View::Occupancy | View::Worms | View::Classes | View::Waits => true,
        View::Utilisation | View::Difference | View::Routed => false,
    })?;
    Some(&app.run.system().traffic.classes.0[usize::from(class)].name)
}
