//! Words about links that are compared with a model, or with another run.

use crate::live::LinkUse;
use crate::tui::shown::Shown;

/// With what the measured use is compared.
pub fn against(app: &Shown<'_>) -> Option<String> {
    Some(match app.theory()?.utilisation.as_deref()? {
        LinkUse::Channels(_) => format!("{}, link by link", app.words().flow),
        LinkUse::Mean(mean) => format!("one mean for all links: {mean:.3}"),
    })
}

/// Why nothing can be compared.
pub fn silence(app: &Shown<'_>) -> &'static str {
    match app.theory() {
        _ if app.contrasts => "nothing was measured yet",
        None => app.no_theory(),
        Some(theory) if theory.utilisation.is_none() => "no model predicts the use of these links",
        Some(_) => "nothing was measured yet",
    }
}
