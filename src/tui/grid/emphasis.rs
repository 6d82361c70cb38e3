//! Selects the worms to draw if the network is too full for all.

use std::collections::HashSet;

use crate::ids::WormId;
use crate::tui::forest::Forest;
use crate::tui::scene::Scene;
use crate::tui::view::View;

/// The share of held virtual channels from which a network is crowded. More worms than routers crowd
/// it, too: their names hide the links.
const CROWDED: f64 = 0.6;
/// The most trees to draw.
const TREES: usize = 5;

/// The worms to draw; `None` for all. In a crowded network, these are the worms of the largest trees
/// of waits (the tree at the cursor first) and of a deadlock, and pinned and followed worms. In a
/// hypercube, a followed worm and the worms that delay it are drawn alone.
pub(super) fn of(app: &Scene<'_>) -> Option<HashSet<WormId>> {
    if app.map.view != View::Worms || app.plane.is_graph() {
        return None;
    }
    let snapshot = app.snapshot();
    let vcs = app.network().links() * snapshot.virtual_channels as usize;
    let is_crowded = !app.shows_states()
        && (snapshot.worms.len() > app.network().routers()
            || snapshot.path.len() as f64 >= CROWDED * vcs as f64);
    let followed = app.followed.or(app.pointed_at()).filter(|_| app.network().is_hypercube());
    if followed.is_none() && !is_crowded {
        return None;
    }
    let mut forest = Forest::new(app);
    let position = |name| forest.carriers.iter().position(|it| it.name == name);
    if let Some(at) = followed.and_then(position) {
        return Some(forest.ahead(at).into_iter().map(|at| forest.carriers[at].id).collect());
    }
    if !is_crowded {
        return None;
    }
    if forest.roots.is_empty() && app.deadlock().is_none() {
        return None;
    }
    if let Some(name) = app.cursor_router().and_then(|router| app.selected(router)) {
        forest.begin_with(name);
    }
    let roots = forest.roots.iter().take(TREES);
    let mut drawn: HashSet<WormId> =
        roots.flat_map(|&(root, _)| forest.tree(root)).map(|at| forest.carriers[at].id).collect();
    let worms = snapshot.worms.iter().enumerate();
    drawn.extend(worms.filter_map(|(at, worm)| {
        let name = worm.name();
        let is_chosen = app.pins.contains(&name) || app.followed == Some(name);
        (is_chosen || app.is_doomed(at)).then_some(worm.id)
    }));
    Some(drawn)
}
