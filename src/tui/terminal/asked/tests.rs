//! Answers of the terminal told from keys.

use super::*;
use crossterm::event::{KeyCode, KeyEvent};

fn key(letter: char, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char(letter), modifiers))
}

fn answer(text: &str) -> Vec<Event> {
    let letters = text.chars().map(|letter| key(letter, KeyModifiers::NONE));
    let all = std::iter::once(key(']', KeyModifiers::ALT)).chain(letters);
    all.chain([key('\\', KeyModifiers::ALT)]).collect()
}

/// What comes of events: the answer, and what is left of them.
fn sifted(events: &[Event], late: Duration) -> (Option<Answer>, Vec<Event>) {
    let now = Instant::now();
    let mut asked = Asked { until: Some(now + LATEST), ..Asked::default() };
    let mut left = Vec::new();
    let answers = events.iter().map(|event| asked.sift(event.clone(), now + late, &mut left));
    (answers.fold(None, Option::or), left)
}

#[test]
fn answers_are_told_from_keys_and_understood() {
    for (text, light) in [
        ("11;rgb:ffff/ffff/ffff", Some(true)),
        ("11;rgb:fd/f6/e3", Some(true)),
        ("11;rgb:0/0/0", Some(false)),
        ("11;rgba:2828/2c2c/3434/ffff", Some(false)),
        ("11;rgb:ffff", None),
    ] {
        let mut events = answer(text);
        events.insert(0, key('x', KeyModifiers::NONE));
        events.push(key('y', KeyModifiers::NONE));
        let (said, left) = sifted(&events, Duration::ZERO);
        assert_eq!(said, light.map(Answer::Light), "{text}");
        assert_eq!(left, [events[0].clone(), events[events.len() - 1].clone()], "{text}");
    }
}

#[test]
fn keys_that_only_look_like_an_answer_are_keys() {
    for text in ["11;rgx", "q", "11;rgb:q", &format!("11;rgb:{}", "f".repeat(LONGEST))] {
        let events = answer(text);
        assert_eq!(sifted(&events, Duration::ZERO), (None, events.clone()), "{text}");
    }
    let events = answer("11;rgb:0/0/0");
    assert_eq!(sifted(&events, LATEST), (None, events.clone()), "nothing is awaited any more");
}

/// The answer to the question about colours, as the event library hands it over.
fn told(text: &str) -> Vec<Event> {
    let mut events = answer(text);
    events[0] = key('P', KeyModifiers::ALT | KeyModifiers::SHIFT);
    events
}

#[test]
fn a_colour_of_24_bits_is_kept_or_not() {
    for (text, kept) in [
        ("1$r0;48:2::1:2:3m", true),
        ("1$r48;2;1;2;3m", true),
        ("1$r0;48:2:1:2:3m", true),
        ("1$r0;48;5;16m", false),
        ("1$r0m", false),
        ("1$r", false),
    ] {
        let (said, left) = sifted(&told(text), Duration::ZERO);
        assert_eq!((said, left.len()), (Some(Answer::Colours(kept)), 0), "{text}");
    }
    for text in ["0$r", "1+r5463", "1$rx", &format!("1$r{}", "1".repeat(LONGEST))] {
        let events = told(text);
        assert_eq!(sifted(&events, Duration::ZERO), (None, events.clone()), "{text}");
    }
    // Both, one behind the other.
    let both = [told("1$r48;2;1;2;3m"), answer("11;rgb:0/0/0")].concat();
    assert_eq!(sifted(&both, Duration::ZERO), (Some(Answer::Colours(true)), vec![]));
}
