//! Registry of the panes with their names, kinds of contents and modules.
//!
//! Keys are the same in all panes (`action.rs`); their effect on the focused pane is in `app`.

mod by_class;
pub mod chains;
pub mod chart;
pub mod classes;
pub mod curve;
mod draw;
pub mod history;
mod hottest;
pub mod inspector;
pub mod latency;
pub mod lens;
pub mod links;
pub mod list;
pub mod loads;
pub mod messages;
mod scale;
pub mod table;
pub mod terms;
mod tour;
pub mod worms;

use strum::{IntoStaticStr, VariantArray};

/// The registry in the order of the focus: each pane's kind of contents, the module that draws the
/// pane, and its description. The rows are passed to a macro, here and in `draw.rs`.
macro_rules! registry {
    ($then:ident) => {
        $then! {
            #[default]
            Grid Picture network "the network";
            Latency Text latency "how long messages took, as a histogram, and what the model says";
            Curve Text curve "mean latency at every load, by the model and as simulated so far";
            Terms Text terms "the parts of the latency, measured and predicted";
            Classes Text classes "how busy each virtual channel is, or what circuits are doing";
            Chains Lines chains "who waits for whom: the one that holds all others up stands first";
            Inspector Lines inspector "what is selected: why it stands, then every buffer of the router";
            Loads Text loads "offered and accepted load, and what runs";
            Worms Scrolled worms "the worms with letters: from where to where, what each does";
            Links Table links "the table of all links, to be sorted";
            Messages Table messages "the table of the messages under way, to be sorted";
            History Lines history "one message, router by router: where it waited and for whom";
            HottestLinks Lines hottest "the busiest links and who holds them";
            Lens Picture lens "the neighbourhood of the cursor, enlarged";
            Tour Lines tour "the step of the tour: what to predict, watch and check";
        }
    };
}
use registry;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    /// A picture up to the frame, without margins.
    Picture,
    Text,
    /// A table, placed under the grid if there is room.
    Table,
    /// Text scrolled by moving up and down.
    Scrolled,
    /// Scrolled text, given as lines.
    Lines,
}

macro_rules! panes {
    ($($(#[$default:meta])? $pane:ident $inside:ident $file:ident $about:literal;)+) => {
        /// A pane.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
        #[strum(serialize_all = "kebab-case")]
        pub enum Pane {
            $(#[doc = $about] $(#[$default])? $pane,)+
        }

        impl Pane {
            /// A description of the pane.
            pub fn about(self) -> &'static str {
                match self {
                    $(Self::$pane => $about,)+
                }
            }

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

    /// True for tables, placed under the grid if there is room.
    pub fn is_table(self) -> bool {
        self.inside() == Inside::Table
    }

    /// True if moving up and down scrolls the pane.
    pub fn scrolls(self) -> bool {
        matches!(self.inside(), Inside::Scrolled | Inside::Lines)
    }
}
