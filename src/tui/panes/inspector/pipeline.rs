//! Draws the stages of a pipelined router, with the heads in each.

use ratatui::text::{Line, Span};
use strum::VariantArray;

use crate::engine::{HeadStage, HeadState, WormView};
use crate::ids::RouterId;
use crate::tui::names::capital;
use crate::tui::panes::list::Item;
use crate::tui::scene::Scene;
use crate::tui::stages;

/// The widest column.
const COLUMN_MAX: usize = 8;

/// Adds the stages with their cycles, and the heads in them.
pub(super) fn add(app: &Scene<'_>, router: RouterId, width: usize, lines: &mut Vec<Item>) {
    let machine = app.system().wormhole();
    let Some(pipeline) = machine.and_then(|machine| machine.pipeline.stages()) else { return };
    let column = (width / HeadStage::VARIANTS.len()).clamp(1, COLUMN_MAX);
    let (theme, snapshot) = (app.theme, app.snapshot());
    let cell = |text: &str| {
        let text: String = text.chars().take(column - 1).collect();
        format!("{text:<column$}")
    };
    let heading = |&stage: &HeadStage| {
        let name = stages::short(stage);
        let cycles = stages::cycles(pipeline, stage);
        Span::styled(
            cell(&cycles.map_or(name.to_owned(), |it| format!("{name} {it}"))),
            theme.dim(),
        )
    };
    lines.push(HeadStage::VARIANTS.iter().map(heading).collect::<Line<'_>>().into());
    let inside: Vec<&WormView> = snapshot.worms.iter().filter(|it| it.head_at == router).collect();
    let heads = HeadStage::VARIANTS.iter().map(|&stage| {
        let here = || inside.iter().filter(|worm| worm.stage == Some(stage));
        let names: Vec<String> = here().map(|worm| capital(worm.letter)).collect();
        let text = match names.join(" ") {
            all if all.chars().count() < column => all,
            _ => format!("{} heads", names.len()),
        };
        let blocked = here().any(|worm| matches!(worm.head, HeadState::Blocked(_)));
        Span::styled(cell(&text), if blocked { theme.warning() } else { theme.strong() })
    });
    lines.push(heads.collect::<Line<'_>>().into());
}
