//! The one table of keys: dispatch, key bar, help screen and documentation are made from it.

use std::fmt::Write;

use super::action::{Action, Key};
use super::grid::plane::Side;
use super::view::View;

/// Where a key means something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// The main screen.
    Main,
    /// The help screen.
    Help,
    /// The scenario chooser.
    Chooser,
    /// A line that asks for something.
    Prompt,
}

/// The heading under which help shows a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Time and load.
    Run,
    /// What the grid shows.
    View,
    /// Moving about.
    Move,
    /// Panes and the program.
    Screen,
    /// Inside dialogs.
    Dialog,
}

impl Group {
    /// The groups in the order of the help screen.
    pub const ALL: [Self; 5] = [Self::Run, Self::View, Self::Move, Self::Screen, Self::Dialog];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Run => "Run",
            Self::View => "View",
            Self::Move => "Move",
            Self::Screen => "Screen",
            Self::Dialog => "In dialogs",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Where it holds.
    pub context: Context,
    /// The keys, any of which does it.
    pub keys: &'static [Key],
    /// What it does.
    pub action: Action,
    /// The heading in the help screen.
    pub group: Group,
    /// What help says.
    pub help: &'static str,
    /// The word in the key bar, for the few that have room there.
    pub bar: Option<&'static str>,
}

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

use Context::{Chooser, Help, Main, Prompt};
use Key::{Char, Ctrl};

/// Every key that does something; rows of the key bar stand in order of importance.
pub const BINDINGS: &[Binding] = &[
    row(Main, &[Char('?'), Key::F(1)], Action::Help, Group::Screen, "this help", Some("help")),
    row(Main, &[Char(' ')], Action::ToggleRun, Group::Run, "run or pause", Some("run")),
    row(Main, &[Char('.')], Action::Step, Group::Run, "one cycle", Some("step")),
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
        &[Char('1')],
        Action::View(View::Occupancy),
        Group::View,
        "occupancy: flits in each channel's buffers",
        Some("fill"),
    ),
    row(
        Main,
        &[Char('2')],
        Action::View(View::Worms),
        Group::View,
        "worms, by letter, over occupancy",
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
        "utilisation, a moving average",
        Some("use"),
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
        "next blocked worm, or next hot node",
        Some("next blocked"),
    ),
    row(Main, &[Char('N')], Action::Previous, Group::Move, "the one before", None),
    row(Main, &[Char('/')], Action::Find, Group::Move, "find a node or a worm", Some("find")),
    row(
        Main,
        &[Key::Enter],
        Action::Inspect,
        Group::Screen,
        "inspect the router under the cursor",
        Some("inspect"),
    ),
    row(Main, &[Char(';')], Action::StepMany, Group::Run, "several cycles (asks how many)", None),
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
        &[Char('t')],
        Action::Theme,
        Group::Screen,
        "theme: dark, light, mono",
        Some("theme"),
    ),
    row(Main, &[Char('z')], Action::Zen, Group::Screen, "the network alone, or all", Some("zen")),
    row(
        Main,
        &[Char('{')],
        Action::SliceDown,
        Group::Move,
        "slice before (more than two dimensions)",
        None,
    ),
    row(Main, &[Char('}')], Action::SliceUp, Group::Move, "slice after", None),
    row(Main, &[Char('h'), Key::Left], Action::Move(Side::West), Group::Move, "west", None),
    row(
        Main,
        &[Char('j'), Key::Down],
        Action::Move(Side::South),
        Group::Move,
        "south, or down in a list",
        None,
    ),
    row(
        Main,
        &[Char('k'), Key::Up],
        Action::Move(Side::North),
        Group::Move,
        "north, or up in a list",
        None,
    ),
    row(Main, &[Char('l'), Key::Right], Action::Move(Side::East), Group::Move, "east", None),
    row(Main, &[Char('H'), Key::Home], Action::Page(Side::West), Group::Move, "a page west", None),
    row(
        Main,
        &[Char('J'), Key::PageDown],
        Action::Page(Side::South),
        Group::Move,
        "a page south",
        None,
    ),
    row(
        Main,
        &[Char('K'), Key::PageUp],
        Action::Page(Side::North),
        Group::Move,
        "a page north",
        None,
    ),
    row(Main, &[Char('L'), Key::End], Action::Page(Side::East), Group::Move, "a page east", None),
    row(
        Main,
        &[Key::Esc],
        Action::Back,
        Group::Screen,
        "back: leave zen, expanded pane, filter",
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
    row(Main, &[Ctrl('l')], Action::Repaint, Group::Screen, "paint everything again", None),
    row(Main, &[Ctrl('z')], Action::Suspend, Group::Screen, "suspend; fg brings it back", None),
    row(Main, &[Ctrl('c')], Action::QuitNow, Group::Screen, "quit", None),
    row(
        Help,
        &[Key::Esc, Char('?'), Char('q'), Key::F(1), Key::Enter],
        Action::Back,
        Group::Dialog,
        "close help",
        None,
    ),
    row(
        Help,
        &[Char('j'), Key::Down, Key::PageDown, Char(' ')],
        Action::Down,
        Group::Dialog,
        "scroll help down",
        None,
    ),
    row(
        Help,
        &[Char('k'), Key::Up, Key::PageUp],
        Action::Up,
        Group::Dialog,
        "scroll help up",
        None,
    ),
    row(Help, &[Ctrl('c')], Action::QuitNow, Group::Dialog, "quit", None),
    row(Chooser, &[Key::Enter], Action::Accept, Group::Dialog, "open the chosen scenario", None),
    row(Chooser, &[Key::Esc], Action::Back, Group::Dialog, "close the chooser", None),
    row(
        Chooser,
        &[Key::Down, Ctrl('n'), Key::Tab],
        Action::Down,
        Group::Dialog,
        "next scenario",
        None,
    ),
    row(
        Chooser,
        &[Key::Up, Ctrl('p'), Key::BackTab],
        Action::Up,
        Group::Dialog,
        "scenario before",
        None,
    ),
    row(
        Chooser,
        &[Key::Backspace],
        Action::Erase,
        Group::Dialog,
        "erase a character of the filter",
        None,
    ),
    row(Chooser, &[Ctrl('c')], Action::QuitNow, Group::Dialog, "quit", None),
    row(Prompt, &[Key::Enter], Action::Accept, Group::Dialog, "accept what was typed", None),
    row(Prompt, &[Key::Esc], Action::Back, Group::Dialog, "close the question", None),
    row(Prompt, &[Key::Backspace], Action::Erase, Group::Dialog, "erase a character", None),
    row(Prompt, &[Ctrl('c')], Action::QuitNow, Group::Dialog, "quit", None),
];

/// What `key` does in `context`; characters that mean nothing there are typed into dialogs.
pub fn action_of(context: Context, key: Key) -> Option<Action> {
    let bound = BINDINGS
        .iter()
        .find(|binding| binding.context == context && binding.keys.contains(&key))
        .map(|binding| binding.action);
    match (bound, context, key) {
        (None, Chooser | Prompt, Char(letter)) => Some(Action::Type(letter)),
        _ => bound,
    }
}

/// The key's name for people.
pub fn key_name(key: Key) -> String {
    match key {
        Char(' ') => "Space".to_owned(),
        Char(letter) => letter.to_string(),
        Ctrl(letter) => format!("Ctrl-{}", letter.to_ascii_uppercase()),
        Key::F(number) => format!("F{number}"),
        Key::Enter => "Enter".to_owned(),
        Key::Esc => "Esc".to_owned(),
        Key::Tab => "Tab".to_owned(),
        Key::BackTab => "S-Tab".to_owned(),
        Key::Backspace => "Backspace".to_owned(),
        Key::Left => "Left".to_owned(),
        Key::Right => "Right".to_owned(),
        Key::Up => "Up".to_owned(),
        Key::Down => "Down".to_owned(),
        Key::Home => "Home".to_owned(),
        Key::End => "End".to_owned(),
        Key::PageUp => "PgUp".to_owned(),
        Key::PageDown => "PgDn".to_owned(),
    }
}

/// The names of a row's keys, the first `most` of them.
pub fn key_names(binding: &Binding, most: usize) -> String {
    let names: Vec<String> = binding.keys.iter().take(most).map(|&key| key_name(key)).collect();
    names.join(" ")
}

/// The table as markdown, for the README.
pub fn markdown() -> String {
    let mut out = String::from("| key | what it does |\n|---|---|\n");
    for group in Group::ALL {
        let _ = writeln!(out, "| **{}** | |", group.title());
        for binding in BINDINGS.iter().filter(|binding| binding.group == group) {
            let names: Vec<String> =
                binding.keys.iter().map(|&key| format!("`{}`", key_name(key))).collect();
            let _ = writeln!(out, "| {} | {} |", names.join(" "), binding.help);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_place() {
        for (at, binding) in BINDINGS.iter().enumerate() {
            for other in &BINDINGS[at..] {
                if other.context != binding.context {
                    continue;
                }
                let same = other.keys.iter().filter(|key| binding.keys.contains(key)).count();
                let itself = std::ptr::eq(binding, other);
                assert!(itself || same == 0, "{binding:?} and {other:?}");
            }
            for (nth, key) in binding.keys.iter().enumerate() {
                assert!(!binding.keys[nth + 1..].contains(key), "{binding:?}");
            }
        }
    }

    #[test]
    fn every_key_has_help_and_every_action_a_key() {
        for binding in BINDINGS {
            assert!(!binding.help.is_empty() && !binding.keys.is_empty());
        }
        for action in Action::WITH_KEYS {
            assert!(
                BINDINGS.iter().any(|binding| binding.action == *action),
                "{action:?} has no key"
            );
        }
        for binding in BINDINGS {
            assert!(Action::WITH_KEYS.contains(&binding.action), "{binding:?} is not listed");
        }
    }

    #[test]
    fn quitting_works_everywhere() {
        for context in [Main, Help, Chooser, Prompt] {
            assert_eq!(action_of(context, Ctrl('c')), Some(Action::QuitNow));
        }
    }

    #[test]
    fn dialogs_take_letters() {
        assert_eq!(action_of(Chooser, Char('q')), Some(Action::Type('q')));
        assert_eq!(action_of(Main, Char('§')), None);
    }

    #[test]
    fn the_table_can_be_printed() {
        let table = markdown();
        assert!(table.contains("| `Space` | run or pause |"));
        assert_eq!(table.lines().count(), 2 + Group::ALL.len() + BINDINGS.len());
    }
}
