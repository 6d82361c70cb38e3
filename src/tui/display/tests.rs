//! Tests of a display without a run: markers, pictures, recordings with late start or early failure.

use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::tui::action::Key;
use crate::tui::fake::{self, TORUS};
use crate::tui::theme::{Depth, Kind, Theme};
use crate::units::Rate;

/// The events of a recording: interval in seconds, code and data.
type Events = Rc<RefCell<Vec<(f64, String, String)>>>;

/// Stores events up to a maximum number.
struct Seen(Events, usize);

impl Write for Seen {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // The header is not an event.
        if let Ok(event) = serde_json::from_slice(line) {
            if self.0.borrow().len() >= self.1 {
                return Err(io::Error::other("full"));
            }
            self.0.borrow_mut().push(event);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const SIZE: (u16, u16) = (80, 24);

fn display() -> Display<Seen> {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let theme = Theme { kind: Kind::Dark, depth: Depth::True, ..Theme::default() };
    let app = fake::app(fake::update(&scenario, 14), theme, false, SIZE);
    Display::new(app, None)
}

fn press(display: &mut Display<Seen>, at: u64, key: Key) -> Vec<Effect> {
    let action = display.app.action_of(key).unwrap();
    display.hear(at, action)
}

/// The commands sent for a key; panics on any other effect.
fn tell(display: &mut Display<Seen>, at: u64, key: char) -> Vec<Command> {
    let told = |effect| match effect {
        Effect::Send(command) => command,
        other => panic!("{other:?}"),
    };
    press(display, at, Key::Char(key)).into_iter().map(told).collect()
}

fn markers(events: &Events) -> Vec<String> {
    let marks = |event: &&(f64, String, String)| event.1 == "m";
    events.borrow().iter().filter(marks).map(|event| event.2.clone()).collect()
}

#[test]
fn what_is_done_to_the_run_is_marked() {
    let (mut display, events) = (display(), Events::default());
    display.record(Seen(Rc::clone(&events), usize::MAX), Header::default()).unwrap();
    display.film(0);
    let (mut at, mut told) = (0, Vec::new());
    let keys = [' ', '.', '.', '.', ')', '.', 'm', '2', '?'];
    for key in keys {
        at += 1000;
        told.extend(tell(&mut display, at, key));
    }
    press(&mut display, at, Key::Esc);
    let mut running = display.app.update.clone();
    running.state = RunState::Running;
    running.rate = Rate(0.011);
    display.receive(at, running);
    told.extend(tell(&mut display, at, ' '));
    display.receive(at + 500, fake::deadlocked(TORUS, &[8, 8]));
    let wanted = [
        "run",
        "step",
        "load 0.1320",
        "step",
        "bookmark at cycle 12,345",
        "pause",
        "deadlock at cycle 12,345",
    ];
    assert_eq!(markers(&events), wanted);
    assert!(matches!(told[0], Command::Run) && told.len() == 8);
    // Removing a bookmark adds no marker.
    let mut marked = display.app.update.clone();
    marked.bookmarks = vec![12_345];
    display.receive(at, marked);
    press(&mut display, at, Key::Char('m'));
    assert_eq!(markers(&events).len(), wanted.len());
}

/// Compares the screen with a terminal after replaying the events.
fn assert_replayed(events: &Events, display: &Display<Seen>) {
    let mut terminal = vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 0);
    for (_, _, text) in events.borrow().iter().filter(|event| event.1 == "o") {
        terminal.process(text.as_bytes());
    }
    let seen = terminal.screen().contents();
    fake::assert_same(seen.lines(), &picture::text(&display.buffer()), "replayed");
}

#[test]
fn a_recording_begun_in_the_middle_is_complete_in_itself() {
    let (mut display, events) = (display(), Events::default());
    display.film(0);
    press(&mut display, 0, Key::Char('?'));
    display.film(1);
    display.record(Seen(Rc::clone(&events), usize::MAX), Header::default()).unwrap();
    display.film(2);
    assert_replayed(&events, &display);
    // The recording continues, with a complete repaint in between.
    press(&mut display, 3, Key::Esc);
    display.film(3);
    assert_replayed(&events, &display);
    press(&mut display, 4, Key::Char('z'));
    display.film(4);
    assert_replayed(&events, &display);
    assert!(display.cut(5, 0).is_some());
    assert_eq!(events.borrow().last().unwrap(), &(0.0, "x".to_owned(), "0".to_owned()));
}

#[test]
fn a_recording_that_breaks_off_leaves_the_session_alone() {
    let (mut display, events) = (display(), Events::default());
    display.record(Seen(Rc::clone(&events), 2), Header::default()).unwrap();
    display.film(0);
    assert_eq!(tell(&mut display, 1, ' ').len(), 1);
    assert!(display.broken.take().is_none());
    press(&mut display, 2, Key::Char('?'));
    display.film(2);
    assert_eq!(display.broken.take().unwrap().to_string(), "full");
    assert!(display.cast.is_none() && display.broken.take().is_none());
    press(&mut display, 3, Key::Esc);
    assert_eq!((tell(&mut display, 3, ' ').len(), events.borrow().len()), (1, 2));
    assert!(display.cut(4, 0).is_none());
}

#[test]
fn pictures_are_of_the_screen_and_replace_nothing() {
    let folder = std::env::temp_dir().join(format!("flitscope-picture-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut display = display();
    for ending in ["svg", "png", "txt", "ans"] {
        let path = folder.join(format!("a.{ending}")).display().to_string();
        let wanted =
            picture::of(&path, &display.buffer(), picture::palette(display.app.theme)).unwrap();
        for again in [false, true] {
            press(&mut display, 0, Key::Char('s'));
            for _ in 0..60 {
                press(&mut display, 0, Key::Backspace);
            }
            for letter in path.chars() {
                press(&mut display, 0, Key::Char(letter));
            }
            assert!(press(&mut display, 0, Key::Enter).is_empty());
            let note = display.app.note.take().unwrap();
            assert_eq!(note.contains("exists"), again, "{note}");
            assert_eq!(std::fs::read(&path).unwrap(), wanted);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
