//! Tests of session files.

use super::*;
use crate::engine::Change;
use crate::ids::ChannelId;
use crate::scenario::{builtin, is_session};
use crate::session::Intervention;
use crate::units::Rate;

fn scenario(overrides: &[Override]) -> Arc<Scenario> {
    let text = builtin::find("papers/adaptive-torus-8x8").unwrap().text;
    Arc::new(scenario::parse("papers/adaptive-torus-8x8", text, overrides).unwrap())
}

fn saved(overrides: &[Override]) -> Saved {
    let rate = |cycle, rate| Intervention { cycle: Cycle(cycle), change: Change::Rate(Rate(rate)) };
    Saved {
        scenario: scenario(overrides),
        seed: 77,
        warm_up: WarmUp::Cycles(500),
        journal: vec![rate(0, 0.012_345_678_901_234_5), rate(900, 1.0 / 96.0), rate(900, 3e-7)],
        bookmarks: vec![Cycle(5), Cycle(1_000)],
        cycle: Cycle(1_234),
        live: Cycle(20_000),
        fingerprint: Some(0x00ab_cdef_0123_4567),
    }
}

#[test]
fn what_is_written_is_read_again_and_written_the_same() {
    let rate = Override {
        path: "traffic.arrivals.rate".into(),
        value: "0.004".into(),
        label: "--rate 0.004".into(),
    };
    for overrides in [vec![], vec![rate]] {
        let saved = saved(&overrides);
        let text = saved.text();
        assert!(is_session(&text));
        let read = parse("a.ron", &text).unwrap();
        assert_eq!(read.journal, saved.journal);
        assert_eq!(read.bookmarks, saved.bookmarks);
        assert_eq!((read.cycle, read.live), (saved.cycle, saved.live));
        assert_eq!((read.seed, read.warm_up), (saved.seed, saved.warm_up));
        assert_eq!(read.fingerprint, saved.fingerprint);
        assert_eq!(read.scenario.name, saved.scenario.name);
        assert_eq!(read.scenario.title, saved.scenario.title);
        assert_eq!(read.scenario.description, saved.scenario.description);
        assert_eq!(read.scenario.system.traffic.rate, saved.scenario.system.traffic.rate);
        assert_eq!(read.text(), text);
        // The scenario in a session file can also be extracted and read alone.
        let alone = scenario::parse("b.ron", &read.scenario.text, &overrides).unwrap();
        assert_eq!(alone.description, saved.scenario.description);
    }
}

/// The file of a session of circuits states the unit of its times.
#[test]
fn the_ticks_of_circuits_are_named() {
    let text = builtin::find("papers/circuit-hold-8-slow").unwrap().text;
    let circuits = Arc::new(scenario::parse("a", text, &[]).unwrap());
    let text = Saved { scenario: circuits, journal: Vec::new(), ..saved(&[]) }.text();
    assert!(text.contains("\n// Times of this session are in ticks: "), "{text}");
    assert_eq!(parse("a.ron", &text).unwrap().text(), text);
    assert!(!saved(&[]).text().contains("ticks"));
}

#[test]
fn mistakes_are_told_with_their_places_all_at_once() {
    let text = "Session(\n  scenario: Scenario(\n    netwrk: 1,\n  ),\n  seed: -1,\n  \
                journal: [\n    Rate(cycle: 50, rate: 0),\n    Rte(cycle: 7, rate: 0.1),\n  ],\n  \
                bookmarks: [900],\n  cycle: 200,\n  live: 100,\n  fingerprint: \"xyz\",\n  \
                overrides: [7],\n  warm_up: Sometimes,\n)\n";
    assert!(is_session(text));
    let problems = parse("s.ron", text).unwrap_err();
    let lines: Vec<usize> =
        problems.iter().map(|problem| problem.place.as_ref().unwrap().line).collect();
    for line in [3, 5, 7, 8, 10, 11, 13, 14, 15] {
        assert!(lines.contains(&line), "line {line}: {lines:?}");
    }
    let all = scenario::render(&problems);
    for words in ["netwrk", "above 0", "did you mean `Rate`?", "is after", "16 hexadecimal"] {
        assert!(all.contains(words), "{words}: {all}");
    }
}

#[test]
fn rates_that_no_source_can_emit_and_disorder_are_found() {
    let mut saved = saved(&[]);
    saved.journal.push(Intervention { cycle: Cycle(20), change: Change::Rate(Rate(0.5)) });
    let problems = parse("s.ron", &saved.text()).unwrap_err();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].what.contains("in order") && problems[1].what.contains("not 0.5"));
}

#[test]
fn a_journal_of_rates_is_written_as_it_always_was() {
    let text = saved(&[]).text();
    let journal = "    journal: [\n        Rate(cycle: 0, rate: 0.0123456789012345),\n        \
                   Rate(cycle: 900, rate: 0.010416666666666666),\n        \
                   Rate(cycle: 900, rate: 3e-7),\n    ],\n";
    assert!(text.contains(journal), "{text}");
}

#[test]
fn links_that_are_closed_and_opened_are_written_with_their_ends_and_read_again() {
    let mut saved = saved(&[]);
    let at = |cycle, change| Intervention { cycle: Cycle(cycle), change };
    let (first, last) = (ChannelId(0), ChannelId::new(saved.scenario.system.network.links() - 1));
    saved.journal.extend([
        at(950, Change::LinkDown(last)),
        at(950, Change::LinkDown(first)),
        at(1_000, Change::LinkUp(last)),
        at(1_100, Change::LinkDown(last)),
    ]);
    let text = saved.text();
    let name = saved.scenario.system.network.channel_name(first);
    assert!(text.contains(&format!("LinkDown(cycle: 950, link: 0), // {name}\n")), "{text}");
    let read = parse("a.ron", &text).unwrap();
    assert_eq!(read.journal, saved.journal);
    assert_eq!(read.text(), text);
}

#[test]
fn links_that_are_not_there_or_are_closed_twice_are_found() {
    let saved = Saved { journal: Vec::new(), ..saved(&[]) };
    let journal = "journal: [\n\
                   LinkDown(cycle: 5, link: 3),\n\
                   LinkDown(cycle: 7, link: 3),\n\
                   LinkUp(cycle: 6, link: 3),\n\
                   LinkUp(cycle: 8, link: 4),\n\
                   LinkDown(cycle: 8, link: 999999),\n\
                   LinkUp(cycle: 99999, link: 999999),\n\
                   LinkDown(cycle: 99999, link: -1),\n\
                   LinkDwn(cycle: 99999, link: 1),\n\
                   LinkDown(cycle: 99999),\n    ]";
    let text = saved.text().replace("journal: [\n    ]", journal);
    let first = text.lines().position(|line| line.contains("cycle: 5, link: 3")).unwrap() + 1;
    let problems = parse("s.ron", &text).unwrap_err();
    for (line, words) in [
        (1, "already closed, since cycle 5"),
        (2, "the journal must be in order"),
        (3, "link 4 is not closed"),
        (4, "no link 999999"),
        (5, "no link 999999"),
        (5, "the cycle must be 0 to 20000"),
        (6, "the link"),
        (7, "did you mean `LinkDown`?"),
        (8, "`link`"),
    ] {
        let told = problems.iter().any(|problem| {
            let line = problem.place.as_ref().unwrap().line == first + line;
            line && problem.to_string().contains(words)
        });
        assert!(told, "line {line}, {words}: {}", scenario::render(&problems));
    }
}

#[test]
fn circuits_may_be_asked_for_at_any_rate() {
    let mut saved = saved(&[]);
    let name = "papers/circuit-hold-8-slow";
    let text = builtin::find(name).unwrap().text;
    saved.scenario = Arc::new(scenario::parse(name, text, &[]).unwrap());
    saved.journal = vec![Intervention { cycle: Cycle(9), change: Change::Rate(Rate(0.3)) }];
    assert_eq!(parse("s.ron", &saved.text()).unwrap().journal, saved.journal);
}

#[test]
fn a_session_is_told_from_a_scenario_even_where_it_is_broken() {
    assert!(is_session("// x\n\nSession(cycle: ["));
    assert!(!is_session("Scenario(title: \"Session(\")"));
    assert!(!is_session("Sessions()"));
    let problems = parse("s.ron", "Session(cycle: [").unwrap_err();
    assert!(problems[0].place.is_some());
    let problem = &scenario::parse("s.ron", "Session()", &[]).unwrap_err()[0];
    assert!(problem.what.contains("saved session"), "{problem}");
}
