//! Registry of the panes with their names, kinds of contents and modules. Keys are the same in all
//! panes (`action.rs`); their effect on the focused pane is in `app`.

pub mod chains;
pub mod chart;
pub mod classes;
pub mod curve;
mod drawn;
pub mod history;
mod hottest;
pub mod inspector;
pub mod latency;
pub mod lens;
pub mod links;
pub mod list;
pub mod loads;
pub mod messages;
pub mod table;
pub mod terms;
mod tour;
pub mod worms;

use strum::{IntoStaticStr, VariantArray};

/// The registry in the order of the focus: the description of each pane, its kind of contents, and
/// the module that draws the pane. The rows are passed to a macro, here and in `drawn.rs`.
macro_rules! registry {
    ($then:ident) => {
        $then! {
            /// The network.
            #[default]
            Grid Picture network;
            /// The latency histogram.
            Latency Text latency;
            /// Latency against load.
            Curve Text curve;
            /// Model and simulation, part by part.
            Terms Text terms;
            /// Use of the virtual channels.
            Classes Text classes;
            /// Who waits for whom.
            Chains Lines chains;
            /// The router under the cursor.
            Inspector Lines inspector;
            /// Load, throughput and what runs.
            Loads Text loads;
            /// The worms that have letters.
            Worms Scrolled worms;
            /// The table of links.
            Links Table links;
            /// The table of messages.
            Messages Table messages;
            /// The history of one message.
            History Lines history;
            /// The busiest links and who holds them.
            HottestLinks Lines hottest;
            /// The neighbourhood of the cursor.
            Lens Picture lens;
            /// The tour.
            Tour Lines tour;
        }
    };
}
use registry;

/// Kinds of contents of a pane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    /// A picture up to the frame, without margins.
    Picture,
    /// Text and charts.
    Text,
    /// A table, placed under the grid if there is room.
    Table,
    /// Text scrolled by moving up and down.
    Scrolled,
    /// Scrolled text, given as lines.
    Lines,
}

macro_rules! panes {
    ($($(#[$doc:meta])* $pane:ident $inside:ident $file:ident;)+) => {
        /// A pane.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
        #[strum(serialize_all = "kebab-case")]
        pub enum Pane {
            $($(#[$doc])* $pane,)+
        }

        impl Pane {
            fn inside(self) -> Inside {
                match self {
                    $(Self::$pane => Inside::$inside,)+
                }
            }
        }
    };
}
registry!(panes);

impl Pane {
    /// The panes in the order of the focus.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name of the pane in commands.
    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::Grid => "the network",
            Self::Latency => "how long messages took, as a histogram, and what the model says",
            Self::Curve => "mean latency at every load, by the model and as simulated so far",
            Self::Terms => "the parts of the latency, measured and predicted",
            Self::Classes => "how busy each virtual channel is, or what circuits are doing",
            Self::Chains => "who waits for whom: the one that holds all others up stands first",
            Self::Inspector => "what is selected: why it stands, then every buffer of the router",
            Self::Loads => "offered and accepted load, and what runs",
            Self::Worms => "the worms with letters: from where to where, what each does",
            Self::Links => "the table of all links, to be sorted",
            Self::Messages => "the table of the messages under way, to be sorted",
            Self::History => "one message, router by router: where it waited and for whom",
            Self::HottestLinks => "the busiest links and who holds them",
            Self::Lens => "the neighbourhood of the cursor, enlarged",
            Self::Tour => "the step of the tour: what to predict, watch and check",
        }
    }

    /// True for tables, placed under the grid if there is room.
    pub fn is_table(self) -> bool {
        self.inside() == Inside::Table
    }

    /// True if moving up and down scrolls the pane.
    pub fn scrolls(self) -> bool {
        matches!(self.inside(), Inside::Scrolled | Inside::Lines)
    }
}
