//! Writes a study as a single HTML page: figures, tables, and provenance.

use std::collections::BTreeSet;

use super::table::{blocks, heading};
use super::{Results, SweepRow, designs};
use crate::experiment::sheet::{Sheet, escaped};
use crate::text::count;

/// The style of the page, on the screen and on paper.
const STYLE: &str = "\
body { font: 16px/1.45 sans-serif; color: #222; max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2.5rem } h3 { font-size: 1rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem }
th, td { text-align: right; padding: .15rem .6rem; border-bottom: 1px solid #ddd }
th { border-bottom: 2px solid #888 } th:first-child, td:first-child { text-align: left }
.facts th, .facts td { text-align: left; border: 0; vertical-align: top; font-weight: normal }
figure { margin: 1.5rem 0 } svg { max-width: 100%; height: auto }
pre { background: #f4f4f4; padding: .8rem; overflow-x: auto; font-size: .8rem }
.warning { border-left: 4px solid #d55e00; padding-left: .8rem }
@media print { body { max-width: none; margin: 0 } figure, table { break-inside: avoid } }
";

/// The page with these pictures.
pub(super) fn page(results: &Results<'_>, pictures: &[String]) -> String {
    let study = results.study;
    let name = escaped(study.name());
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    );
    for (at, line) in heading(results).iter().enumerate() {
        // All lines except the first are warnings.
        let class = if at == 0 { "" } else { " class=\"warning\"" };
        page.extend([format!("<p{class}>{}</p>\n", escaped(line))]);
    }
    page += "<h2>Figures</h2>\n";
    for picture in pictures {
        page.extend(["<figure>", picture.trim_end(), "</figure>\n"]);
    }
    page += "<h2>Tables</h2>\n";
    let mut tables = Sheet::default();
    if let Some(table) = designs::table(results) {
        tables.table(table);
    }
    for table in blocks(results) {
        tables.table(table);
    }
    page += &tables.html();
    if let Some(report) = results.report().filter(|_| results.study.parts.judges()) {
        page.extend(["<h2>Verdicts</h2>\n<pre>", &escaped(&report.text()), "</pre>\n"]);
    }
    page += "<p>Saturated: the network accepts less than it is offered, by at least 1 % and by more than \
             chance explains, and the messages in it keep growing. Latencies are those from generation to \
             the consumption of the tail; where the network is saturated there is none.</p>\n";
    page += "<h2>Provenance</h2>\n";
    page += &facts(&results.rows());
    let texts = [("Study", study.text(&study.scenario)), ("Scenario", study.scenario_text.clone())];
    for (what, text) in texts {
        page.extend([format!("<h3>{what}</h3>\n<pre>{}</pre>\n", escaped(&text))]);
    }
    page + "</body>\n</html>\n"
}

fn facts(rows: &[SweepRow]) -> String {
    let all = |column: &str| {
        let values: BTreeSet<&str> = rows.iter().map(|row| row.text(column)).collect();
        values.into_iter().collect::<Vec<_>>().join(", ")
    };
    let sum = |column: &str| rows.iter().filter_map(|row| row.number(column)).sum::<f64>();
    let seeds: BTreeSet<u64> =
        rows.iter().filter_map(|row| Some(row.number("seed")? as u64)).collect();
    let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
    let facts = [
        ("program", format!("flitscope {}", all("version"))),
        ("machines", all("machine")),
        ("seeds", seeds.join(", ")),
        ("results", count(rows.len(), "point", "points")),
        ("messages counted", format!("{:.0}", sum("messages"))),
        ("simulated", format!("{:.0} cycles (circuits: units of time)", sum("cycles"))),
        ("time of the runs", format!("{:.1} s, all together", sum("wall_seconds"))),
    ];
    let row = |(name, what): &(&str, String)| {
        format!("<tr><th>{name}</th><td>{}</td></tr>\n", escaped(what))
    };
    let rows: String = facts.iter().map(row).collect();
    format!("<table class=\"facts\">\n{rows}</table>\n")
}

#[cfg(test)]
mod tests;
