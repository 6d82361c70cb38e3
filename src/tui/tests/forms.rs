//! Tests of generated networks on the screen: each in its own form, in every view and at every zoom.

use std::sync::Arc;

use strum::VariantArray as _;

use super::{DARK_THEME, MONO, fake, screen};
use crate::scenario::Scenario;
use crate::topology::generators::Generator;
use crate::topology::switches::{Names, Switches};
use crate::tui::action::{Grid, Move, Panes};
use crate::tui::app::App;
use crate::tui::grid::plane::Side;
use crate::tui::view::View;
use crate::words;

const TREE: &str = "FatTree(arity: 2, levels: 3)";
const DRAGONFLY: &str = "Dragonfly(group: 4, hosts: 1, global: 1)";
const TWISTED: &str = "TwistedTorus(radix: [8, 4], twist: 4, hosts: 1)";

fn app(text: &str, worms: u64, view: View) -> App {
    app_of(&fake::generated(text), worms, view)
}

fn app_of(scenario: &Arc<Scenario>, worms: u64, view: View) -> App {
    let mut app = fake::app(fake::update(scenario, worms), DARK_THEME, false, (80, 24));
    app.update(Panes::Zen);
    app.update(Grid::View(view));
    app
}

#[test]
fn a_fat_tree() {
    insta::assert_snapshot!(screen(&app(TREE, 6, View::Worms)));
}

#[test]
fn a_dragonfly() {
    insta::assert_snapshot!(screen(&app(DRAGONFLY, 0, View::Occupancy)));
}

#[test]
fn levels_of_a_narrow_map_have_short_titles_at_its_edge() {
    let update = fake::update(&fake::generated("FatTree(arity: 4, levels: 3)"), 0);
    let picture = screen(&fake::app(update, DARK_THEME, false, (80, 24)));
    for level in 0..3 {
        assert!(picture.contains(&format!("│l{level} ")), "{level}\n{picture}");
    }
}

#[test]
fn groups_have_their_names() {
    let generator: Generator = words::value(DRAGONFLY).unwrap();
    let names = ["pod-ä", "pod-b", "east wing", "4", "the laboratory over the river"];
    let groups = names.map(str::to_owned).to_vec();
    let network =
        Switches::named(generator.network().unwrap(), Names { groups, ..Names::default() });
    let picture = screen(&app_of(&fake::graph(network), 0, View::Occupancy));
    // A number in short, because a name does not fit, of which no part is drawn.
    for name in ["pod-ä", "pod-b", "east wing", "g4"] {
        assert!(picture.contains(&format!(" {name} ")), "{name}\n{picture}");
    }
    assert!(!picture.contains("lab"), "{picture}");
}

#[test]
fn a_twisted_torus() {
    insta::assert_snapshot!(screen(&app(TWISTED, 6, View::Waits)));
}

#[test]
fn every_form_is_drawn_in_every_view_at_every_zoom() {
    for text in [
        TREE,
        DRAGONFLY,
        TWISTED,
        "LeafSpine(leaves: 12, spines: 3, hosts: 1, links: 2)",
        "HyperX(radix: [3, 3, 2], hosts: 1)",
        "Complete(routers: 9, hosts: 1)",
    ] {
        for &view in View::VARIANTS {
            let update = fake::update(&fake::generated(text), 12);
            let mut app = fake::app(update, MONO, true, (80, 24));
            app.update(Grid::View(view));
            for zoom in 1..6 {
                app.map.zoom = Some(zoom);
                for side in Side::ALL {
                    app.update(Move::Move(side));
                }
                let picture = screen(&app);
                assert!(picture.is_ascii(), "{text} {view:?} {zoom}\n{picture}");
            }
        }
    }
}

#[test]
fn stubs_of_a_twisted_torus_are_named_by_their_far_ends() {
    let picture = screen(&app(TWISTED, 0, View::Waits));
    let lines: Vec<&str> = picture.lines().collect();
    let numbers = |line: &str| -> Vec<u32> {
        let words = line.split(|letter: char| !letter.is_ascii_digit());
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let found = |numbers_of_line: &[u32]| lines.iter().any(|line| numbers(line) == numbers_of_line);
    // Above the highest row, below the lowest, and beside a row.
    assert!(found(&[4, 5, 6, 7, 0, 1, 2, 3]), "{picture}");
    assert!(found(&[28, 29, 30, 31, 24, 25, 26, 27]), "{picture}");
    assert!(found(&[15, 8, 9, 10, 11, 12, 13, 14, 15, 8]), "{picture}");
}
