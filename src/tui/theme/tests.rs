//! Themes without colour, idle ends, and what the environment decides.

use super::*;

#[test]
fn mono_uses_no_colour() {
    let mono = Theme { kind: Kind::Mono, depth: Depth::True, ramp: Ramp::Viridis, own: None };
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
        let theme = Theme { kind, depth: Depth::True, ramp: Ramp::Viridis, own: None };
        assert_eq!(theme.heat(0), Color::Reset);
        for level in 1..LEVELS - 1 {
            assert_ne!(theme.heat(level), theme.heat(level + 1), "{kind:?} {level}");
        }
        let xterm = Theme { kind, depth: Depth::Xterm, ramp: Ramp::Viridis, own: None };
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
    for term in ["xterm-kitty", "alacritty", "xterm-ghostty", "foot", "wezterm", "xterm-direct"] {
        assert_eq!(of(term, "", false).depth(), Depth::True, "{term}: as over ssh");
    }
    for (program, depth) in [("vscode", Depth::True), ("Apple_Terminal", Depth::Xterm)] {
        let told = Environment { program: program.into(), ..of("xterm-256color", "", false) };
        assert_eq!(told.depth(), depth, "{program}");
    }
    assert_eq!(of("vt220", "", false).depth(), Depth::Sixteen);
    assert_eq!(of("xterm", "truecolor", true).kind(), Kind::Mono);
    assert!(!of("xterm", "", false).ascii());
    assert!(of("linux", "", false).ascii());
    assert!(Environment::default().ascii());
}

#[test]
fn colours_of_ones_own_are_shown_as_the_terminal_can() {
    let own: &'static Own = Box::leak(Box::new(Own([
        ("alarm", 0xff_00_00),
        ("hue-2", 0x08_08_08),
        ("bar-ground", 0x5f_87_af),
    ]
    .into())));
    let theme = Theme { own: Some(own), ..Theme::default() };
    assert_eq!(theme.alarm().fg, Some(Color::Rgb(255, 0, 0)));
    assert_eq!(theme.alarm().add_modifier, Theme::default().alarm().add_modifier);
    assert_eq!(theme.hue(8).fg, Some(Color::Rgb(8, 8, 8)));
    assert_eq!((theme.hue(0), theme.title()), (Theme::default().hue(0), Theme::default().title()));
    let xterm = Theme { depth: Depth::Xterm, ..theme };
    let colours = [xterm.alarm().fg, xterm.hue(1).fg, xterm.bar().bg];
    assert_eq!(colours, [196, 232, 67].map(|number| Some(Color::Indexed(number))));
    for plain in [Depth::Sixteen, Depth::True] {
        let kind = if plain == Depth::True { Kind::Mono } else { Kind::Dark };
        let without = Theme { kind, depth: plain, ..Theme::default() };
        assert_eq!(Theme { own: Some(own), ..without }.alarm(), without.alarm());
    }
    assert_eq!((own::colour("#0a0B0c"), own::colour("#0a0b")), (Some(0x0a_0b_0c), None));
    assert_eq!(own::colour("#+a0b0c"), None);
    // Each role that a theme has is named, and each name is a role.
    assert!(
        own::NAMES
            .iter()
            .all(|name| name.starts_with("hue-") || include_str!("../theme.rs").contains(name))
    );
}
