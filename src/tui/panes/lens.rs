//! The enlarged neighbourhood of the cursor.

use crate::ids::RouterId;
use crate::tui::grid;
use crate::tui::grid::frame::{Frame, Origin};
use crate::tui::grid::graph;
use crate::tui::grid::graph::map::Map;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;

/// The zoom level of a lens on a lattice, and on a graph of switches.
const ZOOM: (u8, u8) = (2, 3);

pub(super) fn title(app: &Scene<'_>) -> String {
    let about =
        app.cursor_router().map(|router| format!(" about {}", app.network().router_name(router)));
    format!("lens{}", about.unwrap_or_default())
}

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let size = (pen.width(), pen.height());
    if app.plane.is_graph() {
        if let Some(map) = map(app, size) {
            graph::part(app, &map, pen);
        } else {
            let text = "too many switches for this pane";
            pen.cut(1, 0, text, app.glyphs.ellipsis, app.theme.dim());
        }
        return;
    }
    grid::picture(app, &frame(app, size), pen);
}

/// The lattice around the cursor.
fn frame(app: &Scene<'_>, size: (u16, u16)) -> Frame {
    let at = |origin| Frame::new(app.plane, ZOOM.0, origin, size, false);
    let frame = at(Origin::default());
    let corner = frame.centring(app.map.cursor);
    at(frame.origin_at(Origin::default(), corner))
}

fn map(app: &Scene<'_>, size: (u16, u16)) -> Option<Map> {
    let at = |corner| Map::new(app.network(), size, ZOOM.1, corner);
    let middle = (i32::from(size.0) / 2, i32::from(size.1) / 2);
    at(at((0, 0))?.placing(app.cursor_router()?, middle))
}

/// The router nearest to a character of the pane's inside.
pub fn router_at(app: &Scene<'_>, (x, y): (i32, i32), size: (u16, u16)) -> Option<RouterId> {
    if app.plane.is_graph() {
        return map(app, size)?.nearest(x, y);
    }
    let (col, row) = frame(app, size).node_at(x, y, false);
    app.plane.router(col, row)
}
