//! Tests of the screen of a study.
//!
//! Screens of a small study run here, choosing and opening of points, and the sweep of a live run's
//! loads are tested.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use tempfile::TempDir;

use super::*;
use crate::experiment::points::{Keeper, Running};
use crate::experiment::sweep::{Folder, State, Study as Swept, StudyStatus, WatchedFolder, finish};
use crate::live::{ClockedRun, Command, Options, RunState, Update};
use crate::tui::action::Study;
use crate::tui::app::Effect;
use crate::tui::bindings::{Binding, Context};
use crate::tui::study::arrange::arrange;
use crate::tui::study::{News, StudyView, Work};

const TEXT: &str = r#"Study(
    scenario: "papers/adaptive-torus-4x4",
    vary: {"routing": [MinimalAdaptive(escape: Destination), DimensionOrder()]},
    loads: [0.1, 0.2, 0.35, 0.5, 0.6, 1.0],
    cycles: 20000,
)"#;

fn folder(place: &TempDir) -> Folder {
    let study = Swept::read("study.ron", TEXT, Path::new(""), &[]).unwrap();
    Folder::begin(place.path(), &study, false).unwrap()
}

/// The state of a finished study, and the fingerprint of each point.
static FINISHED: LazyLock<(StudyStatus, Vec<String>)> = LazyLock::new(|| {
    let place = tempfile::tempdir().unwrap();
    let mut folder = folder(&place);
    let (stop, threads, until) = (&AtomicBool::new(false), Some(2), None);
    let running =
        Running { threads, stop, until, planned: &|_| {}, waiting: &|_| {}, progress: &|_| {} };
    finish(&mut folder, &running).unwrap();
    let found = folder.found();
    let prints = found.iter().map(|it| it.row().unwrap().text("fingerprint").to_owned()).collect();
    let mut watched = WatchedFolder::begin(folder).unwrap();
    watched.compare(watched.models().prepared());
    watched.look().unwrap();
    (watched.status(), prints)
});

fn finished() -> StudyStatus {
    FINISHED.0.clone()
}

/// A study without data specific to a machine.
fn view(mut status: StudyStatus) -> StudyView {
    status.folder = "studies/adaptive".to_owned();
    for point in &mut status.points {
        if point.state.is_done() {
            (point.seconds, point.machine) = (Some(2.5), "here".to_owned());
        }
    }
    StudyView::new(status)
}

fn app(study: StudyView, theme: Theme, ascii: bool, size: (u16, u16)) -> App {
    let scenario = Arc::clone(&study.status.points[0].scenario);
    let mut update = Box::new(Update::empty(scenario));
    update.state = RunState::Paused;
    let mut app = fake::app(update, theme, ascii, size);
    app.study = Some(study);
    app
}

/// The study while running: three points of the second curve are missing, one of them running and
/// one with an invalid file.
fn half() -> StudyView {
    let mut study = view(finished());
    let status = &mut study.status;
    let (by, since) = ("process 4711 on node12".to_owned(), std::time::Duration::from_secs(42));
    let torn = "points/0123456789abcdef.json:1:812: this is no result (EOF while parsing)";
    let states = [State::Missing, State::Running { by, since }, State::Refused(torn.to_owned())];
    for (point, state) in status.points[8..11].iter_mut().zip(states) {
        (point.state, point.latency, point.accepted) = (state, None, None);
        (point.end, point.seconds) = (None, None);
    }
    (status.done, status.at_work, status.finished) = (9, 1, false);
    (status.share, status.left, status.late) = (0.42, Some(83.0), false);
    status.strangers = vec!["points/old.json: a result of version 0.0.9".to_owned()];
    let mut plot = (*status.plot).clone();
    plot.curves[1].dots.truncate(2);
    (status.plot, status.brackets[1]) = (Arc::new(plot), None);
    study
}

/// A study without results, with a chosen point in the middle and another point opened before.
pub(super) fn prepare(app: &mut App) {
    let place = tempfile::tempdir().unwrap();
    let mut study = StudyView::new(WatchedFolder::begin(folder(&place)).unwrap().status());
    study.opened = true;
    app.study = Some(study);
    app.update(Study::Down);
    app.update(Study::Down);
}

/// Checks the effect of a key on the prepared study.
pub(super) fn did(binding: &Binding, app: &App, effects: &[Effect]) {
    let Action::Study(what) = binding.action else { panic!("{binding:?}") };
    let chosen = || chosen(app);
    match what {
        Study::Show => assert!(note(app).contains("no study is open")),
        Study::Hide => assert!(app.shown_study().is_none()),
        Study::Open => {
            assert!(effects.iter().any(|it| matches!(it, Effect::Send(Command::Resume(_)))));
        }
        Study::OpenAtEnd => assert!(note(app).contains("no last cycle yet")),
        Study::Up => assert_eq!(chosen(), 1),
        Study::Down => assert_eq!(chosen(), 3),
        Study::PageUp | Study::First => assert_eq!(chosen(), 0),
        Study::PageDown | Study::Last => assert_eq!(chosen(), 11),
        Study::NextCurve | Study::CurveBefore => assert_eq!(chosen(), 8),
        Study::Work => assert!(matches!(effects, [Effect::Work(true)])),
    }
}

#[test]
fn a_study_in_three_sizes_and_in_ascii() {
    for (name, size) in [("80x24", (80, 24)), ("120x40", (120, 40)), ("200x60", (200, 60))] {
        let app = app(view(finished()), DARK_THEME, false, size);
        insta::assert_snapshot!(format!("study_{name}"), screen(&app));
    }
    let mut app = app(half(), MONO, true, (80, 24));
    (0..9).for_each(|_| drop(app.update(Study::Down)));
    let picture = screen(&app);
    assert!(picture.is_ascii(), "{picture}");
    insta::assert_snapshot!("study_half_done_in_ascii", picture);
}

#[test]
fn a_study_that_is_run_says_who_is_at_what_and_what_is_no_result() {
    let mut app = app(half(), DARK_THEME, false, (160, 48));
    insta::assert_snapshot!("study_half_done", screen(&app));
    app.update(Study::Last);
    app.update(Study::Up);
    let picture = screen(&app);
    assert!(picture.contains("this is no result (EOF while"), "{picture}");
    app.update(Study::Up);
    let picture = screen(&app);
    assert!(picture.contains("process 4711 on node12 has been at it for 42 s"), "{picture}");
    app.study.as_mut().unwrap().status.late = true;
    assert!(screen(&app).contains("1 running, about 1 min 23 s or more left"));
    // News of the folder keep the choice.
    let chosen = app.study.as_ref().unwrap().chosen;
    let status = Some(view(finished()).status);
    app.receive_study(News { status, work: Work::Goes, trouble: Some("no space left".into()) });
    let study = app.study.as_ref().unwrap();
    assert!(study.chosen == chosen && study.status.finished);
    let picture = screen(&app);
    assert!(picture.contains("no space left") && picture.contains("12 of 12 points, finished"));
}

#[test]
fn every_size_and_theme_draws_and_mono_paints_no_colour() {
    use ratatui::style::Color;
    for size in [(1, 1), (30, 8), (60, 16), (75, 17), (76, 16), (109, 30), (300, 90)] {
        for (theme, ascii) in [(DARK_THEME, false), (MONO, true)] {
            for study in [view(finished()), half()] {
                let app = app(study, theme, ascii, size);
                let buffer = fake::buffer(&app);
                if theme.kind == Kind::Mono {
                    let plain = |cell: &ratatui::buffer::Cell| (cell.fg, cell.bg);
                    let reset = (Color::Reset, Color::Reset);
                    assert!(buffer.content.iter().all(|cell| plain(cell) == reset), "{size:?}");
                }
            }
        }
    }
}

#[test]
fn no_word_of_a_study_is_cut() {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        for study in [view(finished()), half()] {
            let mut app = app(study, DARK_THEME, false, size);
            for _ in 0..12 {
                let lines = whole::cut_rows(&app);
                assert!(lines.is_empty(), "{size:?}: {lines:?}\n{}", screen(&app));
                app.update(Study::Down);
            }
        }
    }
}

fn chosen(app: &App) -> usize {
    app.study.as_ref().unwrap().chosen
}

#[test]
fn points_are_chosen_by_keys_and_mouse() {
    let mut app = app(view(finished()), DARK_THEME, false, (120, 40));
    assert_eq!((chosen(&app), app.context()), (0, Context::Studying));
    press(&mut app, "jjk");
    assert_eq!(chosen(&app), 1);
    press(&mut app, "l");
    assert_eq!(chosen(&app), 7, "the same load of the other curve");
    press(&mut app, "l");
    assert_eq!(chosen(&app), 1);
    app.update(Study::Last);
    assert_eq!(chosen(&app), 11);
    app.update(Study::PageUp);
    assert_eq!(chosen(&app), 0);
    // Clicks on a line of the table, and on a point of a curve.
    let parts = arrange((120, 40)).unwrap();
    let at = |line: u16| Pointer::Click(parts.table.x + 5, parts.table.y + 2 + line);
    app.update(at(0));
    assert_eq!(chosen(&app), 0, "the name of a curve is no point");
    app.update(at(4));
    assert_eq!(chosen(&app), 3);
    app.update(Pointer::Wheel(false, 90, 10));
    assert_eq!(chosen(&app), 4);
    let buffer = fake::buffer(&app);
    let inside = |x: u16, y: u16| parts.plot.contains((x, y).into()) && y > parts.plot.y + 2;
    let places = (0..120).flat_map(|x| (0..38).map(move |y| (x, y)));
    let sign = app.glyphs.curve[1].to_string();
    let mut signs = places.filter(|&(x, y)| inside(x, y) && buffer[(x, y)].symbol() == sign);
    let (x, y) = signs.next().expect("the second curve is drawn");
    app.update(Pointer::Click(x, y));
    assert_eq!(chosen(&app), 6, "its first point");
    // Keys on a run are unavailable here.
    for key in [Key::Char('.'), Key::Char(':'), Key::Char('c'), Key::Ctrl('e')] {
        assert_eq!(app.action_of(key), None, "{key:?}");
    }
    assert_eq!(app.action_of(Key::Ctrl('c')), Some(Program::QuitNow.into()));
}

/// The command that opens a point.
fn resumed(effects: Vec<Effect>) -> Command {
    let command = effects.into_iter().find_map(|effect| match effect {
        Effect::Send(command @ Command::Resume(_)) => Some(command),
        _ => None,
    });
    command.expect("a run is opened")
}

#[test]
fn a_point_is_opened_as_the_run_that_it_was() {
    let mut app = app(view(finished()), DARK_THEME, false, (120, 40));
    app.update(Study::Hide);
    assert!(note(&app).contains("no run was opened"));
    press(&mut app, "ljj");
    assert_eq!(chosen(&app), 8);
    let scenario = Arc::clone(&app.study.as_ref().unwrap().status.points[8].scenario);
    let options = Options { running: false, ..Options::default() };
    let mut run = ClockedRun::new(Arc::clone(&app.update.scenario), options);
    let open = |app: &mut App, run: &mut ClockedRun, how: Study| {
        run.execute(resumed(app.update(how)));
        let mut update = Box::new(Update::empty(Arc::clone(&scenario)));
        run.draw(&mut update);
        app.receive(update);
    };
    // Open at the first cycle, and return with Esc.
    open(&mut app, &mut run, Study::Open);
    assert!(app.shown_study().is_none() && note(&app).contains("point 8: load 0.3500, seed 1"));
    assert!(Arc::ptr_eq(&app.update.scenario, &scenario));
    assert_eq!((app.update.snapshot.cycle.0, app.update.state), (0, RunState::Paused));
    app.update(Panes::Expand);
    app.update(Program::Back);
    assert!(app.shown_study().is_none());
    app.update(Program::Back);
    assert!(app.shown_study().is_some() && chosen(&app) == 8);

    // The state at the last cycle has the fingerprint of the point's file.
    open(&mut app, &mut run, Study::OpenAtEnd);
    assert_eq!(app.update.snapshot.cycle.0, 20_000);
    run.execute(Command::Save);
    let mut update = Box::new(Update::empty(scenario));
    run.draw(&mut update);
    let saved = update.saved.as_ref().unwrap();
    assert_eq!(format!("{:016x}", saved.fingerprint.unwrap()), FINISHED.1[8]);
    press(&mut app, "u");
    assert!(app.shown_study().is_some());
    press(&mut app, "u");
    assert!(app.shown_study().is_none(), "and to the run again");
}

#[test]
fn what_is_missing_is_run_when_it_is_asked_for_and_stopped() {
    let mut app = app(half(), DARK_THEME, false, (120, 40));
    let effects = app.update(Study::Work);
    assert!(matches!(effects[..], [Effect::Work(true)]), "{effects:?}");
    assert!(note(&app).contains("3 points are missing"), "{}", note(&app));
    assert!(screen(&app).contains("runs are made here"));
    let effects = app.update(Study::Work);
    assert!(matches!(effects[..], [Effect::Work(false)]), "{effects:?}");
    assert!(screen(&app).contains("runs are given back"));
    app.study = Some(view(finished()));
    assert!(app.update(Study::Work).is_empty() && note(&app) == "nothing is missing");
    // An unfinished point has no last cycle.
    app.study = Some(half());
    app.update(Study::Last);
    app.update(Study::Up);
    assert!(app.update(Study::OpenAtEnd).is_empty());
    assert!(note(&app).contains("no last cycle yet"));
    // A running simulation is paused behind the study.
    app.study.as_mut().unwrap().shown = false;
    app.update.state = RunState::Running;
    let effects = app.update(Study::Show);
    assert!(matches!(effects[..], [Effect::Send(Command::Pause)]), "{effects:?}");
}

#[test]
fn a_sweep_stands_in_latency_by_load_and_ends_with_its_scenario() {
    let study = view(finished());
    let scenario = Arc::clone(&study.status.points[0].scenario);
    let mut app = app(study, DARK_THEME, false, (120, 40));
    app.study = None;
    assert!(app.update(Study::Show).is_empty() && note(&app).contains("no study is open"));
    let effects = app.update(Run::Sweep);
    assert!(
        matches!(&effects[..], [Effect::Sweep(of, seed)]
            if Arc::ptr_eq(of, &scenario) && *seed == scenario.seed),
        "{effects:?}"
    );
    assert!(screen(&app).contains("latency by load: the sweep begins"));
    let news = |whole: bool, work: Work| {
        let mut status = finished();
        (status.rounds, status.finished) = (Some(2), whole);
        News { status: Some(status), work, trouble: None }
    };
    app.receive_sweep(&scenario, news(false, Work::Goes));
    let picture = screen(&app);
    assert!(picture.contains("latency by load: sweeping 12 of 12"), "{picture}");
    assert!(picture.contains("■ swept"), "{picture}");
    let signs = |app: &App| inside(app, Pane::Curve).matches('■').count();
    let steady = finished().points.iter().filter(|it| it.latency.is_some()).count();
    assert!((4..=steady + 1).contains(&signs(&app)), "{}", signs(&app));
    let effects = app.update(Run::Sweep);
    assert!(matches!(effects[..], [Effect::StopSweep]), "{effects:?}");
    assert!(screen(&app).contains("latency by load: sweep stopped"));
    assert!(matches!(app.update(Run::Sweep)[..], [Effect::Sweep(..)]));
    app.receive_sweep(&scenario, news(true, Work::Rests));
    assert!(note(&app).contains("the loads are swept: it saturates between 0."), "{}", note(&app));

    assert!(app.update(Run::Sweep).is_empty() && note(&app).contains("swept already"));

    // Another scenario stops the sweep, and later news are ignored.
    app.sweep = None;
    assert!(matches!(app.update(Run::Sweep)[..], [Effect::Sweep(..)]));
    app.receive(fake::update(&fake::scenario(TORUS, &[4, 4], 4), 3));
    let effects = app.effects();
    assert!(effects.iter().any(|it| matches!(it, Effect::StopSweep)), "{effects:?}");
    assert!(note(&app).contains("the sweep has stopped"), "{}", note(&app));
    app.receive_sweep(&scenario, news(false, Work::Goes));
    assert!(app.sweep.is_none() && signs(&app) == 0);

    // A sweep beyond the memory limit is refused.
    let mut large = busy(&[256, 256], 3, DARK_THEME, (120, 40));
    assert!(large.update(Run::Sweep).is_empty());
    assert!(note(&large).contains("too large for a sweep beside its run"), "{}", note(&large));
}

#[test]
fn who_has_a_lease_is_on_the_screen() {
    let place = tempfile::tempdir().unwrap();
    let folder = folder(&place);
    let name = folder.study.points[2].task.fingerprint.clone();
    folder.leases().take(&name).unwrap();
    let status = WatchedFolder::begin(self::folder(&place)).unwrap().status();
    let mut app = app(view(status), DARK_THEME, false, (200, 60));
    press(&mut app, "jj");
    let picture = screen(&app);
    assert!(picture.contains("this program has been at it for"), "{picture}");
    assert!(picture.contains("0 of 12 points, 1 running"), "{picture}");
}
