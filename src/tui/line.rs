//! A line of text that is being typed, with a cursor.

use std::ops::Deref;

use tui_input::{Input, InputRequest};

use super::action::Answer;

/// The most characters of a line.
pub const LONGEST: usize = 400;

/// A line of text with a cursor.
#[derive(Clone, Debug, Default)]
pub struct EditLine(Input);

/// The part of a line for which there is room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visible {
    /// The text, with a caret behind it where the cursor is at the end.
    pub text: String,
    /// The character on which the cursor is, counted from 0, where it is not at the end.
    pub cursor: Option<usize>,
    /// The line begins before this part.
    pub is_cut: bool,
}

impl EditLine {
    /// Edits the line or moves the cursor; returns false for answers that do neither.
    pub fn edit(&mut self, answer: Answer) -> bool {
        let request = match answer {
            Answer::Type(_) if self.0.value().chars().count() >= LONGEST => return true,
            Answer::Type(letter) => InputRequest::InsertChar(letter),
            Answer::Erase => InputRequest::DeletePrevChar,
            Answer::EraseNext => InputRequest::DeleteNextChar,
            Answer::EraseWord => InputRequest::DeletePrevWord,
            Answer::Clear => InputRequest::DeleteLine,
            Answer::Left => InputRequest::GoToPrevChar,
            Answer::Right => InputRequest::GoToNextChar,
            Answer::LineStart => InputRequest::GoToStart,
            Answer::LineEnd => InputRequest::GoToEnd,
            Answer::Accept
            | Answer::Up
            | Answer::Down
            | Answer::Complete
            | Answer::ChooseNext
            | Answer::ChoosePrevious => return false,
        };
        self.0.handle(request);
        true
    }

    /// Empties the line.
    pub fn clear(&mut self) {
        self.0.reset();
    }

    /// The part around the cursor that fits into `room` columns and a caret.
    pub fn visible(&self, room: usize) -> Visible {
        let length = self.chars().count();
        let at = self.0.cursor();
        let skip = if at == length { length.saturating_sub(room) } else { at.saturating_sub(room) };
        let text: String = self.chars().skip(skip).take(room + 1).collect();
        let (text, cursor) =
            if at == length { (text + "_", None) } else { (text, Some(at - skip)) };
        Visible { text, cursor, is_cut: skip > 0 }
    }
}

impl Deref for EditLine {
    type Target = str;

    fn deref(&self) -> &str {
        self.0.value()
    }
}

impl From<String> for EditLine {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<&str> for EditLine {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

#[cfg(test)]
mod tests;
