//! A line of text that is being typed, with a cursor.

use std::ops::Deref;

use tui_input::{Input, InputRequest};

/// The most characters of a line.
pub const LONGEST: usize = 400;

/// A change of a line or of the position of its cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    Type(char),
    /// Removes the character before the cursor.
    Erase,
    /// Removes the character at the cursor.
    EraseNext,
    EraseWord,
    Clear,
    Left,
    Right,
    Start,
    End,
}

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
    /// Edits the line or moves the cursor; returns true if the text changed. A full line takes no
    /// further characters.
    pub fn edit(&mut self, edit: Edit) -> bool {
        let request = match edit {
            Edit::Type(_) if self.chars().count() >= LONGEST => return false,
            Edit::Type(letter) => InputRequest::InsertChar(letter),
            Edit::Erase => InputRequest::DeletePrevChar,
            Edit::EraseNext => InputRequest::DeleteNextChar,
            Edit::EraseWord => InputRequest::DeletePrevWord,
            Edit::Clear => InputRequest::DeleteLine,
            Edit::Left => InputRequest::GoToPrevChar,
            Edit::Right => InputRequest::GoToNextChar,
            Edit::Start => InputRequest::GoToStart,
            Edit::End => InputRequest::GoToEnd,
        };
        self.0.handle(request).is_some_and(|changed| changed.value)
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
