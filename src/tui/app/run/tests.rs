//! Tests of the keys for time travel and of the resulting screens.

use super::*;
use crate::engine::Change;
use crate::live::RunState;
use crate::live::{Breakpoint, Seeking};
use crate::session::events::Events;
use crate::session::saved::Saved;
use crate::stats::WarmUp;
use crate::tui::action::{Action, Key, Pointer, Run, Time};
use crate::tui::app::{Effect, Writing, Written};
use crate::tui::bindings::{BINDINGS, Context, Group};
use crate::tui::fake::{self, TORUS, press, sent};
use crate::tui::picture::text;
use crate::tui::theme::{Depth, Kind, Ramp, Theme};
use std::sync::Arc;

const DARK: Theme =
    Theme { kind: Kind::Dark, depth: Depth::True, ramp: Ramp::Viridis, look: None, own: None };

fn app(size: (u16, u16)) -> App {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    fake::app(fake::update(&scenario, 14), DARK, false, size)
}

/// A screen at cycle 12,345 of 20,000, with bookmarks.
fn behind(size: (u16, u16)) -> App {
    let mut app = app(size);
    let mut update = app.update.clone();
    update.live = Cycle(20_000);
    update.bookmarks = vec![2_000, 18_000];
    update.checkpoints = vec![64, 1_024, 4_096, 9_000, 12_000, 16_000];
    for sample in 0..120u32 {
        update.history.push(0.1 + 0.0002 * sample as f32);
    }
    app.receive(update);
    app
}

fn type_in(app: &mut App, words: &str) -> Vec<Effect> {
    if let Some(Dialog::Prompt(prompt)) = &mut app.dialog {
        prompt.text.clear();
    }
    for letter in words.chars() {
        assert!(press(app, Key::Char(letter)).is_empty());
    }
    press(app, Key::Enter)
}

#[test]
fn every_key_of_time_does_what_help_says() {
    let mut tried = 0;
    for binding in BINDINGS.iter().filter(|row| row.group == Group::Time) {
        assert_eq!(binding.context, Context::Main);
        for &key in binding.keys {
            tried += 1;
            let mut app = behind((120, 40));
            let effects = press(&mut app, key);
            match binding.action {
                Action::Time(Time::StepBack) => {
                    assert!(matches!(sent(&effects), Command::Back(1)));
                }
                Action::Time(Time::LastEvent) => {
                    assert!(matches!(sent(&effects), Command::BackToEvent(all) if all.is_all()));
                }
                Action::Time(Time::NextEvent) => {
                    assert!(matches!(sent(&effects), Command::NextEvent(all) if all.is_all()));
                }
                Action::Time(Time::ToLive) => assert!(matches!(sent(&effects), Command::ToLive)),
                Action::Time(Time::ToDeadlock) => {
                    assert_eq!(app.note.as_deref(), Some("no deadlock has been found"));
                    for cycle in [9_000, 4_000] {
                        app.update.history.note(cycle, Event::Deadlock);
                    }
                    let effects = press(&mut app, key);
                    assert!(matches!(sent(&effects), Command::Seek(Cycle(4_000))));
                }
                // In a file of its own.
                Action::Time(Time::Shrink) => {
                    assert!(
                        app.note
                            .as_deref()
                            .is_some_and(|it| it.starts_with("there is no deadlock"))
                    );
                }
                Action::Time(Time::Bookmark) => {
                    assert!(matches!(sent(&effects), Command::Bookmark(Cycle(12_345))));
                    assert_eq!(app.note.as_deref(), Some("bookmark at cycle 12,345"));
                }
                Action::Time(Time::StepBackMany) => {
                    let effects = type_in(&mut app, "2,500");
                    assert!(matches!(sent(&effects), Command::Back(2_500)), "{effects:?}");
                }
                Action::Time(Time::GoTo) => {
                    let effects = type_in(&mut app, "9000");
                    assert!(matches!(sent(&effects), Command::Seek(Cycle(9_000))));
                }
                Action::Time(Time::Bookmarks) => {
                    let effects = type_in(&mut app, "2");
                    assert!(matches!(sent(&effects), Command::Seek(Cycle(18_000))));
                }
                Action::Time(Time::Events) => {
                    assert!(type_in(&mut app, "bl, deadlock").is_empty() && app.dialog.is_none());
                    let effects = app.update(Time::LastEvent);
                    let wanted = Events::BLOCKING | Events::DEADLOCK;
                    assert!(
                        matches!(sent(&effects), Command::BackToEvent(found) if *found == wanted)
                    );
                }
                Action::Time(Time::Save) => {
                    let effects = type_in(&mut app, "a.session.ron");
                    assert!(matches!(sent(&effects), Command::Save));
                }
                other => panic!("{other:?} has no test"),
            }
        }
    }
    assert!(tried >= 10, "{tried} keys");
}

#[test]
fn cycles_can_be_named_in_many_ways() {
    let goal = |words: &str| {
        let mut app = behind((120, 40));
        app.update(Time::GoTo);
        match type_in(&mut app, words).as_slice() {
            [Effect::Send(Command::Seek(cycle))] => Some(cycle.0),
            _ => None,
        }
    };
    let cases = [("0", 0), ("9_000", 9_000), ("-345", 12_000), ("+55", 12_400), ("live", 20_000)];
    for (words, cycle) in cases.into_iter().chain([("m1", 2_000), ("-99999", 0), ("90000", 90_000)])
    {
        assert_eq!(goal(words), Some(cycle), "{words}");
    }
    for words in ["", "x", "m3", "m", "--5", "-0", "9999999999999"] {
        assert_eq!(goal(words), None, "{words}");
    }
}

#[test]
fn another_load_in_the_past_is_asked_for_once() {
    let mut app = behind((80, 24));
    let before = app.motion.rate;
    assert!(app.update(Run::LoadUp).is_empty());
    let picture = text(&fake::buffer(&app));
    assert!(picture.contains("12,345. What is known up to cycle"), "{picture}");
    assert_eq!(app.context(), Context::Confirm);
    assert!(press(&mut app, Key::Esc).is_empty() && app.dialog.is_none());
    assert_eq!(app.motion.rate, before);
    app.update(Run::LoadUp);
    let effects = press(&mut app, Key::Char('y'));
    assert!(matches!(sent(&effects), Command::Change(Change::Rate(rate)) if rate.0 > before.0));
    // The confirmation is effective before the next snapshot.
    assert!(matches!(sent(&app.update(Run::LoadUp)), Command::Change(Change::Rate(_))));
    // No confirmation in the present.
    let mut app = self::app((80, 24));
    assert!(matches!(sent(&app.update(Run::LoadDown)), Command::Change(Change::Rate(_))));
}

#[test]
fn the_past_is_said_and_marked() {
    let app = behind((120, 40));
    let picture = text(&fake::buffer(&app));
    assert!(picture.contains("REPLAY -7,655"), "{picture}");
    let lines: Vec<&str> = picture.lines().collect();
    let (marks, bars) = (lines[lines.len() - 3], lines[lines.len() - 2]);
    for sign in ["▼", "■", "◆1", "◆2", "╷"] {
        assert!(marks.contains(sign), "{sign} in {marks}");
    }
    assert!(bars.contains("■20k"), "{bars}");
    let column = |line: &str, sign: &str| line.chars().position(|c| sign.starts_with(c)).unwrap();
    assert!(column(marks, "▼") < column(marks, "■"));
    // The marks in ASCII.
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let mut plain = fake::app(fake::update(&scenario, 3), DARK, true, (80, 24));
    plain.receive(app.update.clone());
    assert!(text(&fake::buffer(&plain)).contains("*1"));
}

#[test]
fn a_click_on_the_timeline_goes_there() {
    let mut app = behind((120, 40));
    let area = app.arrangement().timeline;
    let effects = app.update(Pointer::Click(area.x + 10, area.y));
    assert!(matches!(sent(&effects), Command::Seek(Cycle(0))), "{effects:?}");
    let effects = app.update(Pointer::Click(area.right() - 2, area.y));
    assert!(matches!(sent(&effects), Command::Seek(Cycle(20_000))), "{effects:?}");
    let scale = timeline::cycle_at(&app, area, area.x + 60, area.y).unwrap();
    assert!((5_000..15_000).contains(&scale), "{scale}");
    // Outside the timeline, an ordinary click.
    assert!(app.update(Pointer::Click(5, 5)).is_empty());
}

#[test]
fn seeking_is_shown_and_can_be_given_up() {
    let mut app = behind((120, 40));
    let mut update = app.update.clone();
    update.state = RunState::Seeking;
    update.seeking = Some(Seeking { to: Some(Cycle(40)), share: 0.63 });
    app.receive(update);
    assert!(text(&fake::buffer(&app)).contains("SEEK 63 %"));
    assert!(matches!(sent(&press(&mut app, Key::Esc)), Command::Cancel));
    assert!(matches!(sent(&press(&mut app, Key::Char(' '))), Command::Cancel));
}

/// The pending session file, if the only effect.
fn saved(app: &mut App) -> Option<Writing> {
    let [Effect::Write(writing)] = &app.effects()[..] else { return None };
    Some(writing.clone())
}

#[test]
fn a_session_is_written_and_a_failure_loses_nothing() {
    let mut app = behind((120, 40));
    app.update(Time::Save);
    let Some(Dialog::Prompt(prompt)) = &app.dialog else { panic!("nothing is asked") };
    assert_eq!(&*prompt.text, "hotspot-12345.session.ron");
    assert!(matches!(sent(&press(&mut app, Key::Enter)), Command::Save));
    assert!(app.effects().is_empty());
    let mut update = app.update.clone();
    update.saves = 1;
    update.saved = Some(Arc::new(Saved {
        scenario: Arc::clone(&update.scenario),
        seed: 7,
        warm_up: WarmUp::Automatic,
        journal: Vec::new(),
        bookmarks: Vec::new(),
        cycle: Cycle(12_345),
        live: Cycle(20_000),
        fingerprint: None,
    }));
    app.receive(update);
    let writing = saved(&mut app).unwrap();
    assert_eq!((writing.path.as_str(), writing.replace), ("hotspot-12345.session.ron", false));
    assert!(String::from_utf8_lossy(&writing.content).contains("cycle: 12345"));
    app.saving = Some("hotspot.json".to_owned());
    let mut update = app.update.clone();
    update.saves = 2;
    app.receive(update);
    let in_json = saved(&mut app).unwrap().content;
    assert!(String::from_utf8_lossy(&in_json).contains("\"cycle\": 12345"));
    let full = std::io::Error::other("no space left on device");
    app.wrote(Written::Session, &writing.path, &Err(full));
    assert!(app.note.as_deref().is_some_and(|note| note.contains("no space left")));
    app.wrote(Written::Session, &writing.path, &Ok(()));
    assert!(app.note.as_deref().is_some_and(|note| note.starts_with("the session is in")));
    // The session's own file is offered and may be replaced.
    app.update(Time::Save);
    press(&mut app, Key::Enter);
    let mut update = app.update.clone();
    update.saves = 3;
    app.receive(update);
    assert!(saved(&mut app).is_some_and(|writing| writing.replace));
    assert!(app.update.breakpoint == Breakpoint::default());
}
