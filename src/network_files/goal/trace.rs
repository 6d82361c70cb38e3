//! Operations of a trace, and what they require.

use std::collections::HashMap;

use crate::network_files::ignored::Ignored;
use crate::network_files::mistake::{Report, Span, meant, nearest, quoted};

/// Maximum number of ranks.
const RANKS_MAX: u64 = 1 << 22;
/// Maximum numbers of bytes, of nanoseconds, and of tags.
const BYTES_MAX: u64 = 1 << 40;
const TIME_MAX: u64 = 1 << 40;
const TAG_MAX: u64 = u32::MAX as u64;

const KEYWORDS: [&str; 3] = ["send", "recv", "calc"];
const RELATIONS: [&str; 2] = ["requires", "irequires"];

/// The work of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// Sends bytes to a rank.
    Send { bytes: u64, to: u32, tag: u32 },
    /// Receives bytes from a rank.
    Receive { bytes: u64, from: u32, tag: u32 },
    /// Computes for a time in nanoseconds.
    Calculate(u64),
}

/// An operation of a rank.
#[derive(Debug)]
pub(super) struct Operation<'t> {
    pub rank: u32,
    pub label: Option<&'t str>,
    pub action: Action,
    pub at: Span,
}

/// An operation that another requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Requirement {
    /// Its index.
    pub operation: usize,
    /// True if its start is enough.
    pub starts: bool,
}

/// The operations of all ranks.
#[derive(Default)]
pub(super) struct Trace<'t> {
    pub ranks: u32,
    pub operations: Vec<Operation<'t>>,
    /// The operations that each requires.
    pub requires: Vec<Vec<Requirement>>,
    pub ignored: Ignored,
}

/// The operations of the rank being read.
#[derive(Default)]
struct Block<'t> {
    labels: HashMap<&'t str, usize>,
    /// Pairs of labels: the first requires the second, or only its start.
    pairs: Vec<(&'t str, &'t str, bool)>,
}

struct Parser<'r, 't> {
    report: &'r mut Report<'t>,
    /// The rest of the text.
    rest: &'t str,
    trace: Trace<'t>,
}

impl<'t> Trace<'t> {
    /// Reads all operations; mistakes are reported, and only the first of the form.
    pub fn read(report: &mut Report<'t>) -> Self {
        let rest = report.text;
        let mut parser = Parser { report, rest, trace: Trace::default() };
        let _ = parser.ranks();
        parser.trace
    }
}

impl<'t> Parser<'_, 't> {
    /// The next word or mark, without comments; empty at the end of the text.
    fn peek(&mut self) -> &'t str {
        loop {
            self.rest = self.rest.trim_start();
            let comment = if self.rest.starts_with('#') || self.rest.starts_with("//") {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else if self.rest.starts_with("/*") {
                self.rest.find("*/").map_or(self.rest.len(), |end| end + 2)
            } else {
                break;
            };
            self.rest = &self.rest[comment..];
        }
        let is_part = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        let end = self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len());
        let mark = self.rest.chars().next().map_or(0, char::len_utf8);
        &self.rest[..end.max(mark)]
    }

    fn next(&mut self) -> &'t str {
        let word = self.peek();
        self.rest = &self.rest[word.len()..];
        word
    }

    /// Reports a word that is not understood.
    fn refuse<T>(&mut self, word: &str, expected: &str, help: impl Into<String>) -> Option<T> {
        let found = if word.is_empty() { "the end of the file".to_owned() } else { quoted(word) };
        let what = format!("{expected} is expected here, not {found}");
        self.report.add(&self.report.span(word), what, help);
        None
    }

    fn expect(&mut self, expected: &str, help: &str) -> Option<()> {
        let word = self.next();
        if word == expected {
            return Some(());
        }
        self.refuse(word, &format!("`{expected}`"), help)
    }

    /// Reads a number with an optional unit, `b` for bytes.
    fn number(&mut self, name: &str, most: u64, unit: bool) -> Option<u64> {
        let word = self.next();
        let digits = word.strip_suffix(['b', 'B']).filter(|_| unit).unwrap_or(word);
        if digits.is_empty() || !digits.starts_with(|letter: char| letter.is_ascii_digit()) {
            return self.refuse(word, &format!("the {name}"), "write a whole number");
        }
        let at = self.report.span(word);
        self.report.whole(name, digits, &at, 0..=most)
    }

    fn ranks(&mut self) -> Option<()> {
        self.expect(
            "num_ranks",
            "write `num_ranks 4` in the first line, and `rank 0 { … }` below",
        )?;
        self.trace.ranks = self.number("number of ranks", RANKS_MAX, false)? as u32;
        let mut known: HashMap<u32, Span> = HashMap::new();
        loop {
            let word = self.peek();
            let at = self.report.span(word);
            if word.is_empty() {
                return Some(());
            }
            self.expect("rank", "write `rank 0 { … }` for each rank")?;
            let rank = self.rank()?;
            if let Some(first) = known.insert(rank, at.clone()) {
                let line = self.report.line(&first);
                let what = format!("rank {rank} is there twice, first on line {line}");
                self.report.add(&at, what, "write its operations in one block");
                return None;
            }
            self.expect("{", "write the operations of the rank in braces")?;
            self.block(rank)?;
        }
    }

    /// Reads the number of a rank.
    fn rank(&mut self) -> Option<u32> {
        let word = self.peek();
        let at = self.report.span(word);
        let rank = self.number("rank", RANKS_MAX, false)? as u32;
        if rank < self.trace.ranks {
            return Some(rank);
        }
        let what = format!("there is no rank {rank}: `num_ranks` is {}", self.trace.ranks);
        self.report.add(&at, what, "ranks are numbered from 0");
        None
    }

    /// Reads the operations of a rank, and the brace at their end.
    fn block(&mut self, rank: u32) -> Option<()> {
        let mut block = Block::default();
        loop {
            let word = self.next();
            match word {
                "}" => break,
                _ if KEYWORDS.contains(&word) => self.operation(rank, None, word)?,
                _ if word.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_') => {
                    let relation = self.next();
                    if relation == ":" {
                        let first = self.trace.operations.len();
                        let keyword = self.next();
                        self.operation(rank, Some(word), keyword)?;
                        if let Some(other) = block.labels.insert(word, first) {
                            let line = self.report.line(&self.trace.operations[other].at);
                            let what = format!(
                                "{} is given twice in rank {rank}, first on line {line}",
                                quoted(word)
                            );
                            let at = self.report.span(word);
                            self.report.add(&at, what, "give every operation its own label");
                        }
                    } else if RELATIONS.contains(&relation) {
                        let other = self.next();
                        block.pairs.push((word, other, relation == "irequires"));
                    } else {
                        let help = "write `l1: send 64b to 1 tag 0`, or `l2 requires l1`";
                        return self.refuse(relation, "`:`, `requires` or `irequires`", help);
                    }
                }
                _ => {
                    let help = "write `l1: send 64b to 1 tag 0`, or `}` at the end of the rank";
                    return self.refuse(word, "an operation", help);
                }
            }
        }
        self.resolve(rank, &block);
        Some(())
    }

    /// Reads an operation behind its first word.
    fn operation(&mut self, rank: u32, label: Option<&'t str>, keyword: &'t str) -> Option<()> {
        let start = self.report.span(label.unwrap_or(keyword)).start;
        let sends = keyword == "send";
        let action = match keyword {
            "send" | "recv" => {
                let bytes = self.number("number of bytes", BYTES_MAX, true)?;
                let form = if sends { "send 64b to 1 tag 0" } else { "recv 64b from 0 tag 0" };
                self.expect(if sends { "to" } else { "from" }, &format!("write `{form}`"))?;
                let peer = self.rank()?;
                let tag = self.attributes()?;
                if sends {
                    Action::Send { bytes, to: peer, tag }
                } else {
                    Action::Receive { bytes, from: peer, tag }
                }
            }
            "calc" => {
                let time = self.number("time in nanoseconds", TIME_MAX, false)?;
                self.attributes()?;
                Action::Calculate(time)
            }
            _ => {
                let help = nearest(keyword, KEYWORDS.into_iter())
                    .map_or("write one of these".to_owned(), |near| {
                        format!("did you mean `{near}`?")
                    });
                return self.refuse(keyword, "`send`, `recv` or `calc`", help);
            }
        };
        let end = self.report.text.len() - self.rest.len();
        self.trace.operations.push(Operation { rank, label, action, at: start..end });
        self.trace.requires.push(Vec::new());
        Some(())
    }

    /// Reads the tag behind an operation, 0 if there is none, and ignores processors and adapters.
    fn attributes(&mut self) -> Option<u32> {
        let mut tag = 0;
        loop {
            let before = self.rest;
            let name = self.next();
            let known = ["tag", "cpu", "nic"].contains(&name);
            // A label may be spelt like an attribute.
            let follows = self.peek();
            if !known || follows == ":" || RELATIONS.contains(&follows) {
                self.rest = before;
                return Some(tag);
            }
            let number = self.number(name, TAG_MAX, false)? as u32;
            if name == "tag" {
                tag = number;
            } else {
                self.trace.ignored.add("operations", name);
            }
        }
    }

    /// Replaces the labels of a rank by its operations.
    fn resolve(&mut self, rank: u32, block: &Block<'t>) {
        for &(label, other, starts) in &block.pairs {
            let mut find = |name: &'t str| {
                let found = block.labels.get(name).copied();
                if found.is_none() {
                    let help = meant(name, block.labels.keys().copied(), "write a label of it");
                    let what = format!("rank {rank} has no operation {}", quoted(name));
                    self.report.add(&self.report.span(name), what, help);
                }
                found
            };
            if let (Some(from), Some(operation)) = (find(label), find(other)) {
                self.trace.requires[from].push(Requirement { operation, starts });
            }
        }
    }
}
