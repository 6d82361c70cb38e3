//! Messages that are not kept in memory but read in blocks.

use std::fmt::Debug;
use std::sync::Arc;

use super::message::ScriptMessage;

/// The payload of a panic because messages can no longer be read: their source, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable(pub String);

/// Messages in the order of a script, in blocks that are read when they are needed. No message awaits
/// another.
pub trait Blocks: Debug + Send + Sync {
    /// Reads a block, from 0; `None` beyond the last.
    ///
    /// # Panics
    /// With [`Unreadable`] if the messages can no longer be read as before.
    fn block(&self, number: usize) -> Option<Arc<[ScriptMessage]>>;
}

/// The next message of a script that is read in blocks.
#[derive(Clone, Debug)]
pub(in crate::traffic) struct Position {
    blocks: Arc<dyn Blocks>,
    number: usize,
    /// The block, and the index of the message in it.
    block: Arc<[ScriptMessage]>,
    at: usize,
}

impl Position {
    /// The beginning.
    pub(super) fn new(blocks: &Arc<dyn Blocks>) -> Self {
        let block = blocks.block(0).unwrap_or_default();
        Self { blocks: Arc::clone(blocks), number: 0, block, at: 0 }
    }

    /// The next message; `None` at the end.
    #[inline]
    pub fn message(&self) -> Option<&ScriptMessage> {
        self.block.get(self.at)
    }

    /// Advances by a message.
    #[inline]
    pub fn advance(&mut self) {
        self.at += 1;
        if self.at == self.block.len() {
            self.open_next();
        }
    }

    #[inline(never)]
    fn open_next(&mut self) {
        self.number += 1;
        self.at = 0;
        self.block = self.blocks.block(self.number).unwrap_or_default();
    }
}
