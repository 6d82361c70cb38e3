//! The colour of the terminal's background: asked for with OSC 11, at first and when its window gets the
//! focus again.
//!
//! The event library knows no such answers and hands them over as keys, so they are sifted out of the
//! keys here: in time, or late.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyModifiers};

use super::mode::control;

const QUESTION: &str = "\x1b]11;?\x1b\\";
/// How an answer begins, after the escape and `]`.
const BEGINNING: &str = "11;rgb";
const LONGEST: usize = 40;
/// How long the first picture waits for the answer.
const PATIENCE: Duration = Duration::from_millis(100);
/// How long an answer may be late.
const LATEST: Duration = Duration::from_secs(30);

/// An answer that is awaited, and what has come of it.
#[derive(Debug, Default)]
pub(super) struct Background {
    until: Option<Instant>,
    text: String,
    /// The keys that make up the text, in case that it is none.
    held: Vec<Event>,
}

impl Background {
    /// Asks the terminal, and waits a moment: whether the background is light. Everything else that
    /// comes meanwhile goes into `events`.
    pub(super) fn ask(&mut self, events: &mut Vec<Event>) -> io::Result<Option<bool>> {
        let begun = Instant::now();
        self.ask_again(begun)?;
        while event::poll(PATIENCE.saturating_sub(begun.elapsed()))? {
            let light = self.sift(event::read()?, Instant::now(), events);
            if light.is_some() {
                return Ok(light);
            }
        }
        Ok(None)
    }

    /// Asks the terminal at `now`, and waits for nothing: the answer is among the events to come.
    pub(super) fn ask_again(&mut self, now: Instant) -> io::Result<()> {
        self.until = Some(now + LATEST);
        control(QUESTION)
    }

    /// Adds an event that came at `now` to `events`, unless it is part of the answer; returns the
    /// answer at its end.
    pub(super) fn sift(
        &mut self,
        event: Event,
        now: Instant,
        events: &mut Vec<Event>,
    ) -> Option<bool> {
        let awaited = self.until.is_some_and(|until| now < until);
        let key = event.as_key_event();
        let letter = key.and_then(|key| Some((key.code.as_char()?, key.modifiers)));
        let begun = !self.held.is_empty();
        match letter {
            Some((']', KeyModifiers::ALT)) if awaited && !begun => {}
            Some(('\\', KeyModifiers::ALT) | ('g', KeyModifiers::CONTROL)) if begun => {
                self.held.clear();
                self.until = None;
                return is_light(&self.text);
            }
            Some((letter, KeyModifiers::NONE | KeyModifiers::SHIFT))
                if begun && self.goes_on(letter) =>
            {
                self.text.push(letter);
            }
            _ => {
                self.text.clear();
                events.append(&mut self.held);
                events.push(event);
                return None;
            }
        }
        self.held.push(event);
        None
    }

    fn goes_on(&self, letter: char) -> bool {
        match BEGINNING[self.text.len().min(BEGINNING.len())..].chars().next() {
            Some(wanted) => letter == wanted,
            None => {
                self.text.len() < LONGEST && (letter.is_ascii_hexdigit() || ":/".contains(letter))
            }
        }
    }
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
