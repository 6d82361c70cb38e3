//! Tests of the keys for recordings and pictures, and of the resulting messages.

use super::*;
use crate::tui::action::Key;
use crate::tui::app::Dialog;
use crate::tui::bindings::Context;
use crate::tui::fake::{self, TORUS, press};
use crate::tui::picture::text;
use crate::tui::theme::{Depth, Kind, Theme};

fn app(ascii: bool) -> App {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let theme = Theme { kind: Kind::Dark, depth: Depth::True, ..Theme::default() };
    fake::app(fake::update(&scenario, 14), theme, ascii, (120, 40))
}

/// Replaces the offered text of a prompt and accepts.
fn answer(app: &mut App, words: &str) -> Vec<Effect> {
    if let Some(Dialog::Prompt(prompt)) = &mut app.dialog {
        prompt.text = words.into();
    }
    press(app, Key::Enter)
}

fn screen(app: &App) -> String {
    text(&fake::buffer(app))
}

#[test]
fn a_recording_is_asked_for_shown_and_ended_by_the_same_key() {
    for (ascii, sign) in [(false, "● REC"), (true, "* REC")] {
        let mut app = app(ascii);
        assert!(press(&mut app, Key::Char('R')).is_empty());
        let offered = "flitscope-hotspot-12345.cast";
        assert!(screen(&app).contains(offered), "{}", screen(&app));
        let effects = press(&mut app, Key::Enter);
        assert!(matches!(&effects[..], [Effect::Record(path)] if path == offered), "{effects:?}");
        assert!(!screen(&app).contains(sign), "nothing is recorded before it has begun");
        app.wrote(Written::Recording, offered, &Ok(()));
        let shown = screen(&app);
        assert!(shown.lines().next().unwrap().contains(sign), "{shown}");
        assert!(shown.contains("recording into flitscope-hotspot-12345.cast (R again"), "{shown}");
        assert!(matches!(&press(&mut app, Key::Char('R'))[..], [Effect::EndRecording]));
        app.recording = None;
        app.ended_recording(offered, &Ok(Summary { events: 300, length: 12_345_000 }));
        assert_eq!(
            app.note.as_deref(),
            Some("recorded flitscope-hotspot-12345.cast: 12.3 s in 300 events")
        );
    }
}

#[test]
fn leaving_asks_only_while_something_is_recorded() {
    let mut app = app(false);
    assert!(matches!(&press(&mut app, Key::Char('q'))[..], [Effect::Quit]));
    app.wrote(Written::Recording, "a.cast", &Ok(()));
    assert!(press(&mut app, Key::Char('q')).is_empty());
    assert_eq!(app.context(), Context::Confirm);
    let shown = screen(&app);
    assert!(shown.contains("end the recording and quit?"), "{shown}");
    assert!(shown.contains("recorded into a.cast"), "{shown}");
    assert!(press(&mut app, Key::Esc).is_empty() && app.dialog.is_none());
    press(&mut app, Key::Char('q'));
    assert!(matches!(&press(&mut app, Key::Enter)[..], [Effect::Quit]));
    assert!(matches!(&press(&mut app, Key::Ctrl('c'))[..], [Effect::Quit]));
}

#[test]
fn what_goes_wrong_is_said_and_the_session_goes_on() {
    let mut app = app(false);
    let exists = || Err(io::Error::from(ErrorKind::AlreadyExists));
    app.wrote(Written::Recording, "a.cast", &exists());
    assert!(app.note.as_deref().unwrap().contains("a.cast exists; R asks for another name"));
    assert!(app.recording.is_none());
    app.wrote(Written::Recording, "a.cast", &Err(io::Error::other("a.cast: no such folder")));
    assert!(app.note.as_deref().unwrap().contains("not recorded: a.cast: no such folder"));
    app.ended_recording("a.cast", &Err("no space left on device".to_owned()));
    let said = "recording broke off: a.cast: no space left on device; the session goes on";
    assert_eq!(app.note.as_deref(), Some(said));
    app.wrote(Written::Picture, "a.svg", &exists());
    assert!(app.note.as_deref().unwrap().contains("a.svg exists; s asks for another name"));
}

#[test]
fn a_picture_is_asked_for_and_its_ending_checked() {
    let mut app = app(false);
    assert!(press(&mut app, Key::Char('s')).is_empty());
    assert!(screen(&app).contains("flitscope-hotspot-12345.svg"), "{}", screen(&app));
    for (name, complaint) in
        [("", "a file needs a name"), ("a.gif", "ends in .svg, .png, .txt or .ans")]
    {
        assert!(answer(&mut app, name).is_empty());
        assert!(screen(&app).contains(complaint), "{}", screen(&app));
    }
    for name in ["a.svg", "a.png", "b.txt", "c.ans"] {
        press(&mut app, Key::Char('s'));
        let effects = answer(&mut app, name);
        assert!(matches!(&effects[..], [Effect::Picture(path)] if path == name), "{effects:?}");
        assert!(app.dialog.is_none());
    }
}

#[test]
fn offered_file_names_need_no_quotes() {
    let mut app = app(false);
    for (name, offered) in [
        ("nets/ring, with two hosts.ron", "ring-with-two-hosts.session.ron"),
        ("mesh (4x4)", "mesh-4x4.session.ron"),
        ("fabric_1.graphml", "fabric_1.graphml.session.ron"),
    ] {
        let scenario =
            scenario::Scenario { name: name.to_owned(), ..app.update.scenario.as_ref().clone() };
        app.update.scenario = Arc::new(scenario);
        assert_eq!(app.file_name(".session.ron"), offered);
    }
}
