//! Tests of messages in pipelined routers: stages in a history, in the router pane and in sentences.

use super::{Bench, named};
use crate::engine::{Change, HeadStage, Wait, WaitKind};
use crate::live::Command;
use crate::scenario::{builtin, parse};
use crate::tui::action::Key;
use crate::tui::stages;
use crate::units::Rate;

/// A screen of pipelined routers with waiting worms.
fn pipelined(size: (u16, u16)) -> Bench {
    let name = "pipelined-mesh-8x8";
    let scenario = parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
    let mut bench = Bench::new(scenario.into(), size, false);
    bench.tell(Command::Change(Change::Rate(Rate(0.06))));
    bench.tell(Command::Step(400));
    bench
}

#[test]
fn a_history_accounts_for_the_waits_of_a_head_in_every_stage() {
    let mut bench = pipelined((120, 40));
    let name = bench.blocked();
    bench.find(&named(&bench, name));
    bench.press(Key::Char('i'));
    for _ in 0..200 {
        bench.press(Key::Char('.'));
    }
    let trace = bench.app.shown().traced().unwrap().trace.clone();
    let waits = trace.delivery.expect("200 cycles suffice").head_waits.unwrap();
    let pipeline = bench.app.update.scenario.system.wormhole().unwrap().pipeline.stages().unwrap();
    let crossed = trace.hops.iter().filter(|hop| hop.stage_cycles[HeadStage::Switch as usize] > 0);
    let waited: u64 = crossed.map(|hop| stages::waited(pipeline, &hop.stage_cycles)).sum();
    assert_eq!(waited, u64::from(waits.vc + waits.crossbar + waits.credit), "{trace:?}");
    for pair in trace.hops.windows(2).filter(|pair| pair[0].waited(pair[0].arrived) > 0) {
        let in_stages: u64 = pair[0].stage_cycles.iter().sum();
        assert!(in_stages <= pair[1].arrived - pair[0].arrived, "{trace:?}");
    }
    let picture = bench.picture();
    assert!(picture.contains("RC 1, VA ") && picture.contains("ST 1, link 1"), "{picture}");
}

#[test]
fn the_router_pane_lists_the_stages_and_the_worm_served_by_the_crossbar() {
    let mut bench = pipelined((200, 60));
    for (kind, said) in [
        (WaitKind::Output, "the crossbar"),
        (WaitKind::Input, "its input serves"),
        (WaitKind::Credit, "for a credit of VC"),
    ] {
        let wait = (0..4_000).find_map(|_| {
            bench.tell(Command::Step(1));
            let waits = &bench.app.update.snapshot.waits;
            let served = |it: &&Wait| kind == WaitKind::Credit || it.holder.is_some();
            waits.iter().filter(served).find(|it| it.kind == kind).copied()
        });
        let wait = wait.unwrap_or_else(|| panic!("no head waits: {kind:?}"));
        let worms = &bench.app.update.snapshot.worms;
        let worm = *worms.iter().find(|it| it.id == wait.worm).unwrap();
        assert_eq!(worm.stage, Some(HeadStage::Switch));
        bench.find(&named(&bench, worm.name()));
        bench.press(Key::Enter);
        let picture = bench.picture();
        for text in ["RC 1", "VA 1", "SA 1", "ST 1", "link", said] {
            assert!(picture.contains(text), "{text}\n{picture}");
        }
    }
}
