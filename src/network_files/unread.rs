//! Formats of networks that are not read, each with its conversion.

use super::cells::lines;
use super::{Mistake, READERS};

/// A format that is not read.
#[derive(Clone, Copy, Debug)]
struct Unread {
    /// The name for people, with its article.
    name: &'static str,
    /// Extensions of files, without the dot.
    extensions: &'static [&'static str],
    /// The function of NetworkX that reads it.
    function: &'static str,
    sniff: fn(&str) -> bool,
}

#[rustfmt::skip]
const UNREAD: &[Unread] = &[
    Unread { name: "a GEXF file", extensions: &["gexf"], function: "read_gexf", sniff: is_gexf },
    Unread { name: "a Pajek file", extensions: &["net", "pajek", "paj"], function: "read_pajek", sniff: is_pajek },
    Unread { name: "a DOT file", extensions: &["dot", "gv"], function: "nx_pydot.read_dot", sniff: is_dot },
    Unread { name: "an adjacency list", extensions: &["adjlist"], function: "read_adjlist", sniff: is_adjacency },
];

fn is_gexf(text: &str) -> bool {
    text.trim_start().starts_with('<')
        && text.chars().take(4000).collect::<String>().contains("<gexf")
}

fn is_pajek(text: &str) -> bool {
    let first = lines(text).next().unwrap_or_default().trim_start().to_lowercase();
    ["*vertices", "*network"].iter().any(|word| first.starts_with(word))
}

fn is_dot(text: &str) -> bool {
    let mut words = text.split_whitespace().filter(|word| *word != "strict");
    let kind = words.next().unwrap_or_default();
    ["graph", "digraph"].contains(&kind.trim_end_matches('{'))
        && text.split_once('{').is_some_and(|(before, _)| before.split_whitespace().count() <= 3)
}

/// True if all lines are words of names, and some line has more than one.
fn is_adjacency(text: &str) -> bool {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let is_name = |word: &str| word.chars().all(|it| it.is_alphanumeric() || "._-".contains(it));
    let mut examined: Vec<usize> = Vec::new();
    let all = lines(whole).take(100).all(|line| {
        examined.push(line.split_whitespace().count());
        line.split_whitespace().all(is_name)
    });
    all && examined.len() > 1 && examined.iter().any(|words| *words > 1)
}

/// The format of a text, or of a file with this extension.
fn find(extension: &str, text: &str) -> Option<&'static Unread> {
    let extended = |unread: &&Unread| unread.extensions.contains(&extension);
    let found = || UNREAD.iter().find(|unread| (unread.sniff)(text));
    UNREAD.iter().find(extended).or_else(found)
}

/// True for a network in a format that is not read.
pub(super) fn is_unread(extension: &str, text: &str) -> bool {
    find(extension, text).is_some()
}

/// The mistake of a file in no format that is read.
pub(super) fn mistake(name: &str, extension: &str, text: &str) -> Mistake {
    let formats: Vec<&str> = READERS.iter().map(|reader| reader.name).collect();
    let formats = formats.join(", ");
    let Some(unread) = find(extension, text) else {
        let what = "the file has no format that is known";
        return Mistake::whole(what, format!("write one of: {formats}"));
    };
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let what = format!("this is {}, and none of the formats that are read: {formats}", unread.name);
    let help = format!(
        "convert it in Python: `networkx.write_graphml(networkx.{}({name:?}), \"{stem}.graphml\")`",
        unread.function
    );
    Mistake::whole(what, help)
}
