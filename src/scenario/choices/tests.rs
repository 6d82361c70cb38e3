//! Tests of `scenario::choices`.

use super::*;
use crate::scenario::{builtin, fields, parse};

fn values(path: &str) -> Vec<String> {
    choices(path).into_iter().map(|choice| choice.value).collect()
}

#[test]
fn a_field_is_offered_what_its_kind_may_be() {
    let routings = values("routing");
    for one in ["MinimalAdaptive(escape: None)", "DimensionOrder(classes: Dateline)", "OddEven"] {
        assert!(routings.iter().any(|it| it == one), "{one} in {routings:?}");
    }
    // A file is a name that nobody can guess.
    assert!(!routings.iter().any(|it| it.contains("File(")), "{routings:?}");
    assert!(values("routing.escape").contains(&"Destination".to_owned()));
    assert!(values("traffic.destinations").contains(&"Uniform".to_owned()));
    assert!(
        values("network").contains(&"Mesh(radix: [8, 8])".to_owned()),
        "{:?}",
        values("network")
    );
    assert_eq!(values("switching.virtual_channels")[..3], ["1", "2", "4"]);
    for none in ["", "title", "traffic", "routing.nonsense", "nonsense"] {
        assert_eq!(values(none), Vec::<String>::new(), "{none}");
    }
}

#[test]
fn what_is_offered_can_be_read() {
    let text = builtin::find("torus-8x8").unwrap().text;
    let scenario = parse("torus-8x8", text, &[]).unwrap();
    let right = |path: &str| {
        let all = values(path);
        let right = all.iter().filter(|value| scenario.with_field(path, value).is_ok()).count();
        (right, all.len())
    };
    for path in ["network", "routing", "traffic.destinations", "traffic.lengths"] {
        let (right, all) = right(path);
        assert!(right > 0, "{path}: none of {all}");
    }
    let all: usize = fields(&scenario).iter().map(|path| right(path).0).sum();
    assert!(all > 40, "{all}");
}
