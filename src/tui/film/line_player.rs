//! Plays a film line by line.
//!
//! The caller chooses each line after seeing the effects of the last.

use std::io;
use std::sync::Arc;

use ratatui::buffer::Cell;

use super::{FilmError, Player, RunState, picture, script};
use crate::live::Positions;
use crate::scenario::Scenario;
use crate::text;
use crate::tui::bindings::{BINDINGS, Context, key_name};
use crate::tui::terminal::Options;

/// A film played line by line, without a recording.
///
/// A command may advance by up to `at_once` cycles, and a second of the film by up to `per_second`;
/// lines beyond these limits, and impossible lines, have no effect.
pub struct LinePlayer {
    player: Player<io::Sink>,
    /// The cycles of all runs at the last audit.
    audited: Positions,
}

impl LinePlayer {
    /// Starts a run of `scenario` on a screen of `size` columns and rows.
    pub fn begin(
        options: Options,
        scenario: Arc<Scenario>,
        size: (u16, u16),
        (at_once, per_second): (u64, f64),
    ) -> Result<Self, FilmError> {
        let within = Some((at_once, per_second));
        let player = Player::begin(options, scenario, size, "film".to_owned(), (None, within))?;
        Ok(Self { player, audited: Positions::default() })
    }

    /// Plays a line. Errors concern the script's syntax or the screen's writer.
    pub fn play(&mut self, line: &str) -> Result<(), String> {
        let script = script("film", line).map_err(|_| format!("not a line of a script: {line}"))?;
        for line in script.lines {
            if self.is_over() {
                break;
            }
            match self.player.play(&line, &mut |_, _| Ok(())) {
                Ok(()) | Err(FilmError::Script(_)) => {}
                Err(FilmError::Io(error)) => return Err(error.to_string()),
            }
            self.player.run.take_overrun();
            self.player.display.refused = None;
        }
        Ok(())
    }

    /// True after a key has quit the program.
    pub fn is_over(&self) -> bool {
        self.player.over
    }

    /// The scenario of the active run.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.player.display.app.update.scenario
    }

    /// Columns and rows of the screen.
    pub fn size(&self) -> (u16, u16) {
        self.player.display.app.size
    }

    /// The names of all bound keys in the present context.
    pub fn keys(&self) -> Vec<String> {
        let context = self.player.display.app.context();
        let rows = BINDINGS.iter().filter(|row| {
            row.context == context || row.context == Context::Line && context.has_line()
        });
        rows.flat_map(|row| row.keys).map(|&key| key_name(key)).collect()
    }

    /// Checks the invariants of the engines, the tape and the screen. The error is the first
    /// violation.
    pub fn audit(&mut self) -> Result<(), String> {
        self.player.run.audit(&mut self.audited)?;
        self.player.display.app.audit()?;
        self.audit_screen()
    }

    /// Repeats each run from scenario, seed and journal, up to cycle `most`. The error is a
    /// differing state.
    pub fn repeat_runs(&self, most: u64) -> Result<(), String> {
        self.player.run.check_replay(most)
    }

    fn audit_screen(&self) -> Result<(), String> {
        let (display, run) = (&self.player.display, &self.player.run);
        let app = &display.app;
        let update = &app.update;
        let cycle = update.snapshot.cycle.0;
        if !self.player.news && app.all().any(|run| run.update.snapshot.cycle.0 != self.now()) {
            return Err(format!("the screen shows {cycle}, the run is at {}", run.now()));
        }
        let screen = display.buffer();
        let hostile = |cell: &&Cell| !cell.symbol().chars().all(text::shows);
        if let Some(cell) = screen.content().iter().find(hostile) {
            return Err(format!("{:?} is on the screen", cell.symbol()));
        }
        let arranged = app.arrangement();
        let bars = [arranged.header, arranged.timeline, arranged.keybar];
        let panes = arranged.panes.iter().map(|&(_, rect)| rect).chain(arranged.others);
        for rect in panes.chain(arranged.strip).chain(bars) {
            if rect.intersection(screen.area) != rect && !rect.is_empty() {
                return Err(format!("{rect:?} is not inside {:?}", screen.area));
            }
        }
        let (width, height) = app.size;
        if width < 60 || height < 8 {
            return Ok(());
        }
        let shown = picture::text(&screen);
        let top = shown.lines().next().unwrap_or_default();
        let state = match update.state {
            RunState::Running => "RUN",
            RunState::Paused | RunState::Limit => "PAUSED",
            RunState::Deadlocked => "DEADLOCK",
            RunState::Delivered => "DELIVERED",
            RunState::Seeking => "SEEK",
        };
        let time = app.times().now(cycle);
        if !top.contains(state) || width >= 120 && !top.contains(&time) {
            return Err(format!("the header lacks {state} or {time}: {top}"));
        }
        Ok(())
    }

    fn now(&self) -> u64 {
        self.player.run.now()
    }
}
