//! Draws numbers, always the same ones from the same seed.

use flitscope::random::mix;

/// A source of choices.
#[derive(Clone, Debug)]
pub struct Dice {
    key: u64,
    drawn: u64,
}

impl Dice {
    pub fn new(key: u64) -> Self {
        Self { key, drawn: 0 }
    }

    pub fn draw(&mut self) -> u64 {
        self.drawn += 1;
        mix(self.key, self.drawn)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.draw() % end
    }

    /// The same for indices.
    pub fn index(&mut self, end: usize) -> usize {
        self.below(end as u64) as usize
    }

    /// One in `many`.
    pub fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// From the first to the last.
    pub fn within(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// A share from 0 to 1.
    pub fn share(&mut self) -> f64 {
        self.below(1 << 53) as f64 / (1u64 << 53) as f64
    }

    /// One of these.
    pub fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.index(all.len())]
    }
}
