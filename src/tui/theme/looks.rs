//! Named looks: schemes for colour deficiencies, user themes, and the list to choose from.

use super::{Kind, Ramp, Theme};

/// Colours as `0xRRGGBB` by names of [`super::custom::NAMES`].
pub type Inks = &'static [(&'static str, u32)];

/// A named look. Unspecified colours are taken from `like`, then from the default theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub name: &'static str,
    /// A description of the purpose.
    pub title: &'static str,
    /// The required background; `None` for the terminal's own.
    pub ground: Option<Kind>,
    /// The look to derive from.
    pub like: Option<&'static Self>,
    /// The colours of heat.
    pub ramp: Option<Ramp>,
    /// Colours for dark and for light backgrounds.
    pub inks: [Inks; 2],
}

/// The colours that a scheme defines.
const SCHEMED: [&str; 13] = [
    "focus", "measured", "theory", "warning", "alarm", "cursor", "hue-1", "hue-2", "hue-3",
    "hue-4", "hue-5", "hue-6", "hue-7",
];

/// The colours of a scheme, in the order of [`SCHEMED`].
const fn inks(hexes: [u32; SCHEMED.len()]) -> [(&'static str, u32); SCHEMED.len()] {
    let mut all = [("", 0); SCHEMED.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = (SCHEMED[at], hexes[at]);
        at += 1;
    }
    all
}

/// The schemes. Under the deficiency of a scheme (simulated with the matrices of Machado, Oliveira
/// and Fernandes 2009), its hues and adjacent roles have the minimum distance required by a test.
pub static SCHEMES: [Look; 2] = [
    Look {
        name: "deuteranopia",
        title: "Blue and orange, for eyes that confuse red and green (protanopia too)",
        ground: None,
        like: None,
        ramp: Some(Ramp::Cividis),
        inks: [
            &inks([
                0x88_bb_ff, 0x44_99_ff, 0xff_aa_22, 0xff_aa_22, 0xff_44_11, 0xff_ff_99, 0x66_bb_ff,
                0xff_99_33, 0x11_99_99, 0xd8_e8_f8, 0xee_ee_44, 0xaa_77_00, 0x55_77_ff,
            ]),
            &inks([
                0x22_55_aa, 0x00_55_cc, 0xaa_55_00, 0xbb_66_00, 0x88_22_00, 0x22_22_66, 0x44_88_ff,
                0xff_44_00, 0x11_33_99, 0x55_99_88, 0x44_44_11, 0x55_66_99, 0x11_11_ff,
            ]),
        ],
    },
    Look {
        name: "tritanopia",
        title: "Red and teal, for eyes that confuse blue and green, yellow and violet",
        ground: None,
        like: None,
        ramp: None,
        inks: [
            &inks([
                0x99_dd_ee, 0x33_cc_bb, 0xff_88_99, 0xff_99_aa, 0xff_22_55, 0xff_ff_ff, 0x33_cc_bb,
                0xff_55_44, 0x11_99_22, 0xff_99_cc, 0xee_dd_aa, 0xaa_66_88, 0x99_bb_44,
            ]),
            &inks([
                0x00_55_77, 0x00_77_88, 0xcc_22_44, 0xcc_44_66, 0x99_00_22, 0x11_33_55, 0x00_99_cc,
                0xbb_22_00, 0x99_88_11, 0xee_22_ee, 0x11_44_44, 0x88_11_aa, 0x55_22_ff,
            ]),
        ],
    },
];

impl Look {
    /// The colour of a role on a light or dark background, if defined here or in `like`.
    pub(super) fn ink(&self, name: &str, light: bool) -> Option<u32> {
        let own = self.inks[usize::from(light)].iter().find(|(known, _)| *known == name);
        own.map(|&(_, hex)| hex).or_else(|| self.like?.ink(name, light))
    }

    /// The colours of heat, if defined here or in `like`.
    fn heat(&self) -> Option<Ramp> {
        self.ramp.or_else(|| self.like?.heat())
    }
}

/// The looks to choose from.
#[derive(Clone, Debug)]
pub struct Looks {
    /// User themes.
    pub own: Vec<&'static Look>,
    /// The background of the terminal.
    pub ground: Kind,
    /// The colours of heat, if chosen by the user.
    pub ramp: Option<Ramp>,
}

impl Looks {
    /// The looks included in the program, for a terminal of the given theme.
    pub fn of(theme: Theme) -> Self {
        let ground = if theme.kind == Kind::Mono { Kind::Dark } else { theme.kind };
        Self { own: Vec::new(), ground, ramp: None }
    }

    /// All looks applied to a theme: plain backgrounds, schemes, user themes.
    pub fn all(&self, theme: Theme) -> Vec<(&'static str, Theme)> {
        let plain = [Kind::Dark, Kind::Light, Kind::Mono]
            .map(|kind| self.with(None, Theme { kind, ..theme }));
        let looks = SCHEMES.iter().chain(self.own.iter().copied());
        let named = looks.map(|look| {
            let kind = look.ground.unwrap_or(self.ground);
            self.with(Some(look), Theme { kind, ..theme })
        });
        plain.into_iter().chain(named).map(|theme| (theme.name(), theme)).collect()
    }

    /// The look after a theme, cyclically.
    pub fn after(&self, theme: Theme) -> Theme {
        let all = self.all(theme);
        let here = all.iter().position(|&(name, _)| name == theme.name()).unwrap_or(0);
        all[(here + 1) % all.len()].1
    }

    /// Applies a look to a theme.
    pub fn with(&self, look: Option<&'static Look>, theme: Theme) -> Theme {
        let ramp = self.ramp.or(look.and_then(Look::heat)).unwrap_or_default();
        Theme { ramp, look, ..theme }
    }
}
