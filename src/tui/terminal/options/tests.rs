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
        Theme { kind: Kind::Dark, depth: Depth::True, ramp: Ramp::Viridis, look: None, own: None }
    );
    asked.theme = Some(Kind::Light);
    assert_eq!(asked.theme_in(&environment).kind, Kind::Light);
    asked.theme = Some(Kind::Mono);
    assert_eq!(asked.theme_in(&environment).kind, Kind::Mono);
}

#[test]
fn a_scheme_is_for_either_background_and_asks_which() {
    let environment = Environment { term: "xterm-256color".into(), ..Environment::default() };
    let scheme = &crate::tui::theme::looks::SCHEMES[0];
    let mut asked = Options { look: Some(scheme), ..options() };
    assert!(asked.asks_the_terminal(&environment) && asked.asks_about_colours(&environment));
    let light = Environment { light: Some(true), all_colours: true, ..environment.clone() };
    let theme = asked.theme_in(&light);
    assert_eq!((theme.kind, theme.depth, theme.name()), (Kind::Light, Depth::True, scheme.name));
    assert_eq!(theme.ramp, Ramp::Cividis);
    asked.ramp = Some(Ramp::Viridis);
    assert_eq!(asked.theme_in(&light).ramp, Ramp::Viridis);
    asked.color = Some(Depth::Xterm);
    assert!(!asked.asks_about_colours(&environment), "256 were asked for");
    for (term, program) in
        [("screen-256color", ""), ("xterm-256color", "Apple_Terminal"), ("xterm-kitty", "")]
    {
        let environment =
            Environment { term: term.into(), program: program.into(), ..environment.clone() };
        assert!(!options().asks_about_colours(&environment), "{term} {program}");
    }
}
