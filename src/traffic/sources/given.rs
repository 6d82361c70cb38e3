//! The arrivals of messages with classes: random, or those of a script, whose replies the nodes send.

use educe::Educe;
use get_size2::GetSize;

use super::calendar::Due;
use super::content::Content;
use super::random::Random;
use crate::random::mix;
use crate::traffic::script::{Position, Script, ScriptMessage};

/// The source of arrivals.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) enum Arrivals {
    /// Drawn from streams.
    Random(Box<Random>),
    /// The messages of a script, none of which awaits another.
    Given(Given),
}

/// The messages of a script, from the next one on.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Given {
    #[get_size(ignore)]
    script: Script,
    at: u64,
    /// The same message, if messages are read in blocks.
    #[get_size(ignore)]
    position: Option<Position>,
}

impl Given {
    pub fn new(script: &Script) -> Self {
        debug_assert_eq!(script.at_once(), script.len(), "no message awaits another");
        Self { script: script.clone(), at: 0, position: script.position() }
    }

    fn message(&self) -> Option<&ScriptMessage> {
        match &self.position {
            Some(position) => position.message(),
            None => self.script.message(self.at),
        }
    }

    /// The next message, with its class.
    pub fn next(&self) -> Option<(Due, u8)> {
        let it = self.message()?;
        let (cycle, node) = (it.born, it.source.0);
        Some((Due { cycle, node, queue: node }, it.class))
    }

    /// Removes the next message and returns its content.
    pub fn step(&mut self) -> Option<Content> {
        let &ScriptMessage { destination, length, class, .. } = self.message()?;
        self.at += 1;
        if let Some(position) = &mut self.position {
            position.advance();
        }
        Some(Content { destination, length, class })
    }

    pub fn is_at_end(&self) -> bool {
        self.at == self.script.len()
    }

    /// A hash of the state that determines future messages.
    pub fn fingerprint(&self) -> u64 {
        mix(self.script.checksum().into(), self.at)
    }
}
