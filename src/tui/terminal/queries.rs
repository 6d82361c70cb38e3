//! Queries the terminal's background colour, and its support of 24-bit colours.
//!
//! The background (OSC 11) is queried at the start and whenever the window regains the focus. The
//! support of colours is queried if the environment leaves this open: such a colour is set, and the
//! effect is queried (DECRQSS).

use std::io;
use std::time::{Duration, Instant};

use super::input::{Input, Listener};
use super::mode::control;

const BACKGROUND: &str = "\x1b]11;?\x1b\\";
/// Sets a colour as on the screen, queries the setting, and resets the colour.
const COLOURS: &str = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m";
/// Prefixes of the replies to both queries.
const BEGINNINGS: [&str; 2] = ["]11;rgb", "P1$r"];
/// The queried colour in replies, with and without the number of a colour space.
const KEPT: [&str; 3] = ["48;2;1;2;3", "48:2::1:2:3", "48:2:1:2:3"];
/// Delay of the first frame while waiting for replies; later replies change the colours on the
/// screen.
const PATIENCE: Duration = Duration::from_millis(30);

/// A reply of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    /// True for a light background.
    Light(bool),
    /// True if 24-bit colours are supported.
    Colours(bool),
}

impl Reply {
    /// Parses a string sent by the terminal; `None` for other strings.
    pub(super) fn of(text: &str) -> Option<Self> {
        if text.starts_with(BEGINNINGS[0]) {
            is_light(text).map(Self::Light)
        } else if text.starts_with(BEGINNINGS[1]) {
            Some(Self::Colours(KEPT.iter().any(|kept| text.contains(kept))))
        } else {
            None
        }
    }
}

/// Queries the background, and with `colours` also the support of 24-bit colours; waits briefly for
/// the replies. All other input is added to `early`.
pub(super) fn query(
    colours: bool,
    listener: &mut Listener,
    early: &mut Vec<Input>,
) -> io::Result<Vec<Reply>> {
    let begun = Instant::now();
    if colours {
        control(COLOURS)?;
    }
    // Replies arrive in order: the background's reply is the last.
    query_again()?;
    let mut answers = Vec::new();
    loop {
        let left = PATIENCE.saturating_sub(begun.elapsed());
        let mut heard = Vec::new();
        listener.listen(left, &mut heard)?;
        for input in heard {
            match &input {
                Input::Answer(text) => answers.extend(Reply::of(text)),
                Input::Key(_)
                | Input::Mouse(..)
                | Input::Paste(_)
                | Input::Focus
                | Input::Size(..) => early.push(input),
            }
        }
        if left.is_zero() || answers.iter().any(|answer| matches!(answer, Reply::Light(_))) {
            return Ok(answers);
        }
    }
}

/// Queries the background without waiting; the reply arrives as later input.
pub(super) fn query_again() -> io::Result<()> {
    control(BACKGROUND)
}

/// True if a colour such as `11;rgb:ffff/ffff/dddd` is light; `None` if invalid.
fn is_light(text: &str) -> Option<bool> {
    let (_, parts) = text.split_once(':')?;
    let mut parts = parts.split('/').map(|part| {
        let most = 16u32.checked_pow(part.len() as u32)?.checked_sub(1).filter(|&most| most > 0)?;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / f64::from(most))
    });
    let mut part = || parts.next().flatten();
    let (red, green, blue) = (part()?, part()?, part()?);
    // Relative luminance (ITU-R BT.709).
    Some(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5)
}

#[cfg(test)]
mod tests;
