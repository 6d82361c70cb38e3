//! The line at the bottom: the keys that matter most, or something said once.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::App;
use super::bindings::bindable;
use super::pen::Pen;

/// Draws the line.
pub fn draw(app: &App, buffer: &mut Buffer, area: Rect) {
    let bar = app.theme.bar();
    let mut pen = Pen::new(buffer, area);
    pen.fill(' ', bar);
    if let Some(note) = &app.note {
        pen.cut(1, 0, note, app.glyphs.ellipsis, bar);
        return;
    }
    let mut x = 1;
    for binding in bindable() {
        let Some(word) = binding.bar else { continue };
        let key = app.keys.names(binding, 1);
        if key.is_empty() {
            continue;
        }
        let length = (key.chars().count() + 1 + word.chars().count()) as i32;
        if x + length > i32::from(area.width) {
            continue;
        }
        x = pen.text(x, 0, &key, bar.patch(app.theme.strong())) + 1;
        x = pen.text(x, 0, word, bar) + 2;
    }
}
