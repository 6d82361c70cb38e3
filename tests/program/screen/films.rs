//! The demonstrations: the same films each time, known to the last byte, and the stills of
//! `screenshots/` are from them.
//!
//! `FLITSCOPE_UPDATE=1 cargo test --test program screen` writes the stills and the films' hashes.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use flitscope::recording::demos::{self, Demo};
use flitscope::scenario::{self, builtin};
use flitscope::tui::film::{self, FPS, Form, SIZE};
use flitscope::tui::{Options, Shelf};

/// The hash of each film: whatever machine made it, these are its bytes.
const HASHES: &str = "tests/program/screen/films.hashes";

/// A recording, its stills, and its length in seconds.
struct Film {
    cast: Vec<u8>,
    stills: Vec<(String, String)>,
    seconds: f64,
}

fn made(demo: Demo) -> Film {
    film_of(demo.name, demo.text, Form::Cast)
}

fn film_of(name: &str, text: &str, form: Form) -> Film {
    let script = film::script(name, text).unwrap();
    let name = script.scenario.clone().expect("a film names its scenario");
    let text = builtin::find(&name).expect("and that is built in").text;
    let scenario = Arc::new(scenario::parse(&name, text, &[]).unwrap());
    let (mut cast, mut stills) = (Vec::new(), Vec::new());
    let still = |name: &str, content: &[u8]| {
        stills.push((name.to_owned(), String::from_utf8(content.to_vec()).unwrap()));
        Ok(())
    };
    let size = script.size.unwrap_or(SIZE);
    let fps = u32::from(script.fps.unwrap_or(FPS));
    let options = Options { fps, ..Options::new(Shelf::default()) };
    let takes = film::record(options, scenario, size, &script, form, &mut cast, still).unwrap();
    Film { cast, stills, seconds: takes.length as f64 / 1e6 }
}

/// Fowler, Noll and Vo's hash, 64 bits, variant 1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Whether what was made is what is committed; writes it if asked to.
fn is_known(path: &str, made: &str) -> bool {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("FLITSCOPE_UPDATE").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    std::fs::read_to_string(&path).unwrap_or_default() == made
}

#[test]
fn every_demonstration_is_the_same_film_each_time() {
    let mut hashes = String::new();
    for &demo in demos::ALL {
        let film = made(demo);
        assert!((20.0..=40.0).contains(&film.seconds), "{}: {} s", demo.name, film.seconds);
        let text = std::str::from_utf8(&film.cast).unwrap();
        let markers = text.lines().filter(|line| line.contains(", \"m\", ")).count();
        assert!(markers >= 4, "{}: {markers} markers", demo.name);
        let size = film.cast.len();
        assert!(size <= 2_000_000, "{} is too large to be shown: {size} bytes", demo.name);
        assert!(!film.stills.is_empty(), "{} takes no stills", demo.name);
        for (name, still) in &film.stills {
            let known = is_known(&format!("screenshots/{name}"), still);
            assert!(known, "{name} is not what the film of {} shows: see {}", demo.name, file!());
        }
        writeln!(hashes, "{} {:016x}", demo.name, hash(&film.cast)).unwrap();
    }
    assert!(is_known(HASHES, &hashes), "other films than in {HASHES}: see {}\n{hashes}", file!());
}

#[test]
fn the_readmes_picture_moves() {
    let text = std::fs::read_to_string("screenshots/readme.keys").unwrap();
    let film = film_of("readme.keys", &text, Form::Svg);
    let picture = String::from_utf8(film.cast).unwrap();
    assert!(picture.len() < 1_000_000, "{} bytes", picture.len());
    assert!((10.0..20.0).contains(&film.seconds), "{} s", film.seconds);
    let known = is_known("screenshots/deadlock-closes.svg", &picture);
    assert!(known, "deadlock-closes.svg is not what readme.keys shows: see {}", file!());
    let readme = std::fs::read_to_string("README.md").unwrap();
    let first = readme.split("](").find(|part| part.starts_with("screenshots/")).unwrap();
    assert!(first.starts_with("screenshots/deadlock-closes.svg)"), "the first picture moves");
}
