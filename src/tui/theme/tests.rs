//! Themes without colour, idle ends, and what the environment decides.

use super::*;

#[test]
fn mono_uses_no_colour() {
    let mono = Theme { kind: Kind::Mono, depth: Depth::True, ramp: Ramp::Viridis };
    let styles = [
        mono.hue(0),
        mono.dim(),
        mono.frame(),
        mono.focus(),
        mono.title(),
        mono.bar(),
        mono.measured(),
        mono.theory(),
        mono.warning(),
        mono.alarm(),
        mono.cursor(),
        mono.heat_line(9),
        mono.difference(-5),
        mono.difference(2),
    ];
    for style in styles {
        assert!(style.fg.is_none() && style.bg.is_none(), "{style:?}");
    }
    assert!((0..LEVELS).all(|level| mono.heat(level) == Color::Reset));
}

#[test]
fn idle_is_the_terminals_own_background_and_levels_differ() {
    for kind in [Kind::Dark, Kind::Light] {
        let theme = Theme { kind, depth: Depth::True, ramp: Ramp::Viridis };
        assert_eq!(theme.heat(0), Color::Reset);
        for level in 1..LEVELS - 1 {
            assert_ne!(theme.heat(level), theme.heat(level + 1), "{kind:?} {level}");
        }
        let xterm = Theme { kind, depth: Depth::Xterm, ramp: Ramp::Viridis };
        assert!((1..LEVELS).all(|level| xterm.heat(level) != Color::Black));
    }
}

#[test]
fn the_environment_decides() {
    let of = |term: &str, colorterm: &str, no_color| Environment {
        term: term.to_owned(),
        colorterm: colorterm.to_owned(),
        no_color,
        locale: "en_GB.UTF-8".to_owned(),
        ..Environment::default()
    };
    assert_eq!(of("xterm-256color", "truecolor", false).depth(), Depth::True);
    assert_eq!(of("xterm-256color", "", false).depth(), Depth::Xterm);
    assert_eq!(of("vt220", "", false).depth(), Depth::Sixteen);
    assert_eq!(of("xterm", "truecolor", true).kind(), Kind::Mono);
    assert!(!of("xterm", "", false).ascii());
    assert!(of("linux", "", false).ascii());
    assert!(Environment::default().ascii());
}
