//! Figures of a router in a cube of more than two dimensions.
//!
//! The neighbours (not all adjacent on the screen) are listed with the use of links to them, then
//! the load of each dimension, and the number of routers at each distance.

use ratatui::text::{Line, Span};

use crate::engine::HeadState;
use crate::ids::{ChannelId, RouterId};
use crate::live::Measured;
use crate::topology::cube::{Cube, Sign};
use crate::tui::grid::heat::TOPS;
use crate::tui::names::{capital, dimension_digit};
use crate::tui::panes::list::Item;
use crate::tui::pen::grouped;
use crate::tui::scene::Scene;

const BAR: usize = 16;

/// Adds the figures of `router`, if the network has more than two dimensions.
pub(super) fn add(app: &Scene<'_>, router: RouterId, width: usize, lines: &mut Vec<Item>) {
    if app.network().radix().len() <= 2 {
        return;
    }
    // Texts around a bar take 21 columns.
    let bar = BAR.min(width.saturating_sub(21)).max(4);
    neighbours(app, router, lines);
    dimensions(app, bar, lines);
    shells(app, router, bar, lines);
}

/// The name of a dimension: its digit in a hypercube, otherwise its direction with a sign.
fn called(app: &Scene<'_>, dimension: usize, sign: Sign) -> String {
    if app.network().is_hypercube() {
        return dimension_digit(dimension).to_string();
    }
    Cube::direction_name(dimension, sign)
}

/// Adds a line for each link out of the router.
fn neighbours(app: &Scene<'_>, router: RouterId, lines: &mut Vec<Item>) {
    let (theme, snapshot) = (app.theme, app.snapshot());
    let network = app.network();
    lines.push(Item::new("neighbours, use of the links to them", theme.title()));
    for &channel in network.outputs(router) {
        let Some((dimension, sign)) = network.direction(channel) else { continue };
        let name = network.router_name(network.channel(channel).to);
        let style = theme.heat_line(app.heat.channel(channel.index()));
        let mut line = vec![
            Span::styled(format!("{:<3}{name} ", called(app, dimension, sign)), theme.text()),
            Span::styled(format!("{:>3.0} %", used(app, channel) * 100.0), style),
        ];
        for (_, worm) in snapshot.vcs_of(channel).iter().filter_map(|vc| snapshot.owner(vc)) {
            let blocked = matches!(worm.head, HeadState::Blocked(_));
            let sign = if blocked { app.glyphs.blocked.to_string() } else { String::new() };
            let style = theme.hue(worm.letter.index());
            line.push(Span::styled(format!(" {}{sign}", capital(worm.letter)), style));
        }
        lines.push(Line::from(line).into());
    }
}

/// The share of cycles in which a link was used.
fn used(app: &Scene<'_>, link: ChannelId) -> f64 {
    f64::from(app.update.usage.recent.get(link.index()).copied().unwrap_or_default())
}

/// The mean of `of` over the links of each group; 0 for empty groups.
fn means(
    app: &Scene<'_>,
    groups: usize,
    group: impl Fn(ChannelId) -> usize,
    of: impl Fn(ChannelId) -> f64,
) -> Vec<f64> {
    let mut sums = vec![(0.0, 0u32); groups];
    for link in (0..app.network().links()).map(ChannelId::new) {
        let (sum, count) = &mut sums[group(link)];
        (*sum, *count) = (*sum + of(link), *count + 1);
    }
    sums.into_iter().map(|(sum, count)| sum / f64::from(count.max(1))).collect()
}

/// The smallest sufficient upper end of a scale.
fn top<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    let largest = values.copied().fold(0.0, f64::max);
    TOPS.into_iter().map(f64::from).find(|&top| top >= largest).unwrap_or(1.0)
}

/// A line with a name, a bar of `measured` on a scale up to `top` with a point at the model's
/// value, and both figures.
fn bar(
    app: &Scene<'_>,
    (name, width): (String, usize),
    top: f64,
    (measured, model): (f64, Option<f64>),
) -> Item {
    let theme = app.theme;
    let cell = |value: f64| ((value / top * width as f64).round() as usize).min(width);
    let full = cell(measured).max(usize::from(measured > 0.0));
    let mark = model.map(|model| cell(model).min(width - 1));
    let mut line = vec![Span::styled(name, theme.text())];
    line.extend((0..width).map(|at| match (mark == Some(at), at < full) {
        (true, _) => Span::styled(app.glyphs.point[1].to_string(), theme.theory()),
        (false, true) => Span::styled(app.glyphs.reach[8].to_string(), theme.measured()),
        (false, false) => Span::styled(app.glyphs.rest.to_string(), theme.measured()),
    }));
    line.push(Span::styled(format!(" {measured:.3}"), theme.measured()));
    line.extend(model.map(|model| Span::styled(format!(" {model:.3}"), theme.theory())));
    Line::from(line).into()
}

/// Adds the mean use of each dimension's links, simulated and predicted.
fn dimensions(app: &Scene<'_>, width: usize, lines: &mut Vec<Item>) {
    let count = app.network().radix().len();
    let group = |link| app.network().direction(link).map_or(0, |(dimension, _)| dimension);
    let measured = means(app, count, group, |link| used(app, link));
    let model = |link| Measured::flow(&app.update, link).predicted.unwrap_or_default();
    let predicted = app.theory().and_then(|it| it.utilisation.as_ref());
    let predicted = predicted.map(|_| means(app, count, group, model));
    let top = top(measured.iter().chain(predicted.iter().flatten()));
    let mut legend = format!("load per dimension, to {top}");
    if predicted.is_some() {
        legend = format!("{legend}; {} model", app.glyphs.point[1]);
    }
    lines.push(Item::new(legend, app.theme.title()));
    for (dimension, &measured) in measured.iter().enumerate() {
        let name = called(app, dimension, Sign::Plus);
        let name = format!("{:<3}", name.trim_start_matches('+'));
        let model = predicted.as_ref().map(|model| model[dimension]);
        lines.push(bar(app, (name, width), top, (measured, model)));
    }
}

/// Adds the number of routers at each distance from `router`, and the mean use of links into them.
fn shells(app: &Scene<'_>, router: RouterId, width: usize, lines: &mut Vec<Item>) {
    let far = app.network().distances(router);
    let mut counts = vec![0u64; far.iter().copied().max().unwrap_or(0) as usize + 1];
    for &distance in &far {
        counts[distance as usize] += 1;
    }
    let group = |link| far[app.network().channel(link).to.index()] as usize;
    let means = means(app, counts.len(), group, |link| used(app, link));
    let top = top(means.iter());
    let title = format!("routers by distance, use of links into them, to {top}");
    lines.push(Item::new(title, app.theme.title()));
    for (distance, (count, mean)) in counts.into_iter().zip(means).enumerate() {
        let name = format!("{distance:<3}{:>6} ", grouped(count));
        lines.push(bar(app, (name, width), top, (mean, None)));
    }
}

#[cfg(test)]
mod tests;
