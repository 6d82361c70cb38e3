//! The characters of the screen, in Unicode and in plain ASCII.
//!
//! The Unicode set is restricted to characters of common monospace fonts.

use ratatui::symbols::border;

/// Declares [`Glyphs`] with two sets of rows: documentation, name, type, Unicode value, ASCII
/// value.
macro_rules! glyphs {
    ($($(#[$doc:meta])+ $name:ident: $kind:ty = $unicode:expr, $ascii:expr;)+) => {
        /// A set of characters.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Glyphs {
            $($(#[$doc])+ pub $name: $kind,)+
        }

        /// Unicode.
        pub const UNICODE: Glyphs = Glyphs { $($name: $unicode,)+ };
        /// ASCII.
        pub const ASCII: Glyphs = Glyphs { $($name: $ascii,)+ };
    };
}

glyphs! {
    /// True if this is the ASCII set.
    ascii: bool = false, true;
    /// True if lines may be drawn in the dots of braille.
    braille: bool = true, false;
    /// Nodes: idle, passing, source queue waiting.
    node: [char; 3] = ['·', '□', '■'], ['+', 'o', '@'];
    /// The right and the left half of a character.
    half: [char; 2] = ['▐', '▌'], ['#', '#'];
    /// Horizontal links: idle, below a quarter, below a half, more.
    across: [char; 4] = ['┈', '╌', '─', '━'], ['.', '-', '=', '#'];
    /// Vertical links: idle, below a quarter, below a half, more.
    along: [char; 4] = ['┊', '╎', '│', '┃'], ['.', ':', '|', '#'];
    /// Horizontal and vertical lines of VC classes: open or class 0, class 1, adaptive.
    class_across: [char; 3] = ['━', '═', '┅'], ['=', '#', '~'];
    /// Vertical lines of VC classes.
    class_along: [char; 3] = ['┃', '║', '┇'], ['|', '#', '}'];
    /// Arrow heads: east, north, west, south.
    arrow: [char; 4] = ['▶', '▲', '◀', '▼'], ['>', '^', '<', 'v'];
    /// A node that draws more messages than others.
    hot: char = '¤', '%';
    /// A blocked head.
    blocked: char = '◆', 'X';
    /// Worm bodies: across, along.
    body: [char; 2] = ['━', '┃'], ['=', '|'];
    /// Bodies of worms without a single letter.
    thin: [char; 2] = ['─', '│'], ['-', ':'];
    /// The last stretch of a worm that has left its source: across, along.
    tail: [char; 2] = ['╌', '╎'], ['~', ';'];
    /// A link that a ring still lacks: across, along.
    gap: [char; 2] = ['?', '?'], ['?', '?'];
    /// Corners by the two sides that they join: east–north, north–west, west–south, south–east.
    corner: [char; 4] = ['┗', '┛', '┓', '┏'], ['*', '*', '*', '*'];
    /// Corners of thin lines.
    thin_corner: [char; 4] = ['└', '┘', '┐', '┌'], ['*', '*', '*', '*'];
    /// Hosts of a switch: idle, and with messages waiting to enter.
    host: [char; 2] = ['◦', '•'], ['"', '$'];
    /// Strokes from a switch to its hosts: across, along, down to the right, up to the right.
    spoke: [char; 4] = ['─', '│', '╲', '╱'], ['-', '|', '\\', '/'];
    /// Lanes of a link between switches, by their use: below a quarter, below a half, more.
    lane: [char; 3] = ['⠂', '⠒', '⠶'], [':', '-', '#'];
    /// Shades from nothing to full.
    shade: [char; 5] = [' ', '░', '▒', '▓', '█'], [' ', '.', '-', '=', '#'];
    /// Eighths of a bar from below, nothing first.
    rise: [char; 9] =
        [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
        [' ', '.', '.', ':', '-', '=', '+', '*', '#'];
    /// Eighths of a bar from the left, nothing first.
    reach: [char; 9] =
        [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
        [' ', ' ', ' ', ' ', '#', '#', '#', '#', '#'];
    /// Empty part of a bar.
    rest: char = '·', '.';
    /// Buffer slots: full, free.
    slot: [char; 2] = ['■', '□'], ['#', '.'];
    /// A dashed vertical mark, and a solid one.
    mark: [char; 2] = ['┊', '│'], [':', '|'];
    /// A place on an axis, before its number.
    notch: char = '╵', '\'';
    /// A tick under an axis.
    tick: char = '▲', '^';
    /// Running, stopped, deadlocked.
    run: [&'static str; 3] =
        ["▶ RUN", "‖ PAUSED", "◆ DEADLOCK"],
        ["> RUN", "|| PAUSED", "! DEADLOCK"];
    /// The screen is being recorded.
    recording: &'static str = "● REC", "* REC";
    /// Separator in running text.
    dot: &'static str = " · ", ", ";
    /// Plus or minus.
    plus_minus: &'static str = "±", "+-";
    /// An arrow between two values.
    to: &'static str = "→", "->";
    /// The end of a truncated text.
    ellipsis: char = '…', '~';
    /// Branches of a tree: more below, last, a level going on.
    tree: [&'static str; 3] = ["├ ", "└ ", "│ "], ["|-", "`-", "| "];
    /// The chosen line of a list.
    chosen: char = '»', '>';
    /// Points of a curve, of a measurement, and of the present.
    point: [char; 3] = ['·', '•', '●'], ['.', 'o', '@'];
    /// Points of the curves of a study, one sign for each.
    curve: [char; 8] =
        ['●', '■', '▲', '◆', '○', '□', '◇', '▼'], ['o', '#', '+', '%', '@', '&', '*', 'v'];
    /// A level line at the top, in the middle, at the bottom of a cell.
    level: [char; 3] = ['▔', '─', '▁'], ['\'', '-', '_'];
    /// The Greek letter of loads.
    lambda: &'static str = "λ", "load";
    /// Axis corner, horizontal and vertical.
    axis: [char; 3] = ['└', '─', '│'], ['+', '-', '|'];
    /// Up and down in a list.
    more: [char; 2] = ['▲', '▼'], ['^', 'v'];
    /// Times.
    times: char = '×', 'x';
    /// An en dash.
    dash: &'static str = "–", "-";
    /// A checkpoint on the timeline.
    checkpoint: char = '╷', '\'';
    /// A bookmark on the timeline.
    bookmark: char = '◆', '*';
    /// The newest cycle on the timeline.
    live: char = '■', '#';
    /// More than predicted: a little, much.
    above: [char; 2] = ['+', '▲'], ['*', '^'];
    /// Less than predicted: a little, much.
    below: [char; 2] = ['−', '▼'], ['-', 'v'];
    /// Equal to the prediction, across and along.
    even: [char; 2] = ['╌', '╎'], ['=', '|'];
    /// The ends of a turned ring.
    seam: char = '╱', '!';
    /// A failed link.
    failed: char = '╳', 'X';
    /// Failed links work again.
    repaired: char = '+', '+';
    /// Other routes, because of failures.
    rerouted: char = '»', '>';
    /// Links into the slices above and below.
    slices: [char; 2] = ['↑', '↓'], ['/', '\\'];
    /// Buffers: free, held and empty, then by increasing occupancy.
    fill: [char; 5] = ['·', '▁', '▃', '▅', '█'], ['.', '_', '-', '=', '#'];
    /// Circuits that set up, wait, send, release, give up, back off.
    circuit: [char; 7] = ['◇', '◆', '●', '○', '×', '≈', '◉'], ['?', 'X', '$', '"', '&', ';', '%'];
    /// Links of circuits in these states, across.
    circuit_across: [char; 7] = ['╌', '─', '━', '═', '┅', ' ', '┉'], ['-', '_', '=', '~', ',', ' ', '+'];
    /// Links of circuits in these states, along.
    circuit_along: [char; 7] = ['╎', '│', '┃', '║', '┇', ' ', '┋'], [':', '\'', '|', '}', ',', ' ', '+'];
}

const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

impl Glyphs {
    /// Returns the set for a terminal.
    pub fn new(ascii: bool) -> Self {
        if ascii { ASCII } else { UNICODE }
    }

    /// The characters of frames.
    pub fn border(&self) -> border::Set<'static> {
        if self.ascii { ASCII_BORDER } else { border::PLAIN }
    }

    /// Index of the link glyph for a heat level of 0 to 15.
    pub fn weight(level: u8) -> usize {
        quarter(level).min(3)
    }

    /// The shade for a heat level of 0 to 15.
    pub fn shade_of(&self, level: u8) -> char {
        self.shade[quarter(level)]
    }
}

/// 0 for an idle level, then 1 to 4 by quarters of the scale.
fn quarter(level: u8) -> usize {
    usize::from(level > 0) + usize::from(level.min(15) / 4)
}

#[cfg(test)]
mod tests;
