//! A whole frame, from the head line to the dialog on top.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::merge::MergeStrategy;
use ratatui::widgets::{Block, Borders, Widget};

use super::action::{Program, Run};
use super::app::App;
use super::layout::{Class, LEAST, inside};
use super::pen::{Pen, wrap};
use super::view::Pane;
use super::{grid, header, keybar, overlay, strip, timeline};

/// Draws everything into `buffer`, which must be empty and as large as the screen.
pub fn draw(app: &App, buffer: &mut Buffer) {
    let arranged = app.arrangement();
    if app.size.0 == 0 || app.size.1 == 0 {
        return;
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
    for (other, rect) in app.others().zip(arranged.others) {
        frame(app, buffer, &grid::title(&other), rect, false);
        grid::draw(&other, &mut Pen::new(buffer, inside(rect)));
        grid::legend(other, buffer, rect);
    }
    // The focused frame comes last, so that its border is whole.
    let mut order = arranged.panes;
    order.sort_by_key(|&(pane, _)| pane == app.focus);
    for (pane, rect) in order {
        frame(app, buffer, &pane.title(app), rect, pane == app.focus && !alone);
        pane.draw(app, buffer, inside(rect));
        if pane == Pane::Grid {
            grid::legend(app, buffer, rect);
        }
    }
    timeline::draw(app, buffer, arranged.timeline);
    keybar::draw(app, buffer, arranged.keybar);
    overlay::draw(app, buffer);
}

fn frame(app: &App, buffer: &mut Buffer, title: &str, rect: Rect, focused: bool) {
    let rect = rect.intersection(buffer.area);
    if rect.is_empty() {
        return;
    }
    let style = if focused { app.theme.focus() } else { app.theme.frame() };
    let mut block = Block::bordered().border_set(app.glyphs.border()).border_style(style);
    if !app.glyphs.ascii {
        block = block.merge_borders(MergeStrategy::Exact);
    }
    // Side by side: as a whole it would also go over all that is inside, a tenth of a frame's time.
    let inner = inside(rect);
    let sides = [
        (Borders::TOP | Borders::LEFT | Borders::RIGHT, Rect { height: 1, ..rect }),
        (Borders::LEFT, Rect { x: rect.x, width: 1, ..inner }),
        (Borders::RIGHT, Rect { x: rect.right() - 1, width: 1, ..inner }),
        (
            Borders::BOTTOM | Borders::LEFT | Borders::RIGHT,
            Rect { y: rect.bottom() - 1, height: 1, ..rect },
        ),
    ];
    for (borders, side) in sides {
        block.clone().borders(borders).render(side, buffer);
    }
    let row = Rect { x: rect.x + 1, width: rect.width.saturating_sub(2), height: 1, ..rect };
    let mut pen = Pen::new(buffer, row);
    let style = if focused { app.theme.focus() } else { app.theme.title() };
    let sign = if focused { app.glyphs.chosen } else { ' ' };
    let end = pen.cut(0, 0, &format!("{sign}{title}"), app.glyphs.ellipsis, style);
    pen.text(end, 0, " ", style);
}

/// What there is room for on a screen too small for panes.
fn tiny(app: &App, buffer: &mut Buffer) {
    let (width, height) = app.size;
    let mut pen = Pen::new(buffer, Rect::new(0, 1, width, height.saturating_sub(1)));
    let lines = [
        format!("The screen needs {}{}{} characters.", LEAST.0, app.glyphs.times, LEAST.1),
        "The simulation goes on as it was.".to_owned(),
        format!(
            "{} run   {} quit",
            app.keys.way_to(Run::ToggleRun),
            app.keys.way_to(Program::Quit)
        ),
    ];
    let lines = lines.iter().flat_map(|line| wrap(line, usize::from(width)));
    for (y, line) in (i32::from(height > 5)..).zip(lines) {
        pen.text(0, y, &line, app.theme.text());
    }
}
