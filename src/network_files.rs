//! Networks in files: readers of seven formats, and writers of four.
//!
//! A reader turns the text of a file into a [`Draft`]: routers, hosts and links by name. It is one
//! file and one line of [`READERS`]. All mistakes are reported, each with line and column, and a
//! [`Draft`] lists everything in the file that is ignored.
//!
//! Common rules: a file without hosts has one for every router. Undirected edges are a link each way.
//! A link from a router to itself, and routers from which no way leads to all others, are mistakes.
//! Routers and hosts are numbered in the order of the file or, if their names are one text followed by
//! a number (as `7`, or `s7`), by that number. Files have at most [`FILE_MAX`] bytes, in UTF-8 or UTF-16.

mod anynet;
mod attributed;
pub mod booksim;
pub mod caminos;
mod cells;
pub mod comparison;
mod conditions;
mod conversion;
mod courses;
mod csv;
mod decode;
mod delays;
mod draft;
mod edge_lines;
mod gml;
pub mod goal;
mod graphml;
mod ibnetdiscover;
mod ignored;
mod messages;
mod mistake;
mod names;
mod node_link;
pub mod noxim;
mod pairs;
mod part;
mod resolver;
mod routes;
mod speeds;
mod unread;
mod values;
mod weights;
pub mod write;

pub use decode::FILE_MAX;
pub use delays::DelayUnit;
pub use draft::{Draft, Graph, Host, Link, Router};
#[cfg(test)]
pub(crate) use messages::Text;
pub use messages::{
    MessagesDraft, Permitted, Store, StreamedDraft, StreamedTable, read_messages, stream_messages,
};
pub use mistake::{MISTAKES_MAX, Mistake};
pub use pairs::read_pairs;
pub use routes::{RoutesDraft, read_routes};
pub use weights::{WeightsDraft, read_weights};

use mistake::Report;

/// A format of files.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// The name for people.
    pub name: &'static str,
    /// Extensions of files, without the dot.
    pub extensions: &'static [&'static str],
    /// Description.
    pub help: &'static str,
    sniff: fn(&str) -> bool,
    read: fn(&mut Report<'_>) -> Draft,
}

/// All formats that are read.
#[rustfmt::skip]
pub const READERS: &[Reader] = &[
    Reader { name: "edge list", extensions: &["csv"], help: "A line for each link, under `from,to,delay,rate,count,kind`; `host,NAME,ROUTER` for hosts", sniff: csv::sniff, read: csv::read },
    Reader { name: "GraphML", extensions: &["graphml", "xml"], help: "As NetworkX writes it; node attribute `endpoints` for the number of hosts", sniff: graphml::sniff, read: graphml::read },
    Reader { name: "node-link JSON", extensions: &["json"], help: "As NetworkX writes it: `nodes`, and `edges` or `links`", sniff: node_link::sniff, read: node_link::read },
    Reader { name: "GML", extensions: &["gml"], help: "As the Internet Topology Zoo and NetworkX write it", sniff: gml::sniff, read: gml::read },
    Reader { name: "anynet", extensions: &["anynet"], help: "Of BookSim2: a line for each router, with its nodes, routers and latencies", sniff: anynet::sniff, read: anynet::read },
    Reader { name: "ibnetdiscover", extensions: &["ibnetdiscover", "topo"], help: "The text that `ibnetdiscover` prints of an InfiniBand fabric", sniff: ibnetdiscover::sniff, read: ibnetdiscover::read },
    Reader { name: "edge list of NetworkX", extensions: &["edgelist", "edges"], help: "As `networkx.write_edgelist` writes it: two nodes in each line, with their attributes in braces", sniff: edge_lines::sniff, read: edge_lines::read },
];

/// True if files of some format have an extension, without the dot.
pub fn has_extension(extension: &str) -> bool {
    let extension = extension.to_lowercase();
    READERS.iter().any(|reader| reader.extensions.contains(&extension.as_str()))
}

/// True for a network in a format that is not read, by the extension of its file or its contents.
pub fn is_unread(extension: &str, text: &str) -> bool {
    unread::is_unread(&extension.to_lowercase(), text)
}

/// True if the contents of a file are those of some format.
pub fn has_format(text: &str) -> bool {
    READERS.iter().any(|reader| (reader.sniff)(text))
}

/// Reads a network from the bytes of a file. The format is that of the contents or, if these are
/// unclear, that of the extension of `name`.
///
/// # Errors
///
/// All mistakes, in the order of the file.
pub fn read(name: &str, bytes: &[u8]) -> Result<Draft, Vec<Mistake>> {
    read_in(name, bytes, None)
}

/// Reads a network as [`read`] does, with the delays of links in another unit.
///
/// # Errors
///
/// All mistakes, in the order of the file.
pub fn read_in(name: &str, bytes: &[u8], unit: Option<DelayUnit>) -> Result<Draft, Vec<Mistake>> {
    read_by(name, bytes, |reader, text| reader.read(text, unit))
}

/// Reads a network as [`read`] does, in which some routers may have no path to others.
///
/// # Errors
///
/// All mistakes, in the order of the file.
pub fn read_in_parts(name: &str, bytes: &[u8]) -> Result<Draft, Vec<Mistake>> {
    read_by(name, bytes, Reader::read_in_parts)
}

/// Reads a network from the bytes of a file by the reader of its format.
fn read_by(
    name: &str,
    bytes: &[u8],
    read: impl FnOnce(&Reader, &str) -> Result<Draft, Vec<Mistake>>,
) -> Result<Draft, Vec<Mistake>> {
    let text = decoded(bytes, FILE_MAX).map_err(|mistake| vec![mistake])?;
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
    let extended = |reader: &&Reader| reader.extensions.contains(&extension.as_str());
    let named = READERS.iter().find(extended);
    let sniffed = READERS.iter().find(|reader| (reader.sniff)(&text));
    let Some(reader) = named.filter(|reader| (reader.sniff)(&text)).or(sniffed).or(named) else {
        return Err(vec![unread::mistake(name, &extension, &text)]);
    };
    read(reader, &text)
}

/// The text of a file of at most `most` bytes in UTF-8 or UTF-16.
///
/// # Errors
///
/// The reason why the bytes are no text.
pub fn decoded(bytes: &[u8], most: usize) -> Result<std::borrow::Cow<'_, str>, Mistake> {
    decode::text(bytes, most)
}

impl Reader {
    /// Reads a text of this format.
    ///
    /// # Errors
    ///
    /// All mistakes, in the order of the text.
    pub fn read(&self, text: &str, unit: Option<DelayUnit>) -> Result<Draft, Vec<Mistake>> {
        let mut report = Report::new(text);
        report.unit = unit;
        let draft = self.settled(&mut report);
        if report.is_clean() {
            draft.connect(&mut report);
        }
        if report.is_clean() { Ok(draft) } else { Err(report.finish()) }
    }

    /// Reads a text of this format, in which some routers may have no path to others.
    fn read_in_parts(&self, text: &str) -> Result<Draft, Vec<Mistake>> {
        let mut report = Report::new(text);
        let draft = self.settled(&mut report);
        if report.is_clean() { Ok(draft) } else { Err(report.finish()) }
    }

    fn settled(&self, report: &mut Report<'_>) -> Draft {
        let mut draft = (self.read)(report);
        if report.is_clean() {
            report.check_unit();
        }
        if report.is_clean() {
            draft.settle(report);
        }
        draft
    }
}

#[cfg(test)]
mod tests;
