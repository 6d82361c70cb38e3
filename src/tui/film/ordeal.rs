//! A film that is an ordeal: after each action the engine, the tape and the screen are audited.

use std::io;
use std::sync::Arc;

use ratatui::buffer::Cell;

use super::{Player, RunState, Spoilt, picture, script};
use crate::files::Fence;
use crate::live::{self, Stand};
use crate::model::budget;
use crate::scenario::Scenario;
use crate::session::saved::Saved;
use crate::text;
use crate::tui::bindings::{BINDINGS, key_name};
use crate::tui::library::Shelf;
use crate::tui::terminal::{Options, Origin};

/// Cycles that a command may go over, and that a second may take: an ordeal is of many actions.
const CYCLES: (u64, f64) = (1 << 14, 4096.0);
/// A run up to this cycle is made again at the end.
const RETOLD: u64 = 1 << 15;
const FPS: u32 = 10;

/// How many audits there were, and what was wrong first.
#[derive(Default, Debug)]
pub(super) struct Audits {
    actions: u64,
    wrong: Option<String>,
    /// Where the runs stood at the last.
    stand: Stand,
}

/// A film that is played a line at a time, whatever comes: what a line asks for in vain is passed over.
pub struct Ordeal(Player<io::Sink>);

impl Ordeal {
    /// Begins with a run of `scenario`, or of what was saved; what is written goes behind `fence`.
    pub fn begin(
        scenario: Arc<Scenario>,
        saved: Option<Saved>,
        size: (u16, u16),
        fence: Fence,
    ) -> Result<Self, String> {
        let session = saved.map(|saved| Origin { saved, path: "ordeal.session.ron".to_owned() });
        let fence = Some(fence);
        let live = live::Options { model_steps: budget::AT_ONCE, ..live::Options::default() };
        let options = Options { fence, session, live, fps: FPS, ..Options::new(Shelf::default()) };
        let begun =
            Player::begin(options, scenario, size, "ordeal".to_owned(), (None, Some(CYCLES)));
        let mut player = begun.map_err(said)?;
        player.audits = Some(Audits::default());
        Ok(Self(player))
    }

    /// Plays a line of a script. The error is what is wrong with the program after it.
    pub fn play(&mut self, line: &str) -> Result<(), String> {
        let Ok(script) = script("ordeal", line) else {
            return Err(format!("this is no line of a script: {line}"));
        };
        let player = &mut self.0;
        for line in script.lines {
            if player.over {
                break;
            }
            match player.play(&line, &mut |_, _| Ok(())) {
                Ok(()) | Err(Spoilt::Script(_)) => {}
                Err(Spoilt::Io(error)) => return Err(error.to_string()),
            }
            player.run.take_overrun();
            player.desk.refused = None;
            player.audit();
        }
        player.audits.as_mut().and_then(|audits| audits.wrong.take()).map_or(Ok(()), Err)
    }

    /// Whether the program has been left.
    pub fn is_over(&self) -> bool {
        self.0.over
    }

    /// Ends it: the run must be one that its scenario, seed and journal make. Returns the number of
    /// actions that were audited.
    pub fn end(self) -> Result<u64, String> {
        self.0.run.retell(RETOLD)?;
        Ok(self.0.audits.map_or(0, |audits| audits.actions))
    }

    /// What is shown.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.0.desk.app.update.scenario
    }

    /// Columns and rows.
    pub fn size(&self) -> (u16, u16) {
        self.0.desk.app.size
    }

    /// The names of the keys that mean something now.
    pub fn keys(&self) -> Vec<String> {
        let context = self.0.desk.app.context();
        let rows = BINDINGS.iter().filter(|row| row.context == context);
        rows.flat_map(|row| row.keys).map(|&key| key_name(key)).collect()
    }
}

fn said(spoilt: Spoilt) -> String {
    match spoilt {
        Spoilt::Io(error) => error.to_string(),
        Spoilt::Script(problem) => problem.what,
    }
}

impl<W: io::Write> Player<W> {
    /// Audits, where that is wanted.
    pub(super) fn audit(&mut self) {
        let Some(mut audits) = self.audits.take() else { return };
        audits.actions += 1;
        if audits.wrong.is_none() {
            audits.wrong = self.found_wrong(&mut audits.stand).err();
        }
        self.audits = Some(audits);
    }

    /// That what is shown is whole and true.
    fn found_wrong(&self, stand: &mut Stand) -> Result<(), String> {
        self.run.audit(stand)?;
        let app = &self.desk.app;
        app.audit()?;
        let update = &app.update;
        let cycle = update.snapshot.cycle.0;
        if !self.news && app.all().all(|run| run.update.snapshot.cycle.0 != self.run.now()) {
            return Err(format!("the screen shows {cycle}, the run is at {}", self.run.now()));
        }
        let screen = self.desk.buffer();
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
            RunState::Seeking => "SEEK",
        };
        let now = app.times().now(cycle);
        if !top.contains(state) || width >= 120 && !top.contains(&now) {
            return Err(format!("the header lacks {state} or {now}: {top}"));
        }
        Ok(())
    }
}
