//! Actions on the reduction of a deadlock.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{App, Effect};
use crate::experiment::shrink::{Progress, Shrunk, Size, Without, shrink};
use crate::live::Command;
use crate::scenario::parse;
use crate::session::saved::Saved;
use crate::text::count;
use crate::tui::action::Time;
use crate::tui::shrinking::{ShrinkNews, Shrinking};

/// Starts the reduction of the deadlock of the run, or ends it with the smallest one so far.
pub(super) fn start_or_stop(app: &mut App) {
    if app.shrinking.is_some() {
        app.effects.push(Effect::StopShrinking);
        return app.notify("the reduction ends with the smallest deadlock so far");
    }
    if app.snapshot().deadlock.is_none() && app.update.present_deadlock.is_none() {
        return app.notify("there is no deadlock at this cycle, and so none to reduce");
    }
    if app.has_circuits() {
        return app.notify(&Without::Circuits.to_string());
    }
    app.shrinking = Some(Shrinking::Asked);
    app.send(Command::Save);
}

/// Begins the reduction once the session arrives.
pub(super) fn receive_session(app: &mut App, before: u64) {
    let asked = matches!(app.shrinking, Some(Shrinking::Asked));
    let saved = app.update.saved.clone().filter(|_| app.update.saves != before && asked);
    let Some(saved) = saved else { return };
    let key = app.keys.way_to(Time::Shrink);
    app.shrinking = Some(Shrinking::UnderWay(Arc::clone(&saved)));
    app.notify(&format!(
        "the deadlock is reduced beside the run ({key} ends this with the smallest so far)"
    ));
    app.effects.push(Effect::Shrink(saved));
}

/// Receives news of the reduction of a session, and opens its result.
pub(in crate::tui) fn receive(app: &mut App, of: &Arc<Saved>, news: ShrinkNews) {
    let own = matches!(&app.shrinking, Some(Shrinking::UnderWay(saved)) if Arc::ptr_eq(saved, of));
    if !own {
        return;
    }
    match news {
        ShrinkNews::Progress(Progress { phase, smallest }) => app.notify(&match smallest {
            Some(size) => format!("the smallest deadlock so far: {}; {phase}", words(size)),
            None => format!("the deadlock is reduced: {phase}"),
        }),
        ShrinkNews::Done(result) => {
            app.shrinking = None;
            match *result {
                Ok(shrunk) => open(app, of, &shrunk),
                Err(why) => app.notify(&format!("the deadlock was not reduced: {why}")),
            }
        }
    }
}

/// The messages of a deadlock with their network and failures.
fn words(size: Size) -> String {
    let messages = count(size.messages, "message", "messages");
    let routers = count(size.routers, "router", "routers");
    match size.failures {
        0 => format!("{messages} on {routers}"),
        failures => {
            format!("{messages} on {routers} and {}", count(failures, "failure", "failures"))
        }
    }
}

/// Opens a reduced deadlock at its last cycle.
fn open(app: &mut App, of: &Saved, shrunk: &Shrunk) {
    let name = format!("{}, reduced", of.scenario.name);
    let Ok(scenario) = parse(&name, &shrunk.text, &[]) else {
        return app.notify("the reduced deadlock is no scenario; this is a mistake of the program");
    };
    let saved = Saved {
        bookmarks: vec![shrunk.closed],
        cycle: shrunk.end,
        live: shrunk.end,
        ..Saved::beginning(Arc::new(scenario))
    };
    let [before, after] = shrunk.sizes;
    let save = app.keys.way_to(Time::Save);
    app.path = None;
    let failures = match before.failures {
        0 => String::new(),
        1 if after.failures == 1 => " and after the failure".to_owned(),
        all => format!(" and after {} of {}", after.failures, count(all, "failure", "failures")),
    };
    app.notify(&format!(
        "{} of {} messages deadlock, on {}{failures} ({save} writes this run)",
        after.messages,
        before.messages,
        count(after.routers, "router", "routers"),
    ));
    app.send(Command::Resume(Box::new(saved)));
}

/// Reduces a deadlock at once, in a film.
pub(in crate::tui) fn at_once(app: &mut App, of: &Arc<Saved>) {
    let never = AtomicBool::new(false);
    let result = shrink(of, of.live, (&never, &|_| ()));
    receive(app, of, ShrinkNews::Done(Box::new(result)));
}
