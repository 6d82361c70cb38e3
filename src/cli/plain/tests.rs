//! Tests of `plain`.

use super::*;
use crate::scenario::{builtin, parse};
use crate::session::verdict::Evidence;
use crate::stats::Steadiness;
use crate::tui::fake::{self, TORUS};

#[test]
fn a_line_says_all_in_words() {
    let update = fake::update(&fake::scenario(TORUS, &[8, 8], 4), 14);
    let said = line(&update, true);
    assert_eq!(said.lines().count(), 1);
    assert!(said.is_ascii(), "{said}");
    for words in [
        "running, cycle 12,345, offered 0.1200, accepted 0.1193, latency 54.8 plus or minus 0.6 of \
         48,211 messages, predicted 53.1, blocked ",
        " of 14 worms, no deadlock\n",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = line(&fake::outside(update), false);
    assert!(said.starts_with("ended,") && said.contains("53.1 outside the model's"), "{said}");
    assert!(said.contains(", warming up"), "{said}");
    let mut update = fake::update(&fake::scenario(TORUS, &[8, 8], 4), 14);
    update.summary.steadiness = Steadiness::Saturated;
    update.summary.accepted = Some(0.0410);
    update.judge(Evidence::default);
    let said = line(&update, true);
    for words in [
        "accepted 0.0410, SATURATED: accepts 34 % of what is offered, latency ",
        "predicted 53.1, wrong here: it says a steady state, the run accepts 0.0410 of 0.1200; the cause is unknown",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = line(&fake::deadlocked(TORUS, &[8, 8]), true);
    assert!(said.starts_with("deadlocked, ") && said.contains("blocked 4 of 4 worms"), "{said}");
    assert!(said.ends_with("deadlock of 4 worms since cycle 12,041, 0 caught behind\n"), "{said}");
}

#[test]
fn failures_and_repairs_have_lines_of_their_own() {
    let text = builtin::find("link-failures").unwrap().text;
    let scenario = Arc::new(parse("link-failures", text, &[]).unwrap());
    let options = live::Options { running: false, ..live::Options::default() };
    let mut run = ClockedRun::new(Arc::clone(&scenario), options);
    let mut update = Update::empty(scenario);
    let mut printed = failures::Printed::default();
    let (mut lines, mut now) = (String::new(), 0);
    while now < 19_000 {
        let until = failures::next(&update, now).min(now + PIECE);
        run.execute(Command::Step(until - now));
        run.draw(&mut update);
        now = update.snapshot.cycle.0;
        lines += &printed.news(&update);
        if [6_001, 12_001, 18_001].contains(&now) {
            lines += &failures::state(&update);
            lines.push('\n');
        }
    }
    insta::assert_snapshot!(lines);
}
