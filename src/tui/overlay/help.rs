//! Help over the screen: tabs of pages, the present page, or search results.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::sheet::Sheet;
use crate::tui::app::App;
use crate::tui::help::{AROUND, Entry, Help, Page};
use crate::tui::line::EditLine;

pub(super) fn draw(app: &App, buffer: &mut Buffer, help: &Help) {
    let text = help.text_size(app.size);
    let part = |text: usize| u16::try_from(text).unwrap_or(u16::MAX / 2);
    let further_tabs = help.tabs(text.0).len().saturating_sub(1);
    let size = (part(text.0) + AROUND.0, part(text.1 + further_tabs) + AROUND.1);
    let title = match &help.search {
        Some(_) => "help   Enter goes there, Esc ends the search".to_owned(),
        None => "help   Tab next page, / search, t the tour, Esc closes".to_owned(),
    };
    let mut sheet = Sheet::open(app, buffer, size, &title);
    match &help.search {
        Some(search) => results(&mut sheet, help, &search.text, search.chosen),
        None => page(&mut sheet, help, text),
    }
}

/// Draws the tabs and the present page from its scroll position.
fn page(sheet: &mut Sheet<'_>, help: &Help, (columns, rows): (usize, usize)) {
    let (theme, glyphs) = (sheet.app.theme, sheet.app.glyphs);
    let tabs = help.tabs(columns);
    for (y, names) in (0..).zip(&tabs) {
        let names = names.iter().map(|&(nth, name)| {
            let is_present = nth == help.page;
            let (left, right) = if is_present { ("[", "]") } else { (" ", " ") };
            let style = if is_present { theme.focus() } else { theme.dim() };
            Span::styled(format!("{left}{name}{right}"), style)
        });
        sheet.pen.line(1, y, &names.collect(), glyphs.ellipsis);
    }
    let (first, skip) = help.from;
    let entries = help.pages[help.page].entries.iter().skip(first);
    let lines = entries.flat_map(|entry| {
        let style = match entry {
            Entry::Heading(_) => theme.focus(),
            Entry::Code(_) => theme.measured(),
            Entry::Gap | Entry::Row(..) | Entry::Text(_) => theme.text(),
        };
        entry.lines(columns).into_iter().map(move |line| (line, style))
    });
    let mut lines = lines.skip(skip);
    let below = tabs.len() as i32;
    for (y, ((key, text), style)) in (below..).zip(lines.by_ref().take(rows)) {
        let line = Line::from_iter([Span::styled(key, theme.strong()), Span::styled(text, style)]);
        sheet.pen.line(1, y, &line, glyphs.ellipsis);
    }
    let right = i32::from(sheet.pen.width()) - 1;
    let [up, down] = glyphs.more;
    let signs = [(help.from > (0, 0), below, up), (lines.next().is_some(), sheet.foot(), down)];
    for (_, y, sign) in signs.iter().filter(|it| it.0) {
        sheet.pen.put(right, *y, *sign, theme.focus());
    }
}

/// Draws the search text and the matching lines with their pages.
fn results(sheet: &mut Sheet<'_>, help: &Help, text: &EditLine, chosen: usize) {
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
