//! Figures of message classes in the pane of latencies.

use crate::live::Latencies;
use crate::stats::ClassSummary;
use crate::traffic::classes::MessageClass;
use crate::tui::pen::wrap;
use crate::tui::scene::Scene;

/// The selected message class with its figures and latencies; `None` if all are selected.
pub(super) fn selected<'a>(
    app: &Scene<'a>,
) -> Option<(&'a MessageClass, &'a ClassSummary, &'a Latencies)> {
    let at = usize::from(app.filter().message_class?);
    let update = &app.run.update;
    let class = update.scenario.system.traffic.classes.0.get(at)?;
    Some((class, update.summary.by_class.get(at)?, update.class_latencies.get(at)?))
}

/// The mean latencies of message classes and of round trips in at most `rows` lines, if messages have
/// classes: no model covers these. Parts without enough space are omitted.
pub(super) fn lines(app: &Scene<'_>, width: u16, rows: usize) -> Option<Vec<String>> {
    let (summary, classes) = (app.summary(), &app.system().traffic.classes);
    let of_class = |(class, figures): (&MessageClass, &ClassSummary)| {
        Some(format!("{} {:.1}", class.name, figures.latency_mean?))
    };
    let mut parts: Vec<String> =
        classes.0.iter().zip(&summary.by_class).filter_map(of_class).collect();
    if let Some(mean) = summary.round_trips.and_then(|trips| trips.latency_mean) {
        let rate = summary.round_trips_per_node_cycle.unwrap_or_default();
        parts.extend([format!("round trip {mean:.1}"), format!("{rate:.4}/node/cycle")]);
    }
    while !parts.is_empty() {
        let lines = wrap(&parts.join(app.glyphs.dot), usize::from(width));
        if lines.len() <= rows {
            return Some(lines);
        }
        parts.pop();
    }
    None
}
