//! Differences from a plan on the screen: lines, legend, sentences about routers, the first message.

use std::sync::Arc;

use super::*;
use crate::ids::RouterId;
use crate::network_files::comparison::{Comparison, Inventory};
use crate::network_files::read;
use crate::tui::grid::legend_words;
use crate::tui::panes::inspector;
use crate::tui::{Options as ScreenOptions, Planned};

const PLAN: &str = "from,to\nleaf-1,spine-1\nleaf-1,spine-2\nleaf-2,spine-1\nleaf-2,spine-2\n\
                    host,n1,leaf-1\nhost,n2,leaf-2\n";

/// The screen of a fabric with its differences from the plan.
fn compared(fabric: &str) -> App {
    let [plan, fabric] = [PLAN, fabric].map(|text| read("a.csv", text.as_bytes()).unwrap());
    let scenario = fake::graph(fabric.graph().network());
    let [plan, fabric] = [&plan, &fabric].map(Inventory::of_draft);
    let comparison = Comparison::of(&plan, &fabric).unwrap();
    let mut app = fake::app(fake::update(&scenario, 0), DARK_THEME, false, (120, 40));
    let planned = Planned::new(Arc::clone(&scenario), "plan.csv", &fabric, &comparison);
    app.planned = Some(planned);
    app
}

#[test]
fn differences_are_drawn_and_listed_at_their_routers() {
    let plain = compared(PLAN);
    let app = compared(&PLAN.replace("leaf-2,spine-2", "leaf-2,leaf-1"));
    let planned = app.planned.as_ref().unwrap();
    assert_eq!(planned.summary, "1 difference from plan.csv: 1 miswired cable");
    assert_eq!(plain.planned.as_ref().unwrap().summary, "as planned in plan.csv");
    for (app, marks) in [(&plain, 0), (&app, 2)] {
        let words = legend_words(&app.shown()).map(|words| {
            let is_mark = |it: &&String| it.ends_with(" missing") || it.ends_with(" unplanned");
            words.iter().filter(is_mark).count()
        });
        assert_eq!(words, [marks, marks]);
    }
    let told = "miswired cable: leaf-2 is joined to leaf-1 in place of spine-2";
    let network = app.network();
    for router in 0..4 {
        let concerned = network.router_name(RouterId(router)) != "spine-1";
        let lines = inspector::items(&app.shown(), RouterId(router), 200);
        let listed = lines.iter().filter(|item| item.to_string() == told).count();
        assert_eq!(listed, usize::from(concerned));
    }
    let warning = app.theme.warning().fg;
    let coloured = |app: &App| {
        let buffer = fake::buffer(app);
        let inner = app.arrangement().inside(Pane::Grid).unwrap();
        inner.positions().filter(|&at| Some(buffer[at].fg) == warning).count()
    };
    let [plain, marked] = [&plain, &app].map(coloured);
    assert!(marked > plain + 10, "{plain}, {marked}");
    // Another scenario has no plan.
    let other = fake::graph(read("a.csv", PLAN.as_bytes()).unwrap().graph().network());
    assert!(!planned.is_of(&other));
}

#[test]
fn the_differences_are_the_first_message() {
    let app = compared(&PLAN.replace("leaf-2,spine-2", "leaf-2,leaf-1"));
    let planned = app.planned;
    let first = app_of(ScreenOptions { planned, ..ScreenOptions::default() });
    assert_eq!(note(&first), "1 difference from plan.csv: 1 miswired cable");
}

fn app_of(options: ScreenOptions) -> App {
    let scenario = fake::scenario(TORUS, &[4, 4], 2);
    let environment = crate::tui::theme::Environment::default();
    options.app(fake::update(&scenario, 0), &environment, (120, 40))
}
