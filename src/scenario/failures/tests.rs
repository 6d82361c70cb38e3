//! Tests of the fields of failures.

use crate::ids::RouterId;
use crate::scenario::{Override, Scenario, parse};
use crate::system::failures::{Failure, Flits, OnFailure, Part, RandomFailures};

/// A scenario with these further fields.
fn with(fields: &str) -> Result<Scenario, Vec<crate::scenario::Problem>> {
    let text = format!(
        "Scenario(network: Mesh(radix: [3, 3]), routing: UpDown(), traffic: (arrivals: Poisson(rate: 0.01), \
         destinations: Uniform, lengths: Fixed(4)), {fields})"
    );
    parse("test", &text, &[])
}

#[test]
fn given_and_random_failures_are_read() {
    let text = "failures: [(cycle: 500, link: (0, 1), lasts: 70), (cycle: 9, router: \"(1,1)\"), \
                (rate: 1e-5, seed: 3)], on_failure: (flits: Stall, reroute_after: 20)";
    let scenario = with(text).unwrap_or_else(|problems| panic!("{problems:?}"));
    let plan = scenario.system.plan();
    let failure = |cycle, part, lasts| Failure { cycle, part, lasts };
    assert_eq!(
        plan.failures.given,
        [
            failure(500, Part::Link(RouterId(0), RouterId(1)), Some(70)),
            failure(9, Part::Router(RouterId(4)), None)
        ]
    );
    let random = RandomFailures { rate: 1e-5, seed: 3, lasts: None };
    assert_eq!(plan.failures.random, Some(random));
    assert_eq!(
        plan.consequences(),
        OnFailure { flits: Flits::Stall, reroute_after: 20, ..OnFailure::default() }
    );
    let cycles: Vec<(u64, usize, bool)> =
        plan.events.iter().map(|it| (it.cycle, it.links.len(), it.fails)).collect();
    assert_eq!(cycles, [(9, 8, true), (500, 2, true), (570, 2, false)]);
    assert_eq!(plan.cables.len(), 12);
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (fields, what, help) in [
        ("failures: [(cycle: 5, link: (0, 8))]", "no link joins (0,0) and (2,2)", "lead to"),
        ("failures: [(cycle: 5, link: (0, 9))]", "0 to 8", ""),
        ("failures: [(cycle: 5)]", "`link` or `router`", "link: (0, 1)"),
        ("failures: [(link: (0, 1))]", "`cycle`", "cycle: 5000"),
        ("failures: [(cycle: 5, router: \"x\")]", "names no router", ""),
        ("failures: [(cycle: 5, link: (0, 1), router: 3)]", "not of both", "an entry for each"),
        ("failures: [(rate: 1e-5, cycle: 5)]", "makes these random", "remove"),
        ("failures: [(cycle: 5, link: (0, 1), seed: 5)]", "have a `rate`", "remove"),
        ("failures: [(cycle: 5, link: (0, 1, 2))]", "joins two routers", "by its number or name"),
        ("failures: [Link(cycle: 5)]", "fields in parentheses, not a name", "it may have `cycle`"),
        ("failures: [(cycle: 5, link: (0, 1)), (cycle: 5, link: (1, 0))]", "twice", "remove"),
        ("on_failure: Stall", "fields in parentheses, not a name", "it may have `flits`"),
        ("failures: [(rate: 2.0)]", "the rate of failures", ""),
        ("failures: [(rate: 1e-5), (rate: 1e-6)]", "only one entry", ""),
        ("failures: [(cycle: 5, lnk: (0, 1))]", "`lnk`", "link"),
        ("on_failure: (flits: Loose)", "Loose", "Lose"),
    ] {
        let problems = with(fields).map(|_| ()).unwrap_err();
        let first = &problems[0];
        assert!(first.what.contains(what), "{fields}: {}", first.what);
        let helped = first.help.as_deref().unwrap_or_default().contains(help);
        assert!(helped && first.place.is_some(), "{fields}: {first:?}");
    }
}

#[test]
fn consequences_are_set_without_a_field_in_the_file() {
    let text = "Scenario(network: Mesh(radix: [3, 3]), routing: UpDown(), traffic: (arrivals: \
                Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(4)))";
    let set = |path: &str, value: &str| Override {
        path: path.into(),
        value: value.into(),
        label: format!("--set {path}={value}"),
    };
    let stall = set("on_failure.flits", "Stall");
    let scenario = parse("test", text, std::slice::from_ref(&stall)).unwrap();
    let consequences = OnFailure { flits: Flits::Stall, ..OnFailure::default() };
    assert_eq!(scenario.system.plan().consequences(), consequences);
    let again = parse("again", &scenario.text_with([]), &[]).unwrap();
    assert_eq!(again.system.plan().consequences(), consequences);
    let problems = parse("test", text, &[set("on_failure.flit", "Stall")]).map(|_| ()).unwrap_err();
    assert!(problems[0].help.as_deref().is_some_and(|it| it.contains("flits")), "{problems:?}");
}

#[test]
fn hosts_are_no_routers() {
    let text = "Scenario(network: Switches(links: [(0, 1), (1, 2), (2, 0)], hosts: 2), routing: UpDown(), \
                switching: Wormhole(terminals: Channels, ejection: PerWorm), \
                traffic: (arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(4)), \
                failures: [(cycle: 5, link: (\"s0\", \"h3\"))])";
    let problems = parse("test", text, &[]).map(|_| ()).unwrap_err();
    assert_eq!(problems[0].what, "h3 is a host of the router s1");
    assert_eq!(problems[0].help.as_deref(), Some("write `\"s1\"`"));
}
