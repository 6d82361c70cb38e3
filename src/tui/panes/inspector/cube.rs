//! A router of a cube of more than two dimensions, whose neighbours do not all stand beside it on
//! the screen: who they are and how busy the links to them are; the load of each dimension; and how
//! many routers are how far away.

use ratatui::text::{Line, Span};

use crate::engine::HeadState;
use crate::ids::{ChannelId, RouterId};
use crate::live::LinkUse;
use crate::topology::Role;
use crate::topology::cube::{Cube, Sign};
use crate::tui::app::Shown;
use crate::tui::grid::heat::TOPS;
use crate::tui::names::{capital, dimension_digit};
use crate::tui::panes::list::Item;
use crate::tui::pen::grouped;

/// Columns of the longest bar.
const BAR: usize = 16;

/// Adds what there is to say of `router`, if the network is such a cube.
pub(super) fn add(app: &Shown<'_>, router: RouterId, width: usize, lines: &mut Vec<Item>) {
    let Some(cube) = app.network().grid().filter(|cube| cube.dimensions() > 2) else { return };
    // What stands beside a bar takes 21 columns.
    let bar = BAR.min(width.saturating_sub(21)).max(4);
    neighbours(app, cube, router, lines);
    dimensions(app, cube, bar, lines);
    shells(app, router, bar, lines);
}

/// How a dimension is called: by the digit that crosses it, or with its sign.
fn called(app: &Shown<'_>, dimension: usize, sign: Sign) -> String {
    match app.hypercube() {
        Some(_) => dimension_digit(dimension).to_string(),
        None => Cube::direction_name(dimension, sign),
    }
}

/// A line for each link out of the router.
fn neighbours(app: &Shown<'_>, cube: &Cube, router: RouterId, lines: &mut Vec<Item>) {
    let (theme, snapshot) = (app.theme, app.snapshot());
    let network = app.network();
    lines.push(Item::new("neighbours, use of the links to them", theme.title()));
    for &channel in network.outputs(router) {
        if network.channel(channel).role != Role::Link {
            continue;
        }
        let (dimension, sign) = cube.direction(channel);
        let name = network.router_name(network.channel(channel).to);
        let used = app.update.utilisation.get(channel.index()).copied().unwrap_or_default();
        let style = theme.heat_line(app.heat.channel(channel.index()));
        let mut line = vec![
            Span::styled(format!("{:<3}{name} ", called(app, dimension, sign)), theme.text()),
            Span::styled(format!("{:>3.0} %", f64::from(used) * 100.0), style),
        ];
        let vcs = snapshot.virtual_channels as usize;
        let held = snapshot.vcs.get(channel.index() * vcs..(channel.index() + 1) * vcs);
        for holder in held.unwrap_or_default().iter().filter_map(|vc| vc.holder.checked_sub(1)) {
            let Some(worm) = snapshot.worms.get(holder as usize) else { continue };
            let blocked = matches!(worm.head, HeadState::Blocked(_));
            let sign = if blocked { app.glyphs.blocked.to_string() } else { String::new() };
            let style = theme.hue(worm.letter.index());
            line.push(Span::styled(format!(" {}{sign}", capital(worm.letter)), style));
        }
        lines.push(Line::from(line).into());
    }
}

/// The mean of what a sum of counted things comes to.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(self) -> f64 {
        self.sum / f64::from(self.count.max(1))
    }
}

/// The first end of a scale that is large enough.
fn top(values: impl Iterator<Item = f64>) -> f64 {
    let largest = values.fold(0.0, f64::max);
    TOPS.into_iter().map(f64::from).find(|&top| top >= largest).unwrap_or(1.0)
}

/// A bar of a share of `top`, with a point where another account has it.
fn bar(app: &Shown<'_>, width: usize, share: f64, other: Option<f64>) -> Vec<Span<'static>> {
    let cell = |share: f64| ((share * width as f64).round() as usize).min(width);
    let full = cell(share).max(usize::from(share > 0.0));
    let mark = other.map(|other| cell(other).min(width - 1));
    let glyph = |at: usize| if at < full { app.glyphs.reach[8] } else { app.glyphs.rest };
    (0..width)
        .map(|at| match mark {
            Some(mark) if mark == at => {
                Span::styled(app.glyphs.point[1].to_string(), app.theme.theory())
            }
            _ => Span::styled(glyph(at).to_string(), app.theme.measured()),
        })
        .collect()
}

/// The mean use of each dimension's links, simulated and predicted.
fn dimensions(app: &Shown<'_>, cube: &Cube, width: usize, lines: &mut Vec<Item>) {
    let network = app.network();
    let predicted = app.theory().and_then(|it| it.utilisation.as_deref());
    let mut means = vec![(Mean::default(), Mean::default()); cube.dimensions()];
    for channel in (0..network.links()).map(ChannelId::new) {
        let (measured, theory) = &mut means[cube.direction(channel).0];
        let used = app.update.utilisation.get(channel.index()).copied().unwrap_or_default();
        measured.add(f64::from(used));
        match predicted {
            Some(LinkUse::Channels(uses)) => {
                theory.add(uses.get(channel.index()).copied().unwrap_or_default());
            }
            Some(LinkUse::Mean(mean)) => theory.add(*mean),
            None => {}
        }
    }
    let all = means.iter().flat_map(|(measured, theory)| [measured.value(), theory.value()]);
    let top = top(all);
    let legend = if predicted.is_some() {
        format!("load per dimension, to {top}; {} model", app.glyphs.point[1])
    } else {
        format!("load per dimension, to {top}")
    };
    lines.push(Item::new(legend, app.theme.title()));
    for (dimension, (measured, theory)) in means.into_iter().enumerate() {
        let name = match app.hypercube() {
            Some(_) => dimension_digit(dimension).to_string(),
            None => Cube::direction_name(dimension, Sign::Plus)[1..].to_owned(),
        };
        let mut line = vec![Span::styled(format!("{name:<3}"), app.theme.text())];
        let other = predicted.map(|_| theory.value() / top);
        line.extend(bar(app, width, measured.value() / top, other));
        line.push(Span::styled(format!(" {:.3}", measured.value()), app.theme.measured()));
        if predicted.is_some() {
            line.push(Span::styled(format!(" {:.3}", theory.value()), app.theme.theory()));
        }
        lines.push(Line::from(line).into());
    }
}

/// The routers at each distance from one, and the mean use of the links into them.
fn shells(app: &Shown<'_>, router: RouterId, width: usize, lines: &mut Vec<Item>) {
    let far = app.network().distances(router);
    let last = far.iter().copied().max().unwrap_or(0) as usize;
    let mut counts = vec![0u64; last + 1];
    let mut means = vec![Mean::default(); last + 1];
    for &distance in &far {
        counts[distance as usize] += 1;
    }
    for channel in (0..app.network().links()).map(ChannelId::new) {
        let used = app.update.utilisation.get(channel.index()).copied().unwrap_or_default();
        let to = app.network().channel(channel).to;
        means[far[to.index()] as usize].add(f64::from(used));
    }
    let top = top(means.iter().map(|mean| mean.value()));
    let title = format!("routers by distance, use of links into them, to {top}");
    lines.push(Item::new(title, app.theme.title()));
    for (distance, (count, mean)) in counts.into_iter().zip(means).enumerate() {
        let head = format!("{distance:<3}{:>6} ", grouped(count));
        let mut line = vec![Span::styled(head, app.theme.text())];
        line.extend(bar(app, width, mean.value() / top, None));
        line.push(Span::styled(format!(" {:.3}", mean.value()), app.theme.measured()));
        lines.push(Line::from(line).into());
    }
}

#[cfg(test)]
mod tests;
