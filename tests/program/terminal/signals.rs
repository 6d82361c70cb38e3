//! Signals, modes and the background of a real terminal: whatever comes, it is given back as it was
//! found.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::prelude::{BASE64_STANDARD, Engine};
use portable_pty::{PtySize, native_pty_system};

use super::{Session, at_rest, folder, replay};

/// What `stty` says of the terminal's mode, in a form that it takes back.
fn stty(session: &Session, arguments: &[&str]) -> String {
    let path = session.master.tty_name().unwrap();
    let mut command = std::process::Command::new("stty");
    let output = command.arg("-F").arg(path).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The modes of the terminal that are switched on, read off all that was written: alternate screen,
/// mouse and the like; of the cursor and of wrapping, that they are off.
fn modes(session: &Session) -> std::collections::BTreeSet<String> {
    let raw = session.raw.lock().unwrap();
    let text = String::from_utf8_lossy(&raw);
    let mut on = std::collections::BTreeSet::new();
    for sequence in text.split("\x1b[?").skip(1) {
        let end = sequence.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(0);
        for mode in sequence[..end].split(';') {
            let usual = ["7", "25"].contains(&mode);
            match (&sequence[end..=end], usual) {
                ("h", false) | ("l", true) => drop(on.insert(mode.to_owned())),
                ("l", false) | ("h", true) => drop(on.remove(mode)),
                _ => {}
            }
        }
    }
    // A frame may be under way.
    on.remove("2026");
    on
}

/// All that was written.
fn said(session: &Session) -> String {
    String::from_utf8_lossy(&session.raw.lock().unwrap()).into_owned()
}

/// Whether the window's title was set, and given back each time that it was kept.
fn has_its_title_again(session: &Session) -> bool {
    let said = said(session);
    let [kept, given] = ["\x1b[22;2t", "\x1b[23;2t"].map(|it| said.matches(it).count());
    kept > 0 && kept == given && said.contains("\x1b]2;")
}

fn signal(session: &Session, name: &str) {
    let id = session.child.process_id().unwrap();
    let kill = std::process::Command::new("kill").args([name, &id.to_string()]).status();
    assert!(kill.unwrap().success());
}

/// Waits until something holds.
pub(super) fn until(what: &str, session: &Session, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "never: {what}; the screen is\n{}", session.screen());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn is_stopped(session: &Session) -> bool {
    let stat = format!("/proc/{}/stat", session.child.process_id().unwrap());
    let stat = std::fs::read_to_string(stat).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
}

/// What the program is doing when a signal comes.
#[derive(Clone, Copy, Debug)]
enum State {
    Running,
    Dialog,
    Recording,
    /// On the way to a far cycle.
    Seeking,
    /// An editor has the terminal.
    Editing,
    /// Stopped, as by Ctrl-Z.
    Stopped,
}

/// The program in a state, in a folder of its own, the mode that the terminal had before and the modes
/// that it has now.
fn in_state(state: State, name: &str) -> (Session, PathBuf, String) {
    let folder = folder(&format!("{name}-{state:?}"));
    // The mode before: that of a fresh terminal.
    let size = PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 };
    let fresh = native_pty_system().openpty(size).unwrap();
    let path = fresh.master.tty_name().unwrap();
    let mut ask = std::process::Command::new("stty");
    let before = ask.arg("-F").arg(path).arg("-g").output().unwrap().stdout;
    let before = String::from_utf8(before).unwrap().trim().to_owned();
    let arguments: &[&str] = match state {
        State::Recording => &["--mouse", "--record", "a.cast"],
        State::Editing => &["mine.ron", "--mouse"],
        State::Running | State::Dialog | State::Seeking | State::Stopped => &["--mouse"],
    };
    std::fs::copy("scenarios/mesh-8x8.ron", folder.join("mine.ron")).unwrap();
    let editor = [("EDITOR", "sh -c 'echo; echo an editor; sleep 600'"), ("VISUAL", "")];
    let mut session = Session::start_with(&folder, arguments, &editor, 100, 30);
    session.wait(|screen| screen.contains("RUN"));
    match state {
        State::Running => {}
        State::Dialog => {
            session.press("?");
            session.wait(|screen| screen.contains("a link where nothing is"));
        }
        State::Recording => drop(session.wait(|screen| screen.contains("REC"))),
        State::Seeking => {
            session.press("g");
            session.press("99999999999\r");
            session.wait(|screen| screen.contains("SEEK"));
        }
        State::Editing => {
            session.press("\x05");
            session.wait(|screen| screen.contains("an editor"));
        }
        State::Stopped => {
            signal(&session, "-TSTP");
            until("it is stopped", &session, || is_stopped(&session));
        }
    }
    (session, folder, before)
}

const ALL: [State; 6] = [
    State::Running,
    State::Dialog,
    State::Recording,
    State::Seeking,
    State::Editing,
    State::Stopped,
];
/// Signals that would end a program by themselves, as far as one may catch them, with their numbers.
const ENDING: [(&str, u32); 11] = [
    ("-INT", 2),
    ("-QUIT", 3),
    ("-TERM", 15),
    ("-HUP", 1),
    ("-USR1", 10),
    ("-USR2", 12),
    ("-ALRM", 14),
    ("-VTALRM", 26),
    ("-PROF", 27),
    ("-IO", 29),
    ("-XCPU", 24),
];

/// Sends a signal to the program in a state: it ends by it, and the terminal is as it was.
fn ends(name: &str, number: u32, state: State) {
    let (mut session, folder, before) = in_state(state, name);
    let away = matches!(state, State::Editing | State::Stopped);
    assert!(away || stty(&session, &["-g"]) != before, "{name} {state:?}");
    assert!(away || !modes(&session).is_empty());
    signal(&session, name);
    if matches!(state, State::Stopped) {
        signal(&session, "-CONT");
    }
    assert_eq!(session.status().exit_code(), 128 + number, "{name} {state:?}");
    assert_eq!(stty(&session, &["-g"]), before, "{name} {state:?}");
    until("all modes are off", &session, || modes(&session).is_empty());
    until("the title is given back", &session, || has_its_title_again(&session));
    if matches!(state, State::Recording) {
        let (events, _) = replay(&folder.join("a.cast"));
        let status = (128 + number).to_string();
        assert_eq!(events.last().map(|event| event.2.clone()), Some(status));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_signal_that_ends_it_leaves_the_terminal_as_it_was() {
    for (name, number) in ENDING {
        for state in ALL {
            // What is typed while an editor has the terminal is for the editor.
            if !(matches!(state, State::Editing) && ["-INT", "-QUIT"].contains(&name)) {
                ends(name, number, state);
            }
        }
    }
}

#[test]
fn what_is_typed_while_an_editor_has_the_terminal_is_for_the_editor() {
    for name in ["-INT", "-QUIT"] {
        let (mut session, folder, before) = in_state(State::Editing, &format!("typed{name}"));
        signal(&session, name);
        std::thread::sleep(Duration::from_secs(1));
        assert!(session.child.try_wait().unwrap().is_none(), "{name}");
        signal(&session, "-TERM");
        assert_eq!(session.status().exit_code(), 143, "{name}");
        assert_eq!(stty(&session, &["-g"]), before, "{name}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_file_that_may_not_grow_ends_the_recording_and_not_the_program() {
    let folder = folder("signals-xfsz");
    let program = env!("CARGO_BIN_EXE_flitscope");
    let shell = format!("ulimit -f 20; exec {program} --record a.cast");
    let mut command = Session::of(&["sh", "-c", &shell]);
    command.cwd(&folder);
    let mut session = Session::spawn(command, 100, 30);
    session.wait(|screen| screen.contains("recording broke off"));
    session.press("q");
    session.end(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn stopped_from_outside_it_goes_on_in_its_mode_and_paints_everything() {
    for name in ["-TSTP", "-STOP"] {
        for state in [State::Running, State::Dialog, State::Recording, State::Seeking] {
            let (mut session, folder, before) = in_state(state, &format!("stopped{name}"));
            let (ours, taken) = (stty(&session, &["-g"]), modes(&session));
            signal(&session, name);
            until("it is stopped", &session, || is_stopped(&session));
            if name == "-TSTP" {
                assert_eq!(stty(&session, &["-g"]), before, "{state:?}");
                until("all modes are off", &session, || modes(&session).is_empty());
            } else {
                // What a shell does with a program that could not.
                stty(&session, &[&before]);
            }
            session.parser.lock().unwrap().process(b"\x1b[2J");
            // A size that has changed makes for a whole picture anyway.
            if matches!(state, State::Dialog) {
                session.resize(120, 30);
            }
            signal(&session, "-CONT");
            session.wait(|screen| {
                let lines: Vec<&str> = screen.lines().collect();
                lines.len() == 30 && screen.contains("torus-8x8")
            });
            until("its mode is back", &session, || stty(&session, &["-g"]) == ours);
            assert_eq!(modes(&session), taken, "{name} {state:?}");
            // It is told once: nothing is taken again later.
            signal(&session, "-INT");
            assert_eq!(session.status().exit_code(), 130, "{name} {state:?}");
            assert_eq!(stty(&session, &["-g"]), before, "{name} {state:?}");
            until("all modes are off", &session, || modes(&session).is_empty());
            std::fs::remove_dir_all(folder).unwrap();
        }
    }
}

#[test]
fn stopped_without_the_terminal_it_takes_none_before_its_turn() {
    for name in ["-TSTP", "-STOP"] {
        let (mut session, folder, before) = in_state(State::Editing, &format!("away{name}"));
        let found = stty(&session, &["-g"]);
        signal(&session, name);
        until("it is stopped", &session, || is_stopped(&session));
        signal(&session, "-CONT");
        until("it goes on", &session, || !is_stopped(&session));
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(stty(&session, &["-g"]), found, "the editor has it: {name}");
        assert!(modes(&session).is_empty(), "{name}");
        signal(&session, "-TERM");
        assert_eq!(session.status().exit_code(), 143, "{name}");
        assert_eq!(stty(&session, &["-g"]), before, "{name}");
        std::fs::remove_dir_all(folder).unwrap();

        // Stopped once more while it is stopped, it goes on once.
        let (mut session, folder, before) = in_state(State::Stopped, &format!("twice{name}"));
        signal(&session, name);
        signal(&session, "-CONT");
        until("it goes on", &session, || !is_stopped(&session));
        until("it has the terminal", &session, || stty(&session, &["-g"]) != before);
        until("its modes are back", &session, || !modes(&session).is_empty());
        signal(&session, "-TERM");
        assert_eq!(session.status().exit_code(), 143, "{name}");
        assert_eq!(stty(&session, &["-g"]), before, "{name}");
        until("all modes are off", &session, || modes(&session).is_empty());
        std::fs::remove_dir_all(folder).unwrap();
    }
}

const QUESTION: &str = "\x1b]11;?";

/// Starts the program and answers its question about the background; whether it asked, and what it
/// then paints, once there is a text in the colour `theme`: the answer may come late.
fn coloured(
    answer: Option<&str>,
    variables: &[(&str, &str)],
    arguments: &[&str],
    theme: Option<&str>,
) -> (bool, String) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let variables = [&[("COLORTERM", "truecolor")], variables].concat();
    let mut session = Session::start_with(here, arguments, &variables, 100, 30);
    if let Some(answer) = answer {
        until("the terminal is asked", &session, || said(&session).contains(QUESTION));
        session.press(answer);
    }
    session.wait(|screen| screen.contains("RUN"));
    if let Some(theme) = theme {
        let painted = format!("\x1b[{theme}m");
        until("it is painted in its colours", &session, || said(&session).contains(&painted));
    }
    let seen = said(&session);
    session.press(" ");
    let screen = session.wait(|screen| screen.contains("PAUSED"));
    session.press("q");
    session.end(0);
    let paint = seen.rsplit("\x1b[2J").next().unwrap_or_default().to_owned();
    assert!(!screen.contains("rgb"), "{screen}");
    (seen.contains(QUESTION), paint)
}

/// The first colour of text.
fn colour(paint: &str) -> Option<&str> {
    paint.split("\x1b[").find(|part| part.starts_with("38;2;"))?.split('m').next()
}

#[test]
fn the_theme_follows_what_the_terminal_answers() {
    let dark = coloured(None, &[], &["--theme", "dark"], None);
    let light = coloured(None, &[], &["--theme", "light"], None);
    assert!(!dark.0 && !light.0, "a theme that was chosen asks nothing");
    let (paints, light) = ([&dark.1, &light.1], colour(&light.1).unwrap());
    let dark = colour(&dark.1).unwrap();
    assert!(!paints[0].contains(light) && !paints[1].contains(dark), "colours of one theme only");
    for (answer, variables, theme) in [
        (Some("\x1b]11;rgb:ffff/ffff/ffff\x1b\\"), vec![], light),
        (Some("\x1b]11;rgb:1c1c/1c1c/1c1c\x07"), vec![("COLORFGBG", "0;15")], dark),
        (None, vec![("COLORFGBG", "")], dark),
        (None, vec![("COLORFGBG", "0;15")], light),
    ] {
        let (asked, _) = coloured(answer, &variables, &[], Some(theme));
        assert!(asked, "{answer:?} {variables:?}");
    }
    assert!(!coloured(None, &[("NO_COLOR", "1")], &[], None).0, "no colours, no question");
}

#[test]
fn a_late_answer_is_no_key() {
    let mut session = Session::start(100, 30);
    session.wait(|screen| screen.contains("RUN"));
    session.press(" ");
    let before = session.wait(|screen| {
        // With what the model has to say, which comes when it comes.
        screen.contains("PAUSED") && screen.contains(", saturation 0.")
    });
    // Read as keys this would move, zoom, bookmark and ask.
    session.press("\x1b]11;rgb:fbfb/1111/2222\x1b\\");
    assert_eq!(at_rest(&session), before);
    session.press("?");
    session.wait(|screen| screen.contains("a link where nothing is"));
    session.press("\x1b");
    session.wait(|screen| !screen.contains("a link where nothing is"));
    session.press("q");
    session.end(0);
}

#[test]
fn a_way_to_a_far_cycle_is_told_and_given_up_with_escape() {
    let mut session = Session::start(100, 30);
    session.wait(|screen| screen.contains("RUN"));
    session.press("g");
    session.press("99999999999\r");
    session.wait(|screen| screen.contains("SEEK 0 %"));
    session.press("\x1b");
    session.wait(|screen| screen.contains("PAUSED"));
    session.press("q");
    session.end(0);
}

#[test]
fn no_scenario_is_begun_that_the_machine_has_no_memory_for() {
    let shell = |limit: &str, radix: &str| {
        let program = env!("CARGO_BIN_EXE_flitscope");
        let text = format!(
            "ulimit -v {limit}; exec {program} simulate mesh-8x8 --cycles 10 --quiet --set \
             'network=Mesh(radix: [{radix}, {radix}])'"
        );
        std::process::Command::new("sh").args(["-c", &text]).output().unwrap()
    };
    let refused = shell("1000000", "1024");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("this machine has 0.") && said.contains("smaller"), "{said}");
    assert!(shell("1000000", "64").status.success());
}

#[test]
fn what_is_pasted_is_no_key_and_a_name_is_copied() {
    let mut session = Session::start(100, 30);
    session.wait(|screen| screen.contains("RUN"));
    session.press(" ");
    session.wait(|screen| screen.contains("PAUSED"));
    until("it has a title", &session, || said(&session).contains(" - flitscope\x1b\\"));
    let before = at_rest(&session);
    // As keys this would begin anew, ask and quit.
    session.press("\x1b[200~rS?q\x1b[201~");
    assert_eq!(at_rest(&session), before);
    session.press("o\x1b[200~ring-dead\nlock\x1b[201~");
    session.wait(|screen| screen.contains("ring-dead_"));
    session.press("\x1b");
    session.wait(|screen| !screen.contains("ring-dead_"));
    session.press("Y");
    session.wait(|screen| screen.contains("copied "));
    assert!(said(&session).contains("\x1b]52;c;"));
    session.press("q");
    assert_eq!(session.status().exit_code(), 0);
    until("the title is given back", &session, || has_its_title_again(&session));
}

#[test]
fn a_hostile_name_steers_neither_title_nor_clipboard() {
    let folder = folder("hostile-name");
    let name = "a\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{fffe}\nb.ron";
    std::fs::copy("scenarios/mesh-8x8.ron", folder.join(name)).unwrap();
    let mut session = Session::start_with(&folder, &[name], &[], 100, 30);
    session.wait(|screen| screen.contains("RUN"));
    until("it has a title", &session, || said(&session).contains(" - flitscope\x1b\\"));
    session.press("Y");
    session.wait(|screen| screen.contains("copied "));
    let all = said(&session);
    for (what, titled) in all.split("\x1b]").skip(1).map(|rest| rest.split_once(';').unwrap()) {
        // Whatever an operating system command says, it is ended by us.
        let end = titled.find(|letter| "\u{7}\u{1b}\u{9c}".contains(letter)).unwrap();
        assert!(titled[end..].starts_with("\x1b\\"), "{titled:?}");
        assert!(["2", "11", "52", "8"].contains(&what), "{what}");
        assert!(titled[..end].chars().all(flitscope::text::shows), "{titled:?}");
        if let Some(copied) = titled[..end].strip_prefix("c;") {
            let bytes = BASE64_STANDARD.decode(copied).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.chars().all(flitscope::text::shows), "{text:?}");
        }
    }
    assert!(!all.contains('\u{9b}') && !all.contains('\u{202e}'));
    session.press("q");
    session.end(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_look_follows_a_background_that_has_changed_meanwhile() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let variables = [("COLORTERM", "truecolor")];
    let mut session = Session::start_with(here, &[], &variables, 100, 30);
    let asked = |session: &Session| said(session).matches(QUESTION).count();
    until("the terminal is asked", &session, || asked(&session) == 1);
    session.press("\x1b]11;rgb:0000/0000/0000\x1b\\");
    session.wait(|screen| screen.contains("RUN"));
    // The colour of the focus on light backgrounds.
    let light = "38;2;0;95;168";
    assert!(!said(&session).contains(light));
    session.press("\x1b[I");
    until("it is asked again", &session, || asked(&session) == 2);
    session.press("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
    until("it is light", &session, || said(&session).contains(light));
    // A look that was chosen stays.
    session.press("t");
    session.wait(|screen| screen.contains("theme mono"));
    session.press("\x1b[I");
    until("it is asked once more", &session, || asked(&session) == 3);
    session.press("\x1b]11;rgb:0000/0000/0000\x1b\\ ");
    session.wait(|screen| screen.contains("PAUSED"));
    session.press("ttt");
    session.wait(|screen| screen.contains("theme dark"));
    session.press("q");
    session.end(0);
}
