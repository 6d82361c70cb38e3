//! Checks the consistency of the screen: routers, channels and messages exist.

use std::sync::Arc;

use super::{App, Dialog, Scene};
use crate::ids::{ChannelId, MessageId, RouterId};

impl App {
    /// Checks cursor, breakpoints, messages and selections.
    ///
    /// # Errors
    ///
    /// The first reference to a missing item.
    pub fn audit(&self) -> Result<(), String> {
        for run in self.all() {
            self.audit_places(&run)?;
            self.audit_messages(&run)?;
        }
        if self.own_filter(self.map.filter) != self.map.filter {
            return Err(format!("{:?} is looked at", self.map.filter));
        }
        let (chosen, lines) = match &self.dialog {
            Some(Dialog::Palette(palette)) => (palette.chosen, palette.matches.len()),
            Some(Dialog::Chooser(chooser)) => (chooser.chosen, chooser.matches.len()),
            Some(Dialog::Problems(list)) => (usize::from(list.found.is_empty()), 1),
            Some(Dialog::Card | Dialog::Help(_) | Dialog::Prompt(_) | Dialog::Confirm(_))
            | None => (0, 1),
        };
        if chosen >= lines.max(1) {
            return Err(format!("line {chosen} is chosen of {lines}"));
        }
        Ok(())
    }

    fn audit_places(&self, run: &Scene<'_>) -> Result<(), String> {
        let update = &run.update;
        let (network, snapshot) = (&update.scenario.system.network, &update.snapshot);
        let within = |what: &str, router: Option<RouterId>| match router {
            Some(router) if router.index() >= network.routers() => {
                Err(format!("{what} at {router:?} of {}", network.routers()))
            }
            _ => Ok(()),
        };
        let cursor = run.cursor_router().ok_or("the cursor is nowhere")?;
        within("cursor", Some(cursor))?;
        if !Arc::ptr_eq(network, run.plane.network()) {
            return Err("the plane is of another network".to_owned());
        }
        let chosen = self.links.chosen.map_or(0, ChannelId::index);
        if chosen >= network.channels().len() {
            return Err(format!("link {chosen} is chosen of {}", network.channels().len()));
        }
        for &router in &update.breakpoint.routers {
            within("a breakpoint", Some(router))?;
        }
        for worm in &snapshot.worms {
            within("a head", Some(worm.head_at))?;
        }
        if snapshot.cycle > update.live || update.bookmarks.iter().any(|&at| at > update.live.0) {
            return Err(format!(
                "{:?}, {:?} after {}, {:?} in {:?}: {:?}",
                snapshot.cycle,
                update.bookmarks,
                update.live,
                update.state,
                run.letter(),
                snapshot.deadlock
            ));
        }
        let traced = update.single_messages.traced.iter().flat_map(|traced| &traced.trace.hops);
        traced.into_iter().try_for_each(|hop| within("a history", Some(hop.at)))
    }

    fn audit_messages(&self, run: &Scene<'_>) -> Result<(), String> {
        let (update, network) = (&run.update, &run.update.scenario.system.network);
        let single_messages = &update.single_messages;
        let one = |what: &'static str, name: Option<MessageId>| name.map(|name| (what, name));
        let named = [
            one("followed", self.tracking.followed),
            one("history", self.tracking.history),
            one("chosen", self.messages.chosen),
            one("told of", single_messages.followed.map(|followed| followed.name)),
            one("traced", single_messages.traced.as_ref().map(|traced| traced.trace.name)),
        ];
        let pins = run.pins.iter().map(|&name| ("pinned", name));
        let stops = update.breakpoint.messages.iter().map(|&name| ("stops at", name));
        for (what, name) in named.into_iter().flatten().chain(pins).chain(stops) {
            if name.source.index() >= network.nodes() {
                return Err(format!("{what}: {name:?} of {} nodes", network.nodes()));
            }
        }
        let single_messages = &self.update.single_messages;
        match self.messages.rows.iter().find(|&&row| row as usize >= single_messages.listed.len()) {
            Some(row) => Err(format!("row {row} of {} messages", single_messages.listed.len())),
            None => Ok(()),
        }
    }
}
