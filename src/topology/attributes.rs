//! Attributes of links: delay, rate and kind.

use std::num::NonZeroU16;

/// The longest delay of a link, in cycles.
pub const LINK_DELAY_MAX: u16 = 4096;
/// The most cycles for which a link sends one flit.
pub const CYCLES_PER_FLIT_MAX: u8 = 64;

/// Attributes of a link. The default is a link like those of a cube: as fast as the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attributes {
    /// Cycles from the sending of a flit until it may be forwarded, 1 to [`LINK_DELAY_MAX`], in place of the
    /// machine's `channel_delay`; credits then take as long, and the machine's `credit_delay` besides.
    pub delay: Option<NonZeroU16>,
    /// Cycles for which the link sends one flit, 1 to [`CYCLES_PER_FLIT_MAX`].
    pub cycles_per_flit: u8,
    /// A number that routing rules may read, such as 1 for the global links of a dragonfly.
    pub kind: u8,
}

impl Attributes {
    /// True if the link is not as fast as those of the machine.
    pub fn sets_pace(self) -> bool {
        self.delay.is_some() || self.cycles_per_flit > 1
    }
}

impl Default for Attributes {
    fn default() -> Self {
        Self { delay: None, cycles_per_flit: 1, kind: 0 }
    }
}
