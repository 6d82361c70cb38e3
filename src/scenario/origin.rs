//! Maps positions in translated RON to positions in the original JSON.

use std::ops::Range;

/// A part of a translation, with its part of the JSON text.
#[derive(Debug)]
pub(super) struct Piece {
    /// First byte in RON; the end is the first byte of the next piece.
    pub ron: usize,
    /// Bytes in JSON.
    pub json: Range<usize>,
    /// True if RON and JSON are the same text.
    pub verbatim: bool,
}

/// The original JSON of a RON text.
#[derive(Debug)]
pub(crate) struct Origin<'t> {
    /// The JSON text.
    pub text: &'t str,
    pub(super) pieces: Vec<Piece>,
}

impl Origin<'_> {
    /// Maps a part of the RON text to its first byte and length in JSON.
    pub fn place(&self, start: usize, length: usize) -> (usize, usize) {
        let first = self.byte(start, false);
        let last = if length == 0 { first } else { self.byte(start + length - 1, true) };
        (first, last.saturating_sub(first))
    }

    /// Maps a byte of the RON text to its start or end in JSON.
    fn byte(&self, at: usize, end: bool) -> usize {
        let next = self.pieces.partition_point(|piece| piece.ron <= at);
        let Some(piece) = next.checked_sub(1).map(|index| &self.pieces[index]) else { return 0 };
        match (piece.verbatim, end) {
            (true, _) => {
                let offset = at - piece.ron + usize::from(end);
                (piece.json.start + offset).min(piece.json.end)
            }
            (false, true) => piece.json.end,
            (false, false) => piece.json.start,
        }
    }
}
