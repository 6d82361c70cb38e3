//! Dense `u32` ids of the components of a network, used as table indices, and the unique name of a
//! message.

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
            /// The id of table row `index`. Panics beyond `u32`; checked networks are smaller.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("tables of a checked network have u32 rows"))
            }

            /// The id's row in its table.
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

/// Unique name of a message: its source, and its serial number among that source's messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, GetSize)]
pub struct MessageId {
    pub source: NodeId,
    /// Serial number of the message at its source, from 0.
    pub serial: u64,
}
