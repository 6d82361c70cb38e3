//! A router of a cube of more than two dimensions, whose neighbours do not all stand beside it on
//! the screen: who they are and how busy the links to them are; the load of each dimension; and how
//! many routers are how far away.

use ratatui::style::Style;

use super::Line;
use crate::engine::HeadState;
use crate::ids::{ChannelId, RouterId};
use crate::live::LinkUse;
use crate::topology::Role;
use crate::topology::cube::{Cube, Family, Sign};
use crate::tui::app::Shown;
use crate::tui::grid::heat::TOPS;
use crate::tui::names::{capital, dimension_digit};
use crate::tui::pen::grouped;

/// Columns of the longest bar.
const BAR: usize = 16;

/// Adds what there is to say of `router`, if the network is such a cube.
pub(super) fn add(app: &Shown<'_>, router: RouterId, width: usize, lines: &mut Vec<Line>) {
    let network = &app.update.scenario.system.network;
    let Some(cube) = network.grid().filter(|cube| cube.dimensions() > 2) else { return };
    // What stands beside a bar takes 21 columns.
    let bar = BAR.min(width.saturating_sub(21)).max(4);
    neighbours(app, cube, router, lines);
    dimensions(app, cube, bar, lines);
    shells(app, cube, router, bar, lines);
}

/// How a dimension is called: by the digit that crosses it, or with its sign.
fn called(app: &Shown<'_>, dimension: usize, sign: Sign) -> String {
    match app.hypercube() {
        Some(_) => dimension_digit(dimension).to_string(),
        None => Cube::direction_name(dimension, sign),
    }
}

/// A line for each link out of the router.
fn neighbours(app: &Shown<'_>, cube: &Cube, router: RouterId, lines: &mut Vec<Line>) {
    let (theme, snapshot) = (app.theme, &app.update.snapshot);
    let network = &app.update.scenario.system.network;
    lines.push(vec![("neighbours, use of the links to them".to_owned(), theme.title())]);
    for &channel in network.outputs(router) {
        if network.channel(channel).role != Role::Link {
            continue;
        }
        let (dimension, sign) = cube.direction(channel);
        let name = network.router_name(network.channel(channel).to);
        let used = app.update.utilisation.get(channel.index()).copied().unwrap_or_default();
        let style = theme.heat_line(app.heat.channel(channel.index()));
        let mut line: Line = vec![
            (format!("{:<3}{name} ", called(app, dimension, sign)), theme.text()),
            (format!("{:>3.0} %", f64::from(used) * 100.0), style),
        ];
        let vcs = snapshot.virtual_channels as usize;
        let held = snapshot.vcs.get(channel.index() * vcs..(channel.index() + 1) * vcs);
        for holder in held.unwrap_or_default().iter().filter_map(|vc| vc.holder.checked_sub(1)) {
            let Some(worm) = snapshot.worms.get(holder as usize) else { continue };
            let blocked = matches!(worm.head, HeadState::Blocked(_));
            let sign = if blocked { app.glyphs.blocked.to_string() } else { String::new() };
            line.push((format!(" {}{sign}", capital(worm.letter)), theme.hue(worm.letter.index())));
        }
        lines.push(line);
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
fn bar(app: &Shown<'_>, width: usize, share: f64, other: Option<f64>) -> Vec<(String, Style)> {
    let cell = |share: f64| ((share * width as f64).round() as usize).min(width);
    let full = cell(share).max(usize::from(share > 0.0));
    let mark = other.map(|other| cell(other).min(width - 1));
    let glyph = |at: usize| if at < full { app.glyphs.reach[8] } else { app.glyphs.rest };
    (0..width)
        .map(|at| match mark {
            Some(mark) if mark == at => (app.glyphs.point[1].to_string(), app.theme.theory()),
            _ => (glyph(at).to_string(), app.theme.measured()),
        })
        .collect()
}

/// The mean use of each dimension's links, simulated and predicted.
fn dimensions(app: &Shown<'_>, cube: &Cube, width: usize, lines: &mut Vec<Line>) {
    let network = &app.update.scenario.system.network;
    let predicted = app.update.theory.as_deref().and_then(|it| it.utilisation.as_deref());
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
    lines.push(vec![(legend, app.theme.title())]);
    for (dimension, (measured, theory)) in means.into_iter().enumerate() {
        let name = match app.hypercube() {
            Some(_) => dimension_digit(dimension).to_string(),
            None => Cube::direction_name(dimension, Sign::Plus)[1..].to_owned(),
        };
        let mut line: Line = vec![(format!("{name:<3}"), app.theme.text())];
        let other = predicted.map(|_| theory.value() / top);
        line.extend(bar(app, width, measured.value() / top, other));
        line.push((format!(" {:.3}", measured.value()), app.theme.measured()));
        if predicted.is_some() {
            line.push((format!(" {:.3}", theory.value()), app.theme.theory()));
        }
        lines.push(line);
    }
}

/// The routers at each distance from one, and the mean use of the links into them.
fn shells(app: &Shown<'_>, cube: &Cube, router: RouterId, width: usize, lines: &mut Vec<Line>) {
    let network = &app.update.scenario.system.network;
    let far: Vec<u32> =
        (0..network.routers()).map(|other| distance(cube, router, RouterId::new(other))).collect();
    let last = far.iter().copied().max().unwrap_or(0) as usize;
    let mut counts = vec![0u64; last + 1];
    let mut means = vec![Mean::default(); last + 1];
    for &distance in &far {
        counts[distance as usize] += 1;
    }
    for channel in (0..network.links()).map(ChannelId::new) {
        let used = app.update.utilisation.get(channel.index()).copied().unwrap_or_default();
        let to = network.channel(channel).to;
        means[far[to.index()] as usize].add(f64::from(used));
    }
    let top = top(means.iter().map(|mean| mean.value()));
    let title = format!("routers by distance, use of links into them, to {top}");
    lines.push(vec![(title, app.theme.title())]);
    for (distance, (count, mean)) in counts.into_iter().zip(means).enumerate() {
        let head = format!("{distance:<3}{:>6} ", grouped(count));
        let mut line: Line = vec![(head, app.theme.text())];
        line.extend(bar(app, width, mean.value() / top, None));
        line.push((format!(" {:.3}", mean.value()), app.theme.measured()));
        lines.push(line);
    }
}

/// The least number of links from one router to another.
fn distance(cube: &Cube, from: RouterId, to: RouterId) -> u32 {
    let pairs = cube.coordinates(from).iter().zip(cube.coordinates(to)).zip(cube.radix());
    pairs
        .map(|((&from, &to), &k)| {
            let (from, to) = (u32::from(from), u32::from(to));
            let ahead = (to + k - from) % k;
            match cube.family() {
                Family::Torus { unidirectional: true } => ahead,
                Family::Torus { unidirectional: false } => ahead.min(k - ahead),
                _ => from.abs_diff(to),
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::app::App;
    use crate::tui::fake::{self, TORUS};
    use crate::tui::theme::Theme;

    fn text(app: &App) -> Vec<String> {
        let mut lines = Vec::new();
        add(&app.shown(), app.cursor_router().unwrap(), 50, &mut lines);
        let line = |line: &Line| line.iter().map(|(text, _)| text.as_str()).collect();
        lines.iter().map(line).collect()
    }

    #[test]
    fn shells_of_a_hypercube_are_binomial_and_neighbours_differ_in_one_bit() {
        let scenario = fake::scenario(Family::Hypercube, &[2; 6], 2);
        let app = fake::app(fake::update(&scenario, 40), Theme::default(), false, (120, 40));
        let lines = text(&app);
        for (distance, count) in [1, 6, 15, 20, 15, 6, 1].into_iter().enumerate() {
            let head = format!("{distance:<3}{count:>6} ");
            assert_eq!(lines.iter().filter(|line| line.starts_with(&head)).count(), 1, "{head}");
        }
        let here = app.cursor_router().unwrap();
        let network = &app.update.scenario.system.network;
        for bit in 0..6 {
            let name = network.router_name(RouterId(here.0 ^ 1 << bit));
            let head = format!("{bit:<3}{name} ");
            assert!(lines.iter().any(|line| line.starts_with(&head)), "{head}: {lines:?}");
        }
    }

    #[test]
    fn loads_of_dimensions_are_means_over_their_links() {
        let scenario = fake::scenario(TORUS, &[4, 3, 5], 2);
        let mut update = fake::update(&scenario, 5);
        let network = &scenario.system.network;
        for (channel, used) in update.utilisation.iter_mut().enumerate() {
            let (dimension, _) = network.cube().unwrap().direction(ChannelId::new(channel));
            *used = [0.05, 0.2, 0.1][dimension];
        }
        let app = fake::app(update, Theme::default(), true, (120, 40));
        let lines = text(&app);
        for (name, bar, load) in [("X", 3, "0.050"), ("Y", 13, "0.200"), ("Z", 6, "0.100")] {
            let line = lines.iter().find(|line| line.starts_with(&format!("{name}  "))).unwrap();
            assert!(line.contains(load), "{line}");
            // The model's point may lie on the bar.
            let full = line.matches('#').count();
            assert!(full == bar || full + 1 == bar, "{line}");
        }
        assert!(lines.iter().any(|line| line.starts_with("load per dimension, to 0.25; o model")));
    }

    #[test]
    fn two_dimensions_are_told_by_the_picture() {
        let scenario = fake::scenario(TORUS, &[8, 8], 2);
        let app = fake::app(fake::update(&scenario, 5), Theme::default(), false, (120, 40));
        assert!(text(&app).is_empty());
    }
}
