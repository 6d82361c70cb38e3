//! The table of a study for people: a block for each curve, and where it saturates.

use super::folder::Found;
use super::search::Verdict;
use super::{Results, SweepRow};
use crate::experiment::report::{fixed, in_columns, load_word};
use crate::text::count;

/// The table.
pub(super) fn text(results: &Results<'_>) -> String {
    let study = results.study;
    let points = count(results.found.len(), "point", "points");
    let mut text = format!("{}: {points}; ± is half a 95 % interval\n", study.name());
    let missing = results.missing().count();
    if missing > 0 {
        let done = results.found.len() - missing;
        text.extend([format!("PARTIAL: {done} of {points} have been run\n")]);
    }
    for (at, label) in study.curves.iter().enumerate() {
        text.push('\n');
        text.extend((!label.is_empty()).then(|| format!("{label}\n")));
        text += &block(results, at);
    }
    text
}

/// The points of a curve in columns, and what follows from them.
fn block(results: &Results<'_>, curve: usize) -> String {
    let Some((first, _)) = results.curve(curve).next() else { return String::new() };
    let unit = results.study.points[first].task.job.scenario.system.time_unit();
    let whole = unit.cycles == 1;
    let decimals = if whole { 3 } else { 4 };
    let equations = results.models[curve].as_ref().map(|(_, equations)| equations);
    let latency = format!("latency, {}", unit.name);
    let headings = ["point", "offered", "accepted", &latency, "99 %", "model", "messages", ""];
    let row = |(point, found): (usize, &Found)| {
        let scenario = &results.study.points[point].task.job.scenario;
        let model = equations.and_then(|it| it.latency(scenario.system.traffic.rate.0));
        let mut cells = vec![point.to_string(), format!("{:.4}", results.load(point))];
        match found {
            Found::Row(row) => {
                let steady = !row.is_saturated() && !row.holds("deadlock");
                cells.extend([
                    with_half(row, "accepted_flits_per_node_cycle", "accepted_half_width", 4),
                    if steady {
                        with_half(row, "latency_mean", "latency_half_width", decimals)
                    } else {
                        if row.holds("deadlock") { "deadlock" } else { "saturated" }.to_owned()
                    },
                    fixed(row.number("latency_p99").filter(|_| steady), if whole { 0 } else { 3 }),
                    model.map_or_else(String::new, |model| format!("{model:.decimals$}")),
                    row.number("messages").unwrap_or_default().to_string(),
                    if row.is_steady() || !steady { "" } else { row.text("steadiness") }.to_owned(),
                ]);
            }
            Found::Missing => cells.extend(["", "missing", "", "", "", ""].map(str::to_owned)),
            Found::Refused(_) => cells.extend(["", "refused", "", "", "", ""].map(str::to_owned)),
        }
        cells
    };
    let mut points: Vec<(usize, &Found)> = results.curve(curve).collect();
    points.sort_by(|one, other| results.load(one.0).total_cmp(&results.load(other.0)));
    let rows = points.into_iter().map(row).collect();
    let mut text = in_columns(&headings, rows);
    text.extend(saturation(results, curve, load_word(unit)));
    if let Some((name, _)) = &results.models[curve] {
        text.extend([format!("model: {name}\n")]);
    }
    text
}

fn with_half(row: &SweepRow, mean: &str, half: &str, decimals: usize) -> String {
    match (row.number(mean), row.number(half)) {
        (Some(mean), Some(half)) => format!("{mean:.decimals$} ± {half:.decimals$}"),
        (mean, _) => fixed(mean, decimals),
    }
}

/// Between which loads a curve saturates, if it does, and the load accepted there.
fn saturation(results: &Results<'_>, curve: usize, load_word: &str) -> Option<String> {
    let bracket = results.bracket(curve);
    let above = bracket.above?;
    let from = bracket
        .below
        .map_or("at or below".to_owned(), |below| format!("between {:.4} and", below.load));
    let does = if above.verdict == Verdict::Deadlocked { "deadlocks" } else { "saturates" };
    let accepted = fixed(above.accepted, 4);
    let unsure: Vec<String> = bracket.unsure.iter().map(|load| format!("{load:.4}")).collect();
    let unsure = match &unsure[..] {
        [] => String::new(),
        loads => format!("; too short to tell at {}", loads.join(", ")),
    };
    let load = above.load;
    Some(format!(
        "{does} {from} {load:.4} {load_word} offered, where it accepts {accepted}{unsure}\n"
    ))
}
