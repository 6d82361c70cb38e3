//! Looks with names: the schemes for eyes that see fewer hues, themes of a person's own, and what a
//! person can change to.

use super::{Kind, Ramp, Theme};

/// Colours as `0xRRGGBB` by their names in [`super::own::NAMES`].
pub type Inks = &'static [(&'static str, u32)];

/// A look with a name. What it does not say is as in `like`, and then as in the usual theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub name: &'static str,
    /// For whom or what it is.
    pub title: &'static str,
    /// The background that it is for; `None`: that of the terminal.
    pub ground: Option<Kind>,
    /// The look from which it is made.
    pub like: Option<&'static Self>,
    /// The colours of heat.
    pub ramp: Option<Ramp>,
    /// Its colours for dark backgrounds and for light ones.
    pub inks: [Inks; 2],
}

/// The schemes. Under the deficiency that a scheme is for (by the matrices of Machado, Oliveira and
/// Fernandes 2009) its hues, and roles that stand beside each other, are as far apart as a test demands.
pub static SCHEMES: [Look; 2] = [
    Look {
        name: "deuteranopia",
        title: "Blue and orange, for eyes that confuse red and green (protanopia too)",
        ground: None,
        like: None,
        ramp: Some(Ramp::Cividis),
        inks: [
            &[
                ("focus", 0x88_bb_ff),
                ("measured", 0x44_99_ff),
                ("theory", 0xff_aa_22),
                ("warning", 0xff_aa_22),
                ("alarm", 0xff_44_11),
                ("cursor", 0xff_ff_99),
                ("hue-1", 0x66_bb_ff),
                ("hue-2", 0xff_99_33),
                ("hue-3", 0x11_99_99),
                ("hue-4", 0xd8_e8_f8),
                ("hue-5", 0xee_ee_44),
                ("hue-6", 0xaa_77_00),
                ("hue-7", 0x55_77_ff),
            ],
            &[
                ("focus", 0x22_55_aa),
                ("measured", 0x00_55_cc),
                ("theory", 0xaa_55_00),
                ("warning", 0xbb_66_00),
                ("alarm", 0x88_22_00),
                ("cursor", 0x22_22_66),
                ("hue-1", 0x44_88_ff),
                ("hue-2", 0xff_44_00),
                ("hue-3", 0x11_33_99),
                ("hue-4", 0x55_99_88),
                ("hue-5", 0x44_44_11),
                ("hue-6", 0x55_66_99),
                ("hue-7", 0x11_11_ff),
            ],
        ],
    },
    Look {
        name: "tritanopia",
        title: "Red and teal, for eyes that confuse blue and green, yellow and violet",
        ground: None,
        like: None,
        ramp: None,
        inks: [
            &[
                ("focus", 0x99_dd_ee),
                ("measured", 0x33_cc_bb),
                ("theory", 0xff_88_99),
                ("warning", 0xff_99_aa),
                ("alarm", 0xff_22_55),
                ("cursor", 0xff_ff_ff),
                ("hue-1", 0x33_cc_bb),
                ("hue-2", 0xff_55_44),
                ("hue-3", 0x11_99_22),
                ("hue-4", 0xff_99_cc),
                ("hue-5", 0xee_dd_aa),
                ("hue-6", 0xaa_66_88),
                ("hue-7", 0x99_bb_44),
            ],
            &[
                ("focus", 0x00_55_77),
                ("measured", 0x00_77_88),
                ("theory", 0xcc_22_44),
                ("warning", 0xcc_44_66),
                ("alarm", 0x99_00_22),
                ("cursor", 0x11_33_55),
                ("hue-1", 0x00_99_cc),
                ("hue-2", 0xbb_22_00),
                ("hue-3", 0x99_88_11),
                ("hue-4", 0xee_22_ee),
                ("hue-5", 0x11_44_44),
                ("hue-6", 0x88_11_aa),
                ("hue-7", 0x55_22_ff),
            ],
        ],
    },
];

impl Look {
    /// Its colour of this name for a light background or a dark one, if it has one of its own.
    pub(super) fn ink(&self, name: &str, light: bool) -> Option<u32> {
        let own = self.inks[usize::from(light)].iter().find(|(known, _)| *known == name);
        own.map(|&(_, hex)| hex).or_else(|| self.like?.ink(name, light))
    }

    /// Its colours of heat, if it says any.
    fn heat(&self) -> Option<Ramp> {
        self.ramp.or_else(|| self.like?.heat())
    }
}

/// The looks that a person can change to.
#[derive(Clone, Debug)]
pub struct Looks {
    /// Themes of a person's own.
    pub own: Vec<&'static Look>,
    /// The background of the terminal.
    pub ground: Kind,
    /// The colours of heat, where a person chose some.
    pub ramp: Option<Ramp>,
}

impl Looks {
    /// Those that come with the program, at a terminal that shows this theme.
    pub fn of(theme: Theme) -> Self {
        let ground = if theme.kind == Kind::Mono { Kind::Dark } else { theme.kind };
        Self { own: Vec::new(), ground, ramp: None }
    }

    /// All of them, as they change a theme: by background, the schemes, a person's own.
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

    /// The one after a theme, and after the last the first.
    pub fn after(&self, theme: Theme) -> Theme {
        let all = self.all(theme);
        let here = all.iter().position(|&(name, _)| name == theme.name()).unwrap_or(0);
        all[(here + 1) % all.len()].1
    }

    /// A theme in this look, on its background.
    pub fn with(&self, look: Option<&'static Look>, theme: Theme) -> Theme {
        let ramp = self.ramp.or(look.and_then(Look::heat)).unwrap_or_default();
        Theme { ramp, look, ..theme }
    }
}
