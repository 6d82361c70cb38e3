//! The table of a study for people: a block for each curve, with its saturation.

use super::designs;
use super::folder::Found;
use super::load_points::{LoadPoints, Metastable};
use super::results::Beside;
use super::{Part, Results};
use crate::experiment::End;
use crate::experiment::report::load_word;
use crate::experiment::sheet::{Sheet, Table, fixed};
use crate::experiment::verdict::Verdict;
use crate::stats::Estimate;
use crate::text;

/// The lines above the table.
pub(super) fn heading(results: &Results<'_>) -> Vec<String> {
    let points = text::count(results.found.len(), "point", "points");
    let mut lines = vec![format!("{}: {points}; ± is half a 95 % interval", results.study.name())];
    let missing = results.missing().count();
    if missing > 0 {
        let done = results.found.len() - missing;
        lines.push(format!("PARTIAL: {done} of {points} have been run"));
    }
    lines
}

pub(super) fn text(results: &Results<'_>) -> String {
    let mut sheet = Sheet::default();
    for line in heading(results) {
        sheet.line(&line);
    }
    for table in blocks(results) {
        sheet.line("");
        sheet.table(table);
    }
    if let Some(table) = designs::table(results) {
        sheet.line("");
        sheet.table(table);
    }
    sheet.text()
}

/// The tables of all curves with points, each with conclusions.
pub(super) fn blocks(results: &Results<'_>) -> Vec<Table> {
    (0..results.study.curves.len()).filter_map(|curve| block(results, curve)).collect()
}

fn block(results: &Results<'_>, curve: usize) -> Option<Table> {
    let (first, _) = results.curve(curve).next()?;
    let system = &results.study.points[first].task.job.scenario.system;
    let unit = system.time_unit();
    let whole = unit.cycles == 1;
    let decimals = if whole { 3 } else { 4 };
    let models: Vec<Beside<'_>> = results.models(curve).collect();
    let differences = results.differences(curve);
    let latency = format!("latency, {}", unit.name);
    let named = results.study.parts.models.is_some();
    let names = models.iter().map(|it| if named { it.name } else { "model" });
    // Without models, an empty column remains.
    let none = (models.is_empty() && !named).then_some("model");
    let names: Vec<&str> = names.chain(none).collect();
    let count = names.len();
    let headings = ["point", "offered", "accepted", &latency, "99 %"].into_iter();
    let headings = headings.chain(names).chain(["over first", "messages", ""]);
    let row = |place: &LoadPoints<'_>| {
        let rate = system.rate_for(crate::units::Load(place.load)).0;
        let mut said: Vec<String> = (models.iter())
            .map(|it| it.equations.latency(rate))
            .map(|said| said.map_or_else(String::new, |it| format!("{it:.decimals$}")))
            .collect();
        said.resize(count, String::new());
        let above = place.points.iter().any(|(point, _)| results.study.points[*point].from_above);
        let mut differences = differences.iter().filter(|_| !above);
        let difference = differences.find(|it| it.load.total_cmp(&place.load).is_eq());
        let points = place.points.iter().map(|(point, _)| *point);
        let offered =
            if system.traffic.has_no_rate() { String::new() } else { format!("{:.4}", place.load) };
        let mut cells = vec![Part::list(points), offered];
        let left = place.points.iter().find(|(_, found)| found.row().is_none());
        let Some(verdict) = place.verdict().filter(|_| left.is_none()) else {
            let some = |is: fn(&Found) -> bool| place.points.iter().any(|(_, found)| is(found));
            let what = if some(|found| matches!(found, Found::Refused(_))) {
                "refused"
            } else if some(|found| matches!(found, Found::Damaged(_))) {
                "damaged"
            } else {
                "missing"
            };
            cells.extend(["", what, ""].map(str::to_owned));
            cells.resize(cells.len() + count + 3, String::new());
            return cells;
        };
        let known = place.has_latency();
        cells.extend([
            with_half(place, "accepted_flits_per_node_cycle", "accepted_half_width", 4),
            match verdict {
                Verdict::Deadlocked => "deadlock".to_owned(),
                Verdict::Saturated => "saturated".to_owned(),
                Verdict::Steady | Verdict::Carried | Verdict::TooShort => {
                    with_half(place, "latency_mean", "latency_half_width", decimals)
                }
            },
            fixed(place.mean("latency_p99").filter(|_| known), if whole { 0 } else { 3 }),
        ]);
        cells.extend(said);
        cells.extend([
            difference.map_or_else(String::new, |it| told(it.mean, it.half, decimals, true)),
            place.sum("messages").to_string(),
            outcome(place, verdict),
        ]);
        cells
    };
    let mut rows: Vec<Vec<String>> = results.places(curve).iter().map(row).collect();
    rows.extend(results.all_places(curve, true).iter().map(|place| {
        let mut cells = row(place);
        if let Some(last) = cells.last_mut() {
            format!("from above {last}").trim_end().clone_into(last);
        }
        cells
    }));
    let mut notes: Vec<String> = saturation(results, curve, load_word(unit)).into_iter().collect();
    notes.extend(too_short(results, curve));
    notes.extend(less_precise(results, curve));
    notes.extend(recovery(results, curve, load_word(unit)));
    notes.extend(metastable(results, curve));
    notes.extend(
        models.iter().map(|it| format!("{}: {}", if named { it.name } else { "model" }, it.title)),
    );
    if let Some(difference) = differences.first() {
        let how = if differences.iter().all(|it| it.paired) {
            "means over pairs of runs with the same seed"
        } else {
            "intervals assume independent runs"
        };
        let (first, _) = (&results.study.curves[0], difference);
        notes.push(format!("over first: latency minus that of {first} ({how})"));
    }
    let label = results.study.curves[curve].clone();
    let headings: Vec<&str> = headings.collect();
    Some(Table { label, notes, ..Table::new(&headings, rows) })
}

/// The completion of given messages or the round trips of requests, if any, or the verdict.
fn outcome(place: &LoadPoints<'_>, verdict: Verdict) -> String {
    let round_trips = place.mean("round_trip_mean").zip(place.mean("round_trips_per_node_cycle"));
    let mut parts: Vec<String> = Vec::new();
    if let Some(cycles) = place.mean("completion_cycles") {
        parts.push(format!("all delivered after {cycles:.0} cycles"));
    } else if verdict == Verdict::TooShort {
        parts.push("too short to tell".to_owned());
    } else if verdict == Verdict::Carried {
        parts.push("carried".to_owned());
    }
    if let Some((mean, rate)) = round_trips.filter(|_| place.has_latency()) {
        parts.push(format!("round trip {mean:.1}, {rate:.5}/node/cycle"));
    }
    parts.join("; ")
}

fn with_half(place: &LoadPoints<'_>, mean: &str, half: &str, decimals: usize) -> String {
    place
        .estimate(mean, half)
        .map_or_else(|| fixed(None, decimals), |(mean, half)| told(mean, half, decimals, false))
}

/// A figure with half its interval, if any, and on request with its sign.
fn told(mean: f64, half: Option<f64>, decimals: usize, signed: bool) -> String {
    let known = Estimate { mean, half_width: half };
    let mean = if signed { format!("{mean:+.decimals$}") } else { format!("{mean:.decimals$}") };
    let is_too_wide = !signed && known.is_too_wide();
    match half {
        Some(_) if is_too_wide => format!("{mean} (too short)"),
        Some(half) => format!("{mean} ± {half:.decimals$}"),
        None => mean,
    }
}

/// The loads around a curve's saturation, if any, and the accepted load.
fn saturation(results: &Results<'_>, curve: usize, load_word: &str) -> Option<String> {
    let bracket = results.bracket(curve);
    let unsure: Vec<String> = bracket.unsure.iter().map(|load| format!("{load:.4}")).collect();
    let unsure = match &unsure[..] {
        [] => String::new(),
        loads => format!("; too short to tell at {}", loads.join(", ")),
    };
    let Some(above) = bracket.above else {
        let highest = results.seen(curve, false).last()?.load;
        return (results.study.is_searched())
            .then(|| format!("no saturation up to {highest:.4} {load_word} offered{unsure}"));
    };
    let from = bracket
        .below
        .map_or("at or below".to_owned(), |below| format!("between {:.4} and", below.load));
    // Deadlocks close rarely and need long runs.
    let does = if above.verdict == Verdict::Deadlocked {
        "in runs of this length deadlocks"
    } else {
        "saturates"
    };
    let accepted = fixed(above.accepted, 4);
    let load = above.load;
    Some(format!(
        "{does} {from} {load:.4} {load_word} offered, where it accepts {accepted}{unsure}"
    ))
}

/// The load carried once congested, and the share of metastable loads.
fn metastable(results: &Results<'_>, curve: usize) -> Option<String> {
    let Metastable { congested, from, to } = results.metastable(curve)?;
    let share = f64::max(100.0 * (1.0 - from / to), 1.0);
    Some(format!(
        "once congested it carries {congested:.4}; the last {share:.0} % below saturation hold only for a \
         while"
    ))
}

/// The lowest load near saturation with a latency less precise than asked for, and the precision there.
fn less_precise(results: &Results<'_>, curve: usize) -> Option<String> {
    let precision =
        |end: End| if let End::Precision { share, .. } = end { Some(share) } else { None };
    let asked = precision(results.study.end())?;
    let points = results.study.points.iter().filter(|point| point.curve == curve);
    let wider = points.filter_map(|point| {
        let share = precision(point.task.job.plan.end)?;
        (share > asked).then_some((point.load, share))
    });
    let (load, share) = wider.min_by(|one, other| one.0.total_cmp(&other.0))?;
    let (share, asked) = (100.0 * share, 100.0 * asked);
    Some(format!(
        "near saturation, from a load of {load:.4} on, latencies are within ± {share:.1} % or more instead of \
         ± {asked} %: the curve is so steep there that an error of the saturation load as small as its \
         interval changes them by as much"
    ))
}

/// The number of points that a limit of messages leaves without a verdict, with the remedy.
fn too_short(results: &Results<'_>, curve: usize) -> Option<String> {
    let End::Messages { count, .. } = results.study.end() else { return None };
    let places = results.places(curve);
    let is_short = |place: &&LoadPoints<'_>| place.verdict() == Some(Verdict::TooShort);
    let short = places.iter().filter(is_short).count();
    let of = text::count(places.len(), "load", "loads");
    (short > 0).then(|| {
        format!(
            "{short} of {of}: {count} messages are too few to tell if the load is carried; set more \
             `--messages`, or leave them out, and each run is as long as its verdict needs"
        )
    })
}

/// The loads around the recovery of a congested network, if searched.
fn recovery(results: &Results<'_>, curve: usize, load_word: &str) -> Option<String> {
    let bracket = results.bracket_from_above(curve);
    let Some(above) = bracket.above else {
        let load = bracket.below?.load;
        return Some(format!("from above: recovers at {load:.4} {load_word} offered too"));
    };
    let from = bracket.below.map_or("does not recover down to".to_owned(), |below| {
        format!("recovers only between {:.4} and", below.load)
    });
    let accepted = fixed(above.accepted, 4);
    Some(format!(
        "from above: {from} {:.4} {load_word} offered, where it accepts {accepted} once it is congested",
        above.load
    ))
}
