//! Draws a whole frame, from the header to the dialog on top.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::{Program, Run};
use super::app::App;
use super::layout::{Class, LEAST, inside, within};
use super::pane_frame::frame;
use super::pen::{Pen, wrap};
use super::view::Pane;
use super::{grid, header, keybar, overlay, strip, study, timeline};

/// Draws everything into an empty buffer of the screen's size.
pub fn draw(app: &App, buffer: &mut Buffer) {
    let arranged = app.arrangement();
    if app.size.0 == 0 || app.size.1 == 0 {
        return;
    }
    if let Some(study) = app.shown_study() {
        study::draw::draw(app, study, buffer);
        return overlay::draw(app, buffer);
    }
    header::draw(app, buffer, arranged.header);
    if arranged.class == Class::Tiny {
        return tiny(app, buffer);
    }
    let alone = arranged.panes.len() == 1 && arranged.others.is_empty();
    if let Some(strip) = arranged.strip {
        frame(app, buffer, &strip::title(app), strip, false);
        let inner = inside(strip);
        let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
        strip::draw(app, &mut Pen::new(buffer, inner));
    }
    for (other, rect) in app.shown().others().zip(arranged.others) {
        frame(app, buffer, &grid::title(&other), rect, false);
        grid::draw(&other, &mut Pen::new(buffer, within(Pane::Grid, rect)));
        grid::legend(other, buffer, rect);
    }
    // The focused frame is drawn last and keeps a complete border.
    let mut order = arranged.panes;
    order.sort_by_key(|&(pane, _)| pane == app.panes.focus);
    for (pane, rect) in order {
        frame(app, buffer, &pane.title(&app.shown()), rect, pane == app.panes.focus && !alone);
        pane.draw(&app.shown(), buffer, within(pane, rect));
        if pane == Pane::Grid {
            grid::legend(app, buffer, rect);
        }
    }
    timeline::draw(app, buffer, arranged.timeline);
    keybar::draw(app, buffer, arranged.keybar);
    app.selection().iter().for_each(|selection| selection.mark(buffer));
    overlay::draw(app, buffer);
}

/// Draws a notice on a screen too small for panes.
fn tiny(app: &App, buffer: &mut Buffer) {
    let (width, height) = app.size;
    let mut pen = Pen::new(buffer, Rect::new(0, 1, width, height.saturating_sub(1)));
    let lines = [
        format!("The screen needs {}{}{} characters.", LEAST.0, app.glyphs.times, LEAST.1),
        "The simulation goes on as it was.".to_owned(),
        // An open dialog receives the keys.
        if app.dialog.is_some() {
            "Esc closes what is open.".to_owned()
        } else {
            let [run, quit] = [app.keys.way_to(Run::ToggleRun), app.keys.way_to(Program::Quit)];
            format!("{run} run   {quit} quit")
        },
    ];
    let lines = lines.iter().flat_map(|line| wrap(line, usize::from(width)));
    for (y, line) in (i32::from(height > 5)..).zip(lines) {
        pen.text(0, y, &line, app.theme.text());
    }
}
