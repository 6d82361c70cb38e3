//! What a recording begins with, and what is given back.

use super::*;

#[derive(Default)]
struct Seen(Vec<(u64, Event)>);

impl Sink for Seen {
    fn put(&mut self, at: u64, event: Event) -> io::Result<()> {
        self.0.push((at, event));
        Ok(())
    }
}

#[test]
fn a_recording_enters_tells_sizes_first_and_leaves() {
    let mut roll = Roll::new(Seen::default(), (80, 24));
    roll.mark(700, "too early").unwrap();
    roll.frame(1_000, (80, 24), b"one").unwrap();
    roll.mark(2_000, "pause").unwrap();
    roll.frame(3_000, (90, 24), b"two").unwrap();
    roll.frame(4_000, (90, 24), b"three").unwrap();
    let seen = roll.end(5_000, 0).unwrap().0;
    let output = |text: &str| Event::Output(text.to_owned());
    assert_eq!(
        seen,
        [
            (0, output(&format!("{ENTER}one"))),
            (1_000, Event::Marker("pause".to_owned())),
            (2_000, Event::Resize(90, 24)),
            (2_000, output("two")),
            (3_000, output("three")),
            (4_000, output(LEAVE)),
            (4_000, Event::Exit(0)),
        ]
    );
}

#[test]
fn a_recording_that_begins_on_another_size_says_so() {
    let mut roll = Roll::new(Seen::default(), (80, 24));
    roll.frame(9, (100, 30), b"one").unwrap();
    let seen = roll.end(9, 0).unwrap().0;
    assert_eq!(seen[0], (0, Event::Resize(100, 30)));
}

#[test]
fn what_is_taken_is_given_back() {
    for mode in ["?1049", "?25", "?7"] {
        assert!(ENTER.contains(mode) && LEAVE.contains(mode), "{mode}");
    }
}
