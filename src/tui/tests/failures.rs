//! Screens of runs with failures, and places of the grants of a deadlock.

use super::letters::Bench;
use super::screen;
use crate::live::{Command, Event};
use crate::tui::action::{Key, Run, Time};
use crate::tui::app::{Effect, Writing};
use crate::tui::fake::{press, sent, type_in};

fn note(bench: &Bench) -> &str {
    bench.app.note.as_deref().unwrap_or_default()
}

/// The mesh with a failed link and a failed router, on a screen of the given width.
fn failed(width: u16) -> Bench {
    let mut bench = Bench::new("link-failures");
    bench.app.size = (width, if width < 200 { 40 } else { 60 });
    bench.tell(Command::Step(13_000));
    let router = bench.app.network().router_named("(2,5)").unwrap();
    bench.app.go_to(router);
    bench
}

#[test]
fn a_failed_router_is_drawn_and_named_and_the_header_keeps_the_proof() {
    let bench = failed(120);
    let update = &bench.app.update;
    let failures = update.failed.as_ref().unwrap();
    let router = bench.app.cursor_router().unwrap();
    assert_eq!(failures.routers, [router]);
    assert_eq!((failures.links.len(), failures.changed), (10, 12_000));
    let picture = screen(&bench.app);
    let header = picture.lines().next().unwrap();
    assert!(header.contains(failures.routes.words()), "{header}");
    for count in ["10 failed", " apart", " lost"] {
        assert!(header.contains(count), "{count}: {header}");
    }
    assert!(picture.contains("[╳]"), "{picture}");
}

#[test]
fn the_pane_of_a_router_names_its_failure_or_its_failed_links() {
    let mut bench = failed(200);
    for (router, words) in
        [("(2,5)", "failed, with all of its links"), ("(2,4)", "failed links to (2,5)")]
    {
        let router = bench.app.network().router_named(router).unwrap();
        bench.app.go_to(router);
        let picture = screen(&bench.app);
        assert!(picture.contains(words), "{words}: {picture}");
    }
}

#[test]
fn failures_and_new_routes_have_their_marks_on_the_timeline() {
    let mut bench = failed(200);
    let mut events = bench.app.update.history.events.clone();
    events.sort_by_key(|&(cycle, _)| cycle);
    assert_eq!(
        events,
        [
            (6_000, Event::Failure),
            (6_200, Event::Rerouting),
            (12_000, Event::Failure),
            (12_200, Event::Rerouting)
        ]
    );
    let picture = screen(&bench.app);
    let lines: Vec<&str> = picture.lines().collect();
    let marks = lines[lines.len() - 3];
    assert!(marks.contains('╳') && marks.contains('»') && !marks.contains('λ'), "{marks}");
    bench.tell(Command::Step(6_000));
    assert!(bench.app.update.history.events.contains(&(18_000, Event::Repair)));
    // Another load still has its own.
    bench.tell(Command::Step(2_000));
    let effects = bench.app.update(Run::LoadUp);
    bench.tell(sent(&effects).clone());
    assert_eq!(bench.app.update.history.events.last(), Some(&(21_000, Event::Load)));
}

#[test]
fn a_failure_by_hand_says_that_statistics_begin_anew() {
    let mut bench = failed(120);
    let router = bench.app.network().router_named("(6,1)").unwrap();
    bench.app.go_to(router);
    let effects = bench.app.update(Run::Fail);
    let expected = "router (6,1) fails: new routes in 200 cycles; statistics begin anew";
    assert_eq!(note(&bench), expected);
    for effect in effects {
        let Effect::Send(command) = effect else { panic!("{effect:?}") };
        bench.tell(command);
    }
    assert_eq!(bench.app.summary().messages, 0);
    assert!(bench.app.update.history.events.contains(&(13_000, Event::Failure)));
}

#[test]
fn a_grant_of_a_deadlock_is_a_place() {
    let mut bench = Bench::new("ring-deadlock");
    bench.tell(Command::Step(400));
    for _ in 0..100 {
        bench.tell(Command::Refresh);
    }
    let grant = bench.app.grants()[1];
    bench.app.update(Time::GoTo);
    assert!(screen(&bench.app).contains("d1 for grant 1, or live"), "{}", screen(&bench.app));
    type_in(&mut bench.app, "d2");
    let effects = press(&mut bench.app, Key::Enter);
    assert!(matches!(sent(&effects), Command::Seek(cycle) if Some(*cycle) == grant.cycle));
    let vcs = bench.app.system().relation.virtual_channels();
    let link = crate::ids::ChannelId(grant.vc.0 / vcs);
    let router = bench.app.network().channel(link).from;
    assert_eq!(bench.app.cursor_router(), Some(router));
}

#[test]
fn a_resumed_session_is_replaced_after_a_question() {
    let mut bench = Bench::new("mesh-8x8");
    bench.app.path = Some("older.session.ron".to_owned());
    let save = |bench: &mut Bench| {
        bench.app.update(Time::Save);
        press(&mut bench.app, Key::Enter)
    };
    assert!(save(&mut bench).is_empty());
    let picture = screen(&bench.app);
    assert!(picture.contains("older.session.ron has the session as it was opened"), "{picture}");
    press(&mut bench.app, Key::Esc);
    assert!(bench.app.dialog.is_none());
    assert!(save(&mut bench).is_empty());
    let effects = press(&mut bench.app, Key::Enter);
    bench.tell(sent(&effects).clone());
    let effects = bench.app.effects();
    let [Effect::Write(Writing { path, what, replace: true, .. })] = &effects[..] else {
        panic!("{effects:?}")
    };
    bench.app.wrote(*what, path, &Ok(()));
    // A file that this run wrote is replaced without a question.
    assert!(matches!(sent(&save(&mut bench)), Command::Save));
}
