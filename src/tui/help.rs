//! Help as data: pages of entries, reading position, and search.

use std::rc::Rc;

use super::action::Answer;
use super::line::EditLine;
use super::pen::wrap;
use crate::guide::{TOPICS, Topic};

/// Maximum number of columns of text.
const WIDEST: usize = 99;
/// Columns and rows around the text: borders, a margin with scroll marks, and a row of names of pages.
pub const AROUND: (u16, u16) = (5, 3);
/// Columns for keys, symbols and terms before their explanations.
const KEYS: usize = 13;
/// An element of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// An empty line before a heading.
    Gap,
    Heading(String),
    /// A key, symbol or term with its explanation.
    Row(String, String),
    Text(String),
    Code(String),
}

impl Entry {
    pub fn text(&self) -> String {
        match self {
            Self::Gap => String::new(),
            Self::Heading(text) | Self::Text(text) | Self::Code(text) => text.clone(),
            Self::Row(key, text) => format!("{key}  {text}"),
        }
    }

    /// Wraps the text to a number of columns; each line has a key column, possibly empty, and text.
    pub fn lines(&self, columns: usize) -> Vec<(String, String)> {
        let texts =
            |lines: Vec<String>| lines.into_iter().map(|text| (String::new(), text)).collect();
        match self {
            Self::Gap => texts(vec![String::new()]),
            Self::Heading(text) => texts(vec![text.clone()]),
            Self::Code(text) => texts(vec![format!("  {text}")]),
            Self::Text(text) => texts(wrap(text, columns)),
            Self::Row(key, text) => {
                let text = wrap(text, columns.saturating_sub(KEYS + 1)).into_iter();
                let beside = |key: &str, text| (format!("{key:<KEYS$} "), text);
                if key.chars().count() > KEYS {
                    let keys = wrap(key, columns).into_iter().map(|key| (key, String::new()));
                    return keys.chain(text.map(|line| beside("", line))).collect();
                }
                (0..)
                    .zip(text)
                    .map(|(nth, line)| beside(if nth == 0 { key } else { "" }, line))
                    .collect()
            }
        }
    }
}

/// A page and its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    pub name: &'static str,
    pub entries: Vec<Entry>,
}

/// A search in progress.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pub text: EditLine,
    /// Index of the chosen line among the results.
    pub chosen: usize,
}

/// Open help.
#[derive(Clone, Debug)]
pub struct Help {
    /// All pages: the present screen, the keys, and the topics of the guide.
    pub pages: Rc<[Page]>,
    pub page: usize,
    /// The scroll position: an entry and a line within the entry.
    pub from: (usize, usize),
    pub search: Option<Search>,
}

impl Help {
    /// Creates help from the given pages, followed by the guide.
    pub fn new(own: impl IntoIterator<Item = Page>) -> Self {
        let pages = own.into_iter().chain(TOPICS.iter().map(guide)).collect();
        Self { pages, page: 0, from: (0, 0), search: None }
    }

    /// Columns and rows of text on a screen of the given size.
    pub fn text_size(&self, (width, height): (u16, u16)) -> (usize, usize) {
        // The box leaves a margin of two columns and two rows.
        let columns = usize::from(width.saturating_sub(2 + AROUND.0)).min(WIDEST);
        let rows = usize::from(height.saturating_sub(2 + AROUND.1));
        let further_tabs = self.tabs(columns).len().saturating_sub(1);
        (columns, rows.saturating_sub(further_tabs))
    }

    /// The names of the pages in rows of at most `columns`, with a bracket or space on both sides of each.
    pub fn tabs(&self, columns: usize) -> Vec<Vec<(usize, &'static str)>> {
        let (mut rows, mut used) = (vec![Vec::new()], 0);
        for (nth, page) in self.pages.iter().enumerate() {
            let width = page.name.chars().count() + 2;
            if used > 0 && used + width > columns {
                rows.push(Vec::new());
                used = 0;
            }
            used += width;
            rows.last_mut().expect("there is one").push((nth, page.name));
        }
        rows
    }

    /// The pages and entries containing all words of the search.
    pub fn found(&self) -> Vec<(usize, usize)> {
        let Some(search) = &self.search else { return Vec::new() };
        let words = search.text.to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let is_in = |entry: &Entry| {
            let text = entry.text().to_lowercase();
            !words.is_empty() && words.iter().all(|word| text.contains(word))
        };
        let pages = self.pages.iter().enumerate();
        let all = pages.flat_map(|(page, it)| (0..).zip(&it.entries).map(move |it| (page, it)));
        all.filter(|(_, (_, entry))| is_in(entry)).map(|(page, (at, _))| (page, at)).collect()
    }

    /// Handles a key; `size` is the size of the text in columns and rows.
    pub fn answer(&mut self, answer: Answer, size: (usize, usize)) {
        let pages = self.pages.len();
        if let Some(search) = &mut self.search {
            if let Answer::Edit(edit) = answer {
                if search.text.edit(edit) {
                    search.chosen = 0;
                }
                return;
            }
            let (chosen, found) = (search.chosen, self.found());
            let last = found.len().saturating_sub(1);
            match answer {
                Answer::Accept => {
                    if let Some(&(page, at)) = found.get(chosen) {
                        (self.page, self.from, self.search) = (page, (at, 0), None);
                    }
                }
                Answer::Down => self.choose((chosen + 1).min(last)),
                Answer::Up => self.choose(chosen.saturating_sub(1)),
                Answer::ChooseNext
                | Answer::ChoosePrevious
                | Answer::Complete
                | Answer::Edit(_) => {}
            }
            return;
        }
        match answer {
            Answer::Down => self.scroll(size, false),
            Answer::Up => self.scroll(size, true),
            Answer::ChooseNext => (self.page, self.from) = ((self.page + 1) % pages, (0, 0)),
            Answer::ChoosePrevious => {
                (self.page, self.from) = ((self.page + pages - 1) % pages, (0, 0));
            }
            Answer::Complete => self.search = Some(Search::default()),
            Answer::Accept | Answer::Edit(_) => {}
        }
    }

    /// Scrolls by half of the rows, downwards at most to the last line.
    fn scroll(&mut self, (columns, rows): (usize, usize), up: bool) {
        let entries = &self.pages[self.page].entries;
        let lines = (0..)
            .zip(entries)
            .flat_map(|(entry, it)| (0..it.lines(columns).len()).map(move |line| (entry, line)));
        let lines: Vec<(usize, usize)> = lines.collect();
        let step = (rows / 2).max(1);
        let now = lines.partition_point(|line| *line < self.from);
        let last = lines.len().saturating_sub(rows).max(now);
        let next = if up { now.saturating_sub(step) } else { (now + step).min(last) };
        self.from = lines.get(next).copied().unwrap_or(self.from);
    }

    fn choose(&mut self, line: usize) {
        if let Some(search) = &mut self.search {
            search.chosen = line;
        }
    }
}

/// Converts a topic of the guide from Markdown; lines of a paragraph are joined, to be wrapped at
/// the width of the screen.
fn guide(topic: &Topic) -> Page {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut in_code, mut joins) = (false, false);
    for line in topic.text.lines() {
        let bare = line.trim();
        if bare.starts_with("```") {
            (in_code, joins) = (!in_code, false);
            continue;
        }
        if in_code {
            entries.push(Entry::Code(line.to_owned()));
            continue;
        }
        if bare.is_empty() {
            if joins {
                entries.push(Entry::Gap);
            }
            joins = false;
        } else if bare.starts_with('#') {
            entries.push(Entry::Gap);
            entries.push(Entry::Heading(plain(bare.trim_start_matches(['#', ' ']))));
            joins = false;
        } else if let Some(row) = bare.strip_prefix('|') {
            entries.extend(cells(row));
            joins = false;
        } else {
            let text = plain(bare);
            if let Some(Entry::Text(before)) = entries.last_mut()
                && joins
                && !is_item(bare)
            {
                before.push(' ');
                before.push_str(&text);
            } else {
                entries.push(Entry::Text(text));
            }
            joins = true;
        }
    }
    let first = entries.iter().position(|entry| *entry != Entry::Gap).unwrap_or(0);
    entries.drain(..first);
    entries.dedup();
    Page { name: topic.name, entries }
}

/// True if a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let numbered = line.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok());
    numbered || line.starts_with("* ") || line.starts_with("- ")
}

/// Removes asterisks, except isolated ones: list markers and products.
fn calm(text: &str) -> String {
    let words = text.split(' ');
    let bare = |word: &str| if word == "*" { word.to_owned() } else { word.replace('*', "") };
    words.map(bare).collect::<Vec<_>>().join(" ")
}

/// Converts a table row; `None` for the line below the heading.
fn cells(row: &str) -> Option<Entry> {
    if row.chars().all(|letter| "|-: ".contains(letter)) {
        return None;
    }
    // A backslash escapes a vertical bar within a cell.
    let row = row.trim_end_matches('|').replace("\\|", "\u{1}");
    let mut cells = row.split('|').map(|cell| plain(cell.trim()).replace('\u{1}', "|"));
    let first = cells.next().unwrap_or_default();
    let rest: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
    Some(Entry::Row(first, rest.join("; ")))
}

/// Removes the marks of emphasis and code, and reduces links to their texts.
fn plain(text: &str) -> String {
    let parts = text.split('`').enumerate();
    // Every second part is code with literal asterisks.
    let bare = |(at, part): (usize, &str)| if at % 2 == 1 { part.to_owned() } else { calm(part) };
    let text: String = parts.map(bare).collect();
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(open) = rest.find('[') {
        let link = rest[open..].find("](").map(|at| open + at);
        let end = link.and_then(|at| rest[at..].find(')').map(|end| at + end));
        let Some((middle, end)) = link.zip(end).filter(|_| !rest[open..].starts_with("[ ")) else {
            break;
        };
        out.push_str(&rest[..open]);
        out.push_str(&rest[open + 1..middle]);
        rest = &rest[end + 1..];
    }
    out + rest
}

#[cfg(test)]
mod tests;
