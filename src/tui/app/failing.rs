//! Failures of links and routers by the user.

use super::{App, Confirm, Dialog};
use crate::engine::Change;
use crate::live::Command;
use crate::system::failures::Part;
use crate::topology::Network;

/// Makes the router under the cursor fail, or work again if all of its links have failed.
pub(super) fn fail_router(app: &mut App) {
    if let Some(router) = app.cursor_router() {
        fail(app, Part::Router(router));
    }
}

/// Makes the link between two named routers, or a named router, fail or work again.
///
/// # Errors
/// The right form, in words.
pub(super) fn fail_named(app: &mut App, text: &str) -> Result<(), String> {
    let network = app.network();
    let part = part(network, text)?;
    if part.links(network).is_empty() {
        return Err(format!("there is no {}", part.name(network)));
    }
    fail(app, part);
    Ok(())
}

/// The part of one name, or of two names separated by a space.
fn part(network: &Network, text: &str) -> Result<Part, String> {
    let splits = text.char_indices().filter(|(_, letter)| letter.is_whitespace());
    let mut ends = splits.filter_map(|(at, _)| {
        let (one, other) = text.split_at(at);
        Some((network.router_named(one).ok()?, network.router_named(other).ok()?))
    });
    // Coordinates may have spaces, too: both halves must be places.
    if let Some((from, to)) = ends.find(|(from, to)| from != to) {
        return Ok(Part::Link(from, to));
    }
    network.router_named(text).map(Part::Router)
}

/// Discards the future, and makes a part fail or work again, after confirmation.
pub(super) fn fork(app: &mut App, part: Part) {
    app.forget_future();
    fail(app, part);
}

/// Makes a part fail, or work again if all of its links have failed; after a confirmation if this
/// discards recorded cycles.
fn fail(app: &mut App, part: Part) {
    if app.is_behind() {
        app.dialog = Some(Dialog::Confirm(Confirm::Fail(part)));
        return;
    }
    let links = part.links(app.network());
    let failed = app.update.failed.as_ref();
    let all = links.iter().all(|&link| failed.is_some_and(|failed| failed.holds(link)));
    let around = app.system().relation.goes_around();
    let after = app.system().plan().consequences().reroute_after;
    let then = match (all, around, after) {
        (true, ..) => "works again".to_owned(),
        (false, true, 0) => "fails: messages follow new routes".to_owned(),
        (false, true, _) => format!("fails: new routes in {}", app.times().with_unit(after)),
        (false, false, _) => {
            let rule = app.system().relation.routing().name();
            format!("fails: {rule} finds no routes around failures")
        }
    };
    app.notify(&format!("{} {then}; statistics begin anew", part.name(app.network())));
    for link in links {
        let change = if all { Change::LinkUp(link) } else { Change::LinkDown(link) };
        app.send(Command::Change(change));
    }
}
