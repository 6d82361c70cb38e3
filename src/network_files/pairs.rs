//! Pairs of a source and a destination in files: a line for each, under `source,destination`.
//!
//! A name is that of a host, or of a router for all its hosts. Lines that begin with `#`, and empty
//! lines, are skipped.

use super::cells::{cells, lines};
use super::mistake::{Mistake, Report, quoted};
use crate::ids::RouterId;
use crate::topology::Network;

/// Reads pairs of hosts, and returns their routers.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub fn read_pairs(
    text: &str,
    network: &Network,
) -> Result<Vec<(RouterId, RouterId)>, Vec<Mistake>> {
    let mut report = Report::new(text);
    let mut pairs = Vec::new();
    let mut rows = lines(text);
    let header = rows.next().unwrap_or_default();
    let columns: Vec<String> = header.split(',').map(|name| name.trim().to_lowercase()).collect();
    if !matches!(&columns[..], [from, to] if from == "source" && to == "destination") {
        let what = "the first line must be `source,destination`";
        report.add(&report.span(header), what, "write it above the pairs");
    }
    for line in rows {
        let Some(cells) = cells(line, &mut report) else { continue };
        let [source, destination] = &cells[..] else {
            report.add(&report.span(line), "a pair has two names", "write `SOURCE,DESTINATION`");
            continue;
        };
        let mut ends = [None; 2];
        for (end, cell) in ends.iter_mut().zip([source, destination]) {
            let host = network.node_named(&cell.value).map(|host| network.router_of(host));
            match host.or_else(|_| network.router_named(&cell.value)) {
                Ok(router) => *end = Some(router),
                Err(help) => {
                    let what = format!("there is no host or router {}", quoted(&cell.value));
                    report.add(&cell.at, what, help);
                }
            }
        }
        if let [Some(source), Some(destination)] = ends {
            pairs.push((source, destination));
        }
    }
    if report.is_clean() { Ok(pairs) } else { Err(report.finish()) }
}
