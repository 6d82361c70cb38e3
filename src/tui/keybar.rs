//! The line at the bottom: the keys that matter most, or something said once.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::{Action, Program, Runs};
use super::app::App;
use super::bindings::bindable;
use super::pen::Pen;

/// The word of a key that is about two runs, while there are two.
fn of_two(action: Action) -> Option<&'static str> {
    let Action::Runs(what) = action else { return None };
    Some(match what {
        Runs::Swap => "swap",
        Runs::Contrast => "difference",
        Runs::Compare => "one run",
    })
}

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
    // Of two runs the keys that are about both come first, behind help.
    let two = app.other().is_some();
    let both = bindable().filter_map(|binding| Some((binding, of_two(binding.action)?)));
    let usual = bindable().filter_map(|binding| Some((binding, binding.bar?)));
    let mut usual = usual.filter(|(it, _)| !two || of_two(it.action).is_none()).peekable();
    let help = usual.next_if(|(binding, _)| binding.action == Action::Program(Program::Help));
    for (binding, word) in help.into_iter().chain(both.filter(|_| two)).chain(usual) {
        let key = app.keys.names(binding, 1);
        let length = (key.chars().count() + 1 + word.chars().count()) as i32;
        if !key.is_empty() && x + length <= i32::from(area.width) {
            x = pen.text(x, 0, &key, bar.patch(app.theme.strong())) + 1;
            x = pen.text(x, 0, word, bar) + 2;
        }
    }
}
