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

/// What a background makes of events: its answer, and what is left of them.
fn sifted(events: &[Event], late: Duration) -> (Option<bool>, Vec<Event>) {
    let now = Instant::now();
    let mut background = Background { until: Some(now + LATEST), ..Background::default() };
    let mut left = Vec::new();
    let answers = events.iter().map(|event| background.sift(event.clone(), now + late, &mut left));
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
        assert_eq!(said, light, "{text}");
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
