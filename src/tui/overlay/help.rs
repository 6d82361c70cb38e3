//! Help over the screen: the names of its pages, one of them, or what a search found.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::sheet::{Sheet, room};
use crate::tui::app::App;
use crate::tui::help::{Entry, Help, Page};
use crate::tui::pen::wrap;

/// Columns of keys, signs and words before what they mean.
const KEYS: usize = 13;
/// The most columns of all.
const WIDEST: u16 = 104;

pub(super) fn draw(app: &App, buffer: &mut Buffer, help: &Help) {
    let room = room(app);
    let size = (room.width.saturating_sub(2).min(WIDEST), room.height);
    let title = match &help.search {
        Some(_) => "help   Enter goes there, Esc ends the search".to_owned(),
        None => "help   Tab next page, / search, t the tour, Esc closes".to_owned(),
    };
    let mut sheet = Sheet::open(app, buffer, size, &title);
    match &help.search {
        Some(search) => results(&mut sheet, help, &search.text, search.chosen),
        None => page(&mut sheet, help),
    }
}

/// The names of the pages, and the entries of one from where it is scrolled to.
fn page(sheet: &mut Sheet<'_>, help: &Help) {
    let (theme, glyphs) = (sheet.app.theme, sheet.app.glyphs);
    let mut names = Line::default();
    for (nth, page) in help.pages.iter().enumerate() {
        let (left, right) = if nth == help.page { ('[', ']') } else { (' ', ' ') };
        let style = if nth == help.page { theme.focus() } else { theme.dim() };
        names.push_span(Span::styled(format!("{left}{}{right}", page.name), style));
    }
    sheet.pen.line(1, 0, &names, glyphs.ellipsis);
    let width = usize::from(sheet.pen.width()).saturating_sub(3);
    let rows = sheet.foot();
    let entries = &help.pages[help.page].entries;
    let (mut y, mut more) = (1, false);
    for entry in &entries[help.from.min(entries.len())..] {
        for line in lines(sheet.app, entry, width) {
            more = y > rows;
            if !more {
                sheet.pen.line(1, y, &line, glyphs.ellipsis);
            }
            y += 1;
        }
        if more {
            break;
        }
    }
    let right = i32::from(sheet.pen.width()) - 1;
    let [up, down] = glyphs.more;
    for (_, y, sign) in [(help.from > 0, 1, up), (more, rows, down)].iter().filter(|it| it.0) {
        sheet.pen.put(right, *y, *sign, theme.focus());
    }
}

/// An entry in lines of a width.
fn lines(app: &App, entry: &Entry, width: usize) -> Vec<Line<'static>> {
    let theme = app.theme;
    match entry {
        Entry::Gap => vec![Line::default()],
        Entry::Heading(text) => vec![Line::styled(text.clone(), theme.focus())],
        Entry::Code(text) => vec![Line::styled(format!("  {text}"), theme.measured())],
        Entry::Text(text) => {
            wrap(text, width).into_iter().map(|line| Line::styled(line, theme.text())).collect()
        }
        Entry::Row(key, text) => {
            let long = key.chars().count() > KEYS;
            let text = wrap(text, width.saturating_sub(KEYS + 1));
            let mut out: Vec<Line<'static>> = Vec::new();
            if long {
                let keys = wrap(key, width).into_iter();
                out.extend(keys.map(|key| Line::styled(key, theme.strong())));
            }
            out.extend(text.into_iter().enumerate().map(|(nth, line)| {
                let key = if nth == 0 && !long { key.as_str() } else { "" };
                let key = Span::styled(format!("{key:<KEYS$} "), theme.strong());
                Line::from_iter([key, Span::styled(line, theme.text())])
            }));
            out
        }
    }
}

/// What was typed, and the lines in which it stands with the names of their pages.
fn results(sheet: &mut Sheet<'_>, help: &Help, text: &str, chosen: usize) {
    let theme = sheet.app.theme;
    sheet.typed("/", text);
    let found = help.found();
    if found.is_empty() {
        let words = if text.is_empty() { "type words to look for" } else { "nothing is found" };
        sheet.line(1, words, theme.dim());
        return;
    }
    let rows = usize::try_from(sheet.foot()).unwrap_or(0);
    let from = (chosen + 1).saturating_sub(rows);
    for (y, (nth, &(page, at))) in (1..).zip(found.iter().enumerate().skip(from).take(rows)) {
        let Page { name, entries } = &help.pages[page];
        sheet.entry(y, &format!("{name}: {}", entries[at].text()), nth == chosen);
    }
    let count = format!("{} of {} ", chosen + 1, found.len());
    sheet.pen.right(0, &count, theme.dim());
}
