//! Tests of themes without colour, of idle levels, and of the environment's effect.

use super::*;

#[test]
fn mono_uses_no_colour() {
    let mono =
        Theme { kind: Kind::Mono, depth: Depth::True, ramp: Ramp::Viridis, look: None, own: None };
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
        let theme = Theme { kind, depth: Depth::True, ramp: Ramp::Viridis, look: None, own: None };
        assert_eq!(theme.heat(0), Color::Reset);
        for level in 1..LEVELS - 1 {
            assert_ne!(theme.heat(level), theme.heat(level + 1), "{kind:?} {level}");
        }
        let xterm = Theme { kind, depth: Depth::Xterm, ramp: Ramp::Viridis, look: None, own: None };
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
    let asked = Environment { all_colours: true, ..of("xterm-256color", "", false) };
    assert_eq!(asked.depth(), Depth::True);
    assert_eq!(of("xterm", "truecolor", true).kind(), Kind::Mono);
    assert!(!of("xterm", "", false).ascii());
    assert!(of("linux", "", false).ascii());
    assert!(Environment::default().ascii());
}

#[test]
fn colours_of_ones_own_are_shown_as_the_terminal_can() {
    let own: &'static CustomColours = Box::leak(Box::new(CustomColours(
        [("alarm", 0xff_00_00), ("hue-2", 0x08_08_08), ("bar-ground", 0x5f_87_af)].into(),
    )));
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
    assert_eq!((custom::colour("#0a0B0c"), custom::colour("#0a0b")), (Some(0x0a_0b_0c), None));
    assert_eq!(custom::colour("#+a0b0c"), None);
    // Each role of the theme has a name, and each name is a role.
    assert!(
        custom::NAMES
            .iter()
            .all(|name| name.starts_with("hue-") || include_str!("../theme.rs").contains(name))
    );
}

/// Linear red, green and blue, without the transfer function of the screen.
fn linear(hex: u32) -> [f64; 3] {
    [16, 8, 0].map(|shift| {
        let part = f64::from(hex >> shift & 255) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
}

type Matrix = [[f64; 3]; 3];

fn times(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    matrix.map(|[a, b, c]| a * x + b * y + c * z)
}

/// The distance of two colours for an eye, in hundredths of Oklab units (Ottosson 2020).
fn apart(eye: &Matrix, one: u32, other: u32) -> f64 {
    let seen = |hex| {
        let cones = [
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ];
        let lab = [
            [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
            [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
            [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
        ];
        let light = times(eye, linear(hex)).map(|part| part.clamp(0.0, 1.0));
        times(&lab, times(&cones, light).map(f64::cbrt))
    };
    let (one, other) = (seen(one), seen(other));
    let squares = one.iter().zip(other).map(|(one, other)| (one - other).powi(2));
    100.0 * squares.sum::<f64>().sqrt()
}

const ALL_HUES: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Machado, Oliveira and Fernandes 2009, table 1, full severity: protanopia, deuteranopia,
/// tritanopia.
const FEWER: [Matrix; 3] = [
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

/// The contrast ratio of two colours (WCAG 2.2).
fn contrast(one: u32, other: u32) -> f64 {
    let bright = |hex| times(&[[0.2126, 0.7152, 0.0722]; 3], linear(hex))[0] + 0.05;
    let (one, other) = (bright(one), bright(other));
    (one / other).max(other / one)
}

#[test]
fn the_schemes_keep_apart_what_their_eyes_can_see_apart() {
    for (look, eyes) in looks::SCHEMES.iter().zip([&FEWER[..2], &FEWER[2..]]) {
        for (light, paper) in [(false, 0x12_14_18), (true, 0xff_ff_ff)] {
            let ink = |name: &str| look.ink(name, light).unwrap();
            let mut pairs: Vec<(&str, &str)> = vec![
                ("measured", "theory"),
                ("warning", "alarm"),
                ("warning", "cursor"),
                ("alarm", "cursor"),
                ("focus", "theory"),
            ];
            let hues = custom::HUES;
            pairs.extend((1..7).flat_map(|at| hues[..at].iter().map(move |&it| (it, hues[at]))));
            for (one, other) in pairs {
                for eye in eyes.iter().chain([&ALL_HUES]) {
                    let apart = apart(eye, ink(one), ink(other));
                    assert!(apart > 11.0, "{} {light}: {one} and {other}: {apart}", look.name);
                }
            }
            for &(name, hex) in look.inks[usize::from(light)] {
                assert!(custom::NAMES.contains(&name), "{name}");
                assert!(contrast(hex, paper) > 3.0, "{} {light}: {name}", look.name);
            }
        }
    }
    // The distance reflects the similarity of red and green to such eyes.
    let red_and_green = |eye| apart(eye, 0xd5_5e_00, 0x80_80_00);
    assert!(red_and_green(&ALL_HUES) > 2.0 * red_and_green(&FEWER[0]));
}

#[test]
fn both_ramps_climb_for_every_eye() {
    for ramp in [VIRIDIS, CIVIDIS] {
        for eye in FEWER.iter().chain([&ALL_HUES]) {
            let light =
                |&hex: &u32| times(&[[0.2126, 0.7152, 0.0722]; 3], times(eye, linear(hex)))[0];
            assert!(ramp.windows(2).all(|pair| light(&pair[0]) < light(&pair[1])), "{eye:?}");
        }
    }
}

#[test]
fn looks_take_turns_and_are_made_from_each_other() {
    let own: &'static Look = Box::leak(Box::new(Look {
        name: "night",
        title: "",
        ground: Some(Kind::Dark),
        like: Some(&looks::SCHEMES[0]),
        ramp: None,
        inks: [&[("alarm", 0x12_34_56)]; 2],
    }));
    let light = Theme { kind: Kind::Light, ..Theme::default() };
    let all = looks::Looks { own: vec![own], ..looks::Looks::of(light) };
    let names: Vec<&str> = all.all(light).iter().map(|&(name, _)| name).collect();
    assert_eq!(names, ["dark", "light", "mono", "deuteranopia", "tritanopia", "night"]);
    let mut theme = light;
    let mut seen = Vec::new();
    for _ in &names {
        theme = all.after(theme);
        seen.push((theme.name(), theme.kind, theme.ramp));
    }
    assert_eq!(theme.name(), "light");
    let (dark, viridis, cividis) = (Kind::Dark, Ramp::Viridis, Ramp::Cividis);
    assert_eq!(
        seen,
        [
            ("mono", Kind::Mono, viridis),
            ("deuteranopia", Kind::Light, cividis),
            ("tritanopia", Kind::Light, viridis),
            ("night", dark, cividis),
            ("dark", dark, viridis),
            ("light", Kind::Light, viridis),
        ]
    );
    let night = all.with(Some(own), Theme { kind: dark, ..light });
    assert_eq!(night.alarm().fg, Some(Color::from_u32(0x12_34_56)));
    assert_eq!(night.theory().fg, Some(Color::from_u32(0xff_aa_22)), "as in the scheme");
    assert_eq!(night.title(), Theme::default().title(), "as usual");
    // The user's choice takes precedence.
    let chosen = looks::Looks { ramp: Some(viridis), ..all };
    assert_eq!(chosen.with(Some(own), night).ramp, viridis);
}

#[test]
fn links_are_made_where_the_terminal_is_known_for_them() {
    for (term, program, vte, known) in [
        ("xterm-kitty", "", "", true),
        ("foot", "", "", true),
        ("xterm-256color", "WezTerm", "", true),
        ("xterm-256color", "", "7600", true),
        ("xterm-256color", "", "4205", false),
        ("xterm-256color", "Apple_Terminal", "", false),
        ("xterm-direct", "", "", false),
        ("tmux-256color", "WezTerm", "7600", false),
        ("screen.xterm-kitty", "", "", false),
        ("dumb", "", "7600", false),
        ("", "", "", false),
    ] {
        let (term, program, vte) = (term.to_owned(), program.to_owned(), vte.to_owned());
        let environment = Environment { term, program, vte, ..Environment::default() };
        assert_eq!(environment.knows_links(), known, "{environment:?}");
    }
}

#[test]
fn low_heat_is_near_the_background_of_a_light_terminal() {
    let theme =
        Theme { kind: Kind::Light, depth: Depth::True, ramp: Ramp::Viridis, look: None, own: None };
    let away = |colour: Color| match colour {
        Color::Rgb(red, green, blue) => {
            3 * 255 - [red, green, blue].map(u32::from).iter().sum::<u32>()
        }
        other => panic!("{other:?}"),
    };
    assert!(away(theme.block(1)) < away(theme.heat(1)) / 2);
    assert_eq!(theme.block(LEVELS - 1), theme.heat(LEVELS - 1));
    assert!((1..LEVELS - 1).all(|level| away(theme.block(level)) < away(theme.block(level + 1))));
    let dark = Theme { kind: Kind::Dark, ..theme };
    assert!((0..LEVELS).all(|level| dark.block(level) == dark.heat(level)));
}
