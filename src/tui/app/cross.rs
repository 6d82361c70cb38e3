//! Crossing a dimension of a hypercube: from the cursor's node to the one whose address differs
//! in one bit.

use super::{App, Effect, Question};
use crate::tui::names::{dimension_digit, dimension_of};

impl App {
    /// Asks for the dimension, where there is one to cross.
    pub(super) fn ask_dimension(&mut self) -> Vec<Effect> {
        if self.hypercube().is_some() {
            return self.ask(Question::Dimension);
        }
        self.say("only a hypercube has dimensions to cross");
        Vec::new()
    }

    /// Goes along a dimension, named by its digit.
    pub(super) fn cross(&mut self, text: &str) -> Result<(), String> {
        let Some((cube, here)) = self.hypercube().zip(self.cursor_router()) else {
            return Err("this is no hypercube".to_owned());
        };
        let last = dimension_digit(cube.dimensions() - 1);
        let mut letters = text.trim().chars();
        let dimension = match (letters.next(), letters.next()) {
            (Some(letter), None) => dimension_of(letter).filter(|&it| it < cube.dimensions()),
            _ => None,
        };
        let dimension = dimension.ok_or_else(|| format!("dimensions are 0 to {last}"))?;
        let there = crate::ids::RouterId(here.0 ^ 1 << dimension);
        self.go_to(there);
        let network = self.network();
        let (from, to) = (network.router_name(here), network.router_name(there));
        self.say(&format!("dimension {text}: {from}{}{to}", self.glyphs.to));
        Ok(())
    }
}
