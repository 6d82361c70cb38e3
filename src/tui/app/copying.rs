//! The text that is copied from the focused pane: a name, a sentence, figures, or a row as CSV.

use crate::tui::panes::{latency, links, messages};
use crate::tui::scene::Scene;
use crate::tui::sentence;
use crate::tui::view::Pane;

/// The text in focus: of a table the headings and the chosen row, of the panes about a router or a
/// wait the sentences about the message or node under the cursor, of the histogram its figures;
/// `None` for other panes and without such a text.
pub(super) fn text_in_focus(app: &Scene<'_>) -> Option<String> {
    match app.layout.panes.focus {
        Pane::Links => csv(&links::chosen_cells(app)?),
        Pane::Messages => csv(&messages::chosen_cells(app)?),
        Pane::Chains | Pane::Inspector => {
            Some(sentence::about(app, app.cursor_router()?).join(" "))
        }
        Pane::Latency | Pane::Terms => latency::sentence(app),
        Pane::Grid
        | Pane::Curve
        | Pane::Classes
        | Pane::Loads
        | Pane::Worms
        | Pane::History
        | Pane::HottestLinks
        | Pane::Lens
        | Pane::Tour => None,
    }
}

/// Two lines of CSV, without a line end.
fn csv([headings, cells]: &[Vec<String>; 2]) -> Option<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(headings).ok()?;
    writer.write_record(cells).ok()?;
    let text = String::from_utf8(writer.into_inner().ok()?).ok()?;
    Some(text.trim_end().to_owned())
}
