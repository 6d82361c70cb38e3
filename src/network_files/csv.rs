//! Edge lists: a line for each link, after a line with the names of the columns.
//!
//! ```text
//! from,to,delay,rate,count,kind
//! router,a,0,0
//! a,b,10,1,2,0
//! b,c
//! host,h0,a
//! ```
//!
//! A line `router` names a router and may state its x, y, group and level, in this order; a line `host` names a host and its
//! router. Both are optional, and no router is called `router` or `host`.
//!
//! A line is a link each way, unless a column `one_way` says `true`. Two routers may be joined by
//! several lines if these differ in their attributes; `count` is for equal links. Values left out
//! are the defaults. Lines that begin with `#`, and empty lines, are skipped.

use std::collections::BTreeMap;

use super::attributed::{attributes, in_cycles, is_fraction};
use super::cells::{Cell, cells, lines};
use super::draft::{Draft, Host, Link};
use super::ignored::Ignored;
use super::mistake::{Report, Span, nearest, quoted};
use super::values::{COUNTS, DELAYS, KINDS, LEVELS, RATES};

const COLUMNS: &[&str] = &["from", "to", "delay", "rate", "count", "kind", "one_way"];

/// Rows of a file, still with names.
#[derive(Default)]
struct Rows {
    draft: Draft,
    routers: BTreeMap<String, usize>,
    /// Hosts: name, name of the router, and the place of each.
    hosts: BTreeMap<String, Span>,
    attached: Vec<(String, usize)>,
    links: BTreeMap<(usize, usize, [u64; 4]), Span>,
    ignored: Ignored,
}

/// True if a text begins as an edge list.
pub(super) fn sniff(text: &str) -> bool {
    let first = lines(text).next().unwrap_or_default().to_lowercase();
    let mut columns = first.split(',').map(|name| name.trim().trim_matches('"'));
    matches!((columns.next(), columns.next()), (Some("from" | "source"), Some("to" | "target")))
}

/// Reads an edge list.
pub(super) fn read(report: &mut Report<'_>) -> Draft {
    let mut lines = lines(report.text);
    let Some(header) = lines.next() else {
        report.add(&(0..0), "the file is empty", "write `from,to` and a line for each link");
        return Draft::default();
    };
    let mut rows = Rows::default();
    let columns = rows.header(header, report);
    let Some(columns) = columns else { return Draft::default() };
    for line in lines {
        rows.line(line, &columns, report);
    }
    rows.draft.hosts =
        rows.attached.into_iter().map(|(name, router)| Host { name: Some(name), router }).collect();
    rows.draft.notes.extend(rows.ignored.notes(COLUMNS));
    rows.draft
}

impl Rows {
    /// Reads the names of the columns; `None` for a column that is ignored.
    fn header(&mut self, line: &str, report: &mut Report<'_>) -> Option<Vec<Option<&'static str>>> {
        let cells = cells(line, report)?;
        let mut columns: Vec<Option<&'static str>> = Vec::new();
        for (index, Cell { value, at }) in cells.iter().enumerate() {
            report.mention(value);
            let name = match value.to_lowercase().as_str() {
                _ if report.is_delay(value) => "delay".to_owned(),
                "delay" if report.unit.is_some() => "delay in cycles".to_owned(),
                "source" => "from".to_owned(),
                "target" => "to".to_owned(),
                "cycles_per_flit" => "rate".to_owned(),
                name => name.to_owned(),
            };
            let known = COLUMNS.iter().copied().find(|known| *known == name);
            if known.is_some() && columns.contains(&known) {
                report.add(at, format!("column `{name}` is given twice"), "remove one of the two");
            }
            if index < 2 && known != Some(COLUMNS[index]) {
                let what = "the first line must name the columns, `from` and `to` first";
                report.add(at, what, "write `from,to`, or `from,to,delay,rate,count,kind`");
                return None;
            }
            if known.is_none() {
                let others =
                    COLUMNS.iter().copied().filter(|known| !columns.contains(&Some(*known)));
                match nearest(&name, others).filter(|_| name.len() > 2) {
                    Some(near) => {
                        let what = format!("there is no column {}", quoted(value));
                        report.add(at, what, format!("did you mean `{near}`?"));
                    }
                    None => self.ignored.add("", value),
                }
            }
            columns.push(known);
        }
        if columns.len() < 2 {
            let at = report.span(line);
            report.add(&at, "the first line must name the columns", "write `from,to`");
            return None;
        }
        Some(columns)
    }

    fn line(&mut self, line: &str, columns: &[Option<&'static str>], report: &mut Report<'_>) {
        let Some(cells) = cells(line, report) else { return };
        match &*cells[0].value {
            "router" => self.router_row(&cells, report),
            "host" => self.host_row(&cells, line, report),
            _ => self.link(&cells, columns, line, report),
        }
    }

    fn router(&mut self, cell: &Cell<'_>, report: &mut Report<'_>) -> Option<usize> {
        let name = &*cell.value;
        if name.is_empty() {
            report.add(&cell.at, "the name of a router is missing", "write a name");
            return None;
        }
        if let Some(&router) = self.routers.get(name) {
            return Some(router);
        }
        let router = self.draft.router(name, cell.at.clone());
        self.routers.insert(name.to_owned(), router);
        Some(router)
    }

    fn router_row(&mut self, cells: &[Cell<'_>], report: &mut Report<'_>) {
        let Some(name) = cells.get(1) else {
            report.add(&cells[0].at, "this router has no name", "write `router,NAME,X,Y`");
            return;
        };
        if let Some(&known) = self.routers.get(&*name.value) {
            let line = report.line(&self.draft.routers[known].at);
            let what = format!("router {} was named before, on line {line}", quoted(&name.value));
            report.add(&name.at, what, "write `router` lines once, before the links");
            return;
        }
        let Some(router) = self.router(name, report) else { return };
        let given = |cell: &&Cell<'_>| !cell.value.is_empty();
        match (cells.get(2).filter(given), cells.get(3).filter(given)) {
            (Some(x), Some(y)) => {
                let x = report.coordinate("x", &x.value, &x.at);
                let y = report.coordinate("y", &y.value, &y.at);
                self.draft.routers[router].place = x.zip(y).map(Into::into);
            }
            (None, None) => {}
            _ => report.add(&name.at, "a place has x and y", "write `router,NAME,X,Y`"),
        }
        let described = &mut self.draft.routers[router];
        described.group = cells.get(4).filter(given).map(|cell| cell.value.to_string());
        if let Some(cell) = cells.get(5).filter(given) {
            let level = report.whole("level", &cell.value, &cell.at, LEVELS);
            described.level = level.map(|level| level as u32);
        }
        Self::excess(cells, 6, report);
    }

    fn host_row(&mut self, cells: &[Cell<'_>], line: &str, report: &mut Report<'_>) {
        let [_, name, router, ..] = cells else {
            let at = report.span(line);
            report.add(&at, "a host has a name and a router", "write `host,NAME,ROUTER`");
            return;
        };
        if let Some(first) = self.hosts.get(&*name.value) {
            let line = report.line(first);
            let what = format!("host {} is given twice, first on line {line}", quoted(&name.value));
            report.add(&name.at, what, "give the host another name");
            return;
        }
        let Some(index) = self.router(router, report) else { return };
        self.hosts.insert(name.value.to_string(), name.at.clone());
        self.attached.push((name.value.to_string(), index));
        Self::excess(cells, 3, report);
    }

    fn excess(cells: &[Cell<'_>], most: usize, report: &mut Report<'_>) {
        if let Some(cell) = cells.iter().skip(most).find(|cell| !cell.value.is_empty()) {
            report.add(&cell.at, format!("this line has at most {most} values"), "remove this one");
        }
    }

    fn link(
        &mut self,
        cells: &[Cell<'_>],
        columns: &[Option<&'static str>],
        line: &str,
        report: &mut Report<'_>,
    ) {
        let [from, to, ..] = cells else {
            let at = report.span(line);
            report.add(&at, "a link has two ends", "write `FROM,TO`, separated by a comma");
            return;
        };
        let ends = (self.router(from, report), self.router(to, report));
        Self::excess(cells, columns.len(), report);
        let mut numbers = [None; 4];
        let (mut one_way, mut correct) = (false, true);
        for (cell, &column) in cells.iter().zip(columns).skip(2) {
            let Some(name) = column.filter(|_| !cell.value.is_empty()) else { continue };
            let (slot, limits) = match name {
                "delay" => (0, DELAYS),
                "rate" => (1, RATES),
                "count" => (2, COUNTS),
                "kind" => (3, KINDS),
                _ => {
                    one_way = report.truth(name, &cell.value, &cell.at).unwrap_or(false);
                    continue;
                }
            };
            numbers[slot] = match slot {
                0 if report.unit.is_some() => report.delay_in_units(&cell.value, &cell.at),
                0 if is_fraction(&cell.value) => {
                    let what = format!(
                        "`{name}` must be a whole number of cycles, not {}",
                        quoted(&cell.value)
                    );
                    report.add_of("fraction", &cell.at, what, in_cycles(name));
                    None
                }
                _ => report.whole(name, &cell.value, &cell.at, limits),
            };
            correct &= numbers[slot].is_some();
        }
        let (Some(from), Some(to), true) = (ends.0, ends.1, correct) else { return };
        let at = report.span(line);
        let [delay, rate, links, kind] = numbers;
        let key = [delay.unwrap_or(0), rate.unwrap_or(1), kind.unwrap_or(0), 0];
        let ways = if one_way { vec![(from, to)] } else { vec![(from, to), (to, from)] };
        let known = ways.iter().find_map(|&(a, b)| self.links.get(&(a, b, key)));
        if let Some(first) = known.filter(|_| from != to) {
            let line = report.line(first);
            let what = format!(
                "this link is given twice, first on line {line}: a line is a link each way"
            );
            let help = "remove one, write a `count`, or add a column `one_way` with `true`";
            report.add(&at, what, help);
            return;
        }
        self.links.extend(ways.iter().map(|&(a, b)| ((a, b, key), at.clone())));
        let (attributes, count) = (attributes(delay, rate, kind), links.unwrap_or(1) as u32);
        self.draft.links.push(Link { from, to, one_way, count, attributes, at });
    }
}
