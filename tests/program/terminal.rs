//! The program on a real terminal: it runs in a pseudo-terminal, and what it writes is read as a
//! terminal would.

mod input;
mod signals;
mod studies;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

struct Session {
    parser: Arc<Mutex<vt100::Parser>>,
    raw: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
}

impl Session {
    fn start(columns: u16, rows: u16) -> Self {
        Self::start_in(Path::new(env!("CARGO_MANIFEST_DIR")), &[], columns, rows)
    }

    fn command(arguments: &[&str]) -> CommandBuilder {
        Self::of(&[&[env!("CARGO_BIN_EXE_flitscope")], arguments].concat())
    }

    /// A program and its arguments in an environment without a person's wishes.
    fn of(words: &[&str]) -> CommandBuilder {
        let mut command = CommandBuilder::new(words[0]);
        command.args(&words[1..]);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("FLITSCOPE_CONFIG", "");
        command.env_remove("NO_COLOR");
        command.env_remove("LC_ALL");
        command.env_remove("TERM_PROGRAM");
        command.env_remove("WT_SESSION");
        command
    }

    fn start_in(folder: &Path, arguments: &[&str], columns: u16, rows: u16) -> Self {
        Self::start_with(folder, arguments, &[], columns, rows)
    }

    /// Starts it in a folder, with arguments and variables.
    fn start_with(
        folder: &Path,
        arguments: &[&str],
        variables: &[(&str, &str)],
        columns: u16,
        rows: u16,
    ) -> Self {
        let mut command = Self::command(arguments);
        command.cwd(folder);
        for (name, value) in variables {
            command.env(name, value);
        }
        Self::spawn(command, columns, rows)
    }

    fn spawn(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        Self::claiming((columns, rows), command, columns, rows)
    }

    /// A terminal that claims one size and has another.
    fn claiming(claimed: (u16, u16), command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let size = PtySize { rows: claimed.1, cols: claimed.0, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
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
        self.send(keys.as_bytes());
    }

    fn send(&mut self, bytes: &[u8]) {
        self.keys.write_all(bytes).unwrap();
        self.keys.flush().unwrap();
    }

    fn resize(&self, columns: u16, rows: u16) {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let (rows, columns) = (rows.try_into().unwrap(), columns.try_into().unwrap());
        self.parser.lock().unwrap().screen_mut().set_size(rows, columns);
        self.master.resize(size).unwrap();
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

    /// Waits for the end.
    fn status(&mut self) -> ExitStatus {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not end; the screen is\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end and checks that the terminal was given back.
    fn end(mut self, status: u32) {
        assert_eq!(self.status().exit_code(), status);
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let given_back = {
                let parser = self.parser.lock().unwrap();
                let screen = parser.screen();
                !screen.alternate_screen()
                    && !screen.hide_cursor()
                    && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
            };
            if given_back {
                return;
            }
            assert!(Instant::now() < deadline, "the terminal is not given back");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn it_obeys_keys_survives_sizes_and_gives_the_terminal_back() {
    let mut session = Session::start(100, 30);
    session.wait(|screen| screen.contains("RUN") && screen.contains("8x8 torus"));
    session.press(" ");
    session.wait(|screen| screen.contains("PAUSED"));
    // Nothing is written while nothing happens: once the predictions are drawn.
    let deadline = Instant::now() + Duration::from_secs(60);
    let written = || session.raw.lock().unwrap().len();
    let mut before = 0;
    while before != written() {
        assert!(Instant::now() < deadline, "a screen that is paused is drawn again and again");
        before = written();
        std::thread::sleep(Duration::from_millis(500));
    }
    session.press("?");
    session.wait(|screen| screen.contains("a link where nothing is"));
    session.press("\x1b");
    session.wait(|screen| !screen.contains("a link where nothing is"));
    session.press("M");
    session.wait(|screen| screen.contains("mouse off"));
    session.resize(130, 40);
    session.wait(|screen| screen.contains("latency by load"));
    session.press("\x0c");
    session.press("q");
    session.end(0);
}

#[test]
fn a_signal_ends_it_in_order() {
    let session = Session::start(80, 24);
    session.wait(|screen| screen.contains("RUN"));
    let id = session.child.process_id().unwrap();
    std::process::Command::new("kill").args(["-TERM", &id.to_string()]).status().unwrap();
    session.end(128 + 15);
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
    session.end(0);
}

#[test]
fn it_ends_when_its_terminal_is_gone() {
    // No reading thread here: it would hold the other end.
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut child = pair.slave.spawn_command(Session::command(&[])).unwrap();
    drop(pair.slave);
    let mut output = pair.master.try_clone_reader().unwrap();
    let (mut seen, mut chunk) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&seen).contains("RUN") {
        let count = output.read(&mut chunk).unwrap();
        seen.extend_from_slice(&chunk[..count]);
    }
    // Hanging up: nobody holds the other end any more.
    drop(output);
    drop(pair.master);
    let deadline = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "it runs on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_chooser_refuses_a_bad_file_and_the_run_goes_on() {
    let mut session = Session::start(100, 30);
    session.wait(|screen| screen.contains("RUN"));
    session.press("o");
    session.wait(|screen| screen.contains("type to filter"));
    session.press("ring");
    session.wait(|screen| screen.contains("valid: 8x8 torus"));
    session.press("\r");
    session.wait(|screen| screen.contains("ring-deadlock"));
    session.press("]");
    session.press("]");
    session.press("]");
    session.wait(|screen| screen.contains("DEADLOCK"));
    session.press("q");
    session.end(0);
}

#[test]
fn what_is_wrong_with_a_file_is_said_in_the_chooser_and_the_run_goes_on() {
    let folder = std::env::temp_dir().join(format!("flitscope-chooser-{}", std::process::id()));
    let scenarios = folder.join("scenarios");
    std::fs::create_dir_all(scenarios.join("folder.ron")).unwrap();
    std::fs::write(scenarios.join("empty.ron"), "").unwrap();
    std::fs::write(scenarios.join("rubbish.ron"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    std::fs::write(
        scenarios.join("radix.ron"),
        "Scenario(network: Torus(radix: [8, 0]), routing: DimensionOrder(), traffic: (arrivals: \
         Poisson(rate: -1), destinations: Uniform, lengths: Fixed(12)))",
    )
    .unwrap();
    let mut session = Session::start_in(&folder, &[], 110, 30);
    session.wait(|screen| screen.contains("RUN"));
    for (name, says) in [
        ("empty", "this is empty"),
        ("rubbish", "is not UTF-8 text"),
        ("folder", "this is a directory"),
        ("radix", "a radix must be 1 to 65536, not 0"),
    ] {
        session.press("o");
        session.wait(|screen| screen.contains("type to filter"));
        session.press(name);
        session.wait(|screen| screen.contains(says));
        // Enter opens nothing.
        session.press("\r");
        session.press("\x1b");
        session.wait(|screen| !screen.contains("type to filter"));
    }
    session.wait(|screen| screen.contains("RUN") && screen.contains("torus-8x8"));
    session.press("q");
    session.end(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_step_is_one_cycle() {
    let mut session = Session::start(100, 30);
    session.wait(|screen| screen.contains("RUN"));
    session.press(" ");
    session.press("r");
    session.wait(|screen| screen.contains("PAUSED") && screen.contains("cycle 0"));
    session.press("...");
    session.wait(|screen| screen.contains("cycle 3 "));
    session.press("q");
    session.end(0);
}

#[test]
fn every_size_down_to_one_cell_is_survived() {
    for (columns, rows) in [(1, 1), (7, 3), (30, 8), (60, 16), (80, 24), (200, 60)] {
        let mut session = Session::start(columns, rows);
        let deadline = Instant::now() + Duration::from_secs(60);
        while session.raw.lock().unwrap().len() < 40 {
            assert!(Instant::now() < deadline, "{columns}x{rows}: nothing is drawn");
            std::thread::sleep(Duration::from_millis(5));
        }
        session.press("q");
        session.end(0);
    }
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("flitscope-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The events of a recording of version 3, and what a terminal of its size shows before it ends.
fn replay(path: &Path) -> (Vec<(f64, String, String)>, String) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let header: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    let size = |name: &str| header["term"][name].as_u64().unwrap() as u16;
    let events: Vec<(f64, String, String)> =
        lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let (rows, columns) = (size("rows").try_into().unwrap(), size("cols").try_into().unwrap());
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    let frames = events.iter().rposition(|event| event.1 == "o").unwrap();
    for (_, code, data) in &events[..frames] {
        match code.as_str() {
            "o" => terminal.process(data.as_bytes()),
            "r" => {
                let (columns, rows) = data.split_once('x').unwrap();
                let (rows, columns) = (rows.parse().unwrap(), columns.parse().unwrap());
                terminal.screen_mut().set_size(rows, columns);
            }
            _ => {}
        }
    }
    let shown = terminal.screen().contents();
    (events, shown)
}

/// The lines below the header, which tells of a recording.
fn below_the_header(screen: &str) -> Vec<&str> {
    screen.lines().skip(1).map(str::trim_end).collect()
}

/// What is on the screen once nothing changes any more.
fn at_rest(session: &Session) -> String {
    std::thread::sleep(Duration::from_millis(400));
    session.screen()
}

#[test]
fn a_session_recorded_from_the_start_is_what_was_seen() {
    let folder = folder("record-start");
    let mut session = Session::start_in(&folder, &["--record", "a.cast"], 100, 30);
    session.wait(|screen| screen.contains("RUN") && screen.contains("● REC"));
    session.press(" ");
    session.wait(|screen| screen.contains("PAUSED"));
    session.press("...m");
    session.wait(|screen| screen.contains("bookmark at"));
    session.press("q");
    session.wait(|screen| screen.contains("end the recording and quit?"));
    let seen = at_rest(&session);
    session.press("\r");
    session.end(0);
    let (events, shown) = replay(&folder.join("a.cast"));
    assert_eq!(below_the_header(&shown), below_the_header(&seen));
    assert!(!shown.contains("REC"), "a recording shows no mark of itself: {shown}");
    let markers: Vec<&str> =
        events.iter().filter(|event| event.1 == "m").map(|event| event.2.as_str()).collect();
    assert!(matches!(markers[..], ["pause", "step", mark] if mark.starts_with("bookmark at")));
    assert_eq!(events.last().map(|event| (event.1.as_str(), event.2.as_str())), Some(("x", "0")));
    // The mouse is taken and given back beside the recording.
    assert!(events.iter().all(|event| !event.2.contains("?1000")));
    // What is there is not replaced.
    let mut again = Session::start_in(&folder, &["--record", "a.cast"], 100, 30);
    again.wait(|screen| screen.contains("a.cast` exists") && screen.contains("--force"));
    assert_eq!(again.status().exit_code(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_recording_ends_in_order_with_a_signal() {
    let folder = folder("record-signal");
    let arguments = ["--record", "a.cast", "--record-idle-limit", "2"];
    let session = Session::start_in(&folder, &arguments, 80, 24);
    session.wait(|screen| screen.contains("RUN") && screen.contains("● REC"));
    let id = session.child.process_id().unwrap();
    std::process::Command::new("kill").args(["-TERM", &id.to_string()]).status().unwrap();
    session.end(128 + 15);
    let (events, _) = replay(&folder.join("a.cast"));
    let [.., (_, leave, screen), (_, exit, status)] = &events[..] else { panic!("{events:?}") };
    assert!(leave == "o" && screen.contains("?1049l") && exit == "x" && status == "143");
    let text = std::fs::read_to_string(folder.join("a.cast")).unwrap();
    assert!(text.lines().next().unwrap().contains("\"idle_time_limit\":2.0"), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_recording_begun_and_ended_with_a_key_is_whole() {
    let folder = folder("record-key");
    let mut session = Session::start_in(&folder, &[], 100, 30);
    session.wait(|screen| screen.contains("RUN"));
    session.press(" ");
    session.wait(|screen| screen.contains("PAUSED"));
    session.press("r");
    session.wait(|screen| screen.contains("cycle 0 "));
    session.press("R");
    session.wait(|screen| screen.contains("flitscope-torus-8x8-0.cast"));
    session.press("\r");
    session.wait(|screen| screen.contains("● REC") && screen.contains("recording into"));
    session.resize(120, 40);
    session.wait(|screen| screen.contains("latency by load"));
    session.press("?");
    session.wait(|screen| screen.contains("a link where nothing is"));
    session.press("\x1b");
    session.wait(|screen| !screen.contains("a link where nothing is"));
    let seen = at_rest(&session);
    session.press("R");
    session.wait(|screen| screen.contains("recorded flitscope-torus-8x8-0.cast"));
    let (events, shown) = replay(&folder.join("flitscope-torus-8x8-0.cast"));
    assert_eq!(below_the_header(&shown), below_the_header(&seen));
    assert!(!shown.contains("REC"), "a recording shows no mark of itself: {shown}");
    assert!(events.iter().any(|event| event.1 == "r" && event.2 == "120x40"));
    assert_eq!(events.last().unwrap().1, "x");
    // The same name again.
    session.press("R\r");
    session.wait(|screen| screen.contains("exists; R asks for another name"));
    // A picture of the screen, next to it.
    session.press("s\r");
    session.wait(|screen| screen.contains("the screen is in flitscope-torus-8x8-0.svg"));
    let picture = std::fs::read_to_string(folder.join("flitscope-torus-8x8-0.svg"));
    assert!(picture.unwrap().starts_with("<svg "));
    session.press("q");
    session.end(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_scenario_is_edited_in_the_terminal_and_read_again() {
    let folder = folder("edit");
    let text = |radix: &str| {
        format!(
            "Scenario(network: Mesh(radix: {radix}), routing: DimensionOrder(), traffic: (arrivals: \
             Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(12)))"
        )
    };
    std::fs::write(folder.join("mine.ron"), text("[8, 8]")).unwrap();
    std::fs::write(folder.join("bad"), text("[8, 0]")).unwrap();
    std::fs::write(folder.join("good"), text("[4, 6]")).unwrap();
    // An editor that asks for the file to put in place of the one it was given.
    let script = "echo EDITING $1; read new; cp $new $1; trap '' INT; kill -INT 0";
    std::fs::write(folder.join("editor"), script).unwrap();
    let editor = [("VISUAL", "sh editor"), ("EDITOR", "false")];
    let mut session = Session::start_with(&folder, &["mine.ron"], &editor, 100, 30);
    session.wait(|screen| screen.contains("RUN") && screen.contains("8x8 mesh"));
    session.press("\x05");
    session.wait(|screen| screen.contains("EDITING mine.ron"));
    {
        let parser = session.parser.lock().unwrap();
        assert!(!parser.screen().alternate_screen() && !parser.screen().hide_cursor());
    }
    // What is typed is echoed: the terminal is as a shell left it. The interrupt at the end is the
    // editor's own business.
    session.press("bad\n");
    let said = session.wait(|screen| screen.contains("mine.ron cannot be run"));
    assert!(said.contains("must be 1 to 65536, not 0") && said.contains("RUN"), "{said}");
    session.press("e");
    session.wait(|screen| screen.contains("EDITING mine.ron"));
    session.press("good\n");
    session.wait(|screen| screen.contains("was read again") && screen.contains("4x6 mesh"));
    session.press("q");
    session.end(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_full_disk_ends_the_recording_and_not_the_session() {
    let mut session = Session::start_in(
        Path::new(env!("CARGO_MANIFEST_DIR")),
        &["--record", "/dev/full", "--force"],
        100,
        30,
    );
    session.wait(|screen| screen.contains("recording broke off: /dev/full: No space left"));
    session.wait(|screen| screen.contains("RUN") && !screen.contains("● REC"));
    session.press("q");
    session.end(0);
}

#[test]
fn commands_are_typed_and_a_configuration_binds_keys() {
    let folder = folder("config");
    let config = folder.join("config.ron");
    let keys = "Config(scenario: \"mesh-8x8\", keys: {\"Ctrl-x\": \"toggle-run\"})";
    std::fs::write(&config, keys).unwrap();
    let config = [("FLITSCOPE_CONFIG", config.to_str().unwrap())];
    let mut session = Session::start_with(&folder, &[], &config, 120, 30);
    session.wait(|screen| screen.contains("RUN") && screen.contains("8x8 mesh"));
    session.press("\x18");
    session.wait(|screen| screen.contains("PAUSED") && screen.contains("Ctrl-X run"));
    session.press(":set perf\r");
    session.wait(|screen| screen.contains("fps"));
    session.press(":goto 100\r");
    session.wait(|screen| screen.contains("PAUSED") && screen.contains("cycle 100 "));
    session.press(":set network=Mesh(radix: [5, 3])\r");
    session.wait(|screen| screen.contains("5x3 mesh") && screen.contains("cycle 0 "));
    session.press(":export figures.json\r");
    session.wait(|screen| screen.contains("the statistics are in figures.json"));
    let figures = std::fs::read_to_string(folder.join("figures.json")).unwrap();
    let figures: serde_json::Value = serde_json::from_str(&figures).unwrap();
    assert_eq!(figures["scenario"], "mesh-8x8");
    session.press(":export figures.json\r");
    session.wait(|screen| screen.contains("figures.json exists"));
    session.press(":qui\t\r");
    session.end(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_dumb_terminal_gets_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dumb = [("TERM", "dumb")];
    let mut session = Session::start_with(folder, &["ring-deadlock"], &dumb, 200, 30);
    session.wait(|screen| screen.contains("deadlocked, cycle "));
    assert_eq!(session.status().exit_code(), 3);
    assert!(!String::from_utf8_lossy(&session.raw.lock().unwrap()).contains('\u{1b}'));
}

#[test]
fn the_first_start_says_what_this_is_once() {
    let folder = folder("first-start");
    let start = || {
        let mut command = Session::command(&[]);
        command.env_remove("FLITSCOPE_CONFIG");
        command.env("HOME", &folder);
        command.env_remove("XDG_CONFIG_HOME");
        command.env_remove("XDG_STATE_HOME");
        Session::spawn(command, 80, 24)
    };
    let mut session = start();
    session.wait(|screen| screen.contains("flitscope tour") && screen.contains("torus-8x8"));
    session.press(" ");
    session.wait(|screen| screen.contains("PAUSED") && !screen.contains("flitscope tour"));
    session.press("q");
    session.end(0);
    let mut session = start();
    let screen = session.wait(|screen| screen.contains("RUN") && screen.contains("torus-8x8"));
    assert!(!screen.contains("flitscope tour"), "{screen}");
    session.press("q");
    session.end(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_tour_goes_on_where_it_was_left_and_leaving_it_pauses_the_run() {
    let folder = folder("tour-left");
    let start = |arguments: &[&str]| {
        let mut command = Session::command(arguments);
        command.env_remove("FLITSCOPE_CONFIG");
        command.env("HOME", &folder);
        command.env_remove("XDG_CONFIG_HOME");
        command.env_remove("XDG_STATE_HOME");
        Session::spawn(command, 80, 24)
    };
    let mut session = start(&["tour"]);
    session.wait(|screen| screen.contains("tour 1/11"));
    session.press("\x0e");
    session.wait(|screen| screen.contains("tour 2/11"));
    session.press(" ");
    session.wait(|screen| screen.contains("RUN"));
    session.press("\x1b");
    session.wait(|screen| {
        screen.contains("PAUSED") && screen.contains("the run is paused; ? and then t goes on")
    });
    session.press("q");
    session.end(0);
    let mut session = start(&["tour"]);
    session.wait(|screen| {
        screen.contains("tour 2/11") && screen.contains("the tour goes on at stop 2 of 11")
    });
    session.press("q");
    session.end(0);
    let mut session = start(&["tour", "1"]);
    session.wait(|screen| screen.contains("tour 1/11"));
    session.press("q");
    session.end(0);
    std::fs::remove_dir_all(folder).unwrap();
}
