//! Display names of messages and channels.

use super::run_view::RunView;
use super::scene::Scene;
use crate::engine::WormView;
use crate::engine::letters::LETTERS;
use crate::ids::{ChannelId, Letter, MessageId, RouterId, VcId};
use crate::routing::VcUse;

/// The letters of labels, except those used as ASCII symbols: O for a node, V for an arrow, X for a
/// blocked head.
const ALPHABET: [char; LETTERS as usize] = [
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'P', 'Q', 'R', 'S', 'T',
    'U', 'W', 'Y', 'Z',
];

impl RunView {
    /// The label of a message in the network.
    pub fn letter_of(&self, name: MessageId) -> Option<Letter> {
        self.carriers().find(|carrier| carrier.name == name)?.letter
    }

    /// The worms with their indices in the snapshot, in order of labels.
    pub fn by_letter(&self) -> impl DoubleEndedIterator<Item = (usize, &WormView)> {
        let mut worms: Vec<_> = self.update.snapshot.worms.iter().enumerate().collect();
        worms.sort_unstable_by_key(|(_, worm)| worm.letter);
        worms.into_iter()
    }

    /// The short name of a message: its label if any, otherwise its full name.
    pub fn call(&self, name: MessageId) -> String {
        self.letter_of(name).map_or_else(|| self.message_name(name), capital)
    }

    /// The name of a message, in the format for typing.
    pub fn message_name(&self, name: MessageId) -> String {
        self.network().message_name(name)
    }

    /// The name of a message, preceded by its label if any.
    pub fn full_name(&self, name: MessageId) -> String {
        match self.letter_of(name) {
            Some(letter) => format!("{} {}", capital(letter), self.message_name(name)),
            None => self.message_name(name),
        }
    }
}

/// The name of a channel in the characters of the screen, short if the router's name is long.
pub(super) fn channel_name<'a>(app: impl Into<Scene<'a>>, channel: ChannelId) -> String {
    let app = app.into();
    let (network, name) = (app.network(), app.network().channel_name(channel));
    let from = network.channel(channel).from;
    let rest = name.strip_prefix(&network.router_name(from)).filter(|_| network.has_long_names());
    let short = rest.map(|rest| network.short_router_name(from) + rest);
    short.unwrap_or(name).replace('→', app.glyphs.to)
}

/// The name of a virtual channel: its channel's name and its number.
pub(super) fn vc_name<'a>(app: impl Into<Scene<'a>>, vc: VcId) -> String {
    let app = app.into();
    let (channel, vc) = app.snapshot().split(vc);
    format!("{} VC {vc}", channel_name(app, channel))
}

/// The channels with buffers at a router; a host's buffers are at its switch.
pub(super) fn into_router(app: &RunView, router: RouterId) -> impl Iterator<Item = ChannelId> + '_ {
    let network = app.network();
    let hosts = network.switches().map_or(&[] as &[_], |_| network.hosts_at(router));
    let injection = hosts.iter().filter_map(|&host| network.injection_of(host));
    network.inputs(router).iter().copied().chain(injection)
}

/// The use of a virtual channel in one or two words.
pub fn vc_use_name(vc_use: VcUse) -> String {
    match vc_use {
        VcUse::Open => "open".to_owned(),
        VcUse::Class(class) => format!("class {class}"),
        VcUse::Escape(class) => format!("escape {class}"),
        VcUse::Adaptive => "adaptive".to_owned(),
        VcUse::Hop(class) => {
            ["hop 0, 3, 6", "hop 1, 4, 7", "hop 2, 5, 8"][usize::from(class) % 3].to_owned()
        }
    }
}

/// The digit of a dimension: 0 to 9, followed by letters from a.
pub fn dimension_digit(dimension: usize) -> char {
    u32::try_from(dimension).ok().and_then(|it| char::from_digit(it, 36)).unwrap_or('?')
}

/// The dimension of a digit.
pub fn dimension_of(digit: char) -> Option<usize> {
    digit.to_digit(36).map(|it| it as usize)
}

/// A label in capitals, with two or more letters after the alphabet is exhausted.
pub fn capital(letter: Letter) -> String {
    let mut left = letter.index() + 1;
    let mut letters = Vec::new();
    while left > 0 {
        left -= 1;
        letters.push(ALPHABET[left % ALPHABET.len()]);
        left /= ALPHABET.len();
    }
    letters.into_iter().rev().collect()
}

/// True for a letter of labels.
pub fn is_letter(glyph: char) -> bool {
    ALPHABET.contains(&glyph)
}

/// A label of a single letter, for places without space for more.
pub fn single(letter: Letter) -> Option<char> {
    ALPHABET.get(letter.index()).copied()
}
