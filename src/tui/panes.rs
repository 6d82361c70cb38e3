//! The panes beside the grid: one registry of what each is called, draws and answers.

pub mod chains;
mod chart;
pub mod circuits;
pub mod classes;
pub mod curve;
pub mod history;
mod hottest;
pub mod inspector;
pub mod latency;
pub mod lens;
pub mod links;
pub mod list;
pub mod loads;
pub mod messages;
pub mod table;
pub mod terms;
pub mod worms;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use strum::{IntoStaticStr, VariantArray};

use super::app::{App, RunView};
use super::grid;
use super::pen::Pen;
use list::Item;

/// A pane. They stand in the order of the focus; a new one also has a line in `shown`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Pane {
    /// The network.
    #[default]
    Grid,
    /// The latency histogram.
    Latency,
    /// Latency against load.
    Curve,
    /// Model and simulation, part by part.
    Terms,
    /// Use of the virtual channels.
    Classes,
    /// Who waits for whom.
    Chains,
    /// The router under the cursor.
    Inspector,
    /// Load, throughput and what runs.
    Loads,
    /// The worms that have letters.
    Worms,
    /// The table of links.
    Links,
    /// The table of messages.
    Messages,
    /// The history of one message.
    History,
    /// The busiest links and who holds them.
    HottestLinks,
    /// The neighbourhood of the cursor.
    Lens,
}

/// Draws a pane's inside.
type Draw = fn(&App, &mut Pen<'_>);

/// What is inside a pane's frame.
enum Inside {
    /// A picture, which takes the columns at the frame's sides too.
    Picture(Draw),
    /// Text and charts.
    Text(Draw),
    /// A table, under the grid where there is room.
    Table(Draw),
    /// Text that moving up and down scrolls.
    Scrolled(Draw),
    /// The same as lines for this many columns, of which those are drawn that there is room for.
    Lines(fn(&App, usize) -> Vec<Item>),
}

impl Pane {
    /// The panes in the order of the focus.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name, by which a command goes to it.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The registry: how each pane makes its title, and what is inside it.
    fn shown(self) -> (fn(&App) -> String, Inside) {
        use Inside::{Lines, Picture, Scrolled, Table, Text};
        match self {
            Self::Grid => {
                (|app| grid::title(&app.shown()), Picture(|app, pen| grid::draw(&app.shown(), pen)))
            }
            Self::Latency => (latency::title, Text(latency::draw)),
            Self::Curve => (|_| "latency by load".to_owned(), Text(curve::draw)),
            Self::Terms => (terms::title, Text(terms::draw)),
            Self::Classes => (classes::title, Text(classes::draw)),
            Self::Chains => (chains::title, Lines(|app, _| chains::items(app))),
            Self::Inspector => (inspector::title, Lines(inspector::lines)),
            Self::Loads => (|_| "load and throughput".to_owned(), Text(loads::draw)),
            Self::Worms => (worms::title, Scrolled(worms::draw)),
            Self::Links => (links::title, Table(links::draw)),
            Self::Messages => (messages::title, Table(messages::draw)),
            Self::History => (history::title, Lines(|app, _| history::lines(app))),
            Self::HottestLinks => (hottest::title, Lines(hottest::lines)),
            Self::Lens => (lens::title, Picture(lens::draw)),
        }
    }

    /// Whether it is a table, under the grid where there is room.
    pub fn is_table(self) -> bool {
        matches!(self.shown().1, Inside::Table(_))
    }

    /// Whether moving up and down scrolls it.
    pub fn scrolls(self) -> bool {
        matches!(self.shown().1, Inside::Scrolled(_) | Inside::Lines(_))
    }

    /// Its title.
    pub fn title(self, app: &App) -> String {
        (self.shown().0)(app)
    }

    /// Draws its inside.
    pub fn draw(self, app: &App, buffer: &mut Buffer, inner: Rect) {
        let inside = self.shown().1;
        // A free column on both sides, so that text does not touch the frame.
        let margin = u16::from(!matches!(inside, Inside::Picture(_)));
        let width = inner.width.saturating_sub(2 * margin);
        let pen = &mut Pen::new(buffer, Rect { x: inner.x + margin, width, ..inner });
        match inside {
            Inside::Picture(draw)
            | Inside::Text(draw)
            | Inside::Table(draw)
            | Inside::Scrolled(draw) => draw(app, pen),
            Inside::Lines(lines) => list::draw(app, self, pen, &lines(app, usize::from(width))),
        }
    }
}

/// Why figures of a run are to be taken with care.
fn caveat(run: &RunView) -> Option<&'static str> {
    let summary = &run.update.summary;
    match (summary.steadiness.is_saturated(), summary.measured_from) {
        (true, _) => Some("saturated"),
        (false, None) => Some("warming up"),
        (false, Some(_)) => None,
    }
}

/// The load at which the model of a run saturates.
fn saturation_load(run: &RunView) -> Option<f64> {
    run.theory()?.saturation.map(|rate| run.system().load_at(rate).0)
}
