//! Tests of loading another scenario.
//!
//! The state of the former run is reset, and files are opened by path.

use std::sync::Arc;
use std::time::Duration;

use super::{DARK_THEME, eight, screen};
use crate::files;
use crate::ids::{MessageId, NodeId, RouterId};
use crate::live::{Breakpoint, ClockedRun, Command, Options, Update};
use crate::scenario::{Scenario, builtin, parse};
use crate::tui::action::{Action, Answer, Move, Panes, Program, Runs};
use crate::tui::app::{App, Dialog, Effect};
use crate::tui::fake;
use crate::tui::library::{Kind, Library, Shelf};

fn mesh() -> Scenario {
    parse("mesh-8x8", builtin::find("mesh-8x8").unwrap().text, &[]).unwrap()
}

/// The mesh scenario on another network.
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
    run: ClockedRun,
}

impl Pair {
    fn begin() -> Self {
        let scenario = Arc::new(mesh());
        let run = ClockedRun::new(Arc::clone(&scenario), Options::default());
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
            self.run.execute(errand);
        }
    }

    fn act(&mut self, action: Action) {
        for effect in self.app.update(action) {
            if let Effect::Send(command) = effect {
                self.run.execute(command);
            }
        }
    }

    /// Follows, pins and traces the last message of the last node, and adds a breakpoint on the
    /// message.
    fn refer(&mut self) {
        let name = MessageId { source: NodeId(63), serial: 0 };
        self.app.tracking.followed = Some(name);
        self.app.tracking.history = Some(name);
        self.app.toggle_pin(name);
        self.app.messages.chosen = Some(name);
        self.run.execute(Command::Break(Breakpoint {
            chain: Some(9),
            routers: vec![RouterId(9), RouterId(63)],
            messages: vec![name],
            ..Breakpoint::default()
        }));
        self.show();
        self.show();
        assert!(self.app.update.single_messages.traced.is_some());
    }
}

#[test]
fn nothing_of_a_run_outlives_it() {
    for network in ["Mesh(radix: [2, 2])", "Mesh(radix: [3, 8])", "Mesh(radix: [16, 16])"] {
        let mut pair = Pair::begin();
        pair.refer();
        pair.run.execute(Command::Bookmark(crate::units::Cycle(0)));
        pair.run.execute(Command::Load(on(network)));
        pair.show();
        pair.run.elapse(Duration::from_secs(20));
        pair.show();
        let (update, tracking) = (&pair.app.update, &pair.app.tracking);
        assert_eq!((tracking.followed, tracking.history), (None, None));
        assert_eq!((pair.app.pins.len(), pair.app.messages.chosen), (0, None));
        assert!(
            update.single_messages.traced.is_none() && update.single_messages.followed.is_none()
        );
        assert!(update.bookmarks.is_empty() && update.breakpoint.messages.is_empty());
        // Breakpoints at routers are kept by name: (1,1) and (7,7).
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
    pair.run.execute(Command::Restart);
    pair.show();
    assert!(pair.app.tracking.followed.is_some() && pair.app.tracking.history.is_some());
    assert_eq!(pair.app.update.breakpoint.messages.len(), 1);
    pair.run.execute(Command::Reseed(99));
    pair.show();
    assert!(pair.app.tracking.followed.is_none() && pair.app.tracking.history.is_none());
    assert!(pair.app.update.breakpoint.messages.is_empty());
    assert_eq!(pair.app.update.breakpoint.routers.len(), 2);
}

#[test]
fn what_is_meant_for_the_run_before_is_not_obeyed() {
    let mut pair = Pair::begin();
    pair.run.execute(Command::Load(on("Mesh(radix: [2, 2])")));
    // The screen still shows the larger network.
    pair.act(Action::Move(Move::History));
    let name = MessageId { source: NodeId(63), serial: 0 };
    pair.run.execute(Command::Trace(Some(name)));
    pair.run.execute(Command::Follow(Some(name)));
    pair.run.execute(Command::Break(Breakpoint { messages: vec![name], ..Breakpoint::default() }));
    pair.run.elapse(Duration::from_secs(1));
    pair.show();
    assert!(pair.app.tracking.history.is_none() && pair.app.update.breakpoint.is_off());
    // A list is requested again.
    pair.act(Action::Panes(Panes::Tables));
    pair.act(Action::Panes(Panes::Tables));
    pair.run.execute(Command::Load(on("Mesh(radix: [4, 4])")));
    pair.run.elapse(Duration::from_secs(20));
    pair.show();
    pair.show();
    assert!(!pair.app.update.single_messages.listed.is_empty());
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
    path.chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
    let effects = app.update(Answer::Accept);
    std::fs::remove_dir_all(&folder).unwrap();
    let loads = |effect: &Effect| match effect {
        Effect::Send(Command::Load(scenario)) => scenario.name == path,
        _ => false,
    };
    assert!(effects.iter().any(loads), "{effects:?}\n{}", screen(&app));
    app.update(Program::Open);
    "nosuch.ron".chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
    assert!(screen(&app).contains("no file has this path"), "{}", screen(&app));
}

#[test]
fn a_broken_file_is_shown_with_all_its_lines() {
    for command in ["open", "compare"] {
        let mut app = eight(14, (120, 40));
        app.update(Program::Palette);
        let line = format!("{command} scenarios/broken.ron");
        line.chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
        app.update(Answer::Accept);
        assert!(matches!(app.dialog, Some(Dialog::Problems(_))), "{}", screen(&app));
        let picture = screen(&app);
        assert!(picture.contains("line 4, column 31: radix 0"), "{picture}");
        assert!(picture.contains("help: write [8, 8]"), "{picture}");
    }
}

#[test]
fn what_can_be_opened_is_listed_by_what_it_is() {
    let folder = std::env::temp_dir().join(format!("flitscope-shelf-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("more")).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let scenario = builtin::find("ring-deadlock").unwrap().text;
    let study = "// A study.\nStudy(\n    title: \"Loads\",\n    scenario: \"mesh-8x8\",\n)\n";
    let session = format!("Session(\n    scenario:\n{scenario}    ,\n    live: 300,\n)\n");
    let texts = [("mine.ron", scenario), ("study.ron", study), ("old.ron", &session)];
    for (name, text) in texts.into_iter().chain([("a.keys", "# A film.\nwait 1s\n"), ("b.txt", "")])
    {
        files::write(path(name), text, true).unwrap();
    }
    let shelf = Shelf { folders: vec![folder.clone()], recent: None };
    let all = shelf.list();
    assert!(all.is_sorted_by_key(|entry| entry.kind), "{all:?}");
    assert_eq!((all[0].name.as_str(), all[0].kind), ("mesh-8x8", Kind::Start));
    let of = |name: &str| all.iter().find(|entry| entry.name == path(name)).cloned();
    let kinds = ["mine.ron", "study.ron", "old.ron", "a.keys"].map(|name| of(name).unwrap().kind);
    assert_eq!(kinds, [Kind::File, Kind::Study, Kind::Session, Kind::Script]);
    assert_eq!(of("study.ron").unwrap().title, "Loads");
    assert_eq!(of("a.keys").unwrap().title, "A film.");
    assert!(of("b.txt").is_none() && all.iter().any(|entry| entry.kind == Kind::Paper));
    // Files of other kinds are refused with the command to run them.
    for (name, help) in [("study.ron", "flitscope sweep"), ("a.keys", "flitscope record --keys")] {
        let refused = shelf.open(&of(name).unwrap()).1.unwrap_err();
        assert!(refused[0].help.as_ref().unwrap().contains(help), "{refused:?}");
    }
    // Tab extends a path to its unique prefix; a session is resumed.
    let mut app = App::new(
        Box::new(Update::empty(Arc::new(mesh()))),
        Box::new(Shelf::default()),
        DARK_THEME,
        false,
        (120, 40),
    );
    app.update(Program::Open);
    path("o").chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
    app.update(Answer::Complete);
    let picture = screen(&app);
    assert!(picture.contains("session") && picture.contains("valid: 8x8 torus"), "{picture}");
    let effects = app.update(Answer::Accept);
    let resumes = |effect: &Effect| matches!(effect, Effect::Send(Command::Resume(saved)) if saved.live.0 == 300);
    assert!(effects.iter().any(resumes), "{effects:?}");
    assert_eq!(app.path.as_deref(), Some(path("old.ron").as_str()));
    app.update(Program::Open);
    path("mo").chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
    app.update(Answer::Complete);
    assert!(screen(&app).contains("more/_"), "{}", screen(&app));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_was_opened_lately_stands_first_as_long_as_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let scenario = builtin::find("ring-deadlock").unwrap().text;
    let names: Vec<String> = (0..20).map(|at| format!("{at}.ron")).collect();
    for name in &names {
        files::write(path(name), scenario, true).unwrap();
    }
    let recent = Some(folder.path().join("state/flitscope/recent"));
    let shelf = Shelf { folders: vec![folder.path().into()], recent };
    for name in &names {
        shelf.opened(&path(name));
    }
    shelf.opened(&path("15.ron"));
    files::write(path("called.as-one-likes"), scenario, true).unwrap();
    shelf.opened(&path("called.as-one-likes"));
    std::fs::remove_file(path("18.ron")).unwrap();
    let all = shelf.list();
    let lately: Vec<String> = all
        .iter()
        .take_while(|entry| entry.kind == Kind::Recent)
        .map(|entry| entry.name.clone())
        .collect();
    let numbers = [15, 19, 17, 16, 14, 13, 12, 11, 10, 9].map(|at| path(&format!("{at}.ron")));
    let wanted = [&[path("called.as-one-likes")], &numbers[..]].concat();
    assert_eq!(lately, wanted, "twelve at most, one of them gone");
    assert_eq!(all.iter().filter(|entry| entry.name == path("15.ron")).count(), 1, "{all:?}");
    assert!(shelf.open(&all[0]).1.is_ok());
    // Opening a file on the screen stores its path; built-in scenarios are not stored.
    let empty = Box::new(Update::empty(Arc::new(mesh())));
    let again = Shelf { folders: Vec::new(), recent: shelf.recent.clone() };
    let mut app = App::new(empty, Box::new(again), DARK_THEME, false, (120, 40));
    for name in ["ring-deadlock", &path("3.ron")] {
        app.update(Program::Palette);
        format!("open {name}").chars().for_each(|it| drop(app.update(Answer::typed(it))));
        app.update(Answer::Accept);
    }
    assert_eq!(shelf.list()[0].name, path("3.ron"));
    app.update(Program::Open);
    assert!(screen(&app).contains("recent"), "{}", screen(&app));
    // Failures to write or read the history are ignored.
    let nowhere = Shelf { recent: Some(path("3.ron/recent").into()), ..Shelf::default() };
    nowhere.opened(&path("4.ron"));
    assert!(nowhere.list().iter().all(|entry| entry.kind != Kind::Recent));
}

#[test]
fn films_and_folders_of_studies_are_listed_and_opened_as_what_they_are() {
    use crate::experiment::sweep::{Folder, Study};

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let film = "{\"version\": 3, \"title\": \"A ring\\u001b closes\"}\n[0.1, \"o\", \"x\"]\n";
    files::write(path("a.cast"), film.to_owned() + &"x".repeat(2 << 20), true).unwrap();
    let text =
        "Study(\n    about: \"Loads\",\n    scenario: \"mesh-8x8\",\n    loads: [0.1, 0.2],\n)\n";
    let study = Study::read("loads.ron", text, folder.path(), &[]).unwrap();
    Folder::begin(&folder.path().join("results"), &study, false).unwrap();
    std::fs::create_dir(path("other")).unwrap();
    let shelf = Shelf { folders: vec![folder.path().into()], recent: None };
    let all = shelf.list();
    let of = |name: &str| all.iter().find(|entry| entry.name == path(name));
    let film = of("a.cast").unwrap();
    assert_eq!((film.kind, film.title.contains("A ring")), (Kind::Film, true));
    assert!(!film.title.contains('\u{1b}') && of("other/").is_none(), "{all:?}");
    let refused = shelf.open(film).1.unwrap_err();
    assert!(refused[0].help.as_ref().unwrap().contains("asciinema play"), "{refused:?}");
    let results = of("results/").unwrap();
    assert_eq!((results.kind, results.title.as_str()), (Kind::Study, "Loads"));
    // The study is shown with the run of its first point behind.
    let empty = Box::new(Update::empty(Arc::new(mesh())));
    let mut app = App::new(empty, Box::new(shelf), DARK_THEME, false, (120, 40));
    app.update(Program::Open);
    "results".chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
    assert!(screen(&app).contains("valid: 8x8 mesh"), "{}", screen(&app));
    let effects = app.update(Answer::Accept);
    let shows = |effect: &Effect| matches!(effect, Effect::Study(it) if it.ends_with("results"));
    assert!(effects.iter().any(shows), "{effects:?}");
}

#[test]
fn what_may_deadlock_is_said_to_and_comes_last() {
    let text = builtin::find("torus-8x8").unwrap().text;
    let empty = Box::new(Update::empty(Arc::new(parse("torus", text, &[]).unwrap())));
    let mut app = App::new(empty, Box::new(Shelf::default()), DARK_THEME, false, (120, 40));
    app.update(Runs::Compare);
    let Some(Dialog::Chooser(chooser)) = &app.dialog else { panic!() };
    let settings = chooser.entries.iter().filter(|entry| entry.kind == Kind::Setting);
    let doomed: Vec<(bool, &str)> = settings
        .map(|entry| (entry.title.starts_with("may deadlock"), entry.name.as_str()))
        .collect();
    assert!(doomed.is_sorted_by_key(|&(doomed, _)| doomed), "{doomed:?}");
    assert!(doomed.contains(&(true, "routing=DimensionOrder(classes: None)")), "{doomed:?}");
    assert!(doomed.iter().any(|&(doomed, _)| !doomed), "{doomed:?}");
}

#[test]
fn what_makes_sense_to_compare_with_is_offered() {
    let text = builtin::find("papers/adaptive-torus-8x8").unwrap().text;
    let scenario = Arc::new(parse("adaptive", text, &[]).unwrap());
    let empty = Box::new(Update::empty(scenario));
    let mut app = App::new(empty, Box::new(Shelf::default()), DARK_THEME, false, (120, 40));
    app.update(Runs::Compare);
    let picture = screen(&app);
    assert!(picture.contains("routing=DimensionOrder(classes: Destination)"), "{picture}");
    assert!(picture.contains("setting") && picture.contains("valid: 8x8 torus"), "{picture}");
    let Some(Dialog::Chooser(chooser)) = &app.dialog else { panic!("{picture}") };
    let named: Vec<&str> = chooser.entries.iter().map(|entry| entry.name.as_str()).collect();
    // Rules for meshes are invalid on a torus, and the present rule is not offered.
    for other in ["WestFirst", "OddEven", "O1Turn", "MinimalAdaptive(escape: Destination)"] {
        assert!(!named.iter().any(|name| name.contains(other)), "{other}: {named:?}");
    }
    assert!(named.contains(&"switching.virtual_channels=8"), "{named:?}");
    // A typed setting counts if valid; otherwise the most similar listed setting is chosen.
    let typed = "routing=DimensionOrder(classes: Dat";
    typed.chars().for_each(|letter| drop(app.update(Answer::typed(letter))));
    app.update(Answer::Complete);
    assert!(
        screen(&app).contains("setting: routing=DimensionOrder(classes: Dateline)_"),
        "{}",
        screen(&app)
    );
    let effects = app.update(Answer::Accept);
    let against = |effect: &Effect| match effect {
        Effect::Send(Command::Against(other)) => {
            other.name.contains("Dateline") || !other.overrides.is_empty()
        }
        _ => false,
    };
    assert!(effects.iter().any(against), "{effects:?}");
}
