//! The rows of the table of keys.

mod dialogs;
mod moves;

use super::{Binding, Context, Group};
use crate::tui::action::{Action, Key};
use crate::tui::view::View;
use Context::Main;
use Key::{Char, Ctrl};
use dialogs::DIALOGS;
use moves::MOVES;

const fn row(
    context: Context,
    keys: &'static [Key],
    action: Action,
    group: Group,
    help: &'static str,
    bar: Option<&'static str>,
) -> Binding {
    Binding { context, keys, action, group, help, bar }
}

/// Every key that does something: those of the main screen, then those in dialogs.
pub const BINDINGS: &[Binding] = &JOINED;

const JOINED: [Binding; MAIN.len() + MOVES.len() + DIALOGS.len()] = {
    let mut all = [MAIN[0]; MAIN.len() + MOVES.len() + DIALOGS.len()];
    let parts = [MAIN, MOVES, DIALOGS];
    let (mut at, mut part, mut row) = (0, 0, 0);
    while at < all.len() {
        if row == parts[part].len() {
            (part, row) = (part + 1, 0);
        } else {
            all[at] = parts[part][row];
            (at, row) = (at + 1, row + 1);
        }
    }
    all
};

/// The keys of the main screen but those that move about; rows of the key bar stand in order of importance.
const MAIN: &[Binding] = &[
    row(Main, &[Char('?'), Key::F(1)], Action::Help, Group::Screen, "this help", Some("help")),
    row(Main, &[Char(' ')], Action::ToggleRun, Group::Run, "run or pause", Some("run")),
    row(
        Main,
        &[Char('.')],
        Action::Step,
        Group::Run,
        "one cycle; of circuits up to the next event",
        Some("step"),
    ),
    row(Main, &[Char('[')], Action::Slower, Group::Run, "slower, by 4", None),
    row(
        Main,
        &[Char(']')],
        Action::Faster,
        Group::Run,
        "faster, by 4, up to all the machine can",
        Some("faster"),
    ),
    row(Main, &[Char('o')], Action::Open, Group::Screen, "open a scenario", Some("open")),
    row(Main, &[Char('q')], Action::Quit, Group::Screen, "quit", Some("quit")),
    row(
        Main,
        &[Char(':'), Ctrl('p')],
        Action::Palette,
        Group::Screen,
        "do anything by its name; commands with arguments",
        Some("command"),
    ),
    row(
        Main,
        &[Char('1')],
        Action::View(View::Occupancy),
        Group::View,
        "occupancy: flits in each channel's buffers; of circuits, jobs at the controllers",
        Some("fill"),
    ),
    row(
        Main,
        &[Char('2')],
        Action::View(View::Worms),
        Group::View,
        "worms, by letter, over occupancy; circuits, by what they do",
        Some("worms"),
    ),
    row(
        Main,
        &[Char('3')],
        Action::View(View::Classes),
        Group::View,
        "virtual channels held, by class",
        Some("VCs"),
    ),
    row(
        Main,
        &[Char('4')],
        Action::View(View::Utilisation),
        Group::View,
        "utilisation, a moving average; of circuits, the time for which links are held",
        Some("use"),
    ),
    row(
        Main,
        &[Char('5')],
        Action::View(View::Waits),
        Group::View,
        "wait-for: the links that blocked heads want, or the cycle predicted",
        None,
    ),
    row(
        Main,
        &[Char('6')],
        Action::View(View::Difference),
        Group::View,
        "measured less predicted: how far each link's use is off the model",
        None,
    ),
    row(Main, &[Char('+'), Char('=')], Action::ZoomIn, Group::View, "zoom in", Some("zoom")),
    row(Main, &[Char('-')], Action::ZoomOut, Group::View, "zoom out", None),
    row(
        Main,
        &[Char('0')],
        Action::ZoomFit,
        Group::View,
        "fit the network into the pane",
        Some("fit"),
    ),
    row(
        Main,
        &[Char('O')],
        Action::Origin,
        Group::View,
        "the cursor's node into the middle; again: the origin back into the corner",
        None,
    ),
    row(
        Main,
        &[Char('A')],
        Action::Aggregate,
        Group::View,
        "pixels of several nodes: the hottest, or their mean",
        None,
    ),
    row(
        Main,
        &[Char('y')],
        Action::Layout,
        Group::Screen,
        "layout: balanced, network, statistics, teaching",
        None,
    ),
    row(
        Main,
        &[Char('^')],
        Action::Cross,
        Group::Move,
        "across a dimension of a hypercube (asks for its digit)",
        None,
    ),
    row(Main, &[Key::Tab], Action::FocusNext, Group::Screen, "next pane", Some("pane")),
    row(Main, &[Key::BackTab], Action::FocusPrevious, Group::Screen, "pane before", None),
    row(
        Main,
        &[Char('e')],
        Action::Expand,
        Group::Screen,
        "the pane in focus alone, or all",
        Some("expand"),
    ),
    row(
        Main,
        &[Char('(')],
        Action::LoadDown,
        Group::Run,
        "offered load down by a tenth, live",
        None,
    ),
    row(
        Main,
        &[Char(')')],
        Action::LoadUp,
        Group::Run,
        "offered load up by a tenth, live",
        Some("load up"),
    ),
    row(
        Main,
        &[Char('n')],
        Action::Next,
        Group::Move,
        "next blocked worm or waiting circuit, or next hot node",
        Some("next blocked"),
    ),
    row(Main, &[Char('N')], Action::Previous, Group::Move, "the one before", None),
    row(
        Main,
        &[Char('/')],
        Action::Find,
        Group::Move,
        "find a node, a worm, or a message as (3,4)#7 or 12#7",
        Some("find"),
    ),
    row(
        Main,
        &[Char('f')],
        Action::Follow,
        Group::Move,
        "follow the message under the cursor or chosen in the table (again: stop)",
        Some("follow"),
    ),
    row(
        Main,
        &[Char('p')],
        Action::Pin,
        Group::Move,
        "pin it: it is marked and stands first in lists (again: let go)",
        None,
    ),
    row(
        Main,
        &[Char('i')],
        Action::History,
        Group::Move,
        "its history: where it waited, how long, for whom (again: close it)",
        None,
    ),
    row(Main, &[Char(',')], Action::StepBack, Group::Time, "one cycle back", Some("back")),
    row(Main, &[Char('g')], Action::GoTo, Group::Time, "go to a cycle (asks)", Some("go to")),
    row(
        Main,
        &[Char('B')],
        Action::StepBackMany,
        Group::Time,
        "several cycles back (asks how many)",
        None,
    ),
    row(Main, &[Char('<')], Action::LastEvent, Group::Time, "back to the last event", None),
    row(Main, &[Char('>')], Action::NextEvent, Group::Time, "on to the next event", None),
    row(
        Main,
        &[Char('E')],
        Action::Events,
        Group::Time,
        "which events: injection, delivery, blocking, deadlock (asks)",
        None,
    ),
    row(Main, &[Char('G')], Action::ToLive, Group::Time, "to the newest cycle", None),
    row(
        Main,
        &[Char('m')],
        Action::Bookmark,
        Group::Time,
        "bookmark this cycle, or remove its bookmark",
        None,
    ),
    row(Main, &[Char('\'')], Action::Bookmarks, Group::Time, "go to a bookmark (asks)", None),
    row(
        Main,
        &[Char('W')],
        Action::Save,
        Group::Time,
        "write the session into a file (asks)",
        None,
    ),
    row(
        Main,
        &[Key::Enter],
        Action::Inspect,
        Group::Screen,
        "inspect the router under the cursor",
        Some("inspect"),
    ),
    row(
        Main,
        &[Char('P')],
        Action::Terms,
        Group::Screen,
        "prediction and simulation, part by part",
        Some("parts"),
    ),
    row(
        Main,
        &[Char('T')],
        Action::Tables,
        Group::Screen,
        "table of all links, measured and predicted; again: of the messages under way; again: none",
        None,
    ),
    row(
        Main,
        &[Char('a')],
        Action::SortTable,
        Group::Screen,
        "sort the table by its next column (as l and, the other way, h do)",
        None,
    ),
    row(
        Main,
        &[Char('R')],
        Action::Record,
        Group::Screen,
        "record the screen into a file (asks), or end the recording",
        None,
    ),
    row(
        Main,
        &[Char('s')],
        Action::Picture,
        Group::Screen,
        "save the screen as a picture: SVG, text, ANSI (asks)",
        None,
    ),
    row(
        Main,
        &[Char(';')],
        Action::StepMany,
        Group::Run,
        "several cycles, or units of time of circuits (asks how many)",
        None,
    ),
    row(
        Main,
        &[Char('b')],
        Action::Break,
        Group::Run,
        "stop (asks) at a chain of worms, a slow message, a cycle, what happens at a node or to a message",
        None,
    ),
    row(
        Main,
        &[Char('r')],
        Action::Restart,
        Group::Run,
        "from cycle 0, same seed",
        Some("restart"),
    ),
    row(Main, &[Char('S')], Action::NewSeed, Group::Run, "from cycle 0, another seed", None),
    row(
        Main,
        &[Char('v')],
        Action::VcFilter,
        Group::View,
        "one virtual channel after the other, then all",
        None,
    ),
    row(
        Main,
        &[Char('w')],
        Action::Window,
        Group::View,
        "averaging window: 64, 256, 1,024 or 4,096 cycles",
        None,
    ),
    row(
        Main,
        &[Char('c')],
        Action::Compare,
        Group::Compare,
        "compare with another run of the same messages (asks), or go on with the active one alone",
        Some("compare"),
    ),
    row(
        Main,
        &[Char('x')],
        Action::Swap,
        Group::Compare,
        "the other of two runs: panes and commands show its details",
        None,
    ),
    row(
        Main,
        &[Char('d')],
        Action::Contrast,
        Group::Compare,
        "use of each link in B less that in A, or back",
        None,
    ),
    row(
        Main,
        &[Char('t')],
        Action::Theme,
        Group::Screen,
        "theme: dark, light, mono",
        Some("theme"),
    ),
    row(Main, &[Char('z')], Action::Zen, Group::Screen, "the network alone, or all", Some("zen")),
    row(
        Main,
        &[Key::Esc],
        Action::Back,
        Group::Screen,
        "back: give up seeking; leave zen, expanded pane, table; stop following; leave filter",
        None,
    ),
    row(
        Main,
        &[Char('M')],
        Action::Mouse,
        Group::Screen,
        "mouse on or off (off: the terminal selects text)",
        None,
    ),
    row(
        Main,
        &[Ctrl('e')],
        Action::Edit,
        Group::Screen,
        "edit the scenario's file in $VISUAL or $EDITOR and run it again",
        None,
    ),
    row(Main, &[Ctrl('l')], Action::Repaint, Group::Screen, "paint everything again", None),
    row(Main, &[Ctrl('z')], Action::Suspend, Group::Screen, "suspend; fg brings it back", None),
    row(Main, &[Ctrl('c')], Action::QuitNow, Group::Screen, "quit", None),
];
