//! Another scenario in place of the one shown: what refers to the run before goes with it; files by
//! their paths.

use std::sync::Arc;
use std::time::Duration;

use super::{DARK_THEME, eight, screen};
use crate::files;
use crate::ids::{MessageId, NodeId, RouterId};
use crate::live::{Breakpoint, Command, Options, Staged, Update};
use crate::scenario::{Scenario, builtin, parse};
use crate::tui::action::{Action, Answer, Move, Panes, Program};
use crate::tui::app::{App, Dialog, Effect};
use crate::tui::fake;
use crate::tui::library::Shelf;

fn mesh() -> Scenario {
    parse("mesh-8x8", builtin::find("mesh-8x8").unwrap().text, &[]).unwrap()
}

/// The same on a network of this kind.
fn on(network: &str) -> Arc<Scenario> {
    let given = crate::scenario::Override {
        path: "network".into(),
        value: network.into(),
        label: "network".into(),
    };
    Arc::new(mesh().with([given]).unwrap())
}

struct Pair {
    app: App,
    run: Staged,
}

impl Pair {
    fn begin() -> Self {
        let scenario = Arc::new(mesh());
        let run = Staged::new(Arc::clone(&scenario), Options::default());
        let empty = Box::new(Update::empty(scenario));
        let mut pair = Self { app: fake::app(empty, DARK_THEME, false, (120, 40)), run };
        pair.run.elapse(Duration::from_secs(20));
        pair.show();
        pair
    }

    fn show(&mut self) {
        let mut update = Box::new(Update::empty(Arc::clone(&self.app.update.scenario)));
        self.run.draw(&mut update);
        self.app.receive(update);
        for effect in self.app.effects() {
            let Effect::Send(errand) = effect else { panic!("{effect:?}") };
            self.run.obey(errand);
        }
    }

    fn act(&mut self, action: Action) {
        for effect in self.app.update(action) {
            if let Effect::Send(command) = effect {
                self.run.obey(command);
            }
        }
    }

    /// Follows, pins and traces the last message of the last node, and stops at it.
    fn refer(&mut self) {
        let name = MessageId { source: NodeId(63), serial: 0 };
        self.app.singles.followed = Some(name);
        self.app.singles.history = Some(name);
        self.app.toggle_pin(name);
        self.app.messages.chosen = Some(name);
        self.run.obey(Command::Break(Breakpoint {
            chain: Some(9),
            routers: vec![RouterId(9), RouterId(63)],
            messages: vec![name],
            ..Breakpoint::default()
        }));
        self.show();
        self.show();
        assert!(self.app.update.singled.traced.is_some());
    }
}

#[test]
fn nothing_of_a_run_outlives_it() {
    for network in ["Mesh(radix: [2, 2])", "Mesh(radix: [3, 8])", "Mesh(radix: [16, 16])"] {
        let mut pair = Pair::begin();
        pair.refer();
        pair.run.obey(Command::Bookmark);
        pair.run.obey(Command::Load(on(network)));
        pair.show();
        pair.run.elapse(Duration::from_secs(20));
        pair.show();
        let (update, singles) = (&pair.app.update, &pair.app.singles);
        assert_eq!((singles.followed, singles.history), (None, None));
        assert_eq!((pair.app.pins.len(), pair.app.messages.chosen), (0, None));
        assert!(update.singled.traced.is_none() && update.singled.followed.is_none());
        assert!(update.bookmarks.is_empty() && update.breakpoint.messages.is_empty());
        // Places are those of the same name: (1,1) and (7,7).
        let named = |name: &str| update.scenario.system.network.router_named(name).ok();
        let kept: Vec<RouterId> = [named("(1,1)"), named("(7,7)")].into_iter().flatten().collect();
        assert_eq!((&update.breakpoint.routers, update.breakpoint.chain), (&kept, Some(9)));
        pair.app.audit().unwrap();
    }
}

#[test]
fn the_same_run_from_its_beginning_keeps_what_refers_to_it() {
    let mut pair = Pair::begin();
    pair.refer();
    pair.run.obey(Command::Restart);
    pair.show();
    assert!(pair.app.singles.followed.is_some() && pair.app.singles.history.is_some());
    assert_eq!(pair.app.update.breakpoint.messages.len(), 1);
    pair.run.obey(Command::Reseed(99));
    pair.show();
    assert!(pair.app.singles.followed.is_none() && pair.app.singles.history.is_none());
    assert!(pair.app.update.breakpoint.messages.is_empty());
    assert_eq!(pair.app.update.breakpoint.routers.len(), 2);
}

#[test]
fn what_is_meant_for_the_run_before_is_not_obeyed() {
    let mut pair = Pair::begin();
    pair.run.obey(Command::Load(on("Mesh(radix: [2, 2])")));
    // The screen still shows the larger network.
    pair.act(Action::Move(Move::History));
    let name = MessageId { source: NodeId(63), serial: 0 };
    pair.run.obey(Command::Trace(Some(name)));
    pair.run.obey(Command::Follow(Some(name)));
    pair.run.obey(Command::Break(Breakpoint { messages: vec![name], ..Breakpoint::default() }));
    pair.run.elapse(Duration::from_secs(1));
    pair.show();
    assert!(pair.app.singles.history.is_none() && pair.app.update.breakpoint.is_off());
    // A list is asked for anew.
    pair.act(Action::Panes(Panes::Tables));
    pair.act(Action::Panes(Panes::Tables));
    pair.run.obey(Command::Load(on("Mesh(radix: [4, 4])")));
    pair.run.elapse(Duration::from_secs(20));
    pair.show();
    pair.show();
    assert!(!pair.app.update.singled.listed.is_empty());
    pair.app.audit().unwrap();
}

#[test]
fn a_path_typed_in_the_chooser_opens_the_file() {
    let folder = std::env::temp_dir().join(format!("flitscope-loading-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("mine.ron").display().to_string();
    files::write(&path, builtin::find("ring-deadlock").unwrap().text, true).unwrap();
    let scenario = Arc::new(mesh());
    let empty = Box::new(Update::empty(scenario));
    let mut app = App::new(empty, Box::new(Shelf::default()), DARK_THEME, false, (120, 40));
    app.update(Program::Open);
    path.chars().for_each(|letter| drop(app.update(Answer::Type(letter))));
    let effects = app.update(Answer::Accept);
    std::fs::remove_dir_all(&folder).unwrap();
    let loads = |effect: &Effect| match effect {
        Effect::Send(Command::Load(scenario)) => scenario.name == path,
        _ => false,
    };
    assert!(effects.iter().any(loads), "{effects:?}\n{}", screen(&app));
    app.update(Program::Open);
    "nosuch.ron".chars().for_each(|letter| drop(app.update(Answer::Type(letter))));
    assert!(screen(&app).contains("no file has this path"), "{}", screen(&app));
}

#[test]
fn a_broken_file_is_shown_with_all_its_lines() {
    for command in ["open", "compare"] {
        let mut app = eight(14, (120, 40));
        app.update(Program::Palette);
        let line = format!("{command} scenarios/broken.ron");
        line.chars().for_each(|letter| drop(app.update(Answer::Type(letter))));
        app.update(Answer::Accept);
        assert!(matches!(app.dialog, Some(Dialog::Problems(_))), "{}", screen(&app));
        let picture = screen(&app);
        assert!(picture.contains("line 4, column 31: radix 0"), "{picture}");
        assert!(picture.contains("help: write [8, 8]"), "{picture}");
    }
}
