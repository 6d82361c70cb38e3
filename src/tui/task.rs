//! Groups of keys in the help.

use strum::{IntoStaticStr, VariantArray};

/// A group of keys with a heading in the help.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr, VariantArray)]
pub(crate) enum Group {
    #[strum(serialize = "Run and stop, change the load")]
    Run,
    #[strum(serialize = "Go back and forth in time, keep what was found")]
    Time,
    #[strum(serialize = "Choose what the network shows, and how large")]
    View,
    #[strum(serialize = "Move about, find what stands and why")]
    Move,
    #[strum(serialize = "Compare two runs")]
    Compare,
    #[strum(serialize = "Look at a study and its points")]
    Study,
    #[strum(serialize = "Take the tour")]
    Tour,
    #[strum(serialize = "Arrange panes, record, write, leave")]
    Screen,
    #[strum(serialize = "In dialogs")]
    Dialog,
}

impl Group {
    /// The groups in the order of the help screen.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The heading.
    pub fn title(self) -> &'static str {
        self.into()
    }
}
