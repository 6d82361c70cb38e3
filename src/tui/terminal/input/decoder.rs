//! Decodes a terminal's bytes to keys, mouse gestures, pasted text and replies.
//!
//! The terminal library blocks in `read` until an incomplete sequence is complete, and offers no
//! access to its decoder alone. This decoder drops an incomplete sequence after a short time, and
//! any control character ends a sequence.

use std::time::{Duration, Instant};

use super::{Gesture, Input};
use crate::tui::action::Key;

/// Time after the last byte until an incomplete sequence is dropped; a lone escape becomes a key.
const PATIENCE: Duration = Duration::from_millis(50);
/// Timeout within pasted text: a slow line delivers text with gaps, and the rest would be taken for
/// keys.
const PASTING: Duration = Duration::from_millis(500);
/// Maximum length of an incomplete sequence; the middle of a longer sequence is dropped.
const MOST: usize = 1 << 16;
/// Length of the kept end, possibly the beginning of an end mark.
const TAIL: usize = 8;
const ESC: u8 = 0x1b;
const CTRL_C: u8 = 3;
const PASTE: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// An incomplete sequence.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    bytes: Vec<u8>,
    last: Option<Instant>,
}

impl Decoder {
    /// Adds all complete sequences to `heard`, after receiving bytes at `now`.
    pub(super) fn feed(&mut self, bytes: &[u8], now: Instant, heard: &mut Vec<Input>) {
        self.bytes.extend_from_slice(bytes);
        self.last = Some(now);
        let mut at = 0;
        while let Some((length, input)) = first(&self.bytes[at..]) {
            at += length;
            heard.extend(input);
        }
        self.bytes.drain(..at);
        if self.bytes.len() > MOST + TAIL {
            self.bytes.drain(MOST..self.bytes.len() - TAIL);
        }
    }

    /// The time until an incomplete sequence is dropped, if any.
    pub(super) fn patience(&self, now: Instant) -> Option<Duration> {
        let text = self.bytes.len() > PASTE.len() && self.bytes.starts_with(PASTE);
        let patience = if text { PASTING } else { PATIENCE };
        let last = self.last.filter(|_| !self.bytes.is_empty())?;
        Some(patience.saturating_sub(now.saturating_duration_since(last)))
    }

    /// Drops an incomplete sequence after its timeout.
    pub(super) fn expire(&mut self, now: Instant, heard: &mut Vec<Input>) {
        if self.patience(now).is_some_and(|left| left.is_zero()) {
            heard.extend((self.bytes == [ESC]).then_some(Input::Key(Key::Esc)));
            self.bytes.clear();
        }
    }
}

/// The length of the first sequence and its meaning, if any; `None` if incomplete.
fn first(bytes: &[u8]) -> Option<(usize, Option<Input>)> {
    let (&byte, rest) = bytes.split_first()?;
    if byte != ESC {
        let (length, key) = letter(bytes)?;
        return Some((length, key.map(Input::Key)));
    }
    match *rest.first()? {
        b'[' => control_sequence(bytes),
        b'O' => {
            let &last = rest.get(1)?;
            // A control character does not belong to the key.
            let length = if last.is_ascii_graphic() { 3 } else { 2 };
            Some((length, named(last).map(Input::Key)))
        }
        // Replies: operating system command, device control string, application program command.
        b']' | b'P' | b'_' => string(bytes),
        ESC => Some((1, Some(Input::Key(Key::Esc)))),
        // Alt has no effect.
        _ => {
            let (length, key) = letter(rest)?;
            Some((1 + length, key.map(Input::Key)))
        }
    }
}

/// Decodes a character or a key that sends a control character.
fn letter(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let key = match *bytes.first()? {
        b'\r' => Key::Enter,
        b'\t' => Key::Tab,
        0x7f => Key::Backspace,
        0 => Key::Ctrl(' '),
        byte @ 1..=26 => Key::Ctrl((byte - 1 + b'a').into()),
        // Escape sequences are decoded elsewhere.
        ESC => return Some((1, Some(Key::Esc))),
        byte @ 0x1c..=0x1f => Key::Ctrl((byte - 0x1c + b'4').into()),
        byte if byte.is_ascii() => Key::Char(byte.into()),
        _ => return encoded(bytes),
    };
    Some((1, Some(key)))
}

fn encoded(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let bytes = &bytes[..bytes.len().min(4)];
    let good = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let (good, _) = bytes.split_at(error.valid_up_to());
            match (good, error.error_len()) {
                ([], None) => return None,
                ([], Some(bad)) => return Some((bad, None)),
                (good, _) => std::str::from_utf8(good).unwrap_or_default(),
            }
        }
    };
    let letter = good.chars().next()?;
    Some((letter.len_utf8(), Some(Key::Char(letter))))
}

/// Decodes a sequence beginning with `ESC [`.
fn control_sequence(bytes: &[u8]) -> Option<(usize, Option<Input>)> {
    let body = &bytes[2..];
    match body {
        // The Linux console's F1 to F5.
        [b'[', rest @ ..] => {
            let &last = rest.first()?;
            let key = (b'A'..=b'E').contains(&last).then(|| Key::F(last - b'A' + 1));
            return Some((if last.is_ascii_graphic() { 4 } else { 3 }, key.map(Input::Key)));
        }
        [b'M', rest @ ..] => return old_mouse(rest).map(|(length, input)| (3 + length, input)),
        _ => {}
    }
    let is_body = |byte: &u8| (0x20..=0x3f).contains(byte);
    let length = body.iter().position(|byte| !is_body(byte))?;
    let (text, last) = (std::str::from_utf8(&body[..length]).ok()?, body[length]);
    let length = 2 + length;
    if !(0x40..=0x7e).contains(&last) {
        // A malformed sequence: the byte starts a new sequence.
        return Some((length, None));
    }
    if bytes.starts_with(PASTE) {
        return pasted(bytes);
    }
    let input = match (text.strip_prefix('<'), last) {
        (Some(text), b'M' | b'm') => mouse(text, last == b'M'),
        (None, b'I') if text.is_empty() => Some(Input::Focus),
        _ => key(text, last).map(Input::Key),
    };
    Some((length + 1, input))
}

/// Decodes text between the marks of a paste.
fn pasted(bytes: &[u8]) -> Option<(usize, Option<Input>)> {
    let body = &bytes[PASTE.len()..];
    let end = body.windows(PASTE_END.len()).position(|at| at == PASTE_END);
    let Some(end) = end else {
        // Ctrl-C interrupts an unfinished paste.
        let stop = body.iter().position(|&byte| byte == CTRL_C)?;
        return Some((PASTE.len() + stop, None));
    };
    let text = String::from_utf8_lossy(&body[..end]).into_owned();
    Some((PASTE.len() + end + PASTE_END.len(), Some(Input::Paste(text))))
}

/// Decodes a string after the escape, terminated by `ESC \` or a bell.
fn string(bytes: &[u8]) -> Option<(usize, Option<Input>)> {
    let body = &bytes[1..];
    let end = 1 + body.iter().position(|&byte| byte < b' ' && !(8..=13).contains(&byte))?;
    let closed = match (bytes[end], bytes.get(end + 1)) {
        (7, _) => 1,
        (ESC, None) => return None,
        (ESC, Some(b'\\')) => 2,
        _ => return Some((end, None)),
    };
    let answer = String::from_utf8_lossy(&bytes[1..end]).into_owned();
    Some((end + closed, Some(Input::Answer(answer))))
}

/// The key of a control sequence with its parameters and last byte.
fn key(text: &str, last: u8) -> Option<Key> {
    let mut parameters = text.split(';');
    // Only the first part of a parameter is used.
    let number = |text: Option<&str>| text?.split(':').next()?.parse::<u32>().ok();
    let code = number(parameters.next());
    let with = parameters.next();
    if with.and_then(|with| with.split(':').nth(1)) == Some("3") {
        // A key release.
        return None;
    }
    let with = number(with).unwrap_or(1).saturating_sub(1);
    match (last, code) {
        (b'~', Some(27)) => coded(number(parameters.next())?, with),
        (b'u', Some(code)) => coded(code, with),
        (b'~', Some(code)) => numbered(code),
        (b'Z', _) => Some(Key::BackTab),
        // Cursor reports also end in `R`.
        (b'R', _) => None,
        _ if text.starts_with(|letter: char| !letter.is_ascii_digit()) => None,
        _ => named(last),
    }
}

/// Keys by the last letter of the sequence.
fn named(last: u8) -> Option<Key> {
    Some(match last {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'F' => Key::End,
        b'H' => Key::Home,
        b'P'..=b'S' => Key::F(last - b'P' + 1),
        _ => return None,
    })
}

/// Keys by the number in the sequence.
fn numbered(number: u32) -> Option<Key> {
    Some(match number {
        1 | 7 => Key::Home,
        3 => Key::Delete,
        4 | 8 => Key::End,
        5 => Key::PageUp,
        6 => Key::PageDown,
        11..=15 => Key::F(number as u8 - 10),
        17..=21 => Key::F(number as u8 - 11),
        23..=24 => Key::F(number as u8 - 12),
        _ => return None,
    })
}

/// Keys by character and modifiers: 1 is Shift, 4 is Ctrl.
fn coded(code: u32, with: u32) -> Option<Key> {
    let (shift, control) = (with & 1 != 0, with & 4 != 0);
    let letter = char::from_u32(code)?;
    Some(match letter {
        '\r' => Key::Enter,
        '\t' if shift => Key::BackTab,
        '\t' => Key::Tab,
        '\x1b' => Key::Esc,
        '\x7f' => Key::Backspace,
        // Keys without a character.
        '\u{e000}'..='\u{f8ff}' => return None,
        letter if letter.is_control() => return None,
        letter if control => Key::Ctrl(letter.to_ascii_lowercase()),
        letter if shift => Key::Char(letter.to_ascii_uppercase()),
        letter => Key::Char(letter),
    })
}

/// Decodes a mouse report in decimal numbers; `pressed` is true for a press or movement.
fn mouse(text: &str, pressed: bool) -> Option<Input> {
    let mut numbers = text.split(';').map(|number| number.parse::<u16>().ok());
    let mut next = || numbers.next().flatten();
    let (button, x, y) = (next()?, next()?, next()?);
    gesture(button, pressed, x, y)
}

/// Decodes a mouse report in three bytes.
fn old_mouse(rest: &[u8]) -> Option<(usize, Option<Input>)> {
    if let Some(broken) = rest.iter().take(3).position(|&byte| byte < b' ') {
        return Some((broken, None));
    }
    let &[button, x, y] = rest.first_chunk()?;
    let at = |byte: u8| u16::from(byte - b' ');
    // A release report in this format names no button.
    let input = match at(button) & 0x43 {
        3 => gesture(at(button) & !3, false, at(x), at(y)),
        _ => gesture(at(button), true, at(x), at(y)),
    };
    Some((3, input))
}

/// Returns the gesture of the left button or the wheel.
fn gesture(button: u16, pressed: bool, x: u16, y: u16) -> Option<Input> {
    const MOVES: u16 = 0x20;
    // Modifier keys are ignored.
    let gesture = match (button & !0x1c, pressed) {
        (0, true) => Gesture::Press,
        (MOVES, true) => Gesture::Drag,
        (0 | MOVES, false) => Gesture::Release,
        (0x40, true) => Gesture::WheelUp,
        (0x41, true) => Gesture::WheelDown,
        _ => return None,
    };
    Some(Input::Mouse(gesture, x.checked_sub(1)?, y.checked_sub(1)?))
}

#[cfg(test)]
mod tests;
