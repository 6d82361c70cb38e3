//! The queue of a terminal.

use get_size2::GetSize;

/// The generated messages of a terminal that have not left; of a message class, unless the classes
/// share the queue.
#[derive(Clone, Copy, Default, Debug, GetSize)]
pub(super) struct Queue {
    /// The number of the terminal's messages released so far, in the first queue of a terminal.
    pub serial: u64,
    /// Messages released that have not left.
    pub waiting: u32,
    /// Messages generated but not released.
    pub behind: u64,
}

impl Queue {
    /// The serial number of the next message of the terminal, of which this is the first queue.
    pub fn next_serial(&mut self) -> u64 {
        let serial = self.serial;
        self.serial += 1;
        serial
    }
}
