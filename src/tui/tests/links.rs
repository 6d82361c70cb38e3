//! Tests of the table of links: keys, order, columns, and the chosen link in the inspector.

use std::sync::Arc;

use super::{DARK_THEME, MONO, screen};
use crate::ids::ChannelId;
use crate::live::Update;
use crate::model::ChannelForecast;
use crate::tui::action::{Key, Move, Panes, Pointer};
use crate::tui::app::App;
use crate::tui::fake::{self, TORUS, press};
use crate::tui::rows::Order;
use crate::tui::view::Pane;

/// A torus with measured links, without predictions of waits.
fn looked_at(size: (u16, u16), ascii: bool) -> App {
    let scenario = fake::scenario(TORUS, &[8, 8], 4);
    let mut update = fake::update(&scenario, 14);
    measure(&mut update);
    fake::app(update, if ascii { MONO } else { DARK_THEME }, ascii, size)
}

/// Channel c has c waiting heads in 1,000 samples, and varying shares of time held and full.
fn measure(update: &mut Update) {
    let channels = update.usage.shares.len() as u64;
    let census = Arc::make_mut(&mut Arc::make_mut(&mut update.usage).census);
    (census.samples, census.period, census.virtual_channels) = (1_000, 1_024, 4);
    census.waiting = (0..channels).collect();
    let vcs = census.virtual_channels as u64;
    let part = |sum: u64, vc: u64| sum / vcs + u64::from(vc % vcs < sum % vcs);
    census.held = (0..channels * vcs).map(|vc| part(4 * (vc / vcs % 100), vc)).collect();
    census.full = (0..channels * vcs).map(|vc| part(vc / vcs * 7 % 400, vc)).collect();
}

/// Adds a model with equal forecasts for all links: 0.002 messages per cycle, each waiting 50
/// cycles.
fn forecast(update: &mut Update) {
    let mut theory = update.theory.as_deref().unwrap().clone();
    let forecast = |channel| ChannelForecast {
        channel: ChannelId::new(channel),
        rank: 3,
        inputs: 5,
        flow: 0.002,
        service: crate::model::queue::moments::Moments::NONE,
        wait_mean: 50.0,
        contention_mean: 38.0,
        buffering_mean: 12.0,
        full: Some(0.25),
        held_mean: Some(100.0),
    };
    theory.channels = Some(Arc::new((0..update.usage.shares.len()).map(forecast).collect()));
    update.theory = Some(Arc::new(theory));
}

#[test]
fn its_keys_open_sort_choose_and_close_it() {
    let mut app = looked_at((200, 60), false);
    assert!(app.arrangement().pane(Pane::Links).is_none());
    press(&mut app, Key::Char('T'));
    assert_eq!(app.panes.focus, Pane::Links);
    assert!(app.arrangement().pane(Pane::Links).is_some());
    assert_eq!((app.links.order, app.links.chosen), (Order::Use, None));
    let mut orders = Vec::new();
    for _ in Order::ALL {
        press(&mut app, Key::Char('a'));
        orders.push(app.links.order);
        let rows = app.shown().link_rows();
        let keys: Vec<f64> = rows
            .iter()
            .map(|(channel, figures)| match app.links.order {
                Order::Use => figures.flow.measured.unwrap(),
                Order::Held => figures.held.measured.unwrap(),
                Order::Heads => figures.heads.measured.unwrap(),
                Order::Wait => figures.wait.measured.unwrap(),
                Order::Full => figures.full.measured.unwrap(),
                Order::Difference => figures.difference().unwrap().abs(),
                Order::Name => -f64::from(channel.0),
            })
            .collect();
        assert!(keys.is_sorted_by(|a, b| a >= b), "{:?} {keys:?}", app.links.order);
    }
    assert_eq!(orders.len(), Order::ALL.len());
    assert!(Order::ALL.iter().all(|order| orders.contains(order)));
    // Backwards from use, the next order is name.
    press(&mut app, Key::Char('h'));
    assert_eq!(app.links.order, Order::Name);
    press(&mut app, Key::Char('j'));
    press(&mut app, Key::Char('j'));
    press(&mut app, Key::PageDown);
    assert_eq!(app.links.chosen, Some(ChannelId(10)));
    let network = app.update.scenario.system.network.clone();
    assert_eq!(app.cursor_router(), Some(network.channel(ChannelId(10)).to));
    press(&mut app, Key::Char('k'));
    assert_eq!(app.shown().chosen_link(), Some(ChannelId(9)));
    // The choice follows the link when the order changes.
    press(&mut app, Key::Char('l'));
    assert_eq!((app.links.order, app.shown().chosen_link()), (Order::Use, Some(ChannelId(9))));
    press(&mut app, Key::Esc);
    assert_eq!(
        (app.panes.focus, app.panes.table, app.shown().chosen_link()),
        (Pane::Grid, None, None)
    );
    press(&mut app, Key::Char('a'));
    assert!(app.panes.table == Some(Pane::Links) && app.links.order == Order::Use);
    press(&mut app, Key::Char('T'));
    assert_eq!((app.panes.table, app.panes.focus), (Some(Pane::Messages), Pane::Messages));
    press(&mut app, Key::Char('T'));
    assert_eq!((app.panes.table, app.panes.focus), (None, Pane::Grid));
}

#[test]
fn a_click_chooses_the_row_under_the_pointer() {
    let mut app = looked_at((200, 60), false);
    app.update(Panes::Tables);
    app.links.order = Order::Name;
    let inner = app.arrangement().inside(Pane::Links).unwrap();
    app.update(Pointer::Click(inner.x + 5, inner.y + 2 + 3));
    assert_eq!(app.links.chosen, Some(ChannelId(3)));
    app.update(Pointer::Click(inner.x + 5, inner.bottom() - 1));
    assert_eq!(app.links.chosen, Some(ChannelId(3)), "below the rows");
}

#[test]
fn what_the_model_does_not_say_is_said() {
    let mut app = looked_at((200, 60), false);
    app.update(Panes::Tables);
    let picture = screen(&app);
    assert!(picture.contains("use only, one mean for all links"), "{picture}");
    assert!(picture.contains("the rest by 1,000 samples, one every 1,024"), "{picture}");
    let mut update = app.update.clone();
    Arc::make_mut(&mut Arc::make_mut(&mut update.usage).census).choice = true;
    app.receive(update);
    assert!(app.shown().link_rows().iter().all(|(_, figures)| figures.wait.measured.is_none()));
    let mut update = app.update.clone();
    update.theory = None;
    app.receive(update);
    assert!(screen(&app).contains("model: none for this network"), "{}", screen(&app));
}

#[test]
fn figures_stand_side_by_side_and_the_chosen_link_in_the_inspector() {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60)] {
        for ascii in [false, true] {
            let mut app = looked_at(size, ascii);
            forecast(&mut app.update);
            app.update(Panes::Tables);
            app.links.order = Order::Name;
            app.update(Move::Move(crate::tui::grid::plane::Side::South));
            let picture = screen(&app);
            assert!(!ascii || picture.is_ascii(), "{picture}");
            for words in ["by name", "wait, cycles", "flits/cycle", "all columns"] {
                assert!(picture.contains(words), "{words}\n{picture}");
            }
            // One head in 1,000 samples divided by the message rate: a wait to compare with the
            // model's 50.
            let (channel, figures) = app.shown().link_rows()[1];
            assert_eq!(figures.heads.measured, Some(0.001));
            let per_cycle = f64::from(app.update.usage.shares[1]) / 12.0;
            assert!((figures.wait.measured.unwrap() - 0.001 / per_cycle).abs() < 1e-12);
            assert_eq!((figures.wait.predicted, figures.held.predicted), (Some(50.0), Some(0.2)));
            let name = app.update.scenario.system.network.channel_name(channel);
            let row = picture.lines().find(|line| line.contains(&name) && line.contains(" 50.0"));
            assert!(row.is_some(), "{name}\n{picture}");
            if size.0 < 120 {
                continue;
            }
            assert!(picture.contains(&format!("link {name}")), "{picture}");
            let held = picture.lines().find(|line| line.contains("share held"));
            assert!(held.is_some_and(|line| line.contains("0.001") && line.contains("0.200")));
            if size.0 == 200 {
                assert!(
                    picture.contains("rank 3, 5 inputs: contention 38.0, in buffer 12.0"),
                    "{picture}"
                );
            }
        }
    }
}
