//! Tests of films of a small run.
//!
//! Films are reproducible, and each frame equals the drawn screen.

use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::recording::Until;
use crate::scenario::{self, builtin};
use crate::tui::fake;
use crate::tui::library::Shelf;
use crate::tui::theme::{Depth, Kind};

/// A file readable while being written.
#[derive(Clone, Default)]
struct Reel(Rc<RefCell<Vec<u8>>>);

impl Write for Reel {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn options() -> Options {
    Options::new(Shelf::default())
}

fn ring() -> Arc<Scenario> {
    let text = builtin::find("ring-deadlock").unwrap().text;
    Arc::new(scenario::parse("ring-deadlock", text, &[]).unwrap())
}

type Stills = Vec<(String, String)>;

fn film(
    options: Options,
    size: (u16, u16),
    text: &str,
) -> Result<(String, Stills, FilmStatistics), FilmError> {
    let script = script("a.keys", text).map_err(|problems| panic!("{problems:?}"));
    let (mut out, mut stills) = (Vec::new(), Vec::new());
    let still = |name: &str, content: &[u8]| {
        stills.push((name.to_owned(), String::from_utf8(content.to_vec()).unwrap()));
        Ok(())
    };
    let takes = record(options, ring(), size, &script.unwrap(), Form::Cast, &mut out, still)?;
    Ok((String::from_utf8(out).unwrap(), stills, takes))
}

const KEYS: &str = "\
wait 500ms
key ] x2 every 0.2s
marker \"faster\"
until state deadlocked
key 5
shot waits.txt
key , x3
key g
type \"120\\n\"
key ?
wait 0.3s
key esc
key z
key t
key Ctrl-L
wait 100ms
";

/// The events of a recording in asciicast version 3.
fn events(cast: &str) -> Vec<(f64, String, String)> {
    cast.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_same_script_gives_the_same_bytes() {
    let (first, stills, takes) = film(options(), (100, 30), KEYS).unwrap();
    let (second, again, _) = film(options(), (100, 30), KEYS).unwrap();
    assert!(first == second && stills == again);
    let (name, still) = &stills[0];
    assert_eq!(name, "waits.txt");
    assert!(still.contains("DEADLOCK") && still.lines().count() == 30, "{still}");
    let events = events(&first);
    let frames = events.iter().filter(|event| event.1 == "o").count() as u64;
    assert_eq!(frames, takes.frames + 1, "and what leaves the screen");
    let length: f64 = events.iter().map(|event| event.0).sum();
    assert!((length - takes.length as f64 / 1e6).abs() < 0.001, "{length}");
    let markers: Vec<&str> =
        events.iter().filter(|event| event.1 == "m").map(|event| event.2.as_str()).collect();
    assert!(matches!(markers[..], ["faster", dead] if dead.starts_with("deadlock at cycle")));
    assert_eq!(events.last().unwrap().1, "x");
    assert!(!first.contains("?1000h") && !first.contains("]0;"), "only frames are recorded");
}

/// Plays a script frame by frame, and compares terminals replaying the recording with each drawn
/// frame.
fn compare_frames(mut options: Options, size: (u16, u16), format: crate::recording::Format) {
    options.header.format = format;
    let script = script("a.keys", KEYS).unwrap();
    let reel = Reel::default();
    let mut player =
        Player::begin(options, ring(), size, script.name.clone(), (Some(reel.clone()), None))
            .unwrap();
    let (columns, rows) = (usize::from(size.0), usize::from(size.1));
    let mut one = vt100::Parser::new(size.1.try_into().unwrap(), size.0.try_into().unwrap(), 0);
    let mut other = avt::Vt::new(columns, rows);
    let mut lines = script.lines.iter();
    let (mut read, mut compared) = (0, 0);
    loop {
        if player.now() >= player.due {
            let Some(line) = lines.next() else { break };
            match &line.command {
                // Step by single frames, to compare every frame.
                Order::Until(Until::Deadlocked) => {
                    while player.display.app.update.state == RunState::Running {
                        player.next_frame().unwrap();
                    }
                    player.due = player.now();
                }
                Order::Wait(time) => player.due += time,
                Order::Key { key, .. } => {
                    player.press(*key).unwrap();
                    player.due += 40_000;
                }
                _ => player.play(line, &mut |_, _| Ok(())).unwrap(),
            }
        }
        player.next_frame().unwrap();
        let shown = picture::text(player.shown.as_ref().unwrap());
        let bytes = reel.0.borrow();
        for line in std::str::from_utf8(&bytes[read..]).unwrap().lines() {
            let Ok((_, code, text)) = serde_json::from_str::<(f64, String, String)>(line) else {
                continue;
            };
            if code == "o" {
                one.process(text.as_bytes());
                other.feed_str(&text);
            }
        }
        read = bytes.len();
        let seen = one.screen().contents();
        fake::assert_same(seen.lines(), &shown, &format!("vt100, frame {}", player.frame));
        let seen: Vec<String> = other.view().map(avt::Line::text).collect();
        let seen = seen.iter().map(String::as_str);
        fake::assert_same(seen, &shown, &format!("avt, frame {}", player.frame));
        assert_eq!((one.screen().hide_cursor(), one.screen().alternate_screen()), (true, true));
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
    player.end().unwrap();
    let bytes = reel.0.borrow();
    let last = std::str::from_utf8(&bytes[read..]).unwrap().lines().next().unwrap().to_owned();
    let (_, _, text): (f64, String, String) = serde_json::from_str(&last).unwrap();
    one.process(text.as_bytes());
    assert_eq!((one.screen().hide_cursor(), one.screen().alternate_screen()), (false, false));
}

#[test]
fn every_frame_replayed_is_the_screen_that_was_drawn() {
    use crate::recording::Format;
    for (size, format) in [((80, 24), Format::V3), ((120, 40), Format::V2)] {
        compare_frames(options(), size, format);
    }
    let ascii = Options { ascii: true, theme: Some(Kind::Mono), ..options() };
    compare_frames(ascii, (61, 17), Format::V3);
    let few = Options { color: Some(Depth::Sixteen), theme: Some(Kind::Light), ..options() };
    compare_frames(few, (30, 8), Format::V3);
}

#[test]
fn frames_are_as_many_as_were_asked_for_and_the_run_is_the_same() {
    let mut stills = Vec::new();
    for fps in [5, 30, 60] {
        let options = Options { fps, ..options() };
        let script = "wait 1s\nkey space\nkey g\ntype \"64\\n\"\nshot a.txt\nwait 1s\n";
        let (cast, still, takes) = film(options, (120, 40), script).unwrap();
        assert!(takes.frames <= 3 * u64::from(fps) + 1, "{takes:?}");
        assert!(takes.length.abs_diff(2_380_000) <= 1_000_000 / u64::from(fps), "{takes:?}");
        assert!(cast.lines().count() > 5);
        stills.push(still[0].1.lines().next().unwrap().to_owned());
    }
    assert!(stills.iter().all(|head| head.contains("cycle 64 ")), "{stills:?}");
}

#[test]
fn what_never_comes_is_said_with_its_line() {
    let spoilt = |text: &str| match film(options(), (80, 24), text) {
        Err(FilmError::Script(problem)) => problem.to_string(),
        other => panic!("{other:?}"),
    };
    let text = spoilt("wait 1s\nkey space\nuntil cycle 90000\n");
    assert!(text.contains("a.keys:3:1") && text.contains("the run stands at cycle 6"), "{text}");
    let text = spoilt("key [ x9\nuntil cycle 90000 # never\n");
    assert!(text.contains("a.keys:2:1") && text.contains("does not come in ten minutes"), "{text}");
}

#[test]
fn a_film_ends_where_q_is_pressed_and_records_nothing_else() {
    let script = "key R\ntype \"x.cast\\n\"\nwait 200ms\nshot a.txt\nkey q\nwait 9s\n";
    let (_, stills, takes) = film(options(), (80, 24), script).unwrap();
    assert!(stills[0].1.contains("a film records itself"), "{}", stills[0].1);
    assert!(takes.length < 2_000_000, "{takes:?}");
}

#[test]
fn what_cannot_be_written_is_an_error() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let script = script("a.keys", KEYS).unwrap();
    for room in [0, 400, 20_000] {
        let made =
            record(options(), ring(), (80, 24), &script, Form::Cast, Full(room), |_, _| Ok(()));
        let Err(FilmError::Io(error)) = made else { panic!("{made:?}") };
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
    let full = |_: &str, _: &[u8]| Err(Refused::Io(io::ErrorKind::StorageFull.into()));
    let made = record(options(), ring(), (80, 24), &script, Form::Cast, io::sink(), full);
    assert!(matches!(made, Err(FilmError::Io(_))), "{made:?}");
}

#[test]
fn the_mouse_chooses_and_another_size_is_recorded() {
    let script = "wait 0.1s\nkey space\nshot a.txt\nclick 30 3\nshot b.txt\nwheel up 30 3\n\
                  drag 30 3 20 6\nresize 70x20\nwait 0.1s\nshot c.txt\nclick 900 900 x2\n";
    let (cast, stills, _) = film(options(), (120, 40), script).unwrap();
    assert_ne!(stills[0].1, stills[1].1, "another node is chosen");
    let lines: Vec<&str> = stills[2].1.lines().collect();
    assert!(lines.len() == 20 && lines.iter().all(|line| line.chars().count() <= 70), "{lines:?}");
    let sizes: Vec<String> =
        events(&cast).into_iter().filter(|it| it.1 == "r").map(|it| it.2).collect();
    assert_eq!(sizes, ["70x20"]);
    let mut terminal = avt::Vt::new(120, 40);
    for (_, code, text) in events(&cast) {
        match code.as_str() {
            "r" => drop(terminal.resize(70, 20)),
            // Skip the sequences for leaving the screen.
            "o" if !text.contains("?1049l") => drop(terminal.feed_str(&text)),
            _ => {}
        }
    }
    let seen: Vec<String> = terminal.view().map(avt::Line::text).collect();
    fake::assert_same(seen.iter().map(String::as_str), &stills[2].1, "after the change of size");
}

#[test]
fn keys_without_time_between_them_mean_the_picture_before() {
    let keys =
        "wait 0.5s\nkey space\nshot a.txt\nkey . x5 every 0s\nshot b.txt\nwait 1ms\nshot c.txt\n";
    let (_, stills, _) = film(options(), (120, 40), keys).unwrap();
    let cycle = |at: usize| -> u64 {
        let (_, rest) = stills[at].1.split_once("cycle ").unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!([cycle(1), cycle(2)], [cycle(0), cycle(0) + 5]);
}

#[test]
fn a_caption_without_room_is_a_mistake_in_its_line() {
    let told = "word ".repeat(60);
    let script = script("a.keys", &format!("wait 1s\nmarker \"{told}\"\n")).unwrap();
    let record = |size| {
        let still = |_: &str, _: &[u8]| Ok(());
        record(options(), ring(), size, &script, Form::Svg, io::sink(), still)
    };
    let Err(FilmError::Script(problem)) = record((80, 24)) else { panic!("the caption is cut") };
    assert_eq!(problem.place.as_ref().map(|place| place.line), Some(2));
    assert!(problem.what.contains("below 80 columns"), "{problem:?}");
    assert!(record((120, 40)).is_ok());
}
