//! The screen on a real terminal: this test program runs itself in a pseudo-terminal.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::{Options, run};
use crate::scenario::{Problem, Scenario};
use crate::tui::fake::{self, Shelves, TORUS};
use crate::tui::library::Shelf;

const CHILD: &str = "tui::terminal::pty::child";

fn check(_: &str, _: &str) -> Result<Scenario, Vec<Problem>> {
    Err(Vec::new())
}

#[test]
#[ignore = "runs inside the pseudo-terminal of the other tests"]
fn child() {
    if std::env::var("FLITSCOPE_PTY_CHILD").is_err() {
        return;
    }
    let mut options = Options::new(Shelf { builtin: Vec::new(), folder: None, check });
    options.library = Box::new(Shelves);
    let report = run(options, fake::scenario(TORUS, &[8, 8], 4)).unwrap();
    let mut out = std::io::stdout().lock();
    writeln!(out, "left because {:?}", report.reason).unwrap();
}

struct Session {
    parser: Arc<Mutex<vt100::Parser>>,
    raw: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
}

impl Session {
    fn start(columns: u16, rows: u16) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args([CHILD, "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
        command.env("FLITSCOPE_PTY_CHILD", "1");
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env_remove("NO_COLOR");
        command.env_remove("LC_ALL");
        let child = pair.slave.spawn_command(command).unwrap();
        let parser = Arc::new(Mutex::new(vt100::Parser::new(
            rows.try_into().unwrap(),
            columns.try_into().unwrap(),
            0,
        )));
        let raw = Arc::new(Mutex::new(Vec::new()));
        let mut output = pair.master.try_clone_reader().unwrap();
        let (screen, bytes) = (Arc::clone(&parser), Arc::clone(&raw));
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut chunk) {
                screen.lock().unwrap().process(&chunk[..count]);
                bytes.lock().unwrap().extend_from_slice(&chunk[..count]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Self { parser, raw, keys, child, master: pair.master }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn screen(&self) -> String {
        self.parser.lock().unwrap().screen().contents()
    }

    fn wait(&self, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + Duration::from_secs(60);
        while Instant::now() < deadline {
            let screen = self.screen();
            if wanted(&screen) {
                return screen;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("never seen; the screen is\n{}", self.screen());
    }

    /// Waits for the end and checks that the terminal was given back.
    fn end(mut self, reason: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.child.try_wait().unwrap().is_none() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.wait(|screen| screen.contains(&format!("left because {reason}")));
        let parser = self.parser.lock().unwrap();
        assert!(!parser.screen().alternate_screen() && !parser.screen().hide_cursor());
        assert_eq!(parser.screen().mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    }
}

#[test]
fn it_obeys_keys_survives_sizes_and_gives_the_terminal_back() {
    let mut session = Session::start(100, 30);
    session.wait(|screen| screen.contains("RUN") && screen.contains("8x8 torus"));
    session.press(" ");
    session.wait(|screen| screen.contains("PAUSED"));
    // Nothing is written while nothing happens.
    std::thread::sleep(Duration::from_millis(300));
    let before = session.raw.lock().unwrap().len();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(session.raw.lock().unwrap().len(), before);
    session.press("?");
    session.wait(|screen| screen.contains("run or pause"));
    session.press("\x1b");
    session.wait(|screen| !screen.contains("run or pause"));
    session.press("M");
    session.wait(|screen| screen.contains("mouse on"));
    let size = PtySize { rows: 40, cols: 130, pixel_width: 0, pixel_height: 0 };
    session
        .parser
        .lock()
        .unwrap()
        .screen_mut()
        .set_size(40.try_into().unwrap(), 130.try_into().unwrap());
    session.master.resize(size).unwrap();
    session.wait(|screen| screen.contains("latency by load"));
    session.press("\x0c");
    session.press("q");
    session.end("Quit");
}

#[test]
fn a_signal_ends_it_in_order() {
    let session = Session::start(80, 24);
    session.wait(|screen| screen.contains("RUN"));
    let id = session.child.process_id().unwrap();
    std::process::Command::new("kill").args(["-TERM", &id.to_string()]).status().unwrap();
    session.end("Signal(15)");
}

#[test]
fn suspending_gives_the_terminal_back_and_takes_it_again() {
    let mut session = Session::start(80, 24);
    session.wait(|screen| screen.contains("RUN"));
    let id = session.child.process_id().unwrap();
    session.press("\x1a");
    let deadline = Instant::now() + Duration::from_secs(60);
    while session.parser.lock().unwrap().screen().alternate_screen() {
        assert!(Instant::now() < deadline, "still on the alternate screen");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The stop itself follows the restored screen.
    std::thread::sleep(Duration::from_millis(100));
    std::process::Command::new("kill").args(["-CONT", &id.to_string()]).status().unwrap();
    session.wait(|screen| screen.contains("RUN") && screen.contains("8x8 torus"));
    session.press("q");
    session.end("Quit");
}
