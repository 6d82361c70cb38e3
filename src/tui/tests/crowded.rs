//! Tests of networks too full to draw all worms, and of single worms in hypercubes.

use super::{DARK_THEME, busy, inside, screen};
use crate::ids::{ChannelId, VcId};
use crate::tui::action::Move;
use crate::tui::app::App;
use crate::tui::fake;
use crate::tui::grid::frame::LINES;
use crate::tui::names::{capital, is_letter, single};
use crate::tui::view::Pane;
use std::collections::BTreeSet;

/// The names on the map.
fn named(app: &App) -> BTreeSet<String> {
    let picture = inside(app, Pane::Grid);
    let words = picture.split(|sign: char| !is_letter(sign) || sign.is_lowercase());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn a_crowded_network_has_the_worms_of_the_largest_trees() {
    let mut app = busy(&[8, 8], 60, DARK_THEME, (120, 40));
    let all = named(&app).len();
    assert!(!screen(&app).contains("others as heat"));
    // Every virtual channel is held; the waits form few trees.
    let (links, vcs) = (app.network().links(), app.snapshot().virtual_channels);
    let held = (0..links as u32 * vcs).map(VcId);
    let snapshot = &mut app.update.snapshot;
    let first = snapshot.path.len() as u32;
    snapshot.path.extend(held);
    snapshot.path_flits.extend((first..snapshot.path.len() as u32).map(|_| 0));
    let waits = snapshot.waits.clone();
    assert!(!waits.is_empty());
    let crowded = named(&app);
    assert!(!crowded.is_empty() && crowded.len() < all, "{crowded:?} of {all}");
    assert!(screen(&app).contains("others as heat"), "{}", screen(&app));
    let known: BTreeSet<String> = waits
        .iter()
        .flat_map(|wait| [Some(wait.worm), wait.holder])
        .flatten()
        .filter_map(|id| app.snapshot().worms.iter().find(|worm| worm.id == id))
        .map(|worm| capital(worm.letter))
        .collect();
    assert!(crowded.is_subset(&known), "{crowded:?} {known:?}");
    // A pinned worm is drawn, too.
    let free = app.snapshot().worms.iter().find(|worm| !known.contains(&capital(worm.letter)));
    let free = free.map(|worm| (worm.head_at, capital(worm.letter))).unwrap();
    app.go_to(free.0);
    app.update(Move::Pin);
    assert!(named(&app).contains(&free.1), "{}", screen(&app));
}

#[test]
fn a_worm_of_a_hypercube_can_be_followed_by_its_line() {
    let scenario = fake::scenario(crate::topology::cube::Family::Hypercube, &[2; 6], 2);
    let mut app = fake::app(fake::update(&scenario, 40), DARK_THEME, false, (120, 40));
    app.map.zoom = Some(LINES);
    let leaves = |app: &App, channel: ChannelId| app.plane.seat_of(channel).is_none();
    let worm = app.snapshot().worms.iter().find(|worm| {
        let path = app.snapshot().path_of(worm);
        let hops = path.iter().filter(|&&vc| leaves(&app, app.snapshot().split(vc).0));
        single(worm.letter).is_some() && hops.count() > 0
    });
    let worm = *worm.unwrap();
    app.go_to(worm.head_at);
    app.tracking.followed = Some(worm.name());
    let picture = inside(&app, Pane::Grid);
    let turns = picture.chars().filter(|glyph| "┗┛┓".contains(*glyph)).count();
    assert!(turns >= 2, "a bracket joins both nodes\n{picture}");
    let others = app.snapshot().worms.iter().filter(|other| other.id != worm.id);
    let drawn = others.filter(|other| named(&app).contains(&capital(other.letter)));
    assert!(drawn.count() <= app.snapshot().waits.len(), "{picture}");
}
