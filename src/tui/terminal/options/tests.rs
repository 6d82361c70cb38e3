//! Tests of `options`.

use super::*;
use crate::scenario::Scenario;

fn options() -> Options {
    fn check(_: &str, _: &str) -> Result<Scenario, Vec<crate::scenario::Problem>> {
        Err(Vec::new())
    }
    Options::new(Shelf { builtin: Vec::new(), folders: Vec::new(), check })
}

#[test]
fn what_is_asked_for_beats_the_environment() {
    let environment =
        Environment { no_color: true, term: "xterm-256color".into(), ..Environment::default() };
    let mut asked = options();
    assert_eq!(asked.theme_in(&environment).kind, Kind::Mono);
    asked.color = Some(Depth::True);
    assert_eq!(
        asked.theme_in(&environment),
        Theme { kind: Kind::Dark, depth: Depth::True, ramp: Ramp::Viridis }
    );
    asked.theme = Some(Kind::Light);
    assert_eq!(asked.theme_in(&environment).kind, Kind::Light);
    asked.theme = Some(Kind::Mono);
    assert_eq!(asked.theme_in(&environment).kind, Kind::Mono);
}
