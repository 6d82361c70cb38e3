//! Describes the comparison between measured and predicted use of links.

use crate::live::LinkUse;
use crate::tui::scene::Scene;

/// Describes the prediction of the links' use; `None` without a prediction.
pub fn against(app: &Scene<'_>) -> Option<String> {
    Some(match app.theory()?.utilisation.as_deref()? {
        LinkUse::Channels(_) => format!("{}, link by link", app.words().flow),
        LinkUse::Mean(mean) => format!("one mean for all links: {mean:.3}"),
    })
}

/// Explains the absence of a comparison.
pub fn silence(app: &Scene<'_>) -> &'static str {
    match app.theory() {
        _ if app.contrasts => "nothing was measured yet",
        None => app.no_theory(),
        Some(theory) if theory.utilisation.is_none() => "no model predicts the use of these links",
        Some(_) => "nothing was measured yet",
    }
}
