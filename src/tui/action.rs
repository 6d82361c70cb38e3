//! What can be done at the screen, and the keys it is done with.

use super::grid::plane::Side;
use super::view::View;

/// A key, whatever the terminal library calls it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "keys are called what is printed on them")]
pub enum Key {
    Char(char),
    Ctrl(char),
    F(u8),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
}

/// Something done at the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Run or pause.
    ToggleRun,
    /// One cycle; of circuits, up to the next event.
    Step,
    /// Ask for a number of cycles, or of units of time of circuits.
    StepMany,
    /// Ask when to stop.
    Break,
    /// One cycle back.
    StepBack,
    /// Ask for a number of cycles to go back.
    StepBackMany,
    /// Back to the last event.
    LastEvent,
    /// On to the next event.
    NextEvent,
    /// To where the first deadlock closed.
    ToDeadlock,
    /// Ask which events.
    Events,
    /// Ask for a cycle to go to.
    GoTo,
    /// To the newest cycle.
    ToLive,
    /// Mark the present cycle, or unmark it.
    Bookmark,
    /// Ask for a bookmark to go to.
    Bookmarks,
    /// Ask for a file to write the session into.
    Save,
    /// A quarter of the pace.
    Slower,
    /// Four times the pace.
    Faster,
    /// A tenth less load.
    LoadDown,
    /// A tenth more load.
    LoadUp,
    /// From cycle 0 with the same seed.
    Restart,
    /// From cycle 0 with another seed.
    NewSeed,
    /// Another view of the grid.
    View(View),
    /// Larger.
    ZoomIn,
    /// Smaller.
    ZoomOut,
    /// All of it.
    ZoomFit,
    /// The cursor's node into the middle, or the origin back into the corner.
    Origin,
    /// Pixels of several nodes: the hottest, or their mean.
    Aggregate,
    /// The next arrangement of panes.
    Layout,
    /// Across a dimension of a hypercube (asks which).
    Cross,
    /// One VC after the other.
    VcFilter,
    /// Another averaging window.
    Window,
    /// The cursor, by one; in a list, the list.
    Move(Side),
    /// The cursor, by a page.
    Page(Side),
    /// The slice before.
    SliceDown,
    /// The slice after.
    SliceUp,
    /// Next blocked worm or hot node.
    Next,
    /// The one before.
    Previous,
    /// Ask for a node, worm or message.
    Find,
    /// Focus the inspector.
    Inspect,
    /// Focus model and simulation, part by part.
    Terms,
    /// The table of links, that of messages, or none, one after the other.
    Tables,
    /// The table, sorted by its next column.
    SortTable,
    /// Follow the message under the cursor, or no longer.
    Follow,
    /// Pin the message under the cursor, or no longer.
    Pin,
    /// The history of a message, or back from it.
    History,
    /// Ask for a file to record the screen into, or end the recording.
    Record,
    /// Ask for a file for a picture of the screen.
    Picture,
    /// Focus the next pane.
    FocusNext,
    /// Focus the pane before.
    FocusPrevious,
    /// The focused pane alone, or all.
    Expand,
    /// The grid alone, or all.
    Zen,
    /// The next theme.
    Theme,
    /// Ask for a run to compare this one with, or end that.
    Compare,
    /// The other of two runs.
    Swap,
    /// Use of links in one run less that in the other, or back from that.
    Contrast,
    /// The chooser.
    Open,
    /// The line that takes commands.
    Palette,
    /// The scenario's file in an editor.
    Edit,
    /// The help screen.
    Help,
    /// One layer back.
    Back,
    /// Mouse on or off.
    Mouse,
    /// Paint everything again.
    Repaint,
    /// Stop the program until `fg`.
    Suspend,
    /// Quit.
    Quit,
    /// Quit from anywhere.
    QuitNow,
    /// Accept in a dialog.
    Accept,
    /// Up in a dialog.
    Up,
    /// Down in a dialog.
    Down,
    /// Erase a character in a dialog.
    Erase,
    /// Erase all that was typed.
    Clear,
    /// Complete what was typed.
    Complete,
    /// Choose the next line of a list in a dialog.
    ChooseNext,
    /// Choose the line before.
    ChoosePrevious,
    /// Type a character in a dialog.
    Type(char),
    /// The mouse, at a column and row of the screen.
    Click(u16, u16),
    /// The mouse twice in quick succession, at a column and row of the screen.
    DoubleClick(u16, u16),
    /// The mouse with its button held, at a column and row of the screen.
    Drag(u16, u16),
    /// The mouse's button is free again.
    Release,
    /// The wheel, at a column and row: up (in) or down (out).
    Wheel(bool, u16, u16),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
}

impl Action {
    /// Every action that must have a key.
    pub const WITH_KEYS: &'static [Self] = &[
        Self::ToggleRun,
        Self::Step,
        Self::StepMany,
        Self::Break,
        Self::StepBack,
        Self::StepBackMany,
        Self::LastEvent,
        Self::NextEvent,
        Self::ToDeadlock,
        Self::Events,
        Self::GoTo,
        Self::ToLive,
        Self::Bookmark,
        Self::Bookmarks,
        Self::Save,
        Self::Slower,
        Self::Faster,
        Self::LoadDown,
        Self::LoadUp,
        Self::Restart,
        Self::NewSeed,
        Self::View(View::Occupancy),
        Self::View(View::Worms),
        Self::View(View::Classes),
        Self::View(View::Utilisation),
        Self::View(View::Waits),
        Self::View(View::Difference),
        Self::ZoomIn,
        Self::ZoomOut,
        Self::ZoomFit,
        Self::Origin,
        Self::Aggregate,
        Self::Layout,
        Self::Cross,
        Self::VcFilter,
        Self::Window,
        Self::Move(Side::East),
        Self::Move(Side::North),
        Self::Move(Side::West),
        Self::Move(Side::South),
        Self::Page(Side::East),
        Self::Page(Side::North),
        Self::Page(Side::West),
        Self::Page(Side::South),
        Self::SliceDown,
        Self::SliceUp,
        Self::Next,
        Self::Previous,
        Self::Find,
        Self::Inspect,
        Self::Terms,
        Self::Tables,
        Self::SortTable,
        Self::Follow,
        Self::Pin,
        Self::History,
        Self::Record,
        Self::Picture,
        Self::FocusNext,
        Self::FocusPrevious,
        Self::Expand,
        Self::Zen,
        Self::Theme,
        Self::Compare,
        Self::Swap,
        Self::Contrast,
        Self::Open,
        Self::Palette,
        Self::Edit,
        Self::Help,
        Self::Back,
        Self::Mouse,
        Self::Repaint,
        Self::Suspend,
        Self::Quit,
        Self::QuitNow,
        Self::Accept,
        Self::Up,
        Self::Down,
        Self::Erase,
        Self::Clear,
        Self::Complete,
        Self::ChooseNext,
        Self::ChoosePrevious,
    ];
}
