//! The characters of the screen, in Unicode and in plain ASCII.
//!
//! The Unicode set keeps to characters that common monospace fonts have.

use ratatui::symbols::border;

/// A set of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glyphs {
    /// Whether this is the ASCII set.
    pub ascii: bool,
    /// Whether lines may be drawn in the dots of braille.
    pub braille: bool,
    /// Nodes: idle, passing, source queue waiting.
    pub node: [char; 3],
    /// Two-by-two nodes, the same: top left, top right, bottom left, bottom right.
    pub box_node: [[char; 4]; 3],
    /// Horizontal links: idle, below a quarter, below a half, more.
    pub across: [char; 4],
    /// Vertical links, likewise.
    pub along: [char; 4],
    /// Horizontal and vertical lines of VC classes: open or class 0, class 1, adaptive.
    pub class_across: [char; 3],
    /// Vertical lines of VC classes.
    pub class_along: [char; 3],
    /// Arrow heads: east, north, west, south.
    pub arrow: [char; 4],
    /// A head that stands.
    pub blocked: char,
    /// Worm bodies: across, along.
    pub body: [char; 2],
    /// The last stretch of a worm that has left its source: across, along.
    pub tail: [char; 2],
    /// Corners by the two sides that they join: east–north, north–west, west–south, south–east.
    pub corner: [char; 4],
    /// Shades from nothing to full.
    pub shade: [char; 5],
    /// Eighths of a bar from below, nothing first.
    pub rise: [char; 9],
    /// Eighths of a bar from the left, nothing first.
    pub reach: [char; 9],
    /// Empty part of a bar.
    pub rest: char,
    /// Buffer slots: full, free.
    pub slot: [char; 2],
    /// A dashed vertical mark, and a solid one.
    pub mark: [char; 2],
    /// A tick under an axis.
    pub tick: char,
    /// Running, stopped, deadlocked.
    pub run: [&'static str; 3],
    /// The screen is being recorded.
    pub recording: &'static str,
    /// Separator in running text.
    pub dot: &'static str,
    /// Plus or minus.
    pub plus_minus: &'static str,
    /// To.
    pub to: &'static str,
    /// Cut short.
    pub ellipsis: char,
    /// Branches of a tree: more below, last, a level going on.
    pub tree: [&'static str; 3],
    /// The chosen line of a list.
    pub chosen: char,
    /// Points of a curve and of a measurement, and where we are now.
    pub point: [char; 3],
    /// A level line at the top, in the middle, at the bottom of a cell.
    pub level: [char; 3],
    /// The Greek letter of loads.
    pub lambda: &'static str,
    /// Axis corner, horizontal and vertical.
    pub axis: [char; 3],
    /// Up and down in a list.
    pub more: [char; 2],
    /// Times.
    pub times: char,
    /// An en dash.
    pub dash: &'static str,
    /// On the timeline: a checkpoint.
    pub checkpoint: char,
    /// A bookmark.
    pub bookmark: char,
    /// The newest cycle.
    pub live: char,
    /// More than predicted: a little, much.
    pub above: [char; 2],
    /// Less than predicted: a little, much.
    pub below: [char; 2],
    /// Where a ring that was turned has its ends: upright, level.
    pub seam: [char; 2],
    /// Buffers: free, held and empty, then fuller and fuller.
    pub fill: [char; 5],
    /// Circuits that set up, wait, send, release, give up, back off.
    pub circuit: [char; 6],
    /// Their links, across.
    pub circuit_across: [char; 6],
    /// Their links, along.
    pub circuit_along: [char; 6],
}

/// Unicode.
pub const UNICODE: Glyphs = Glyphs {
    ascii: false,
    braille: true,
    node: ['·', '□', '■'],
    box_node: [['┌', '┐', '└', '┘'], ['┏', '┓', '┗', '┛'], ['▛', '▜', '▙', '▟']],
    across: [' ', '╌', '─', '━'],
    along: [' ', '╎', '│', '┃'],
    class_across: ['━', '═', '┅'],
    class_along: ['┃', '║', '┇'],
    arrow: ['▶', '▲', '◀', '▼'],
    blocked: '◆',
    body: ['━', '┃'],
    tail: ['╌', '╎'],
    corner: ['┗', '┛', '┓', '┏'],
    shade: [' ', '░', '▒', '▓', '█'],
    rise: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    reach: [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
    rest: '·',
    slot: ['■', '□'],
    mark: ['┊', '│'],
    tick: '▴',
    run: ["▶ RUN", "‖ PAUSED", "◆ DEADLOCK"],
    recording: "● REC",
    dot: " · ",
    plus_minus: "±",
    to: "→",
    ellipsis: '…',
    tree: ["├ ", "└ ", "│ "],
    chosen: '▸',
    point: ['·', '•', '●'],
    level: ['▔', '─', '▁'],
    lambda: "λ",
    axis: ['└', '─', '│'],
    more: ['▲', '▼'],
    times: '×',
    dash: "–",
    checkpoint: '╷',
    bookmark: '◆',
    live: '■',
    above: ['+', '▲'],
    below: ['−', '▼'],
    seam: ['┊', '┈'],
    fill: ['·', '▁', '▃', '▅', '█'],
    circuit: ['◇', '◆', '●', '○', '×', '≈'],
    circuit_across: ['╌', '─', '━', '═', '┅', ' '],
    circuit_along: ['╎', '│', '┃', '║', '┇', ' '],
};

/// ASCII.
pub const ASCII: Glyphs = Glyphs {
    ascii: true,
    braille: false,
    node: ['+', 'o', '#'],
    box_node: [['.', '.', '\'', '\''], ['+', '+', '+', '+'], ['#', '#', '#', '#']],
    across: [' ', '.', '-', '='],
    along: [' ', '.', ':', 'I'],
    class_across: ['=', '#', '~'],
    class_along: ['I', '#', '}'],
    arrow: ['>', '^', '<', 'v'],
    blocked: 'X',
    body: ['=', 'I'],
    tail: ['-', ':'],
    corner: ['*', '*', '*', '*'],
    shade: [' ', '.', '-', '=', '#'],
    rise: [' ', '.', '.', ':', '-', '=', '+', '*', '#'],
    reach: [' ', ' ', ' ', ' ', '#', '#', '#', '#', '#'],
    rest: '.',
    slot: ['#', '.'],
    mark: [':', '|'],
    tick: '^',
    run: ["> RUN", "|| PAUSED", "! DEADLOCK"],
    recording: "* REC",
    dot: ", ",
    plus_minus: "+-",
    to: "->",
    ellipsis: '~',
    tree: ["|-", "`-", "| "],
    chosen: '>',
    point: ['.', 'o', '@'],
    level: ['\'', '-', '_'],
    lambda: "load",
    axis: ['+', '-', '|'],
    more: ['^', 'v'],
    times: 'x',
    dash: "-",
    checkpoint: '\'',
    bookmark: '*',
    live: '#',
    above: ['+', '^'],
    below: ['-', 'v'],
    seam: ['!', '~'],
    fill: ['.', '_', '-', '=', '#'],
    circuit: ['?', 'X', '@', '%', 'x', 'z'],
    circuit_across: ['-', '.', '=', '~', ',', ' '],
    circuit_along: [':', '.', 'I', '}', ',', ' '],
};

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
    /// The set for a terminal.
    pub fn new(ascii: bool) -> Self {
        if ascii { ASCII } else { UNICODE }
    }

    /// Frames.
    pub fn border(&self) -> border::Set<'static> {
        if self.ascii { ASCII_BORDER } else { border::PLAIN }
    }

    /// The link glyph row for a heat level of 0 to 15: its index.
    pub fn weight(level: u8) -> usize {
        match level {
            0 => 0,
            1..=3 => 1,
            4..=7 => 2,
            _ => 3,
        }
    }

    /// The shade for a heat level of 0 to 15.
    pub fn shade_of(&self, level: u8) -> char {
        self.shade[match level {
            0 => 0,
            1..=3 => 1,
            4..=7 => 2,
            8..=11 => 3,
            _ => 4,
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ascii_set_is_ascii() {
        let all = format!("{ASCII:?}");
        assert!(all.is_ascii(), "{all}");
    }
}
