//! Fields set from outside become part of the text.

use super::super::{Override, parse};

const TEXT: &str = "// A ring.\nScenario(network: Torus(radix: [4]), /* ( */ routing: DimensionOrder(classes: None), \
    traffic: (arrivals: Poisson(load: 0.1), destinations: Uniform, lengths: Fixed(4)), // seven\n)";

fn set(path: &str, value: &str) -> Override {
    Override { path: path.into(), value: value.into(), label: format!("--set {path}={value}") }
}

#[test]
fn the_text_with_overrides_gives_the_same_system() {
    for given in [
        vec![],
        vec![set("switching.buffer_flits", "3"), set("switching.virtual_channels", "2")],
        vec![set("routing", "ShortestPath"), set("routing.paths", "Split")],
        vec![set("network", "Mesh(radix: [3, 3])"), set("seed", "7"), set("title", "\"T, (\"")],
        vec![set("traffic.lengths", "Uniform(min: 1, max: 3)"), set("network.radix", "[5, 4]")],
        vec![set("network.links", "Unidirectional"), set("traffic.to_itself", "false")],
    ] {
        let scenario = parse("x.ron", TEXT, &given).unwrap_or_else(|it| panic!("{it:?}"));
        let text = scenario.text_with([]);
        let again = parse("x.ron", &text, &[]).unwrap_or_else(|it| panic!("{text}: {it:?}"));
        assert_eq!(again.system.network.name(), scenario.system.network.name(), "{text}");
        assert_eq!(again.system.switching, scenario.system.switching, "{text}");
        assert_eq!(again.system.traffic, scenario.system.traffic, "{text}");
        let rules = [&again, &scenario].map(|it| it.system.relation.routing().clone());
        assert_eq!(rules[0], rules[1], "{text}");
        assert_eq!((again.seed, again.title), (scenario.seed, scenario.title), "{text}");
    }
}

#[test]
fn the_text_of_a_field_is_that_of_its_value() {
    let scenario = parse("x.ron", TEXT, &[set("traffic.lengths", "Fixed(9)")]).unwrap();
    assert_eq!(scenario.text_of("network").as_deref(), Some("Torus(radix: [4])"));
    assert_eq!(scenario.text_of("network.radix").as_deref(), Some("[4]"));
    assert_eq!(scenario.text_of("traffic.lengths").as_deref(), Some("Fixed(9)"));
    assert_eq!(scenario.text_of("switching"), None);
}
