//! The value of a link in the present view, with its symbol and style.

use ratatui::style::Style;

use super::difference::sign;
use super::heat::class_line;
use crate::ids::ChannelId;
use crate::tui::glyphs::Glyphs;
use crate::tui::scene::Scene;
use crate::tui::view::View;

/// The value of a link in the present view, for one direction or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkValue {
    Level(u8),
    Step(i8),
    Class(usize),
}

impl LinkValue {
    /// The hottest level, the step farthest from zero, or the first held class among the channels
    /// of a link; `None` for an idle link.
    pub(super) fn of(
        app: &Scene<'_>,
        mut channels: impl Iterator<Item = ChannelId>,
    ) -> Option<Self> {
        match app.map.view {
            View::Difference => {
                let steps = channels.map(|channel| app.differences.channel(channel));
                steps.max_by_key(|step| step.abs()).map(Self::Step)
            }
            View::Classes => channels.find_map(|channel| class_of(app, channel)).map(Self::Class),
            View::Occupancy | View::Worms | View::Utilisation | View::Waits | View::Routed => {
                let levels = channels.map(|channel| app.heat.channel(channel.index()));
                levels.max().filter(|&level| level > 0).map(Self::Level)
            }
        }
    }

    /// True if links of any heat are blocks of its colour.
    pub(super) fn fills(app: &Scene<'_>) -> bool {
        app.map.view.is_of_heat() && app.theme.has_ramp() && !app.glyphs.ascii
    }

    /// The character and style of the link in a lattice.
    pub(super) fn mark(self, app: &Scene<'_>, across: bool) -> (char, Style) {
        match self {
            Self::Level(level) if Self::fills(app) => {
                (app.glyphs.shade[4], Style::new().fg(app.theme.block(level)))
            }
            Self::Level(_) | Self::Step(_) | Self::Class(_) => {
                (self.glyph(&app.glyphs, across), self.style(app))
            }
        }
    }

    /// The character of the link's line.
    pub(super) fn glyph(self, glyphs: &Glyphs, across: bool) -> char {
        let lines = if across { glyphs.across } else { glyphs.along };
        match self {
            Self::Level(level) => lines[Glyphs::weight(level)],
            Self::Step(step) => sign(glyphs, step).unwrap_or(glyphs.even[usize::from(!across)]),
            Self::Class(class) if across => glyphs.class_across[class],
            Self::Class(class) => glyphs.class_along[class],
        }
    }

    /// The style of the link; heat is dimmed behind waits.
    pub(super) fn style(self, app: &Scene<'_>) -> Style {
        match self {
            Self::Level(_) if app.map.view == View::Waits => app.theme.dim(),
            Self::Level(level) => app.theme.heat_line(level),
            Self::Step(step) => app.theme.difference(step),
            Self::Class(class) => app.theme.hue(class),
        }
    }
}

/// The line style of the class with the most held VCs among the selected VCs of a channel; `None`
/// if none is held.
fn class_of(app: &Scene<'_>, channel: ChannelId) -> Option<usize> {
    let mut held = [0u32; 3];
    for (vc, view) in (0..).zip(app.snapshot().vcs_of(channel)) {
        if app.shows_held(vc, view) {
            held[class_line(app.system().relation.vc_use(vc))] += 1;
        }
    }
    let most = *held.iter().max()?;
    (most > 0).then(|| held.iter().position(|&count| count == most)).flatten()
}
