//! Actions of the screen and the table of key bindings.
//!
//! Dispatch, key bar, help and documentation are derived from the table.

use Context::{
    Chooser, Confirm, Guided, Help, Line, Main, Palette, Problems, Prompt, Question, Search,
    Studying,
};
use Key::{
    BackTab, Backspace, Char, Ctrl, Delete, Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp,
    Right, Tab, Up,
};

use super::grid::plane::Side;
pub use super::key::Key;
use super::line::Edit;
pub(crate) use super::task::Group;
use super::view::View;

/// Declares [`Action`], and for each group of actions an enum handled by one module of `app`.
macro_rules! actions {
    ($($(#[$doc:meta])* $room:ident { $($what:ident $(($($with:ty),+))?),+ $(,)? })+) => {
        /// An action of the user on the screen.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Action {
            $($(#[$doc])* $room($room),)+
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            #[expect(missing_docs, reason = "the table of keys says what each does")]
            pub enum $room { $($what $(($($with),+))?),+ }

            impl From<$room> for Action {
                fn from(what: $room) -> Self {
                    Self::$room(what)
                }
            }
        )+

        /// The `Debug` names of all actions, without arguments.
        #[cfg(test)]
        pub(super) const ALL: &[&str] =
            &[$($(concat!(stringify!($room), "(", stringify!($what))),+),+];
    };
}

actions! {
    /// The run: its pace, its load, where it stops.
    Run {
        ToggleRun, Step, StepMany, Slower, Faster, LoadDown, LoadUp, Fail, Sweep, Break, Restart,
        NewSeed,
    }
    /// Moves in time, and saving the session.
    Time {
        StepBack, StepBackMany, LastEvent, NextEvent, Events, ToDeadlock, Shrink, GoTo, ToLive,
        Bookmark, Bookmarks, Save,
    }
    /// The content and the zoom of the grid.
    Grid { View(View), ZoomIn, ZoomOut, ZoomFit, Origin, Aggregate, VcFilter, ClassFilter, Window }
    /// Moves of the cursor or of a list, and the message under the cursor.
    Move {
        Move(Side), Page(Side), SliceDown, SliceUp, Next, Previous, Queue, Find, Cross, Follow, Pin,
        History,
    }
    /// Several runs.
    Runs { Compare, Swap, Contrast }
    /// The panes and their arrangement.
    Panes {
        Layout, FocusNext, FocusPrevious, Expand, Zen, Inspect, Terms, Tables, SortTable,
    }
    /// The program as a whole, and the terminal's new columns and rows.
    Program {
        Help, Palette, Open, Edit, Record, Picture, Copy, Theme, Mouse, Back, Repaint, Suspend,
        Quit, QuitNow, Resize(u16, u16),
    }
    /// The tour: steps and stops, and an answer by its number.
    Tour { Start, Advance, Retreat, Choose(u8), NextStop, PreviousStop, Leave }
    /// A study: the chosen point, its run, and missing points.
    Study {
        Show, Hide, Open, OpenAtEnd, Up, Down, PageUp, PageDown, First, Last, NextCurve, CurveBefore,
        Work,
    }
    /// Actions on a dialog.
    Answer { Accept, Up, Down, Complete, ChooseNext, ChoosePrevious, Edit(Edit) }
    /// The mouse at a column and row; the first field of the wheel is true for zooming in.
    Pointer {
        Click(u16, u16), DoubleClick(u16, u16), Drag(u16, u16), Release, Wheel(bool, u16, u16),
    }
}

/// The screen or dialog that receives a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Context {
    Main,
    /// The main screen during the tour; unlisted keys act as on the main screen.
    Guided,
    /// The main screen while the tour asks a question.
    Question,
    /// The screen of a study.
    Studying,
    Help,
    /// The search in help.
    Search,
    Chooser,
    /// A line of input.
    Prompt,
    /// A yes-or-no question.
    Confirm,
    /// The command line.
    Palette,
    /// A line that is typed, in any of the dialogs with one.
    Line,
    /// The list of a file's problems.
    Problems,
}

impl Answer {
    /// A typed character.
    pub fn typed(letter: char) -> Self {
        Self::Edit(Edit::Type(letter))
    }
}

impl Context {
    /// True for dialogs in which a line is typed.
    pub fn has_line(self) -> bool {
        matches!(self, Self::Search | Self::Chooser | Self::Prompt | Self::Palette)
    }
}

/// A row of the table of keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub context: Context,
    pub keys: &'static [Key],
    pub action: Action,
    pub group: Group,
    pub help: &'static str,
    /// The label in the key bar, for the most important keys only.
    pub bar: Option<&'static str>,
}

/// Builds a [`Binding`] from each row: keys, action, help text, label in the key bar.
macro_rules! keys {
    ($($context:ident { $(
        [$($key:expr),+] $room:ident::$what:ident $(($with:expr))? $help:literal $(, $bar:literal)?;
    )+ })+) => {
        &[$($(Binding {
            context: $context,
            keys: &[$($key),+],
            action: Action::$room($room::$what $(($with))?),
            group: group($context, Action::$room($room::$what $(($with))?)),
            help: $help,
            bar: keys!(@bar $($bar)?),
        }),+),+]
    };
    (@bar) => { None };
    (@bar $bar:literal) => { Some($bar) };
}

/// Returns the heading of a key in help.
const fn group(context: Context, action: Action) -> Group {
    match (context, action) {
        (Main, Action::Run(_)) => Group::Run,
        (Main, Action::Time(_)) => Group::Time,
        (Main, Action::Grid(_)) => Group::View,
        (Main, Action::Move(_)) => Group::Move,
        (Main, Action::Runs(_)) => Group::Compare,
        (_, Action::Study(_)) | (Studying, _) => Group::Study,
        (Main, Action::Panes(_) | Action::Program(_) | Action::Pointer(_)) => Group::Screen,
        (_, Action::Tour(_)) | (Guided | Question, _) => Group::Tour,
        (Main, Action::Answer(_))
        | (Help | Search | Chooser | Prompt | Confirm | Palette | Line | Problems, _) => {
            Group::Dialog
        }
    }
}

/// All key bindings; the key bar lists rows in this order, the most important first.
pub(crate) const BINDINGS: &[Binding] = keys! {
    Main {
        [Char('?'), F(1)] Program::Help "this help", "help";
        [Char(' ')] Run::ToggleRun "run or pause", "run";
        [Char('.')] Run::Step "one cycle; of circuits up to the next event", "step";
        [Char('[')] Run::Slower "slower, by 4";
        [Char(']')] Run::Faster "faster, by 4, up to all the machine can", "faster";
        [Char('o')] Program::Open "open a scenario, a file or a session", "open";
        [Char('q')] Program::Quit "quit", "quit";
        [Char(':'), Ctrl('p')] Program::Palette
            "do anything by its name; commands with arguments", "command";
        [Char('1')] Grid::View(View::Occupancy)
            "occupancy: flits in each channel's buffers; of circuits, jobs at the controllers",
            "fill";
        [Char('2')] Grid::View(View::Worms)
            "worms, by letter, over occupancy; circuits, by what they do", "worms";
        [Char('3')] Grid::View(View::Classes) "virtual channels held, by class", "VCs";
        [Char('4')] Grid::View(View::Utilisation)
            "utilisation, a moving average; of circuits, the time for which links are held", "use";
        [Char('5')] Grid::View(View::Waits)
            "wait-for: the links that blocked heads want, and the ring of a deadlock";
        [Char('6')] Grid::View(View::Difference)
            "measured - predicted: how far each link's use is off the model";
        [Char('7')] Grid::View(View::Routed)
            "load by routing: how much of the busiest link's load each link has, before any run";
        [Char('+'), Char('=')] Grid::ZoomIn "zoom in", "zoom";
        [Char('-')] Grid::ZoomOut "zoom out";
        [Char('0')] Grid::ZoomFit "fit the network into the pane", "fit";
        [Char('O')] Grid::Origin
            "the cursor's node into the middle; again: the origin back into the corner";
        [Char('A')] Grid::Aggregate "pixels of several nodes: the hottest, or their mean";
        [Char('y')] Panes::Layout "layout: balanced, network, statistics, teaching";
        [Char('^')] Move::Cross "across a dimension of a hypercube (asks for its digit)";
        [Tab] Panes::FocusNext "next pane", "pane";
        [BackTab] Panes::FocusPrevious "pane before";
        [Char('e')] Panes::Expand "the pane in focus alone, or all", "expand";
        [Char('(')] Run::LoadDown "offered load down by a tenth, live", "load down";
        [Char(')')] Run::LoadUp "offered load up by a tenth, live", "load up";
        [Char('F')] Run::Fail
            "the router under the cursor fails with its links, or works again (a link: :fail A B)";
        [Char('L')] Run::Sweep
            "sweep the loads beside the run, into latency by load, at low priority (again: stop)", "curve";
        [Char('n')] Move::Next
            "the worm or circuit that has waited longest; again: the next; in heat views hot nodes", "next blocked";
        [Char('N')] Move::Previous "the one before";
        [Char('Q')] Move::Queue "the node where most messages wait to enter; again: the next";
        [Char('/')] Move::Find "find a node, a worm, or a message as (3,4)#7 or 12#7", "find";
        [Char('f')] Move::Follow
            "follow the message under the cursor or chosen in the table (again: stop)", "follow";
        [Char('p')] Move::Pin "pin it: it is marked and stands first in lists (again: let go)", "pin";
        [Char('i')] Move::History
            "its history: where it waited, how long, for whom (again: close it)", "history";
        [Char(',')] Time::StepBack "one cycle back", "back";
        [Char('g')] Time::GoTo "go to a cycle (asks)", "go to";
        [Char('B')] Time::StepBackMany "several cycles back (asks how many)";
        [Char('<')] Time::LastEvent "back to the last event";
        [Char('>')] Time::NextEvent "on to the next event";
        [Char('E')] Time::Events "which events: injection, delivery, blocking, deadlock, failure, repair, rerouting (asks)";
        [Char('D')] Time::ToDeadlock "to the cycle at which the first deadlock closed", "deadlock";
        [Char('X')] Time::Shrink
            "reduce the deadlock, beside the run, to few messages on a small network, and open it \
             (again: open the smallest so far)";
        [Char('G')] Time::ToLive "to the newest cycle", "newest";
        [Char('m')] Time::Bookmark "bookmark this cycle, or remove its bookmark";
        [Char('\'')] Time::Bookmarks "go to a bookmark (asks)";
        [Char('W')] Time::Save "write the session into a file (asks)";
        [Enter] Panes::Inspect "inspect the router under the cursor", "inspect";
        [Char('P')] Panes::Terms "prediction and simulation, part by part", "parts";
        [Char('T')] Panes::Tables
            "table of all links, measured and predicted; again: of the messages under way; \
             again: none", "tables";
        [Char('a')] Panes::SortTable
            "sort the table by its next column (as l and, the other way, h do)", "sort";
        [Char('R')] Program::Record "record the screen into a file (asks), or end the recording";
        [Char('s')] Program::Picture "save the screen as a picture: SVG, text, ANSI (asks)";
        [Char('Y')] Program::Copy
            "copy to the clipboard: in tables the row as CSV, beside the map sentences or figures, else the \
             name of the message or node under the cursor, as / finds it";
        [Char(';')] Run::StepMany "several cycles, or units of time of circuits (asks how many)";
        [Char('b')] Run::Break
            "stop (asks) at a chain of worms, a slow message, a cycle, what happens at a node \
             or to a message";
        [Char('r')] Run::Restart "from cycle 0, same seed", "restart";
        [Char('S')] Run::NewSeed "from cycle 0, another seed";
        [Char('v')] Grid::VcFilter "one virtual channel after the other, then all", "one VC";
        [Char('V')] Grid::ClassFilter "messages of one class after the other, then all", "one class";
        [Char('w')] Grid::Window "averaging window: 64, 256, 1,024 or 4,096 cycles", "window";
        [Char('c')] Runs::Compare
            "compare with another run of the same messages (asks), or go on with the active one \
             alone", "compare";
        [Char('x')] Runs::Swap "the other of two runs: panes and commands show its details";
        [Char('d')] Runs::Contrast "use of each link in B minus that in A, or back";
        [Char('u')] Study::Show
            "to the study, its curves and points, where one is open (as Esc does in the end)";
        [Char('t')] Program::Theme "the next theme: dark, light, mono and others", "theme";
        [Char('z')] Panes::Zen "the network alone, or all", "zen";
        [Esc] Program::Back
            "back: give up seeking; leave zen, expanded pane, table; stop following; leave filter; \
             to the study";
        [Char('M')] Program::Mouse "mouse on or off (off: the terminal selects text)";
        [Ctrl('e')] Program::Edit "edit the scenario's file in $VISUAL or $EDITOR and run it again";
        [Ctrl('l')] Program::Repaint "paint everything again";
        [Ctrl('z')] Program::Suspend "suspend; fg brings it back";
        [Ctrl('c')] Program::QuitNow "quit";
        [Char('{')] Move::SliceDown "slice before; with one slice, the heat scale ends lower";
        [Char('}')] Move::SliceUp "slice after; with one slice, the heat scale ends higher";
        [Char('h'), Left] Move::Move(Side::West) "west";
        [Char('j'), Down] Move::Move(Side::South) "south, or down in a list";
        [Char('k'), Up] Move::Move(Side::North) "north, or up in a list";
        [Char('l'), Right] Move::Move(Side::East) "east";
        [Char('H'), Home] Move::Page(Side::West) "a page west";
        [Char('J'), PageDown] Move::Page(Side::South) "a page south";
        [Char('K'), PageUp] Move::Page(Side::North) "a page north";
        [End] Move::Page(Side::East) "a page east";
    }
    Studying {
        [Enter] Study::Open "open the chosen point's run with its seed, at its first cycle",
            "open its run";
        [Char('E')] Study::OpenAtEnd "open it at its last cycle", "at its end";
        [Char(' ')] Study::Work
            "run what is missing here, at low priority; again: stop, and give back what runs",
            "run what is missing";
        [Char('j'), Down] Study::Down "the next point, by load";
        [Char('k'), Up] Study::Up "the point before";
        [Tab, Char('l'), Right] Study::NextCurve "the next curve, at about the same load", "curve";
        [BackTab, Char('h'), Left] Study::CurveBefore "the curve before";
        [PageDown, Char('J')] Study::PageDown "a page down";
        [PageUp, Char('K')] Study::PageUp "a page up";
        [Home] Study::First "the first point";
        [End] Study::Last "the last point";
        [Esc, Char('u')] Study::Hide "back to the run that was opened", "back";
    }
    Guided {
        [Enter] Tour::Advance "on, where what was asked is done";
        [Backspace] Tour::Retreat "a step back";
        [Ctrl('n')] Tour::NextStop "the next stop";
        [Ctrl('b')] Tour::PreviousStop "the stop before";
        [Esc] Tour::Leave
            "close what fills the screen, or leave the tour, which is taken up again where it was left",
            "leave";
    }
    Question {
        [Char('1')] Tour::Choose(1) "the first answer";
        [Char('2')] Tour::Choose(2) "the second answer";
        [Char('3')] Tour::Choose(3) "the third answer";
        [Char('4')] Tour::Choose(4) "the fourth answer";
    }
    Help {
        [Char('t')] Tour::Start "while this help is open: begin the tour, or take it up again";
        [Esc, Char('?'), Char('q'), F(1), Enter] Program::Back "close help";
        [Tab, Right, Char('l')] Answer::ChooseNext "next page of help";
        [BackTab, Left, Char('h')] Answer::ChoosePrevious "page of help before";
        [Char('/')] Answer::Complete "look for words in help and the guide";
        [Char('j'), Down, PageDown, Char(' ')] Answer::Down "scroll help down";
        [Char('k'), Up, PageUp] Answer::Up "scroll help up";
        [Ctrl('c')] Program::QuitNow "quit";
    }
    Search {
        [Enter] Answer::Accept "go to the line chosen";
        [Esc] Program::Back "end the search";
        [Down, Tab] Answer::Down "next line found";
        [Up, BackTab] Answer::Up "line found before";
        [Ctrl('c')] Program::QuitNow "quit";
    }
    Chooser {
        [Enter] Answer::Accept "open the chosen scenario";
        [Esc] Program::Back "close the chooser";
        [Down, Ctrl('n')] Answer::Down "the next of the list";
        [Up, Ctrl('p'), BackTab] Answer::Up "the one before";
        [Tab] Answer::Complete "complete a path or a setting, or the next of the list";
        [Ctrl('c')] Program::QuitNow "quit";
    }
    Prompt {
        [Enter] Answer::Accept "accept what was typed";
        [Esc] Program::Back "close the question";
        [Ctrl('c')] Program::QuitNow "quit";
    }
    Confirm {
        [Enter, Char('y')] Answer::Accept "yes";
        [Esc, Char('n'), Char('q')] Program::Back "no";
        [Ctrl('c')] Program::QuitNow "quit";
    }
    Palette {
        [Enter] Answer::Accept "do it";
        [Esc] Program::Back "close the line of commands";
        [Tab] Answer::Complete "complete what was typed with the line chosen";
        [Ctrl('n'), PageDown] Answer::ChooseNext "choose the next line";
        [Ctrl('p'), PageUp, BackTab] Answer::ChoosePrevious "choose the line before";
        [Up] Answer::Up "the command before";
        [Down] Answer::Down "the command after";
        [Ctrl('c')] Program::QuitNow "quit";
    }
    Line {
        [Left, Ctrl('b')] Answer::Edit(Edit::Left) "in a line that is typed: move the cursor left";
        [Right, Ctrl('f')] Answer::Edit(Edit::Right) "move the cursor right";
        [Home, Ctrl('a')] Answer::Edit(Edit::Start) "move the cursor to the start";
        [End, Ctrl('e')] Answer::Edit(Edit::End) "move the cursor to the end";
        [Backspace] Answer::Edit(Edit::Erase) "erase the character before the cursor";
        [Delete, Ctrl('d')] Answer::Edit(Edit::EraseNext) "erase the character at the cursor";
        [Ctrl('w')] Answer::Edit(Edit::EraseWord) "erase the word before the cursor";
        [Ctrl('u')] Answer::Edit(Edit::Clear) "erase the whole line";
    }
    Problems {
        [Esc, Enter, Char('q')] Program::Back "close the list of problems";
        [Ctrl('e'), Char('e')] Program::Edit "edit the file again";
        [Char('j'), Down] Answer::Down "scroll down";
        [Char('k'), Up] Answer::Up "scroll up";
        [Ctrl('c')] Program::QuitNow "quit";
    }
};
