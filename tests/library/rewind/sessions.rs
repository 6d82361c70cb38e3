//! Sessions in files: opened again where they were left, and made again without the screen.

use std::path::PathBuf;
use std::process::{Command as Program, Output};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flitscope::engine::Change;
use flitscope::files;
use flitscope::ids::ChannelId;
use flitscope::live::{Command, Live, Options, RunState, Speed, Update};
use flitscope::session::saved::{self, Saved};
use flitscope::units::{Cycle, Rate};

/// Sends a command and waits until the run rests again.
fn tell(live: &mut Live, command: Command) -> Box<Update> {
    live.send(command);
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        match live.take() {
            Some(update)
                if update.commands == live.sent()
                    && !matches!(update.state, RunState::Seeking | RunState::Running) =>
            {
                return update;
            }
            Some(update) => live.give_back(update),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    panic!("no answer within a minute: {:?}", live.death());
}

fn flitscope(arguments: &[&str]) -> Output {
    Program::new(env!("CARGO_BIN_EXE_flitscope")).args(arguments).output().unwrap()
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("flitscope-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A session with two changes of load and a link that is closed for a while, left in the past.
fn session() -> (Live, Box<Update>, Arc<Saved>) {
    let rate = flitscope::scenario::Override {
        path: "traffic.arrivals.rate".into(),
        value: "0.006".into(),
        label: "--rate 0.006".into(),
    };
    let scenario = Arc::new(files::open("papers/adaptive-torus-8x8", &[rate]).unwrap());
    let options =
        Options { seed: Some(41), running: false, speed: Speed::Max, ..Options::default() };
    let mut live = Live::start(scenario, options).unwrap();
    tell(&mut live, Command::Step(1_000));
    tell(&mut live, Command::Change(Change::Rate(Rate(0.011))));
    tell(&mut live, Command::Step(1_000));
    tell(&mut live, Command::Change(Change::LinkDown(ChannelId(9))));
    // It is closed already.
    tell(&mut live, Command::Change(Change::LinkDown(ChannelId(9))));
    tell(&mut live, Command::Step(700));
    tell(&mut live, Command::Change(Change::LinkDown(ChannelId(30))));
    tell(&mut live, Command::Step(1_300));
    tell(&mut live, Command::Bookmark(Cycle(4_000)));
    tell(&mut live, Command::Change(Change::Rate(Rate(0.002))));
    tell(&mut live, Command::Change(Change::LinkUp(ChannelId(9))));
    tell(&mut live, Command::Step(2_000));
    let left = tell(&mut live, Command::Back(1_500));
    let answer = tell(&mut live, Command::Save);
    let saved = answer.saved.clone().unwrap();
    (live, left, saved)
}

#[test]
fn a_session_is_opened_again_where_it_was_left() {
    let (_live, left, saved) = session();
    assert_eq!(saved.journal.len(), 5);
    let read = saved::parse("a.ron", &saved.text()).unwrap();
    let other = Arc::new(files::open("mesh-8x8", &[]).unwrap());
    let options = Options { running: false, speed: Speed::Max, ..Options::default() };
    let mut again = Live::start(other, options).unwrap();
    let opened = tell(&mut again, Command::Resume(Box::new(read)));
    assert_eq!((opened.snapshot.cycle, opened.live), (Cycle(4_500), Cycle(6_000)));
    assert_eq!((&opened.snapshot, &opened.summary), (&left.snapshot, &left.summary));
    assert_eq!((&opened.history, &opened.bookmarks), (&left.history, &left.bookmarks));
    assert_eq!((opened.seed, opened.rate), (41, Rate(0.002)));
    assert_eq!(opened.scenario.name, "papers/adaptive-torus-8x8");
    let answer = tell(&mut again, Command::Save);
    assert_eq!(answer.saved.as_ref().unwrap().text(), saved.text());
}

#[test]
fn it_is_made_again_without_the_screen_bit_for_bit() {
    let folder = Folder::new("replay");
    let (mut live, _, saved) = session();
    let file = folder.file("a.session.ron");
    files::write(&file, saved.text(), false).unwrap();
    let output = flitscope(&["replay", &file, "--format", "json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let row: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let fingerprint = format!("{:016x}", saved.fingerprint.unwrap());
    assert_eq!(row["fingerprint"], fingerprint);
    assert_eq!((row["cycles"].as_u64(), row["seed"].as_u64()), (Some(4_500), Some(41)));
    // Without a terminal the file alone does the same.
    let output = flitscope(&[&file]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains(&fingerprint));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the one that was saved"));
    // At the newest cycle as well.
    tell(&mut live, Command::ToLive);
    let newest = tell(&mut live, Command::Save).saved.clone().unwrap();
    files::write(&file, newest.text(), true).unwrap();
    assert!(flitscope(&["replay", &file, "--quiet"]).status.success());
    // A rate that was tampered with shows.
    let text = newest.text().replace("rate: 0.011)", "rate: 0.012)");
    files::write(&file, &text, true).unwrap();
    let output = flitscope(&["replay", &file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("saved was"));
    // And so does a link that was left open.
    let down = newest
        .text()
        .lines()
        .find(|line| line.contains("LinkDown(cycle: 2700"))
        .unwrap()
        .to_owned();
    files::write(&file, newest.text().replace(&down, ""), true).unwrap();
    let output = flitscope(&["replay", &file]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("a link was closed or opened at cycle 4000"), "{told}");
}

#[test]
fn bad_files_are_told_with_their_places() {
    let folder = Folder::new("bad");
    let (_live, _, saved) = session();
    let good = saved.text();
    let cases = [
        (good.replace("cycle: 4500", "cycle: 99999"), "is after the newest"),
        (good.replace("rate: 0.011", "rate: -1"), "above 0"),
        (good.replace("MinimalAdaptive", "MinimalAdaptiv"), "did you mean `MinimalAdaptive`"),
        (good.replace("Rate(cycle: 1000", "Rate(cycel: 1000"), "did you mean `cycle`"),
        (good.replace("journal: [", "journal: "), ""),
        (good.replace("link: 30", "link: 3000"), "its links are 0 to 255"),
        (good.replace("LinkUp", "LinkDown"), "link 9 is already closed, since cycle 2000"),
        (good[..good.len() / 2].to_owned(), "still open"),
        (good.replace("bookmarks: [4000]", "bookmarks: [\"x\"]"), "whole number"),
    ];
    for (number, (text, words)) in cases.iter().enumerate() {
        assert_ne!(*text, good, "case {number} changes something");
        let file = folder.file(&format!("{number}.ron"));
        files::write(&file, text, false).unwrap();
        for arguments in [&["replay", &file][..], &[&file]] {
            let output = flitscope(arguments);
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{number}: {told}");
            assert!(told.contains(words), "{number}: {told}");
            let place = told.split(&format!("{file}:")).nth(1).unwrap_or_default();
            let mut numbers = place.split([':', '\n']);
            let line = numbers.next().and_then(|line| line.trim().parse::<usize>().ok());
            let column = numbers.next().and_then(|column| column.trim().parse::<usize>().ok());
            assert!(line.is_some() && column.is_some(), "{number}: {told}");
        }
    }
    // A session where a scenario belongs, and the other way round.
    let file = folder.file("good.ron");
    files::write(&file, &good, false).unwrap();
    let output = flitscope(&["simulate", &file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("flitscope replay"));
    let output = flitscope(&["replay", "mesh-8x8"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("flitscope simulate mesh-8x8"));
    let output = flitscope(&[&file, "--rate", "0.01"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--rate 0.01"));
}
