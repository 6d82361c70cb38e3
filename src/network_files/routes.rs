//! Routing tables in files: next hops or routes as CSV, and tables of Noxim.
//!
//! ```text
//! at,destination,next,vc,from,from_vc        source,destination,route,vcs
//! leaf0,leaf1,spine0,0,,                     leaf0,leaf1,leaf0>spine0>leaf1,0>1
//! ```
//!
//! The columns `vc`, `from`, `from_vc` and `vcs` are optional. A router as destination stands for
//! its hosts, and `leaf1;leaf4..leaf7` for those of several routers; `from` is the router before, or the router itself for messages at their source. Of
//! several links side by side, `spine0/2` is the second; without a number, a name stands for all of
//! them: a choice of the head in `next`, any of them in `from`, and each with equal probability in a
//! route. Lines that begin with `#`, and empty lines, are skipped.
//!
//! A line of Noxim is `node from->node destination node->next`, with one or more outputs.

use super::cells::{Cell, cells, lines, numbered_lines};
use super::courses::Course;
use super::ignored::Ignored;
use super::mistake::{Mistake, Report, nearest, quoted};
use super::resolver::Resolver;
use super::values::VCS;
use crate::routing::rows::{Contents, From, NextHop, Rows};
use crate::topology::Network;

const HOPS: &[&str] = &["at", "destination", "next", "vc", "from", "from_vc"];
/// The most next hops of a table: 2 GiB.
const HOPS_MAX: usize = 1 << 26;
const ROUTES: &[&str] = &["source", "destination", "route", "vcs"];

/// A table with remarks on the contents of its file.
#[derive(Debug)]
pub struct RoutesDraft {
    pub rows: Rows,
    /// Contents of the file that are ignored, in sentences.
    pub notes: Vec<String>,
}

/// Reads a routing table for a network.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub fn read_routes(text: &str, network: &Network) -> Result<RoutesDraft, Vec<Mistake>> {
    let mut report = Report::new(text);
    let (contents, notes) = Resolver::new(network, &mut report).read();
    if report.is_clean() {
        Ok(RoutesDraft { rows: Rows::new(contents), notes })
    } else {
        Err(report.finish())
    }
}

impl Resolver<'_, '_, '_> {
    fn read(&mut self) -> (Contents, Vec<String>) {
        let empty = (Contents::Hops(Vec::new()), Vec::new());
        let text = self.report.text;
        let Some(header) = lines(text).next() else {
            let help = "write `at,destination,next` and a row for each";
            self.report.add(&(0..0), "the table is empty", help);
            return empty;
        };
        if header.contains("->") || header.trim_start().starts_with('%') {
            return (Contents::Hops(self.noxim(text)), Vec::new());
        }
        let Some(cells) = cells(header, self.report) else { return empty };
        let known = if cells[0].value.eq_ignore_ascii_case("source") { ROUTES } else { HOPS };
        let mut ignored = Ignored::default();
        let columns: Vec<Option<usize>> =
            cells.iter().map(|cell| self.column(cell, known, &mut ignored)).collect();
        for (at, name) in known.iter().enumerate().take(3) {
            if !columns.contains(&Some(at)) && self.report.is_clean() {
                let what = format!("the first line has no column `{name}`");
                let help = format!("write `{}`", known[..3].join(","));
                self.report.add(&self.report.span(header), what, help);
            }
        }
        if !self.report.is_clean() {
            return empty;
        }
        let notes = ignored.notes(known);
        let rows = numbered_lines(text).skip(1);
        if known == ROUTES {
            let course = |(_, line): (u32, &str)| {
                let values = self.values(line, &columns)?;
                self.course(values)
            };
            let rows: Vec<Course> = rows.filter_map(course).collect();
            return (Contents::Routes(self.routes_of(&rows)), notes);
        }
        let mut hops = Vec::new();
        for row in rows {
            self.hop(row, &columns, &mut hops);
            if hops.len() > HOPS_MAX {
                let what = format!("the table has more than {HOPS_MAX} next hops");
                self.report.add(&self.report.span(row.1), what, "leave out arrivals or choices");
                return (Contents::Hops(Vec::new()), notes);
            }
        }
        self.unlike(&hops);
        (Contents::Hops(hops), notes)
    }

    /// The index of a column by its name.
    fn column(&mut self, cell: &Cell<'_>, known: &[&str], ignored: &mut Ignored) -> Option<usize> {
        let name = match cell.value.to_lowercase().as_str() {
            "router" | "node" | "switch" => "at".to_owned(),
            "dest" | "dst" | "to" => "destination".to_owned(),
            "next_hop" | "via" | "output" => "next".to_owned(),
            name => name.to_owned(),
        };
        let found = known.iter().position(|known| *known == name);
        if found.is_none() {
            match nearest(&name, known.iter().copied()) {
                Some(near) => {
                    let what = format!("there is no column {}", quoted(&cell.value));
                    self.report.add(&cell.at, what, format!("did you mean `{near}`?"));
                }
                None => ignored.add("", &cell.value),
            }
        }
        found
    }

    /// The values of a line by column; empty values are omitted.
    fn values<'t>(
        &mut self,
        line: &'t str,
        columns: &[Option<usize>],
    ) -> Option<[Option<Cell<'t>>; 6]> {
        let cells = cells(line, self.report)?;
        let mut values = [const { None }; 6];
        if cells.len() > columns.len() {
            let at = cells[columns.len()].at.clone();
            self.report.add(&at, "this row has more values than columns", "remove this one");
            return None;
        }
        for (cell, column) in cells.into_iter().zip(columns) {
            if let Some(column) = *column
                && !cell.value.is_empty()
            {
                values[column] = Some(cell);
            }
        }
        if values[..3].iter().any(Option::is_none) {
            let at = self.report.span(line);
            self.report.add(
                &at,
                "this row is not complete",
                "write a value in each of the first three columns",
            );
            return None;
        }
        Some(values)
    }

    fn hop(
        &mut self,
        (number, line): (u32, &str),
        columns: &[Option<usize>],
        hops: &mut Vec<NextHop>,
    ) {
        let Some([at, to, next, vc, from, from_vc]) = self.values(line, columns) else { return };
        let ends = at.zip(to).map(|(at, to)| (self.router(&at), self.routers(&to)));
        let Some((Some(at), mut destinations)) = ends else { return };
        let Some(next) = next.map(|next| self.links_to(at, &next.value, &next.at)) else { return };
        let class = self.class(vc.as_ref(), "vc");
        let from_class = self.class(from_vc.as_ref(), "from_vc");
        let from = match from {
            None => vec![From::Anywhere],
            Some(from) => self.arrivals(at, &from.value, &from.at),
        };
        if destinations == [at] {
            let span = self.report.span(line);
            self.report.add(&span, "this row leads on from its destination", "remove the row");
            return;
        }
        // A range may include the router itself.
        destinations.retain(|&destination| destination != at);
        let (Ok(class), Ok(from_class)) = (class, from_class) else { return };
        for (&destination, &next) in
            destinations.iter().flat_map(|to| next.iter().map(move |next| (to, next)))
        {
            let hop = |&from: &From| NextHop {
                at,
                destination,
                next,
                class,
                from,
                from_class,
                line: number,
            };
            hops.extend(from.iter().map(hop));
        }
    }

    /// Reports rows without a VC in a table with VCs, and equal rows.
    fn unlike(&mut self, hops: &[NextHop]) {
        let with = hops.iter().filter(|hop| hop.class.is_some()).count();
        if with > 0 && with < hops.len() {
            let what = format!("{} rows of {} have no `vc`", hops.len() - with, hops.len());
            self.report.add(&(0..0), what, "write a `vc` in all rows or in none");
        }
        let key = |hop: &NextHop| {
            let (from, link) = match hop.from {
                From::Anywhere => (0, 0),
                From::Source => (1, 0),
                From::Link(link) => (2, link.0),
            };
            (hop.next, hop.class, from, link, hop.from_class)
        };
        // Tables have millions of rows: the numbers of two routers are compared first.
        // Most tables are in this order.
        let ends = |hop: &NextHop| u64::from(hop.at.0) << 32 | u64::from(hop.destination.0);
        let mut sorted: Vec<u32> = (0..hops.len() as u32).collect();
        sorted.sort_unstable_by_key(|&row| ends(&hops[row as usize]));
        let alike = |rows: &[u32]| {
            let mut rows: Vec<&NextHop> = rows.iter().map(|&row| &hops[row as usize]).collect();
            rows.sort_unstable_by_key(|hop| key(hop));
            let same = |pair: &&[&NextHop]| key(pair[0]) == key(pair[1]);
            rows.windows(2).find(same).map(|pair| [*pair[0], *pair[1]])
        };
        let same =
            |one: &u32, other: &u32| ends(&hops[*one as usize]) == ends(&hops[*other as usize]);
        let mut several = sorted.chunk_by(same).filter(|rows| rows.len() > 1);
        if let Some(pair) = several.find_map(alike) {
            let names = [pair[0].at, pair[0].destination].map(|at| self.network.router_name(at));
            let lines = [pair[0].line, pair[1].line];
            let what = format!(
                "the row at {} to {} is given twice, on lines {} and {}",
                names[0],
                names[1],
                lines[0].min(lines[1]),
                lines[0].max(lines[1])
            );
            self.report.add(&(0..0), what, "remove one of the two");
        }
    }

    /// Reads lines of Noxim.
    fn noxim(&mut self, text: &str) -> Vec<NextHop> {
        let mut hops = Vec::new();
        let rows = numbered_lines(text).filter(|(_, line)| !line.trim_start().starts_with('%'));
        for (number, line) in rows {
            let words: Vec<&str> = line
                .split(|c: char| c.is_whitespace() || c == ',')
                .filter(|it| !it.is_empty())
                .collect();
            let span = self.report.span(line);
            let [at, input, to, outputs @ ..] = &words[..] else {
                self.report.add(&span, "this line is not complete", "write `0 3->0 2 0->1`");
                continue;
            };
            let ends = (self.named(at, &span), self.named(to, &span));
            let (Some(at), Some(destination)) = ends else { continue };
            let ends =
                |link: &str| link.split_once("->").map(|(a, b)| (a.to_owned(), b.to_owned()));
            let Some((from, into)) = ends(input) else {
                self.report.add(&span, format!("{} is no link", quoted(input)), "write `0->1`");
                continue;
            };
            if self.named(&into, &span) != Some(at) {
                self.report.add(
                    &span,
                    "the input link does not end at the node",
                    "write `FROM->NODE`",
                );
                continue;
            }
            let from = self.arrivals(at, &from, &span);
            if outputs.is_empty() {
                self.report.add(&span, "this line has no output link", "write `0->1` at its end");
            }
            for output in outputs {
                let Some((start, next)) =
                    ends(output).filter(|(start, _)| self.named(start, &span) == Some(at))
                else {
                    self.report.add(
                        &span,
                        format!("{} is no link from the node", quoted(output)),
                        "write `NODE->NEXT`",
                    );
                    continue;
                };
                debug_assert!(!start.is_empty());
                for next in self.links_to(at, &next, &span) {
                    let hop = |&from: &From| NextHop {
                        at,
                        destination,
                        next,
                        class: None,
                        from,
                        from_class: None,
                        line: number,
                    };
                    hops.extend(from.iter().map(hop));
                }
            }
        }
        self.unlike(&hops);
        hops
    }

    fn class(&mut self, cell: Option<&Cell<'_>>, name: &str) -> Result<Option<u8>, ()> {
        let Some(cell) = cell else { return Ok(None) };
        let class = self.report.whole(name, &cell.value, &cell.at, VCS).ok_or(())?;
        Ok(Some(class as u8))
    }
}
