//! Tests of `options`.

use super::*;

fn options() -> Options {
    Options::new(Shelf::default())
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
        Theme { kind: Kind::Dark, depth: Depth::True, ramp: Ramp::Viridis, own: None }
    );
    asked.theme = Some(Kind::Light);
    assert_eq!(asked.theme_in(&environment).kind, Kind::Light);
    asked.theme = Some(Kind::Mono);
    assert_eq!(asked.theme_in(&environment).kind, Kind::Mono);
}
