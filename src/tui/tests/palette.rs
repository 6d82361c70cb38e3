//! Tests of the command line: search, completion, and the effect of every command.

use std::sync::Arc;

use super::{DARK_THEME, MONO, screen};
use crate::engine::Change;
use crate::live::{Command, Speed, Update};
use crate::routing::Routing;
use crate::scenario::{self, Scenario, builtin};
use crate::session::events::Events;
use crate::tui::action::{Action, Key, Program};
use crate::tui::app::{App, Dialog, Effect, Written};
use crate::tui::bindings::{action_name, bindable};
use crate::tui::fake::{self, press, sent, type_in};
use crate::tui::layout::Preset;
use crate::tui::palette::LineEffect;
use crate::tui::palette::commands::{COMMANDS, What, named, split};
use crate::tui::theme::{Kind, Ramp};
use crate::tui::view::{Pane, View};
use crate::units::{Cycle, Rate};

const NAME: &str = "papers/adaptive-torus-8x8";

/// A run of a built-in scenario.
fn real(name: &str, size: (u16, u16)) -> App {
    let scenario = scenario::parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
    fake::app(fake::update(&Arc::new(scenario), 14), DARK_THEME, false, size)
}

/// Types a line and presses Enter.
fn give(app: &mut App, line: &str) -> Vec<Effect> {
    press(app, Key::Char(':'));
    type_in(app, line);
    press(app, Key::Enter)
}

fn told(app: &mut App, line: &str) -> Command {
    let effects = give(app, line);
    assert!(app.dialog.is_none(), "{line}: {:?}", app.dialog);
    sent(&effects).clone()
}

fn line(app: &App) -> &crate::tui::palette::Palette {
    match &app.dialog {
        Some(Dialog::Palette(palette)) => palette,
        other => panic!("{other:?}"),
    }
}

/// The error of a line; the line stays open for correction.
fn refused(app: &mut App, words: &str) -> String {
    assert!(give(app, words).is_empty(), "{words}");
    let error = line(app).error.clone().unwrap_or_else(|| panic!("{words} is accepted"));
    assert_eq!(&*line(app).text, words);
    press(app, Key::Esc);
    error
}

#[test]
fn everything_in_the_table_of_keys_is_found_by_its_name_and_its_help() {
    let mut app = real(NAME, (120, 40));
    for row in bindable().filter(|row| row.action != Action::Program(Program::Palette)) {
        let help = row.help.to_owned();
        // A text beginning with a command's name refers to the command.
        let help = Some(help).filter(|help| named(split(help).0).is_none());
        for wanted in help.into_iter().chain([action_name(row.action)]) {
            press(&mut app, Key::Ctrl('p'));
            type_in(&mut app, &wanted);
            let found = line(&app).matches.iter();
            let mut found = found.filter(|found| found.does == LineEffect::Action(row.action));
            let found = found.next().unwrap_or_else(|| panic!("{wanted} is not found"));
            assert_eq!(found.keys, app.keys.names(row, 2));
            press(&mut app, Key::Esc);
        }
    }
}

#[test]
fn an_action_is_done_by_its_name() {
    let mut app = real(NAME, (120, 40));
    assert!(give(&mut app, "view-utilisation").is_empty());
    assert_eq!(app.map.view, View::Utilisation);
    // Search by letters, by a word of the help, and by selection.
    assert!(give(&mut app, "view-occ").is_empty());
    assert_eq!(app.map.view, View::Occupancy);
    give(&mut app, "inspect the router");
    assert_eq!(app.panes.focus, Pane::Inspector);
    assert!(matches!(give(&mut app, "toggle-run")[..], [Effect::Send(Command::Run)]));
    press(&mut app, Key::Char(':'));
    type_in(&mut app, "zoom");
    let second = line(&app).matches[1].clone();
    press(&mut app, Key::Ctrl('n'));
    assert_eq!(line(&app).choice(), Some(&second));
    assert!(screen(&app).contains("» zoom-out"), "{}", screen(&app));
    press(&mut app, Key::Enter);
    assert!(app.map.zoom.is_some() && app.dialog.is_none());
    // Enter is not passed to a dialog opened by the action.
    give(&mut app, "help");
    assert!(matches!(app.dialog, Some(Dialog::Help(_))));
}

#[test]
fn every_command_does_what_it_says() {
    let mut app = real(NAME, (120, 40));
    assert!(matches!(told(&mut app, "goto 4000"), Command::Seek(Cycle(4_000))));
    assert!(matches!(told(&mut app, ":goto -345"), Command::Seek(Cycle(12_000))));
    assert!(matches!(told(&mut app, "step 50"), Command::Step(50)));
    assert!(matches!(told(&mut app, "back 50"), Command::Back(50)));
    assert!(matches!(told(&mut app, "window 500"), Command::Window(500)));
    assert!(matches!(told(&mut app, "bookmark"), Command::Bookmark(_)));
    assert!(matches!(told(&mut app, "speed 1000"), Command::Speed(Speed::PerSecond(1000.0))));
    assert!(matches!(told(&mut app, "speed max"), Command::Speed(Speed::Max)));
    let Command::Break(breakpoint) = told(&mut app, "break chain 5, latency 200") else { panic!() };
    assert_eq!((breakpoint.chain, breakpoint.latency), (Some(5), Some(200)));
    assert!(matches!(told(&mut app, "save a.ron"), Command::Save));
    assert!(give(&mut app, "events delivery").is_empty());
    let Command::NextEvent(events) = told(&mut app, "next-event") else { panic!() };
    assert_eq!(events, Events::DELIVERY);
    for (words, view) in [
        ("3", View::Classes),
        ("waits", View::Waits),
        ("wait-for", View::Waits),
        ("d", View::Difference),
    ] {
        give(&mut app, &format!("view {words}"));
        assert_eq!(app.map.view, view);
    }
    give(&mut app, "theme light");
    assert_eq!(app.theme.kind, Kind::Light);
    give(&mut app, "layout teach");
    assert_eq!(app.panes.preset, Preset::Teaching);
    assert!(app.note.as_deref().unwrap().starts_with("layout teaching"));
    give(&mut app, "find (1,2)");
    assert_eq!(app.map.cursor, (1, 2));
    let Command::Load(scenario) = told(&mut app, "open papers/adaptive-torus-8x8") else {
        panic!()
    };
    assert_eq!(scenario.name, "scenarios/hotspot.ron");
    assert!(matches!(give(&mut app, "quit")[..], [Effect::Quit]));
    match &give(&mut app, "export figures.csv")[..] {
        [Effect::Write(writing)] => {
            assert_eq!((writing.path.as_str(), writing.replace), ("figures.csv", false));
            assert!(writing.content.starts_with(b"scenario,seed,cycle,table,"));
        }
        other => panic!("{other:?}"),
    }
    app.wrote(Written::Statistics, "figures.csv", &Ok(()));
    assert_eq!(app.note.as_deref(), Some("the statistics are in figures.csv"));
    app.wrote(Written::Statistics, "figures.csv", &Err(std::io::ErrorKind::AlreadyExists.into()));
    assert!(app.note.as_deref().unwrap().contains("exists"));
}

#[test]
fn figures_of_the_run_are_set_live() {
    let mut app = real(NAME, (120, 40));
    let Command::Change(Change::Rate(rate)) = told(&mut app, "set rate 0.012") else { panic!() };
    assert_eq!(rate, Rate(0.012));
    let system = &Arc::clone(&app.update.scenario).system;
    for words in ["set load 0.2", "set λ 0.2", "set λ=0.2", "set lambda = 0.2"] {
        let Command::Change(Change::Rate(rate)) = told(&mut app, words) else { panic!() };
        assert!((system.load_at(rate).0 - 0.2).abs() < 1e-12, "{words}");
    }
    assert!(matches!(told(&mut app, "set seed 99"), Command::Reseed(99)));
    // The maximum itself is valid.
    let most = system.load_at(system.rate_max()).0;
    assert!(matches!(
        told(&mut app, &format!("set load {most}")),
        Command::Change(Change::Rate(_))
    ));
    for words in ["set load 7", "set rate 0", "set rate -1", "set load NaN", "set λ much"] {
        let error = refused(&mut app, words);
        assert!(error.contains("at most 0.0833") && error.contains("flits/node/cycle"), "{error}");
    }
    assert!(refused(&mut app, "set seed x").contains("whole number"));
    // A change at an earlier cycle needs a confirmation, as with the key.
    let mut update = app.update.clone();
    update.live = Cycle(20_000);
    app.receive(update);
    assert!(give(&mut app, "set load 0.1").is_empty());
    assert!(matches!(app.dialog, Some(Dialog::Confirm(_))));
}

#[test]
fn any_field_of_the_scenario_is_set_and_the_run_begins_again() {
    let mut app = real(NAME, (120, 40));
    let Command::Load(scenario) = told(&mut app, "set switching.buffer_flits 7") else { panic!() };
    assert_eq!(scenario.system.switching.buffer_flits(), 7);
    assert!(app.note.as_deref().unwrap().contains("begins again"));
    // Earlier settings, seed and rate of the run are kept.
    let mut update: Box<Update> = fake::update(&scenario, 3);
    (update.seed, update.rate) = (41, Rate(0.0123));
    app.receive(update);
    let Command::Load(scenario) = told(&mut app, "set network=Mesh(radix: [4, 6])") else {
        panic!()
    };
    assert_eq!(scenario.system.network.routers(), 24);
    assert_eq!(scenario.system.switching.buffer_flits(), 7);
    assert_eq!((scenario.seed, scenario.system.traffic.rate), (41, Rate(0.0123)));
    app.receive(fake::update(&scenario, 3));
    let Command::Load(scenario) = told(&mut app, "set traffic.lengths Fixed(4)") else { panic!() };
    assert!((scenario.system.traffic.lengths.mean() - 4.0).abs() < 1e-12);
    // The load is kept unless the setting determines the load.
    let mut update: Box<Update> = fake::update(&scenario, 3);
    update.rate = Rate(0.02);
    app.receive(update);
    for words in ["set traffic.lengths Fixed(8)", "set traffic.destinations Tornado"] {
        let Command::Load(scenario) = told(&mut app, words) else { panic!() };
        assert!((scenario.system.load().0 - 0.08).abs() < 1e-12, "{words}");
    }
    // Setting a whole field discards settings of its parts.
    let words = "set traffic.arrivals Geometric(load: 0.3)";
    let Command::Load(scenario) = told(&mut app, "set traffic.arrivals.rate 0.01") else {
        panic!()
    };
    app.receive(fake::update(&scenario, 3));
    let Command::Load(scenario) = told(&mut app, words) else { panic!() };
    assert!((scenario.system.load().0 - 0.3).abs() < 1e-12);
    for (words, says) in [
        ("set switching.bufer_flits 3", "did you mean `switching.buffer_flits`?"),
        ("set laod 0.2", "did you mean `load`?"),
        ("set network Mesh(radix: [0, 6])", "must be 1 to 65536, not 0"),
        ("set routing NorthLats", "did you mean `NorthLast`?"),
        ("set routing", "to what?"),
        ("set", "NAME VALUE"),
        ("set palette red", "viridis, cividis"),
    ] {
        let error = refused(&mut app, words);
        assert!(error.contains(says), "{words}: {error}");
    }
}

#[test]
fn the_screen_is_set() {
    let mut app = real(NAME, (200, 60));
    give(&mut app, "set palette cividis");
    assert_eq!(app.theme.ramp, Ramp::Cividis);
    assert!(!screen(&app).contains("fps"));
    give(&mut app, "set perf");
    assert!(screen(&app).contains("fps"), "{}", screen(&app));
    give(&mut app, "set perf on");
    assert!(app.perf.is_some());
    give(&mut app, "set perf");
    assert!(app.perf.is_none());
}

#[test]
fn what_is_wrong_is_said_with_what_would_be_right() {
    let mut app = real(NAME, (120, 40));
    for (words, says) in [
        ("gotto 4", "did you mean `goto`?"),
        ("frobnicate", "Ctrl-U"),
        ("goto soon", "whole number"),
        ("goto m3", "there is no bookmark"),
        ("speed fast", "0.001 to 1e9"),
        ("speed 0", "0.001 to 1e9"),
        ("view wurms", "did you mean `worms`?"),
        ("theme pink", "dark, light, mono"),
        ("layout large", "balanced, network"),
        ("break worm 3", "chain N, latency X"),
        ("events lunch", "injection"),
        ("find (99,99)", "outside the network"),
        ("export a.txt", ".csv or .json"),
        ("quit now", "takes no argument"),
        ("window 0", "from 1"),
    ] {
        let error = refused(&mut app, words);
        assert!(error.contains(says), "{words}: {error}");
    }
    give(&mut app, "speed fast");
    assert!(screen(&app).contains("0.001 to 1e9"), "{}", screen(&app));
    type_in(&mut app, "x");
    assert_eq!(line(&app).error, None);
}

#[test]
fn set_offers_the_values_that_a_field_may_have_here() {
    let mut app = real(NAME, (120, 40));
    let offered = |app: &mut App, text: &str| -> Vec<String> {
        press(app, Key::Char(':'));
        type_in(app, text);
        line(app).matches.iter().map(|it| it.label.clone()).collect()
    };
    let all = offered(&mut app, "set routing ");
    let has = |name: &str| all.iter().any(|it| it.starts_with(name));
    assert!(has("DimensionOrder(") && has("MinimalAdaptive(escape: Dateline)"), "{all:?}");
    assert!(!has("WestFirst"), "no rule for tori: {all:?}");
    // Settings that may deadlock are listed last and marked.
    let help = line(&app).matches.last().unwrap().help.clone();
    assert!(help.starts_with("may deadlock"), "{help}");
    press(&mut app, Key::Esc);
    for (text, first) in [
        ("set routing=Dim", "DimensionOrder"),
        ("set routing.escape ", ""),
        ("set traffic.destinations Tr", "Transpose"),
        ("set switching.buffer_flits 3", "32"),
        ("set palette ci", "cividis"),
        ("set perf o", "on"),
    ] {
        let found = offered(&mut app, text);
        assert!(found.first().is_some_and(|it| it.starts_with(first)), "{text}: {found:?}");
        press(&mut app, Key::Esc);
    }
    assert!(offered(&mut app, "set seed ").is_empty());
    press(&mut app, Key::Esc);
    // Tab completes the value, and Enter sets the field.
    offered(&mut app, "set routing Dim");
    press(&mut app, Key::Tab);
    press(&mut app, Key::Tab);
    assert!(line(&app).text.starts_with("set routing DimensionOrder("), "{}", &*line(&app).text);
    let effects = press(&mut app, Key::Enter);
    let [Effect::Send(Command::Load(scenario))] = effects.as_slice() else { panic!() };
    let routing = scenario.system.relation.routing();
    assert!(matches!(routing, Routing::DimensionOrder { .. }), "{routing:?}");
}

#[test]
fn every_pane_is_reached_by_its_name() {
    let mut app = real(NAME, (120, 40));
    for &pane in Pane::ALL {
        give(&mut app, &format!("pane {}", pane.name()));
        assert_eq!(app.panes.focus, pane);
        assert!(app.arrangement().pane(pane).is_some(), "{pane:?}");
    }
}

#[test]
fn without_arguments_a_command_asks_as_its_key_does() {
    let mut app = real(NAME, (120, 40));
    for command in COMMANDS.iter().filter(|command| !command.arguments.is_empty()) {
        assert!(give(&mut app, command.name).is_empty(), "{command:?}");
        match &app.dialog {
            Some(Dialog::Prompt(_) | Dialog::Chooser(_)) => {}
            Some(Dialog::Palette(palette)) => {
                let error = palette.error.as_deref().unwrap_or_default();
                assert!(error.contains(command.arguments), "{command:?}: {error}");
            }
            other => panic!("{command:?}: {other:?}"),
        }
        press(&mut app, Key::Esc);
        assert!(app.dialog.is_none());
    }
}

#[test]
fn tab_completes_and_the_arrows_bring_back() {
    let mut app = real(NAME, (120, 40));
    press(&mut app, Key::Char(':'));
    type_in(&mut app, "th");
    press(&mut app, Key::Tab);
    assert_eq!(&*line(&app).text, "theme");
    press(&mut app, Key::Tab);
    assert_eq!(&*line(&app).text, "theme ");
    type_in(&mut app, "l");
    press(&mut app, Key::Tab);
    assert_eq!(&*line(&app).text, "theme light");
    press(&mut app, Key::Enter);
    assert_eq!(app.theme.kind, Kind::Light);
    press(&mut app, Key::Char(':'));
    press(&mut app, Key::Up);
    assert_eq!(&*line(&app).text, "theme light");
    press(&mut app, Key::Down);
    assert_eq!(&*line(&app).text, "");
    // Fields of the scenario are offered by path.
    type_in(&mut app, "set switching.b");
    assert_eq!(line(&app).matches[0].line, "set switching.buffer_flits ");
    press(&mut app, Key::Tab);
    assert_eq!(&*line(&app).text, "set switching.buffer_flits ", "the value can be typed");
    press(&mut app, Key::Ctrl('u'));
    assert_eq!(&*line(&app).text, "");
    assert!(line(&app).matches.len() > COMMANDS.len() + 40);
    type_in(&mut app, "open scenarios/hot");
    press(&mut app, Key::Tab);
    assert_eq!(&*line(&app).text, "open scenarios/hotspot.ron");
    press(&mut app, Key::Backspace);
    assert_eq!(&*line(&app).text, "open scenarios/hotspot.ro");
    // A line selected by hand is completed before its execution.
    press(&mut app, Key::Ctrl('u'));
    type_in(&mut app, "theme ");
    press(&mut app, Key::Ctrl('n'));
    press(&mut app, Key::Enter);
    assert_eq!(&*line(&app).text, "theme light");
    press(&mut app, Key::PageUp);
    press(&mut app, Key::Esc);
    assert!(app.dialog.is_none());
}

#[test]
fn circuits_count_in_their_unit() {
    let mut app = real("papers/circuit-hold-8-slow", (120, 40));
    let unit = app.times().cycles;
    let Command::Speed(Speed::PerSecond(pace)) = told(&mut app, "speed 0.5") else { panic!() };
    assert!((pace - 0.5 * unit as f64).abs() < 1e-9);
    let Command::Step(cycles) = told(&mut app, "step 1.5") else { panic!() };
    assert_eq!(cycles, unit * 3 / 2);
    let Command::Change(Change::Rate(rate)) = told(&mut app, "set load 0.1") else { panic!() };
    assert!((rate.0 - 0.1).abs() < 1e-6, "{rate:?}");
    // The key continues from the new load, without the limit for sources of flits.
    let effects = press(&mut app, Key::Char(')'));
    let [Effect::Send(Command::Change(Change::Rate(more)))] = effects[..] else {
        panic!("{effects:?}")
    };
    assert!((more.0 / rate.0 - 1.1).abs() < 1e-9, "{more:?}");
}

#[test]
fn a_file_is_edited_and_run_or_what_is_wrong_is_said() {
    let mut app = real(NAME, (100, 30));
    // A built-in scenario is copied before editing.
    assert!(press(&mut app, Key::Ctrl('e')).is_empty());
    assert!(screen(&app).contains("adaptive-torus-8x8.ron_"), "{}", screen(&app));
    match &press(&mut app, Key::Enter)[..] {
        [Effect::Edit(path, Some(copy))] => {
            assert_eq!(path, "adaptive-torus-8x8.ron");
            assert_eq!(*copy, app.update.scenario.text);
        }
        other => panic!("{other:?}"),
    }
    let text = app.update.scenario.text.replace("[8, 8]", "[8, 0]");
    app.reload_text("mine.ron", &text);
    assert!(app.effects().is_empty());
    let shown = screen(&app);
    assert!(shown.contains("mine.ron cannot be run") && shown.contains("not 0"), "{shown}");
    assert_eq!(app.update.scenario.name, NAME);
    match &press(&mut app, Key::Ctrl('e'))[..] {
        [Effect::Edit(path, None)] => assert_eq!(path, "mine.ron"),
        other => panic!("{other:?}"),
    }
    let text = app.update.scenario.text.replace("[8, 8]", "[8, 6]");
    app.reload_text("mine.ron", &text);
    match &app.effects()[..] {
        [Effect::Send(Command::Load(scenario))] => {
            assert_eq!(
                (scenario.name.as_str(), scenario.system.network.routers()),
                ("mine.ron", 48)
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(app.dialog.is_none());
    // A scenario from a file is edited in place; without a change the run continues.
    let scenario = fake::scenario(fake::TORUS, &[4, 4], 4);
    app.receive(fake::update(&scenario, 3));
    match &press(&mut app, Key::Ctrl('e'))[..] {
        [Effect::Edit(path, None)] => assert_eq!(path, "scenarios/hotspot.ron"),
        other => panic!("{other:?}"),
    }
    // A scenario's name in a session does not refer to a file.
    let named = Scenario { file: None, name: "Cargo.toml".into(), ..(*scenario).clone() };
    app.receive(fake::update(&Arc::new(named), 3));
    assert!(press(&mut app, Key::Ctrl('e')).is_empty(), "a copy is asked for");
    press(&mut app, Key::Esc);
    app.receive(fake::update(&scenario, 3));
    app.reload_text("scenarios/hotspot.ron", &scenario.text);
    assert!(app.effects().is_empty());
    assert!(app.note.as_deref().unwrap().contains("the run goes on"));
}

#[test]
fn problems_of_a_file_scroll() {
    let mut app = real(NAME, (60, 16));
    let text = "Scenario(network: Torus(radix: [1, 0, 1]), rooting: 3, traffic: 4, seed: -1)";
    app.reload_text("mine.ron", text);
    let first = screen(&app);
    assert!(first.contains("j k scroll") || first.contains("Esc closes"), "{first}");
    press(&mut app, Key::Char('j'));
    assert_ne!(screen(&app), first);
    press(&mut app, Key::Char('k'));
    assert_eq!(screen(&app), first);
    press(&mut app, Key::Esc);
    assert!(app.dialog.is_none());
}

#[test]
fn the_palette_as_it_is_drawn() {
    for (size, theme) in [((80, 24), DARK_THEME), ((120, 40), MONO)] {
        let mut app = real(NAME, size);
        app.theme = theme;
        press(&mut app, Key::Char(':'));
        // A text with few matches, independent of other commands.
        type_in(&mut app, "zoom-");
        insta::assert_snapshot!(format!("palette_{}x{}", size.0, size.1), screen(&app));
    }
}

#[test]
fn every_kind_of_argument_is_offered_or_free() {
    let mut app = real(NAME, (120, 40));
    let free = [What::Place, What::Fail, What::Cycles, What::CyclesBack, What::Window];
    for command in COMMANDS.iter().filter(|command| !command.arguments.is_empty()) {
        press(&mut app, Key::Char(':'));
        type_in(&mut app, &format!("{} ", command.name));
        assert_eq!(line(&app).matches.is_empty(), free.contains(&command.what), "{command:?}");
        press(&mut app, Key::Esc);
    }
}
