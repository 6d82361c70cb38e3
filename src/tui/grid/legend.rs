//! The legend of the present view, in the lower border of the network's pane.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::difference::{STEPS, sign};
use super::frame::BOXES;
use super::{boxes, circuits, heat, stubs, waits};
use crate::live::LinkUse;
use crate::tui::app::Shown;
use crate::tui::glyphs::Glyphs;
use crate::tui::names::vc_use_name;
use crate::tui::pen::Pen;
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

fn items(app: &Shown<'_>) -> Vec<Item> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let frame = app.shown_frame().filter(|_| !app.plane.is_graph());
    let zoom = frame.map(|frame| frame.zoom);
    if app.shows_one_router() {
        let doomed = app.snapshot().deadlock.is_some();
        let text = "in the deadlock".to_owned();
        return if doomed { vec![vec![(text, theme.alarm())]] } else { Vec::new() };
    }
    let matrix = is_matrix(app);
    let pixels = matrix || zoom == Some(0);
    let plain = |text: String| vec![(text, theme.dim())];
    let mut items: Vec<Item> = Vec::new();
    match app.view {
        View::Difference => items = differences(app),
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
            if app.snapshot().deadlock.is_some() {
                let text = " in the deadlock (reversed)".to_owned();
                items.push(vec![(edge.clone(), theme.alarm()), (text, theme.dim())]);
            }
            items.push(vec![(edge, theme.warning()), (" wants this link".into(), theme.dim())]);
        }
        View::Classes if !pixels => {
            let relation = &app.system().relation;
            for vc in 0..relation.virtual_channels() {
                let line = heat::class_line(relation.vc_use(vc));
                let name = vc_use_name(relation.vc_use(vc));
                let glyph = glyphs.class_across[line];
                let text = format!("{glyph}{glyph} ");
                let item = vec![(text, theme.hue(line)), (name.into(), theme.dim())];
                if !items.contains(&item) {
                    items.push(item);
                }
            }
        }
        View::Occupancy | View::Worms | View::Classes | View::Utilisation | View::Waits => {
            items.push(scale(app, pixels));
            items.push(plain(
                match app.view {
                    View::Utilisation => app.words().utilisation,
                    View::Classes => "share of VCs held",
                    View::Occupancy => app.words().occupancy,
                    View::Worms | View::Waits | View::Difference => "share of buffers full",
                }
                .to_owned(),
            ));
            if app.plane.is_graph() && !matrix {
                items.push(plain("traffic keeps to the right".to_owned()));
            }
        }
    }
    if let Some(block) = frame.map(|frame| frame.block).filter(|&block| block > 1) {
        let signs = app.view == View::Worms && app.has_circuits();
        let name = if signs { "the foremost sign" } else { app.aggregate.name() };
        items.push(plain(format!("a pixel is {block}{}{block} nodes, {name}", glyphs.times)));
    }
    if zoom == Some(BOXES) {
        items.extend(buffers(app));
    }
    if frame.is_some_and(|frame| frame.seams() != (None, None) && frame.whole()) {
        items.push(vec![
            (glyphs.seam[0].to_string(), theme.warning()),
            (" seam of the ring".into(), theme.dim()),
        ]);
    }
    if zoom.is_some_and(|zoom| (2..=BOXES).contains(&zoom)) && stubs::exist(app) {
        items.push(plain(match app.hypercube() {
            Some(_) => "3: across dimension 3".to_owned(),
            None => "Z z: slice above, below".to_owned(),
        }));
    }
    items
}

/// Whether a graph of switches is too large to be drawn otherwise than as a matrix of pixels.
fn is_matrix(app: &Shown<'_>) -> bool {
    let inner = app.screen.arrangement().inside(Pane::Grid).filter(|_| app.plane.is_graph());
    inner.is_some_and(|inner| app.map((inner.width, inner.height)).is_none())
}

/// The scale of heat in the characters that the picture is drawn in.
fn scale(app: &Shown<'_>, pixels: bool) -> Item {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let mut scale = vec![("0 ".to_owned(), theme.dim())];
    for level in (1..LEVELS).step_by(2) {
        scale.push(if !pixels {
            let style = if app.view == View::Waits { theme.dim() } else { theme.heat_line(level) };
            (glyphs.across[Glyphs::weight(level)].to_string(), style)
        } else if theme.has_ramp() && !glyphs.ascii {
            (glyphs.shade[4].to_string(), Style::new().fg(theme.heat(level)))
        } else {
            (glyphs.shade_of(level).to_string(), Style::new().fg(theme.heat(level)))
        });
    }
    scale.push((format!(" {}", app.heat_top), theme.dim()));
    scale
}

/// What the bars in the boxes mean.
fn buffers(app: &Shown<'_>) -> Vec<Item> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let vcs = app.snapshot().virtual_channels;
    let per_bar = boxes::per_bar(vcs);
    let mut items: Vec<Item> = Vec::new();
    if app.view == View::Worms && per_bar == 1 && !app.has_circuits() {
        items.push(vec![("in boxes: whose VC".to_owned(), theme.dim())]);
    } else if !app.has_circuits() {
        let fill: String = glyphs.fill.iter().collect();
        items.push(vec![(fill, theme.text()), (" buffer: free to full".to_owned(), theme.dim())]);
    }
    if per_bar > 1 {
        items.push(vec![(format!("a bar is {per_bar} VCs"), theme.dim())]);
    }
    items
}

/// Of differences: the scale with its numbers, what is compared, and with what.
fn differences(app: &Shown<'_>) -> Vec<Vec<(String, Style)>> {
    let (glyphs, theme) = (&app.glyphs, app.theme);
    let Some(end) = app.differences.end() else {
        return vec![vec![(silence(app).to_owned(), theme.warning())]];
    };
    let mut scale = vec![(format!("{}{end} ", glyphs.below[0]), theme.dim())];
    for step in -STEPS..=STEPS {
        let glyph = sign(glyphs, step).unwrap_or(glyphs.across[1]);
        scale.push((glyph.to_string(), theme.difference(step)));
    }
    scale.push((format!(" +{end}"), theme.dim()));
    let mut items = vec![scale];
    if app.contrasts() {
        items.push(vec![(format!("{}, B less A", app.words().flow), theme.dim())]);
    } else if let Some(against) = against(app) {
        items.push(vec![(against, theme.dim())]);
    }
    let theory = app.theory().filter(|_| !app.contrasts());
    if let Some(mismatch) = theory.and_then(|theory| theory.mismatches.first()) {
        items.push(vec![(format!("outside the model: {}", mismatch.found), theme.warning())]);
    }
    items.push(vec![(
        format!("over {}", app.times().with_unit(app.update.usage.cycles)),
        theme.dim(),
    )]);
    items
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
