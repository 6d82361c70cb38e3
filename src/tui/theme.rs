//! Colours and weights: dark, light and mono, for terminals of any depth.
//!
//! The background is never painted black: level 0 of every ramp is the terminal's own. Ramps and
//! hues were chosen for an even climb of lightness under all common colour deficiencies, and
//! nothing that they tell is told by them alone.

use ratatui::style::{Color, Modifier, Style};

use crate::engine::letters::LETTERS;
use crate::ids::Letter;

/// The levels of a heat ramp, 0 (idle) included.
pub const LEVELS: u8 = 16;

/// Which look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// For dark terminals.
    #[default]
    Dark,
    /// For light terminals.
    Light,
    /// No colours at all.
    Mono,
}

/// How many colours the terminal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Depth {
    /// 24 bits.
    #[default]
    True,
    /// The 256 of xterm.
    Xterm,
    /// The 16 of old.
    Sixteen,
}

/// The colours of heat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ramp {
    /// From violet over green to yellow.
    #[default]
    Viridis,
    /// From blue over grey to yellow: the most even for people who see fewer hues.
    Cividis,
}

impl Ramp {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Viridis, Self::Cividis];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Cividis => "cividis",
        }
    }
}

const VIRIDIS: [u32; 16] = [
    0x0044_0154,
    0x0048_1a6c,
    0x0047_2f7d,
    0x0041_4487,
    0x0039_568c,
    0x0031_688e,
    0x002a_788e,
    0x0023_888e,
    0x001f_988b,
    0x0022_a884,
    0x0035_b779,
    0x0054_c568,
    0x007a_d151,
    0x00a5_db36,
    0x00d2_e21b,
    0x00fd_e725,
];
const CIVIDIS: [u32; 16] = [
    0x0000_224e,
    0x0000_2e6c,
    0x001e_3a6f,
    0x0035_456c,
    0x0047_516c,
    0x0057_5d6d,
    0x0066_6970,
    0x0075_7575,
    0x0084_8279,
    0x0094_8e77,
    0x00a5_9c74,
    0x00b7_a96e,
    0x00c8_b866,
    0x00db_c75a,
    0x00ee_d649,
    0x00fe_e838,
];
const INFERNO_XTERM: [u8; 10] = [16, 17, 53, 89, 125, 167, 208, 214, 221, 229];
/// Blue, grey and yellow in steps of which every one is lighter than the last for all eyes.
const CIVIDIS_XTERM: [u8; 10] = [16, 17, 18, 60, 242, 102, 144, 186, 221, 229];
/// Okabe and Ito's hues without black, and their nearest of xterm's.
const HUES: [(u32, u8, Color); 7] = [
    (0x0056_b4e9, 74, Color::LightCyan),
    (0x00e6_9f00, 214, Color::Yellow),
    (0x0000_9e73, 36, Color::Cyan),
    (0x00cc_79a7, 175, Color::LightMagenta),
    (0x00f0_e442, 227, Color::LightYellow),
    (0x00d5_5e00, 166, Color::Magenta),
    (0x0000_72b2, 32, Color::LightBlue),
];
/// The same for light backgrounds: yellow and sky are darkened until they can be read.
const HUES_LIGHT: [(u32, u8, Color); 7] = [
    (0x0000_72b2, 25, Color::Blue),
    (0x00b3_6b00, 130, Color::Yellow),
    (0x0000_7a58, 29, Color::Cyan),
    (0x00a8_4a80, 132, Color::Magenta),
    (0x0080_7800, 100, Color::DarkGray),
    (0x00b8_4a00, 166, Color::LightMagenta),
    (0x002a_6fa8, 31, Color::LightBlue),
];

/// More than predicted, the least step first: oranges, brighter with every step.
const ABOVE: [(u32, u8, Color); 5] = [
    (0x0080_5a33, 94, Color::Yellow),
    (0x00a0_6a2c, 130, Color::Yellow),
    (0x00c4_7e24, 172, Color::Yellow),
    (0x00e8_961e, 208, Color::LightYellow),
    (0x00ff_be55, 215, Color::LightYellow),
];
/// Less than predicted: blues.
const BELOW: [(u32, u8, Color); 5] = [
    (0x0038_5a80, 24, Color::Blue),
    (0x003a_6ca4, 25, Color::Blue),
    (0x003f_86c8, 32, Color::LightBlue),
    (0x0050_a6ee, 39, Color::LightBlue),
    (0x0092_ccff, 117, Color::LightCyan),
];
/// The same for light backgrounds, darker with every step.
const ABOVE_LIGHT: [(u32, u8, Color); 5] = [
    (0x00d0_964e, 179, Color::Yellow),
    (0x00c4_7e2a, 172, Color::Yellow),
    (0x00ac_6600, 130, Color::Yellow),
    (0x008a_4e00, 94, Color::Magenta),
    (0x0066_3800, 58, Color::Magenta),
];
const BELOW_LIGHT: [(u32, u8, Color); 5] = [
    (0x0074_a8d4, 110, Color::LightBlue),
    (0x0050_8ec4, 68, Color::LightBlue),
    (0x002c_74b2, 32, Color::Blue),
    (0x0010_5690, 25, Color::Blue),
    (0x0000_3a68, 17, Color::Blue),
];

/// A look for a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Theme {
    /// The look.
    pub kind: Kind,
    /// The terminal's colours.
    pub depth: Depth,
    /// The colours of heat.
    pub ramp: Ramp,
}

/// What the environment says about colours.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `NO_COLOR`, if set and not empty.
    pub no_color: bool,
    /// `COLORTERM`.
    pub colorterm: String,
    /// `TERM`.
    pub term: String,
    /// `COLORFGBG`: foreground and background as numbers, where a terminal tells.
    pub colorfgbg: String,
    /// Whether the terminal has a light background, where it was asked and has answered.
    pub light: Option<bool>,
    /// `LC_ALL`, else `LC_CTYPE`, else `LANG`.
    pub locale: String,
}

impl Environment {
    /// Reads the process's environment.
    pub fn read() -> Self {
        let read = |name| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .map(read)
            .find(|value| !value.is_empty())
            .unwrap_or_default();
        Self {
            no_color: !read("NO_COLOR").is_empty(),
            colorterm: read("COLORTERM"),
            term: read("TERM"),
            colorfgbg: read("COLORFGBG"),
            light: None,
            locale,
        }
    }

    /// The look that suits, for those who did not choose.
    pub fn kind(&self) -> Kind {
        if self.no_color || self.term == "dumb" {
            return Kind::Mono;
        }
        let told = self.colorfgbg.rsplit(';').next().and_then(|back| back.parse::<u8>().ok());
        let light = self.light.or(told.map(|back| matches!(back, 7 | 9..=15)));
        if light == Some(true) { Kind::Light } else { Kind::Dark }
    }

    /// The colours that the terminal says it has.
    pub fn depth(&self) -> Depth {
        if self.colorterm == "truecolor" || self.colorterm == "24bit" {
            Depth::True
        } else if self.term.contains("256color") || self.term.contains("kitty") {
            Depth::Xterm
        } else {
            Depth::Sixteen
        }
    }

    /// Whether only ASCII can be relied on.
    pub fn ascii(&self) -> bool {
        let locale = self.locale.to_ascii_lowercase();
        self.term == "linux" || !(locale.contains("utf-8") || locale.contains("utf8"))
    }
}

fn rgb(hex: u32) -> Color {
    Color::from_u32(hex)
}

impl Theme {
    /// The next look in turn.
    #[must_use]
    pub fn next(self) -> Self {
        let kind = match self.kind {
            Kind::Dark => Kind::Light,
            Kind::Light => Kind::Mono,
            Kind::Mono => Kind::Dark,
        };
        Self { kind, ..self }
    }

    /// The look's name.
    pub fn name(self) -> &'static str {
        match self.kind {
            Kind::Dark => "dark",
            Kind::Light => "light",
            Kind::Mono => "mono",
        }
    }

    /// Picks a colour for this depth, dark or light; plain in mono.
    fn pick(self, dark: (u32, u8, Color), light: (u32, u8, Color)) -> Style {
        let (hex, xterm, ansi) = match self.kind {
            Kind::Mono => return Style::new(),
            Kind::Dark => dark,
            Kind::Light => light,
        };
        Style::new().fg(match self.depth {
            Depth::True => rgb(hex),
            Depth::Xterm => Color::Indexed(xterm),
            Depth::Sixteen => ansi,
        })
    }

    /// Whether heat can be told by a colour as well; otherwise glyphs must do it alone.
    pub fn has_ramp(self) -> bool {
        self.kind != Kind::Mono && self.depth != Depth::Sixteen
    }

    /// The colour of a heat level; the terminal's own at level 0 and where there is no ramp.
    pub fn heat(self, level: u8) -> Color {
        if level == 0 || !self.has_ramp() {
            return Color::Reset;
        }
        let level = level.min(LEVELS - 1);
        let level = if self.kind == Kind::Light { LEVELS - level } else { level };
        let (colours, indexed) = match self.ramp {
            Ramp::Viridis => (VIRIDIS, INFERNO_XTERM),
            Ramp::Cividis => (CIVIDIS, CIVIDIS_XTERM),
        };
        if self.depth == Depth::True {
            rgb(colours[usize::from(level.min(LEVELS - 1))])
        } else {
            let at = usize::from(level) * (indexed.len() - 1) / usize::from(LEVELS - 1);
            Color::Indexed(indexed[at.max(1)])
        }
    }

    /// A line of this heat: as [`Self::heat`], but the idle end stays visible.
    pub fn heat_line(self, level: u8) -> Style {
        if level == 0 || !self.has_ramp() {
            return if level == 0 { self.dim() } else { Style::new() };
        }
        let floor = if self.kind == Kind::Light { 5 } else { 4 };
        let level = floor + level * (LEVELS - 1 - floor) / (LEVELS - 1);
        Style::new().fg(self.heat(level))
    }

    /// A step of the scale of differences, -5 (less) to 5 (more); 0 is the background's.
    pub fn difference(self, step: i8) -> Style {
        let Some(at) = usize::from(step.unsigned_abs()).checked_sub(1) else {
            return self.frame();
        };
        let at = at.min(ABOVE.len() - 1);
        let (dark, light) = if step > 0 { (ABOVE, ABOVE_LIGHT) } else { (BELOW, BELOW_LIGHT) };
        self.pick(dark[at], light[at])
    }

    /// A hue for a worm or a class.
    pub fn hue(self, index: usize) -> Style {
        self.pick(HUES[index % HUES.len()], HUES_LIGHT[index % HUES_LIGHT.len()])
    }

    /// A worm or its name: bold, as long as it has one letter only.
    pub fn worm(self, letter: Letter) -> Style {
        let style = self.hue(letter.index());
        if letter.0 < LETTERS { style.add_modifier(Modifier::BOLD) } else { style }
    }

    /// Ordinary text.
    pub fn text(self) -> Style {
        Style::new()
    }

    /// Text that is there for those who look for it.
    pub fn dim(self) -> Style {
        if self.kind == Kind::Mono {
            return Style::new().add_modifier(Modifier::DIM);
        }
        self.pick((0x008a_8f98, 245, Color::DarkGray), (0x0069_6e76, 242, Color::DarkGray))
    }

    /// Frames.
    pub fn frame(self) -> Style {
        if self.kind == Kind::Mono {
            return Style::new();
        }
        self.pick((0x0055_5b66, 240, Color::DarkGray), (0x00a0_a5ad, 248, Color::Gray))
    }

    /// The frame and title that have the focus.
    pub fn focus(self) -> Style {
        self.pick((0x007c_c4ff, 117, Color::LightCyan), (0x0000_5fa8, 25, Color::Blue))
            .add_modifier(Modifier::BOLD)
    }

    /// Titles.
    pub fn title(self) -> Style {
        self.pick((0x00c8_ccd4, 252, Color::Gray), (0x003a_3f47, 238, Color::Black))
    }

    /// Figures that matter.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Head and foot line.
    pub fn bar(self) -> Style {
        match (self.kind, self.depth) {
            (Kind::Mono, _) | (_, Depth::Sixteen) => Style::new().add_modifier(Modifier::REVERSED),
            (Kind::Dark, Depth::True) => Style::new().fg(rgb(0x00d8_dce4)).bg(rgb(0x0026_2b36)),
            (Kind::Dark, _) => Style::new().fg(Color::Indexed(252)).bg(Color::Indexed(236)),
            (Kind::Light, Depth::True) => Style::new().fg(rgb(0x0020_242c)).bg(rgb(0x00e2_e6ec)),
            (Kind::Light, _) => Style::new().fg(Color::Indexed(235)).bg(Color::Indexed(254)),
        }
    }

    /// What is measured.
    pub fn measured(self) -> Style {
        self.pick((0x0056_b6c2, 73, Color::Cyan), (0x0000_7a86, 30, Color::Cyan))
    }

    /// What theory says.
    pub fn theory(self) -> Style {
        self.pick((0x00f5_b041, 215, Color::Yellow), (0x00b3_5900, 130, Color::Magenta))
            .add_modifier(Modifier::BOLD)
    }

    /// Worth a look.
    pub fn warning(self) -> Style {
        self.pick((0x00f5_b041, 215, Color::Yellow), (0x00a8_5800, 130, Color::Magenta))
            .add_modifier(Modifier::BOLD)
    }

    /// A deadlock, or a mistake.
    pub fn alarm(self) -> Style {
        self.pick((0x00ff_7043, 209, Color::LightMagenta), (0x00c0_3000, 160, Color::Magenta))
            .add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }

    /// The cursor.
    pub fn cursor(self) -> Style {
        self.pick((0x00ff_e066, 227, Color::LightYellow), (0x0090_5000, 94, Color::Blue))
            .add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }
}

#[cfg(test)]
mod tests;
