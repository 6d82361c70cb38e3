//! What the terminal is asked: the colour of its background (OSC 11), at first and when its window gets
//! the focus again; and, where the environment does not say so, whether it shows colours of 24 bits: it
//! is told to use one, and asked what it made of that (DECRQSS).

use std::io;
use std::time::{Duration, Instant};

use super::input::{Input, Listener};
use super::mode::control;

const BACKGROUND: &str = "\x1b]11;?\x1b\\";
/// As colours are set on the screen, and afterwards given back.
const COLOURS: &str = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m";
/// The beginnings of answers to the two.
const BEGINNINGS: [&str; 2] = ["]11;rgb", "P1$r"];
/// As that colour is told, with and without the number of a colour space.
const KEPT: [&str; 3] = ["48;2;1;2;3", "48:2::1:2:3", "48:2:1:2:3"];
/// The time that the first picture waits for the answers; those that come later change its colours.
const PATIENCE: Duration = Duration::from_millis(30);

/// What the terminal has answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// Whether its background is light.
    Light(bool),
    /// Whether it shows colours of 24 bits.
    Colours(bool),
}

impl Answer {
    /// The meaning of a string of the terminal; `None` where it answers neither question.
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

/// Asks the terminal, with `colours` also about those, and waits a moment for what it answers.
/// Everything else that comes meanwhile goes into `early`.
pub(super) fn ask(
    colours: bool,
    listener: &mut Listener,
    early: &mut Vec<Input>,
) -> io::Result<Vec<Answer>> {
    let begun = Instant::now();
    if colours {
        control(COLOURS)?;
    }
    // Answers come in order: after the one to this, none to that will come.
    ask_again()?;
    let mut answers = Vec::new();
    loop {
        let left = PATIENCE.saturating_sub(begun.elapsed());
        let mut heard = Vec::new();
        listener.listen(left, &mut heard)?;
        for input in heard {
            match &input {
                Input::Answer(text) => answers.extend(Answer::of(text)),
                Input::Key(_)
                | Input::Mouse(..)
                | Input::Paste(_)
                | Input::Focus
                | Input::Size(..) => early.push(input),
            }
        }
        if left.is_zero() || answers.iter().any(|answer| matches!(answer, Answer::Light(_))) {
            return Ok(answers);
        }
    }
}

/// Asks about the background and waits for nothing: the answer is among the input to come.
pub(super) fn ask_again() -> io::Result<()> {
    control(BACKGROUND)
}

/// Whether a colour such as `11;rgb:ffff/ffff/dddd` is light; `None` where it is no colour.
fn is_light(text: &str) -> Option<bool> {
    let (_, parts) = text.split_once(':')?;
    let mut parts = parts.split('/').map(|part| {
        let most = 16u32.checked_pow(part.len() as u32)?.checked_sub(1).filter(|&most| most > 0)?;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / f64::from(most))
    });
    let mut part = || parts.next().flatten();
    let (red, green, blue) = (part()?, part()?, part()?);
    // As bright as the eye sees it (ITU-R BT.709).
    Some(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5)
}

#[cfg(test)]
mod tests;
