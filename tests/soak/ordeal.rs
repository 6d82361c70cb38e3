//! A film whose run and screen are audited after every action.

use std::sync::Arc;

use flitscope::files::Fence;
use flitscope::live;
use flitscope::model::budget;
use flitscope::scenario::Scenario;
use flitscope::session::saved::Saved;
use flitscope::tui::Shelf;
use flitscope::tui::film::{FilmError, LinePlayer};
use flitscope::tui::terminal::{Options, Origin};

/// Cycles that a command may pass over, and that a second of the film may.
const CYCLES: (u64, f64) = (1 << 14, 4096.0);
/// A run up to this cycle is made again at the end.
const REPEATED_MAX: u64 = 1 << 15;
/// Frames per second.
const FPS: u32 = 10;

/// A film and the number of its actions.
pub struct Ordeal {
    film: LinePlayer,
    actions: u64,
}

impl Ordeal {
    /// Begins with a run of `scenario`, or of a session; files are written behind `fence`.
    pub fn begin(
        scenario: Arc<Scenario>,
        saved: Option<Saved>,
        size: (u16, u16),
        fence: Fence,
    ) -> Result<Self, String> {
        let session = saved.map(|saved| Origin { saved, path: "ordeal.session.ron".to_owned() });
        let live = live::Options { model_steps: budget::AT_ONCE, ..live::Options::default() };
        let shelf = Options::new(Shelf::default());
        let options = Options { fence: Some(fence), session, live, fps: FPS, ..shelf };
        let film =
            LinePlayer::begin(options, scenario, size, CYCLES).map_err(|spoilt| match spoilt {
                FilmError::Io(error) => error.to_string(),
                FilmError::Script(problem) => problem.what,
            })?;
        Ok(Self { film, actions: 0 })
    }

    /// Plays a line of a script, key by key. The error is the first violated invariant.
    pub fn play(&mut self, line: &str) -> Result<(), String> {
        for action in actions(line) {
            if self.is_over() {
                break;
            }
            self.film.play(&action)?;
            self.film.audit()?;
            self.actions += 1;
        }
        Ok(())
    }

    /// Ends the film and returns the number of its actions. The error is a run that its journal does
    /// not repeat.
    pub fn end(self) -> Result<u64, String> {
        self.film.repeat_runs(REPEATED_MAX)?;
        Ok(self.actions)
    }

    pub fn is_over(&self) -> bool {
        self.film.is_over()
    }

    pub fn scenario(&self) -> &Arc<Scenario> {
        self.film.scenario()
    }

    pub fn size(&self) -> (u16, u16) {
        self.film.size()
    }

    pub fn keys(&self) -> Vec<String> {
        self.film.keys()
    }
}

/// Lines that do the same as `lines`, each with one key where that is possible.
fn actions(lines: &str) -> impl Iterator<Item = String> {
    lines.lines().flat_map(|line| match line.split_once(' ') {
        Some(("key", keys)) => presses(keys),
        Some(("type", text)) => letters(text),
        _ => vec![line.to_owned()],
    })
}

/// A line for each time that `key NAME xTIMES every TIME` presses its key.
fn presses(keys: &str) -> Vec<String> {
    let mut times = 1;
    let words = keys.split(' ').filter(|word| {
        let given = word.strip_prefix('x').and_then(|times| times.parse().ok());
        times = given.unwrap_or(times);
        given.is_none()
    });
    let line = format!("key {}", words.collect::<Vec<_>>().join(" "));
    vec![line; times]
}

/// A line for each letter that `type "TEXT"` types.
fn letters(quoted: &str) -> Vec<String> {
    let text = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let mut letters = text.unwrap_or(quoted).chars();
    let next = || {
        let letter = letters.next()?;
        let escaped = if letter == '\\' { letters.next() } else { None };
        Some(format!("type \"{letter}{}\"", escaped.map_or_else(String::new, String::from)))
    };
    std::iter::from_fn(next).collect()
}

#[test]
fn a_line_is_played_key_by_key() {
    let played = |line: &str| actions(line).collect::<Vec<_>>();
    let pressed = "key j every 1ms";
    assert_eq!(played("key j x2 every 1ms\nwait 5ms"), [pressed, pressed, "wait 5ms"]);
    assert_eq!(
        played(r#"type "a\"\\\n""#),
        [r#"type "a""#, r#"type "\"""#, r#"type "\\""#, r#"type "\n""#]
    );
    assert_eq!(played("drag 1 2 3 4"), ["drag 1 2 3 4"]);
}
