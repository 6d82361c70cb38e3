//! Dense `u32` names for the things a network is made of; every table is indexed by one of them.
//! And the name of a message, which nothing else ever has.

use get_size2::GetSize;

/// Declares an id newtype over `u32`.
macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, GetSize,
            serde::Serialize, serde::Deserialize,
        )]
        pub struct $name(pub u32);

        impl $name {
            /// The id of table row `index`. Panics beyond `u32`, which no checked network reaches.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("tables of a checked network have u32 rows"))
            }

            /// The row of this id in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A terminal: where messages start and end (a processor, a host).
    NodeId
);
id!(
    /// A router or switch.
    RouterId
);
id!(
    /// A directed physical channel.
    ChannelId
);
id!(
    /// A virtual channel of a physical channel, numbered over the whole network:
    /// `channel × virtual channels per channel + number within the channel`.
    VcId
);
id!(
    /// The number by which people tell a message from the others in the network; on the screen, a
    /// letter or several. See [`crate::engine::letters`].
    Letter
);
id!(
    /// A message as the engine knows it now. Ids are used again once a message has arrived.
    WormId
);

/// A message's name for ever: its source, and which of that source's messages it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, GetSize)]
pub struct MessageId {
    pub source: NodeId,
    /// Which message of its source it is, from 0.
    pub serial: u64,
}
