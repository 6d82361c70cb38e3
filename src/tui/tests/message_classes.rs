//! Tests of the map and the histogram of one message class.

use std::sync::Arc;

use super::{DARK_THEME, inside, press, screen};
use crate::ids::ChannelId;
use crate::live::{ClockedRun, Command, Options, Update};
use crate::scenario::{Scenario, builtin, parse};
use crate::tui::app::App;
use crate::tui::fake;
use crate::tui::grid::heat::Heat;
use crate::tui::view::{Filter, Pane, View};
use crate::units::Cycle;

fn app(name: &str, cycle: u64) -> App {
    let scenario = parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
    let scenario: Arc<Scenario> = Arc::new(scenario);
    let options = Options { running: false, ..Options::default() };
    let mut run = ClockedRun::new(Arc::clone(&scenario), options);
    let mut app =
        fake::app(Box::new(Update::empty(Arc::clone(&scenario))), DARK_THEME, false, (120, 40));
    run.execute(Command::Seek(Cycle(cycle)));
    let mut update = Box::new(Update::empty(scenario));
    run.draw(&mut update);
    app.receive(update);
    app
}

#[test]
fn one_key_selects_the_classes_in_turn() {
    let mut app = app("request-reply", 1_500);
    let all = screen(&app);
    for (class, name) in [(0, "request"), (1, "reply")] {
        press(&mut app, "V");
        assert_eq!(app.map.filter.message_class, Some(class));
        let text = screen(&app);
        assert!(text.contains(&format!("{name} only")), "{text}");
        // The histogram is that of the class.
        let figures = app.update.summary.by_class[usize::from(class)];
        let latency = inside(&app, Pane::Latency);
        let p95 = format!("p95 {}", figures.latency_p95.unwrap());
        let mean = format!("mean {:.1}", figures.latency_mean.unwrap());
        for part in [name, &p95, &mean] {
            assert!(latency.contains(part), "{part}: {latency}");
        }
        let latencies = &app.update.class_latencies[usize::from(class)];
        assert_eq!(latencies.count, figures.messages);
    }
    press(&mut app, "V");
    assert_eq!(screen(&app), all);
    press(&mut app, "V");
    app.update(app.action_of(crate::tui::action::Key::Esc).unwrap());
    assert_eq!(app.map.filter, Filter::default());
}

#[test]
fn the_map_of_all_classes_is_made_of_those_of_each() {
    let app = app("request-reply-deadlock", 1_000);
    let (snapshot, network) = (&app.update.snapshot, app.network());
    let class = |class| Filter { message_class: Some(class), ..Filter::default() };
    let heat = |filter: Filter, view: View| {
        let mut heat = Heat::default();
        heat.update(&app.update, view, filter, 1.0);
        (0..network.channels().len()).map(|at| heat.channel(at)).collect::<Vec<u8>>()
    };
    for view in [View::Occupancy, View::Classes] {
        let [all, requests, replies] =
            [Filter::default(), class(0), class(1)].map(|filter| heat(filter, view));
        assert_ne!(requests, replies);
        for (channel, &level) in all.iter().enumerate() {
            let (first, second) = (requests[channel], replies[channel]);
            assert_eq!(level == 0, first == 0 && second == 0, "{view:?}");
            // Each is rounded.
            assert!(level.abs_diff(first + second) <= 1, "{view:?}: {level}, {first}, {second}");
        }
    }
    let mut shown = app.shown();
    let mut worms = 0;
    for message_class in [0, 1] {
        shown.map.filter = class(message_class);
        worms += snapshot.worms.iter().filter(|worm| shown.shows(worm)).count();
        for channel in (0..network.channels().len()).map(ChannelId::new) {
            for (vc, view) in (0..).zip(snapshot.vcs_of(channel)) {
                let owner = snapshot.owner(view).map(|(_, worm)| worm.message_class);
                assert_eq!(shown.shows_held(vc, view), owner == Some(message_class));
            }
        }
    }
    assert_eq!(worms, snapshot.worms.len());
}

#[test]
fn without_classes_the_key_says_so() {
    let mut app = app("mesh-8x8", 100);
    press(&mut app, "V");
    assert_eq!(app.map.filter, Filter::default());
    assert!(screen(&app).contains("no classes"), "{}", screen(&app));
}
