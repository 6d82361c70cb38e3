//! How busy each virtual channel number is: the share of links whose VC is held, with its class. Under
//! circuit switching the circuits stand in its place.

use super::list;
use crate::routing::VcUse;
use crate::topology::Role;
use crate::tui::app::App;
use crate::tui::grid::heat::class_line;
use crate::tui::pen::Pen;

/// The title.
pub(super) fn title(app: &App) -> String {
    if app.has_circuits() {
        super::circuits::title(app)
    } else {
        "virtual channels, busy".to_owned()
    }
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    if app.has_circuits() {
        return super::circuits::draw(app, pen);
    }
    let (system, snapshot) = (app.system(), app.snapshot());
    let count = snapshot.virtual_channels as usize;
    let held = |channel: usize, vc: usize| {
        snapshot.vcs.get(channel * count + vc).is_some_and(|vc| vc.holder > 0)
    };
    let channels = system.network.channels().iter().enumerate();
    let links: Vec<usize> =
        channels.filter(|(_, it)| it.role == Role::Link).map(|(at, _)| at).collect();
    let rows = usize::from(pen.height());
    for (y, vc) in (0..).zip(0..count.min(rows)) {
        if vc + 1 == rows && count > rows {
            pen.text(0, y, &format!("and {} more (e expands)", count - vc), app.theme.dim());
            return;
        }
        let held = links.iter().filter(|&&channel| held(channel, vc)).count();
        let share = held as f64 / links.len().max(1) as f64;
        let vc_use = system.relation.vc_use(vc as u32);
        let style = app.theme.hue(class_line(vc_use));
        let sign = if app.vc == Some(vc as u32) { app.glyphs.chosen } else { ' ' };
        let line = app.glyphs.class_across[class_line(vc_use)];
        let name = if pen.width() >= 30 { label(vc_use) } else { String::new() };
        let x = pen.text(0, y, &format!("{sign}{vc} {line} {name:<8} "), style);
        let bar = list::meter(app, i32::from(pen.width()) - 6 - x, share, style);
        pen.line(x, y, &bar, app.glyphs.ellipsis);
        pen.right(y, &format!("{:.0} %", share * 100.0), app.theme.text());
    }
}

/// The name of what a VC is used for.
pub(super) fn label(vc_use: VcUse) -> String {
    match vc_use {
        VcUse::Open => "open".to_owned(),
        VcUse::Class(class) => format!("class {class}"),
        VcUse::Escape(class) => format!("escape {class}"),
        VcUse::Adaptive => "adaptive".to_owned(),
        VcUse::Hop(class) => format!("hop {class}"),
    }
}
