//! Tests of the first start, and of descriptions of the selected item.

use std::sync::Arc;
use std::time::Duration;

use super::{DARK_THEME, MONO, inside, note, press, quick, screen};
use crate::engine::HeadState;
use crate::live::{ClockedRun, Command, Options, Update};
use crate::scenario::{builtin, parse};
use crate::tui::action::Key;
use crate::tui::app::{App, Dialog, Effect};
use crate::tui::fake;
use crate::tui::pen::plural;
use crate::tui::view::Pane;

/// A built-in scenario after some cycles.
pub(super) fn after(name: &str, cycles: u64, ascii: bool, size: (u16, u16)) -> App {
    let scenario = Arc::new(parse(name, builtin::find(name).unwrap().text, &[]).unwrap());
    let options = Options { running: false, ..quick() };
    let mut run = ClockedRun::new(Arc::clone(&scenario), options);
    run.execute(Command::Step(cycles));
    run.elapse(Duration::from_millis(1));
    let mut update = Box::new(Update::empty(scenario));
    run.draw(&mut update);
    fake::app(update, if ascii { MONO } else { DARK_THEME }, ascii, size)
}

/// The text of a pane as one line.
fn told(app: &App, pane: Pane) -> String {
    inside(app, pane).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_card_says_what_this_is_and_goes_at_the_first_key() {
    for (key, does) in [(Key::Char(' '), true), (Key::Esc, false), (Key::Char('u'), false)] {
        let mut app = after("torus-8x8", 200, false, (80, 24));
        app.dialog = Some(Dialog::Card);
        let card = screen(&app);
        for words in ["one flit at a time", "Space runs and pauses", "`flitscope tour`"] {
            assert!(card.contains(words), "{card}");
        }
        let effects = app.update(app.action_of(key).expect("the card goes at any key"));
        assert_eq!(matches!(effects[..], [Effect::Send(Command::Run)]), does, "{effects:?}");
        assert!(app.dialog.is_none());
        assert_eq!(app.panes.focus, Pane::Grid);
    }
    let mut app = after("torus-8x8", 200, false, (80, 24));
    app.dialog = Some(Dialog::Card);
    insta::assert_snapshot!("the card, 80x24", screen(&app));
}

#[test]
fn the_first_screen_has_life_in_it() {
    let app = after("torus-8x8", 400, false, (80, 24));
    let moving = app.snapshot().worms.len();
    assert!((8..40).contains(&moving), "{moving} worms");
    insta::assert_snapshot!("the first screen, 80x24", screen(&app));
    // An idle torus is recognisable: every link is drawn, and wrapping links at both ends.
    let empty = after("torus-8x8", 0, false, (120, 40));
    let links = inside(&empty, Pane::Grid).matches('┈').count();
    assert!(links >= 2 * 8 * 8, "{links}");
}

#[test]
fn the_longest_wait_comes_first_and_takes_the_chains_along() {
    let mut app = after("torus-8x8", 400, false, (120, 40));
    for cycles in (400..2_000).step_by(100) {
        app = after("torus-8x8", cycles, false, (120, 40));
        if app.waiting() >= 3 {
            break;
        }
    }
    let mut waits: Vec<u64> = Vec::new();
    app.panes.spare_pane = Pane::Lens;
    for _ in 0..app.waiting() {
        press(&mut app, "n");
        assert_eq!(app.panes.spare_pane, Pane::Chains);
        let name = app.shown().selected(app.cursor_router().unwrap()).unwrap();
        let worm = app.snapshot().worms.iter().find(|worm| worm.name() == name).unwrap();
        let HeadState::Blocked(since) = worm.head else { panic!("{worm:?} moves") };
        let waited = app.snapshot().cycle.0 - since.0;
        waits.push(waited);
        assert!(note(&app).contains(&format!("blocked for {waited} ")), "{}", note(&app));
        let begun = format!(", since {}: ", app.times().now(since.0));
        assert!(note(&app).contains(&begun), "{}", note(&app));
        // The first sentence gives cause and duration of the wait, in the chains pane and in the
        // inspector.
        let [from, to] = [worm.source, worm.destination].map(|it| app.network().node_name(it));
        let (cycles, since) = (plural(waited, "cycle"), app.times().now(since.0));
        let name = app.call(name);
        let answer = format!(
            "{name}, 12 flits from {from} to {to}, has waited {cycles}, since {since}, at "
        );
        assert!(told(&app, Pane::Chains).starts_with(&answer), "{}", told(&app, Pane::Chains));
        press_key(&mut app, Key::Enter);
        let router = told(&app, Pane::Inspector);
        assert!(router.starts_with(&answer) && router.contains(", held by "), "{router}");
        press_key(&mut app, Key::Esc);
    }
    assert!(waits.len() >= 3 && waits.is_sorted_by(|one, next| one >= next), "{waits:?}");
}

fn press_key(app: &mut App, key: Key) {
    let action = app.action_of(key).expect("the key does something");
    app.update(action);
}

#[test]
fn who_stands_in_a_deadlock_is_told_the_circle() {
    let mut app = after("ring-deadlock", 512, true, (120, 40));
    let all = app.waiting();
    assert!(all > 0);
    let mut told_so = 0;
    for _ in 0..all {
        press(&mut app, "n");
        let name = app.shown().selected(app.cursor_router().unwrap()).unwrap();
        let at = app.snapshot().worms.iter().position(|worm| worm.name() == name).unwrap();
        let chains = told(&app, Pane::Chains);
        assert!(chains.is_ascii(), "{chains}");
        assert_eq!(chains.contains("never moves again: "), app.is_doomed(at), "{chains}");
        told_so += u32::from(chains.contains("in a circle, for ever:"));
    }
    assert!(told_so >= 5, "{told_so}");
}

#[test]
fn routers_links_and_circuits_have_their_sentences() {
    let mut app = after("torus-8x8", 0, false, (120, 40));
    press_key(&mut app, Key::Enter);
    let router = told(&app, Pane::Inspector);
    assert!(
        router.starts_with("No worm is blocked at (4,4); 0 of 8 virtual channels into"),
        "{router}"
    );
    let mut app = after("torus-8x8", 2_000, false, (200, 60));
    press(&mut app, "T");
    let link = told(&app, Pane::Inspector);
    assert!(link.contains("was used in ") && link.contains(" % of cycles; "), "{link}");
    let mut app = after("papers/circuit-hold-8", 40_000, false, (120, 40));
    press(&mut app, "n");
    let circuit = told(&app, Pane::Chains);
    assert!(circuit.contains("has waited") && circuit.contains(" T, since time "), "{circuit}");
    assert!(circuit.contains(" for the link across "), "{circuit}");
}

#[test]
fn help_begins_with_what_is_on_the_screen() {
    for ascii in [false, true] {
        for (name, word) in [
            ("papers/adaptive-torus-8x8", "escape"),
            ("ring-deadlock", "deadlock"),
            ("papers/circuit-hold-8", "controller"),
            ("switches-campus", "switch"),
            ("hypercube-6", "flit"),
            ("torus-4x4x4", "flit"),
        ] {
            let mut app = after(name, 300, ascii, (80, 24));
            for view in '1'..='6' {
                press(&mut app, &view.to_string());
                for zoom in 0..if ascii { 1 } else { 4 } {
                    press_key(&mut app, Key::Char('?'));
                    let Some(Dialog::Help(help)) = &app.dialog else { panic!("no help") };
                    let all: String =
                        help.pages[0].entries.iter().map(|entry| entry.text() + "\n").collect();
                    assert!(all.contains(word), "{name} {view} {zoom}\n{all}");
                    assert!(!ascii || all.is_ascii() && screen(&app).is_ascii(), "{all}");
                    press_key(&mut app, Key::Esc);
                    press_key(&mut app, Key::Char(if zoom == 0 { '0' } else { '+' }));
                }
            }
        }
    }
    let mut app = after("torus-8x8", 400, false, (80, 24));
    press(&mut app, "?");
    insta::assert_snapshot!("help here, 80x24", screen(&app));
    press_key(&mut app, Key::Tab);
    insta::assert_snapshot!("help on keys, 80x24", screen(&app));
    press_key(&mut app, Key::BackTab);
    press_key(&mut app, Key::Char('/'));
    for letter in "escape channel".chars() {
        press_key(&mut app, Key::Char(letter));
    }
    insta::assert_snapshot!("help searched, 80x24", screen(&app));
    // The result is in the guide, and Enter jumps to its line.
    press_key(&mut app, Key::Enter);
    let Some(Dialog::Help(help)) = &app.dialog else { panic!("no help") };
    assert!(help.page >= 2 && help.search.is_none());
    let shown = screen(&app).to_lowercase();
    assert!(shown.contains("escape") && shown.contains("[scenarios]"), "{shown}");
}

#[test]
fn the_page_of_help_that_is_shown_is_named_however_narrow_the_screen() {
    let mut app = after("torus-8x8", 400, false, (60, 16));
    press(&mut app, "?");
    let Some(Dialog::Help(help)) = &app.dialog else { panic!("no help") };
    let names: Vec<String> = help.pages.iter().map(|page| format!("[{}]", page.name)).collect();
    for name in names {
        assert!(screen(&app).contains(&name), "{name}");
        press_key(&mut app, Key::Tab);
    }
    // Keys belong to the open dialog, even on a screen too small for showing dialogs.
    app.size = (40, 12);
    assert!(screen(&app).contains("Esc closes"), "{}", screen(&app));
}
