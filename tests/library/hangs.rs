//! The deadlocks of `scenarios/hangs`: every hang is refuted, and its run deadlocks. Its mended twin is
//! proven free of deadlock, and goes on under the same traffic.

use flitscope::guide::TOPICS;
use flitscope::routing::dependency::Verdict;
use flitscope::scenario::{Scenario, builtin, parse, render};
use flitscope::session::Session;
use flitscope::stats::WarmUp;
use flitscope::units::Cycle;

const MENDED: &str = "-mended";
const CYCLES: Cycle = Cycle(10_000);
/// The hang whose escape channels have no cycle: the theorem does not cover its buffers.
const WITHOUT_CYCLE: &str = "hangs/shared-escape-buffers";

fn open(name: &str) -> Scenario {
    let text = builtin::find(name).unwrap_or_else(|| panic!("there is no {name}")).text;
    parse(name, text, &[]).unwrap_or_else(|problems| panic!("{}", render(&problems)))
}

/// All hangs, each with its mended twin.
fn pairs() -> Vec<[Scenario; 2]> {
    let hangs = builtin::ALL.iter().map(|it| it.name).filter(|name| name.starts_with("hangs/"));
    let (mended, broken): (Vec<&str>, Vec<&str>) = hangs.partition(|name| name.ends_with(MENDED));
    assert_eq!(mended.len(), broken.len());
    broken.iter().map(|name| [open(name), open(&format!("{name}{MENDED}"))]).collect()
}

fn run(scenario: &Scenario) -> Session {
    let mut session = Session::new(scenario.clone().into(), scenario.seed, 0, WarmUp::Cycles(0));
    session.advance(CYCLES);
    session
}

/// The cycle near which a run stops, as the description states it.
fn stated(description: &str) -> f64 {
    let words: Vec<&str> = description.split_whitespace().collect();
    let place = words.windows(2).position(|pair| pair == ["near", "cycle"]).unwrap();
    words[place + 2].trim_end_matches('.').parse().unwrap()
}

/// The verdict about a scenario: of its routes, or of the first change of routes after a failure that is not
/// proven.
fn verdict(scenario: &Scenario) -> Verdict {
    let changes = scenario.system.proven_after_failures(usize::MAX).into_iter();
    let of_changes = changes.flat_map(|it| [it.alone, it.transition]);
    let all =
        of_changes.map(|proof| proof.unwrap().verdict).chain([scenario.system.proof().verdict]);
    let verdicts: Vec<Verdict> = all.collect();
    let unproven = verdicts.iter().find(|it| !matches!(it, Verdict::Free { .. }));
    unproven.unwrap_or(&verdicts[0]).clone()
}

#[test]
fn hangs_are_refuted_and_deadlock_near_the_stated_cycle() {
    for [hang, _] in pairs() {
        let name = &hang.name;
        match verdict(&hang) {
            Verdict::Cyclic { .. } => assert_ne!(name, WITHOUT_CYCLE),
            Verdict::SharedBuffers => assert_eq!(name, WITHOUT_CYCLE),
            other => panic!("{name}: {other:?}"),
        }
        let session = run(&hang);
        let deadlock = session.deadlock().unwrap_or_else(|| panic!("{name} goes on"));
        let (closed, stated) = (deadlock.sets[0].closed, stated(&hang.description));
        assert!((closed.0 as f64 / stated - 1.0).abs() < 0.05, "{name}: {closed:?}");
    }
}

#[test]
fn mended_twins_are_proven_and_go_on() {
    for [_, mended] in pairs() {
        let (name, verdict) = (&mended.name, verdict(&mended));
        assert!(matches!(verdict, Verdict::Free { .. }), "{name}: {verdict:?}");
        let session = run(&mended);
        assert_eq!((session.deadlock(), session.now()), (None, CYCLES), "{name}");
        // The least busy of them delivers some 2,000 messages.
        let delivered = session.counters().delivered;
        assert!(delivered > 1_500, "{name}: {delivered}");
    }
}

#[test]
fn twins_have_the_network_and_the_traffic_of_their_hangs() {
    let guide = TOPICS.iter().find(|topic| topic.name == "networks").unwrap();
    let pairs = pairs();
    assert!(pairs.len() >= 12);
    for [hang, mended] in pairs {
        let name = &hang.name;
        assert!(hang.system.network == mended.system.network, "{name}");
        let traffic = |it: &Scenario| it.text.split_once("traffic:").unwrap().1.to_owned();
        assert_eq!(traffic(&hang), traffic(&mended), "{name}");
        assert!(hang.description.contains("\nSource: "), "{name}");
        assert!(mended.description.contains(&format!("`{name}`")), "{name}");
        assert!(guide.text.contains(&format!("\n| `{name}` | ")), "{name}");
    }
}
