//! How far the measured use of each link is off the model's, or off that in another run: steps on a
//! scale with a zero in its middle, their sign told by a character as well as by colour.

use ratatui::style::Style;

use super::frame::Frame;
use super::pixels::routers;
use super::plane::Side;
use crate::ids::ChannelId;
use crate::live::{LinkUse, Update};
use crate::topology::{Network, Role};
use crate::tui::app::Shown;
use crate::tui::glyphs::Glyphs;
use crate::tui::pen::Pen;

/// Steps on each side of zero.
pub const STEPS: i8 = 5;
/// What the outermost step may stand for, in flits per cycle.
const ENDS: [f64; 7] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
/// A scale is kept while the largest difference fills so much of it.
const KEEP: f64 = 0.3;

/// One link's use by both accounts, in flits per cycle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Compared {
    /// Averaged over the time of the present load.
    pub measured: f64,
    /// What the model says.
    pub predicted: f64,
}

impl Compared {
    /// Of a link; `None` where nothing is predicted or was measured, and for channels of terminals.
    pub fn of(update: &Update, channel: ChannelId) -> Option<Self> {
        let system = &update.scenario.system;
        if update.usage.cycles == 0 || system.network.channel(channel).role != Role::Link {
            return None;
        }
        let measured = f64::from(*update.usage.shares.get(channel.index())?);
        let predicted = match update.theory.as_deref()?.utilisation.as_deref()? {
            LinkUse::Channels(uses) => *uses.get(channel.index())?,
            LinkUse::Mean(mean) => *mean,
        };
        Some(Self { measured, predicted })
    }

    /// Measured less predicted.
    pub fn difference(self) -> f64 {
        self.measured - self.predicted
    }
}

/// The steps of every link and router.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    channels: Vec<i8>,
    routers: Vec<i8>,
    /// What the outermost step stands for; 0 where nothing can be compared.
    end: f64,
}

impl Differences {
    /// Takes the differences of an update.
    pub fn update(&mut self, update: &Update) {
        let network = &update.scenario.system.network;
        self.take(network, |channel| Compared::of(update, channel).map(Compared::difference));
    }

    /// Takes those of one run from another: use in the second less use in the first.
    pub fn contrast(&mut self, first: &Update, second: &Update) {
        let network = &first.scenario.system.network;
        self.take(network, |channel| {
            let used = |update: &Update| {
                let share = update.usage.shares.get(channel.index()).copied()?;
                (update.usage.cycles > 0).then_some(f64::from(share))
            };
            let link = network.channel(channel).role == Role::Link;
            used(second).zip(used(first)).filter(|_| link).map(|(second, first)| second - first)
        });
    }

    fn take(&mut self, network: &Network, of: impl Fn(ChannelId) -> Option<f64>) {
        let of = |channel: usize| of(ChannelId::new(channel));
        let all = 0..network.channels().len();
        let largest = all.clone().filter_map(of).map(f64::abs).reduce(f64::max);
        self.channels.clear();
        self.channels.resize(all.len(), 0);
        self.routers.clear();
        self.routers.resize(network.routers(), 0);
        let Some(largest) = largest else {
            self.end = 0.0;
            return;
        };
        if !(self.end >= largest && largest >= KEEP * self.end) {
            self.end = ENDS.into_iter().find(|&end| end >= largest).unwrap_or(1.0);
        }
        for (channel, role) in network.channels().iter().enumerate() {
            let Some(difference) = of(channel) else { continue };
            let step = step(difference, self.end);
            self.channels[channel] = step;
            let router = &mut self.routers[role.to.index()];
            if step.abs() > router.abs() {
                *router = step;
            }
        }
    }

    /// The step of a link, -[`STEPS`] to [`STEPS`].
    pub fn channel(&self, channel: ChannelId) -> i8 {
        self.channels.get(channel.index()).copied().unwrap_or(0)
    }

    /// The step farthest from zero of the links into a router.
    pub fn router(&self, router: usize) -> i8 {
        self.routers.get(router).copied().unwrap_or(0)
    }

    /// What the outermost step stands for in flits per cycle; `None` where nothing can be compared.
    pub fn end(&self) -> Option<f64> {
        (self.end > 0.0).then_some(self.end)
    }
}

/// The step in which a difference lies.
fn step(difference: f64, end: f64) -> i8 {
    (difference / end * f64::from(STEPS)).round().clamp(f64::from(-STEPS), f64::from(STEPS)) as i8
}

/// The character of a step; `None` for zero.
pub fn sign(glyphs: &Glyphs, step: i8) -> Option<char> {
    let much = usize::from(step.abs() >= 3);
    match step {
        0 => None,
        1.. => Some(glyphs.above[much]),
        _ => Some(glyphs.below[much]),
    }
}

/// A link, or both directions of one by the step farther from zero.
pub(super) fn line(
    app: &Shown<'_>,
    pen: &mut Pen<'_>,
    channels: [Option<ChannelId>; 2],
    side: Side,
    cells: impl Iterator<Item = (i32, i32)>,
) {
    let steps = channels.into_iter().flatten().map(|channel| app.differences.channel(channel));
    let Some(step) = steps.max_by_key(|step| step.abs()) else { return };
    let rest = if side.is_across() { app.glyphs.across[1] } else { app.glyphs.along[1] };
    let glyph = sign(&app.glyphs, step).unwrap_or(rest);
    for (x, y) in cells {
        pen.put(x, y, glyph, app.theme.difference(step));
    }
}

/// Zoom level 0: a character for each block of nodes.
pub(super) fn pixels(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    for y in 0..i32::from(pen.height()) {
        for x in 0..i32::from(pen.width()) {
            let Some(pixel) = frame.pixel_at(x, y) else { continue };
            let steps = routers(app, frame, pixel).map(|router| app.differences.router(router));
            let Some(step) = app.aggregate.step(steps) else { continue };
            let glyph = sign(&app.glyphs, step).unwrap_or(app.glyphs.node[0]);
            pen.put(x, y, glyph, app.theme.difference(step));
        }
    }
}

/// What the legend says: the scale with its numbers, what is compared, and with what.
pub(super) fn legend(app: &Shown<'_>) -> Vec<Vec<(String, Style)>> {
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
        let what = if app.has_circuits() { "share of time held" } else { "flits/cycle" };
        items.push(vec![(format!("{what}, B less A"), theme.dim())]);
    } else if let Some(against) = against(app) {
        items.push(vec![(against, theme.dim())]);
    }
    let theory = app.update.theory.as_deref().filter(|_| !app.contrasts());
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
pub(in crate::tui) fn against<'a>(app: impl Into<Shown<'a>>) -> Option<String> {
    let app = &app.into();
    Some(match app.update.theory.as_deref()?.utilisation.as_deref()? {
        LinkUse::Channels(_) if app.has_circuits() => "share of time held, link by link".to_owned(),
        LinkUse::Channels(_) => "flits/cycle, link by link".to_owned(),
        LinkUse::Mean(mean) => format!("one mean for all links: {mean:.3}"),
    })
}

/// Why nothing can be compared.
pub(in crate::tui) fn silence<'a>(app: impl Into<Shown<'a>>) -> &'static str {
    let app = &app.into();
    match app.update.theory.as_deref() {
        _ if app.contrasts() => "nothing was measured yet",
        None => "no model for this network",
        Some(theory) if theory.utilisation.is_none() => "no model predicts the use of these links",
        Some(_) => "nothing was measured yet",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fake;
    use std::sync::Arc;

    #[test]
    fn steps_are_symmetric_and_the_scale_takes_the_largest() {
        assert_eq!(
            [-0.2, -0.011, -0.009, 0.0, 0.009, 0.011, 0.2].map(|it| step(it, 0.1)),
            [-5, -1, 0, 0, 0, 1, 5]
        );
        let scenario = fake::scenario(fake::TORUS, &[8, 8], 4);
        let mut update = fake::update(&scenario, 3);
        let mut differences = Differences::default();
        differences.update(&update);
        // Shares lie from 0.09 to 0.17, the model says 0.12.
        assert_eq!(differences.end(), Some(0.05));
        let steps: Vec<i8> =
            (0..256).map(|channel| differences.channel(ChannelId::new(channel))).collect();
        assert!(steps.contains(&5) && steps.contains(&-3), "{steps:?}");
        for (channel, &step) in steps.iter().enumerate() {
            let off = f64::from(update.usage.shares[channel]) - 0.12;
            assert!((off / 0.01 - f64::from(step)).abs() <= 0.5 + 1e-5, "{channel} {off} {step}");
        }
        // Predicted link by link, all is as predicted.
        let mut theory = update.theory.as_deref().unwrap().clone();
        let uses = update.usage.shares.iter().map(|&share| f64::from(share)).collect();
        theory.utilisation = Some(Arc::new(LinkUse::Channels(uses)));
        update.theory = Some(Arc::new(theory));
        differences.update(&update);
        assert!((0..256).all(|channel| differences.channel(ChannelId::new(channel)) == 0));
        update.theory = None;
        differences.update(&update);
        assert_eq!(differences.end(), None);
    }
}
