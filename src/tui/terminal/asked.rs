//! What the terminal is asked: the colour of its background (OSC 11), at first and when its window gets
//! the focus again; and, where the environment does not say so, whether it shows colours of 24 bits: it
//! is told to use one, and asked what it made of that (DECRQSS).
//!
//! The event library knows no such answers and hands them over as keys, so they are sifted out of the
//! keys here: in time, or late.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyModifiers};

use super::mode::control;

const BACKGROUND: &str = "\x1b]11;?\x1b\\";
/// As colours are set on the screen, and afterwards given back.
const COLOURS: &str = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m";
/// How answers to the two begin, after the escape and their first letter.
const BEGINNINGS: [&str; 2] = ["11;rgb", "1$r"];
/// As that colour is told, with and without the number of a colour space.
const KEPT: [&str; 3] = ["48;2;1;2;3", "48:2::1:2:3", "48:2:1:2:3"];
const LONGEST: usize = 60;
/// How long the first picture waits for the answers; those that come later change its colours.
const PATIENCE: Duration = Duration::from_millis(30);
/// How long an answer may be late.
const LATEST: Duration = Duration::from_secs(30);

/// What the terminal has answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// Whether its background is light.
    Light(bool),
    /// Whether it shows colours of 24 bits.
    Colours(bool),
}

/// Answers that are awaited, and what has come of one.
#[derive(Debug, Default)]
pub(super) struct Asked {
    until: Option<Instant>,
    text: String,
    /// The place in [`BEGINNINGS`] of what comes.
    kind: usize,
    /// The keys that make up the text, in case that it is none.
    held: Vec<Event>,
}

impl Asked {
    /// Asks the terminal, with `colours` also about those, and waits a moment for what it answers.
    /// Everything else that comes meanwhile goes into `events`.
    pub(super) fn ask(
        &mut self,
        colours: bool,
        events: &mut Vec<Event>,
    ) -> io::Result<Vec<Answer>> {
        let begun = Instant::now();
        if colours {
            control(COLOURS)?;
        }
        // Answers come in order: after the one to this, none to that will come.
        self.ask_again(begun)?;
        let mut answers = Vec::new();
        while event::poll(PATIENCE.saturating_sub(begun.elapsed()))? {
            let answer = self.sift(event::read()?, Instant::now(), events);
            answers.extend(answer);
            if matches!(answer, Some(Answer::Light(_))) {
                break;
            }
        }
        Ok(answers)
    }

    /// Asks about the background at `now`, and waits for nothing: the answer is among the events to
    /// come.
    pub(super) fn ask_again(&mut self, now: Instant) -> io::Result<()> {
        self.until = Some(now + LATEST);
        control(BACKGROUND)
    }

    /// Adds an event that came at `now` to `events`, unless it is part of an answer; returns the
    /// answer at its end.
    pub(super) fn sift(
        &mut self,
        event: Event,
        now: Instant,
        events: &mut Vec<Event>,
    ) -> Option<Answer> {
        let awaited = self.until.is_some_and(|until| now < until);
        let key = event.as_key_event();
        let letter = key.and_then(|key| Some((key.code.as_char()?, key.modifiers)));
        let begun = !self.held.is_empty();
        match letter {
            Some((first @ (']' | 'P'), how)) if awaited && !begun && how.contains(ALT) => {
                self.kind = usize::from(first == 'P');
            }
            Some(('\\', ALT) | ('g', KeyModifiers::CONTROL)) if begun => {
                self.held.clear();
                let text = std::mem::take(&mut self.text);
                if self.kind == 1 {
                    return Some(Answer::Colours(KEPT.iter().any(|kept| text.contains(kept))));
                }
                self.until = None;
                return is_light(&text).map(Answer::Light);
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
        let beginning = BEGINNINGS[self.kind];
        match beginning[self.text.len().min(beginning.len())..].chars().next() {
            Some(wanted) => letter == wanted,
            None if self.kind == 1 => {
                self.text.len() < LONGEST && (letter.is_ascii_digit() || ":;m".contains(letter))
            }
            None => {
                self.text.len() < LONGEST && (letter.is_ascii_hexdigit() || ":/".contains(letter))
            }
        }
    }
}

const ALT: KeyModifiers = KeyModifiers::ALT;

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
