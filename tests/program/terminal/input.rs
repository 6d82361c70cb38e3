//! Input that a terminal cuts off, and sizes that none has: the screen is painted and obeys keys.

use std::path::Path;
use std::time::Duration;

use portable_pty::PtySize;

use super::Session;
use super::signals::until;

/// Sequences without their end.
const CUT: [(&str, &[u8]); 6] = [
    ("Alt-[", b"\x1b["),
    ("a report of a mode", b"\x1b[?2026;2$"),
    ("attributes of the device", b"\x1b[?62;"),
    ("a report of the mouse", b"\x1b[<0;3"),
    ("half a character", b"\xc3"),
    ("a paste", b"\x1b[200~"),
];

#[test]
fn an_incomplete_sequence_holds_up_neither_painting_nor_keys() {
    let mut session = Session::start(100, 30);
    session.wait(|screen| screen.contains("RUN"));
    for (what, bytes) in CUT {
        session.send(bytes);
        let painted = || session.raw.lock().unwrap().len();
        let before = painted();
        until(what, &session, || painted() > before);
        // Longer than a sequence may take.
        std::thread::sleep(Duration::from_millis(120));
        let before = painted();
        until(what, &session, || painted() > before);
        session.press("?");
        session.wait(|screen| screen.contains("a link where nothing is"));
        session.press("\x1b");
        session.wait(|screen| !screen.contains("a link where nothing is"));
    }
    // Complete sequences without a meaning are no keys.
    session.press("\x1b[?2026;2$y\x1b[?62;c\x1b[4;600;800t");
    session.press(" ");
    session.wait(|screen| screen.contains("PAUSED"));
    session.press("q");
    session.end(0);
}

#[test]
fn ctrl_c_ends_it_right_after_an_incomplete_sequence() {
    for (_, bytes) in CUT {
        let mut session = Session::start(60, 16);
        session.wait(|screen| screen.contains("RUN"));
        session.send(&[bytes, b"\x03"].concat());
        session.end(0);
    }
}

#[test]
fn a_terminal_that_claims_an_impossible_size_is_survived() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Session::command(&[]);
    command.cwd(here);
    let mut session = Session::claiming((30_000, 30_000), command, 100, 30);
    let painted = |session: &Session| session.raw.lock().unwrap().len();
    until("it is painted", &session, || painted(&session) > 100_000);
    let set = |session: &Session, cols, rows| {
        session.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
    };
    set(&session, 100, 30);
    session.press(" ");
    session.wait(|screen| screen.contains("PAUSED") && screen.contains("latency"));
    set(&session, u16::MAX, u16::MAX);
    let before = painted(&session);
    until("it is painted again", &session, || painted(&session) > before + 100_000);
    session.press("q");
    session.end(0);
}
