//! A selection of text on the screen, made by dragging within a pane.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

/// The characters from one position to another in reading order, within an area.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    area: Rect,
    /// Column and row of both ends.
    ends: [(u16, u16); 2],
}

impl Selection {
    /// Begins a selection at a position within `area`.
    pub fn begin(area: Rect, at: (u16, u16)) -> Self {
        Self { area, ends: [at; 2] }
    }

    /// Moves the end to the position in the area nearest to `at`.
    pub fn extend(&mut self, (x, y): (u16, u16)) {
        let last = |from: u16, length: u16| (from + length).saturating_sub(1).max(from);
        let Rect { x: left, y: upper, width, height } = self.area;
        self.ends[1] = (x.clamp(left, last(left, width)), y.clamp(upper, last(upper, height)));
    }

    /// True if nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.ends[0] == self.ends[1]
    }

    /// The selected columns of each row.
    fn rows(&self) -> impl Iterator<Item = (u16, std::ops::Range<u16>)> + use<> {
        let [mut first, mut last] = self.ends;
        if (first.1, first.0) > (last.1, last.0) {
            (first, last) = (last, first);
        }
        let (left, right) = (self.area.x, self.area.right());
        (first.1..=last.1).map(move |y| {
            let from = if y == first.1 { first.0 } else { left };
            let to = if y == last.1 { last.0 + 1 } else { right };
            (y, from..to)
        })
    }

    /// Reverses the colours of the selected characters.
    pub fn mark(&self, buffer: &mut Buffer) {
        if self.is_empty() {
            return;
        }
        for (y, columns) in self.rows() {
            for x in columns {
                if let Some(cell) = buffer.cell_mut((x, y)) {
                    cell.modifier.toggle(Modifier::REVERSED);
                }
            }
        }
    }

    /// The selected text, without spaces at the ends of lines and without empty lines around.
    pub fn text(&self, buffer: &Buffer) -> String {
        let line = |(y, columns): (u16, std::ops::Range<u16>)| {
            let cells = columns.filter_map(|x| buffer.cell((x, y)));
            let text: String = cells.map(ratatui::buffer::Cell::symbol).collect();
            text.trim_end().to_owned()
        };
        let lines: Vec<String> = self.rows().map(line).collect();
        lines.join("\n").trim_matches('\n').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: [&str; 4] = ["+-----+ a", "|one  | b", "|two 2| c", "+-----+ d"];

    fn selected(from: (u16, u16), to: (u16, u16)) -> (String, Vec<(u16, u16)>) {
        let mut buffer = Buffer::with_lines(SCREEN);
        let mut selection = Selection::begin(Rect::new(1, 1, 5, 2), from);
        selection.extend(to);
        let text = selection.text(&buffer);
        selection.mark(&mut buffer);
        let reversed = |&at: &(u16, u16)| buffer[at].modifier.contains(Modifier::REVERSED);
        let all = (0..4).flat_map(|y| (0..9).map(move |x| (x, y)));
        (text, all.filter(reversed).collect())
    }

    #[test]
    fn a_selection_keeps_to_its_pane_and_to_reading_order() {
        assert_eq!(selected((2, 1), (3, 1)), ("ne".to_owned(), vec![(2, 1), (3, 1)]));
        let (text, marked) = selected((3, 1), (1, 2));
        assert_eq!((text.as_str(), marked.len()), ("e\nt", 4));
        assert_eq!(selected((1, 2), (3, 1)), (text, marked));
        // Beyond the pane, the selection ends at its edge.
        assert_eq!(selected((1, 1), (8, 3)).0, "one\ntwo 2");
        assert_eq!(selected((5, 2), (0, 0)).0, "one\ntwo 2");
        assert_eq!(selected((2, 1), (2, 1)).1, []);
        assert_eq!(selected((4, 1), (5, 1)).0, "");
    }
}
