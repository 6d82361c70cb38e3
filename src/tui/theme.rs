//! Colours and weights: dark, light and mono themes for any number of colours.
//!
//! Level 0 of every ramp is the terminal's own background, never black. Ramps and hues have evenly
//! increasing lightness under all common colour deficiencies, and no meaning is conveyed by colour
//! alone.

pub mod custom;
mod environment;
pub mod looks;

use ratatui::style::{Color, Modifier, Style};
use strum::IntoStaticStr;

use crate::engine::letters::LETTERS;
use crate::ids::Letter;
use custom::CustomColours;
pub use environment::Environment;
use looks::Look;

/// A colour in 24 bits, in xterm's 256 colours and in the 16 ANSI colours. In pairs, the first is
/// for dark and the second for light backgrounds.
type Ink = (u32, u8, Color);

/// Number of levels of a heat ramp, including 0 (idle).
pub const LEVELS: u8 = 16;

/// The kind of look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    #[default]
    Dark,
    Light,
    Mono,
}

/// The number of colours of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Depth {
    #[default]
    True,
    Xterm,
    Sixteen,
}

/// The colours of heat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Ramp {
    /// Violet to green to yellow.
    #[default]
    Viridis,
    /// Blue to grey to yellow, the most even ramp under colour deficiencies.
    Cividis,
}

impl Ramp {
    pub const ALL: [Self; 2] = [Self::Viridis, Self::Cividis];

    /// The display name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

const VIRIDIS: [u32; 16] = [
    0x44_01_54, 0x48_1a_6c, 0x47_2f_7d, 0x41_44_87, 0x39_56_8c, 0x31_68_8e, 0x2a_78_8e, 0x23_88_8e,
    0x1f_98_8b, 0x22_a8_84, 0x35_b7_79, 0x54_c5_68, 0x7a_d1_51, 0xa5_db_36, 0xd2_e2_1b, 0xfd_e7_25,
];
const CIVIDIS: [u32; 16] = [
    0x00_22_4e, 0x00_2e_6c, 0x1e_3a_6f, 0x35_45_6c, 0x47_51_6c, 0x57_5d_6d, 0x66_69_70, 0x75_75_75,
    0x84_82_79, 0x94_8e_77, 0xa5_9c_74, 0xb7_a9_6e, 0xc8_b8_66, 0xdb_c7_5a, 0xee_d6_49, 0xfe_e8_38,
];
const INFERNO_XTERM: [u8; 10] = [16, 17, 53, 89, 125, 167, 208, 214, 221, 229];
/// Blue, grey and yellow in steps of increasing lightness under all colour deficiencies.
const CIVIDIS_XTERM: [u8; 10] = [16, 17, 18, 60, 242, 102, 144, 186, 221, 229];
/// Okabe and Ito's hues without black, and the nearest xterm colours; yellow and sky blue are
/// darkened to be legible on light backgrounds.
const HUES: [[Ink; 2]; 7] = [
    [(0x56_b4_e9, 74, Color::LightCyan), (0x00_72_b2, 25, Color::Blue)],
    [(0xe6_9f_00, 214, Color::Yellow), (0xb3_6b_00, 130, Color::Yellow)],
    [(0x00_9e_73, 36, Color::Cyan), (0x00_7a_58, 29, Color::Cyan)],
    [(0xcc_79_a7, 175, Color::LightMagenta), (0xa8_4a_80, 132, Color::Magenta)],
    [(0xf0_e4_42, 227, Color::LightYellow), (0x80_78_00, 100, Color::DarkGray)],
    [(0xd5_5e_00, 166, Color::Magenta), (0xb8_4a_00, 166, Color::LightMagenta)],
    [(0x00_72_b2, 32, Color::LightBlue), (0x2a_6f_a8, 31, Color::LightBlue)],
];
/// Above the prediction, smallest step first: oranges of increasing brightness, decreasing on light
/// backgrounds.
const ABOVE: [[Ink; 2]; 5] = [
    [(0x80_5a_33, 94, Color::Yellow), (0xd0_96_4e, 179, Color::Yellow)],
    [(0xa0_6a_2c, 130, Color::Yellow), (0xc4_7e_2a, 172, Color::Yellow)],
    [(0xc4_7e_24, 172, Color::Yellow), (0xac_66_00, 130, Color::Yellow)],
    [(0xe8_96_1e, 208, Color::LightYellow), (0x8a_4e_00, 94, Color::Magenta)],
    [(0xff_be_55, 215, Color::LightYellow), (0x66_38_00, 58, Color::Magenta)],
];
/// Below the prediction: blues.
const BELOW: [[Ink; 2]; 5] = [
    [(0x38_5a_80, 24, Color::Blue), (0x74_a8_d4, 110, Color::LightBlue)],
    [(0x3a_6c_a4, 25, Color::Blue), (0x50_8e_c4, 68, Color::LightBlue)],
    [(0x3f_86_c8, 32, Color::LightBlue), (0x2c_74_b2, 32, Color::Blue)],
    [(0x50_a6_ee, 39, Color::LightBlue), (0x10_56_90, 25, Color::Blue)],
    [(0x92_cc_ff, 117, Color::LightCyan), (0x00_3a_68, 17, Color::Blue)],
];

const DIM: [Ink; 2] = [(0x8a_8f_98, 245, Color::DarkGray), (0x69_6e_76, 242, Color::DarkGray)];
/// Text and background of header and bottom line; unused with 16 colours.
const BAR: [Ink; 2] = [(0xd8_dc_e4, 252, Color::Reset), (0x20_24_2c, 235, Color::Reset)];
const BAR_GROUND: [Ink; 2] = [(0x26_2b_36, 236, Color::Reset), (0xe2_e6_ec, 254, Color::Reset)];

/// A look for a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Theme {
    pub kind: Kind,
    pub depth: Depth,
    pub ramp: Ramp,
    pub look: Option<&'static Look>,
    /// The user's own colours in any theme.
    pub own: Option<&'static CustomColours>,
}

impl Theme {
    /// The display name.
    pub fn name(self) -> &'static str {
        self.look.map_or(self.kind.into(), |look| look.name)
    }

    /// The style of a named role: the user's colour, the look's colour, or a default for dark or
    /// light backgrounds, converted to the terminal's depth; plain in mono.
    fn named(self, name: &str, inks: [Ink; 2]) -> Style {
        let own = self.own.and_then(|own| own.0.get(name)).copied();
        let light = self.kind == Kind::Light;
        let hex = own.or_else(|| self.look?.ink(name, light)).filter(|_| self.kind != Kind::Mono);
        match hex.and_then(|hex| custom::shown(hex, self.depth)) {
            Some(colour) => Style::new().fg(colour),
            None => self.pick(inks),
        }
    }

    /// The colour for the theme's background at the terminal's depth; plain in mono.
    fn pick(self, [dark, light]: [Ink; 2]) -> Style {
        let (hex, xterm, ansi) = match self.kind {
            Kind::Mono => return Style::new(),
            Kind::Dark => dark,
            Kind::Light => light,
        };
        Style::new().fg(match self.depth {
            Depth::True => Color::from_u32(hex),
            Depth::Xterm => Color::Indexed(xterm),
            Depth::Sixteen => ansi,
        })
    }

    /// True if colours can show heat; otherwise glyphs alone must do so.
    pub fn has_ramp(self) -> bool {
        self.kind != Kind::Mono && self.depth != Depth::Sixteen
    }

    /// The colour of a heat level; the terminal's own at level 0 and without a ramp.
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
            Color::from_u32(colours[usize::from(level.min(LEVELS - 1))])
        } else {
            let at = usize::from(level) * (indexed.len() - 1) / usize::from(LEVELS - 1);
            Color::Indexed(indexed[at.max(1)])
        }
    }

    /// The colour of a block at a heat level: as [`Self::heat`], with low levels near the background of
    /// light terminals.
    pub fn block(self, level: u8) -> Color {
        match (self.heat(level), self.kind) {
            (Color::Rgb(red, green, blue), Kind::Light) => {
                let share = 0.4 + 0.6 * f32::from(level) / f32::from(LEVELS - 1);
                let mix = |part: u8| (255.0 - share.min(1.0) * f32::from(255 - part)) as u8;
                Color::Rgb(mix(red), mix(green), mix(blue))
            }
            (colour, Kind::Dark | Kind::Light | Kind::Mono) => colour,
        }
    }

    /// The style of a line at a heat level: as [`Self::heat`], with a visible idle end.
    pub fn heat_line(self, level: u8) -> Style {
        if level == 0 || !self.has_ramp() {
            return if level == 0 { self.dim() } else { Style::new() };
        }
        let floor = if self.kind == Kind::Light { 5 } else { 4 };
        let level = floor + level * (LEVELS - 1 - floor) / (LEVELS - 1);
        Style::new().fg(self.heat(level))
    }

    /// The style of a step of difference, from -5 (less) to 5 (more); step 0 is drawn like a frame.
    pub fn difference(self, step: i8) -> Style {
        let Some(at) = usize::from(step.unsigned_abs()).checked_sub(1) else {
            return self.frame();
        };
        let inks = if step > 0 { ABOVE } else { BELOW };
        self.pick(inks[at.min(inks.len() - 1)])
    }

    /// The hue of a worm or class.
    pub fn hue(self, index: usize) -> Style {
        self.named(custom::HUES[index % HUES.len()], HUES[index % HUES.len()])
    }

    /// The style of a worm or its label: bold for labels of one letter.
    pub fn worm(self, letter: Letter) -> Style {
        let style = self.hue(letter.index());
        if letter.0 < LETTERS { style.add_modifier(Modifier::BOLD) } else { style }
    }

    /// Ordinary text.
    pub fn text(self) -> Style {
        Style::new()
    }

    /// Important figures.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Secondary text.
    pub fn dim(self) -> Style {
        let mono = self.kind == Kind::Mono;
        if mono { Style::new().add_modifier(Modifier::DIM) } else { self.named("dim", DIM) }
    }

    /// Header and bottom line.
    pub fn bar(self) -> Style {
        if self.kind == Kind::Mono || self.depth == Depth::Sixteen {
            return Style::new().add_modifier(Modifier::REVERSED);
        }
        let ground = self.named("bar-ground", BAR_GROUND);
        Style { bg: ground.fg, ..self.named("bar", BAR) }
    }

    /// The style of a deadlock for lines: with colours, without reversal of the characters.
    pub fn alarm_line(self) -> Style {
        let alarm = self.alarm();
        if self.kind == Kind::Mono { alarm } else { alarm.remove_modifier(Modifier::REVERSED) }
    }
}

/// Declares a method for each row: documentation, name, colours for dark and light backgrounds, and
/// modifiers.
macro_rules! styles {
    ($($(#[$doc:meta])+ $name:ident: $dark:expr, $light:expr $(, $added:expr)?;)+) => {
        impl Theme {
            $($(#[$doc])+ pub fn $name(self) -> Style {
                self.named(stringify!($name), [$dark, $light])$(.add_modifier($added))?
            })+
        }
    };
}

styles! {
    /// Frames.
    frame: (0x55_5b_66, 240, Color::DarkGray), (0xa0_a5_ad, 248, Color::Gray);
    /// The frame and title that have the focus.
    focus: (0x7c_c4_ff, 117, Color::LightCyan), (0x00_5f_a8, 25, Color::Blue), Modifier::BOLD;
    /// Titles.
    title: (0xc8_cc_d4, 252, Color::Gray), (0x3a_3f_47, 238, Color::Black);
    /// Measured values.
    measured: (0x56_b6_c2, 73, Color::Cyan), (0x00_7a_86, 30, Color::Cyan);
    /// Values of theory.
    theory: (0xf5_b0_41, 215, Color::Yellow), (0xb3_59_00, 130, Color::Magenta), Modifier::BOLD;
    /// Warnings.
    warning: (0xf5_b0_41, 215, Color::Yellow), (0xa8_58_00, 130, Color::Magenta), Modifier::BOLD;
    /// Deadlocks and mistakes.
    alarm: (0xff_70_43, 209, Color::LightMagenta), (0xc0_30_00, 160, Color::Magenta),
        Modifier::BOLD | Modifier::REVERSED;
    /// The cursor.
    cursor: (0xff_e0_66, 227, Color::LightYellow), (0x90_50_00, 94, Color::Blue),
        Modifier::BOLD | Modifier::REVERSED;
}

#[cfg(test)]
mod tests;
