//! What messages and channels are called on the screen.

use super::run_view::RunView;
use super::shown::Shown;
use crate::engine::WormView;
use crate::engine::letters::LETTERS;
use crate::ids::{ChannelId, Letter, MessageId, RouterId, VcId};
use crate::routing::VcUse;

/// The letters, without those that are signs where there are none but ASCII characters: O a node, V
/// an arrow, X a head that is blocked.
const ALPHABET: [char; LETTERS as usize] = [
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'P', 'Q', 'R', 'S', 'T',
    'U', 'W', 'Y', 'Z',
];

impl RunView {
    /// The letter of a message that is in the network.
    pub fn letter_of(&self, name: MessageId) -> Option<Letter> {
        self.carriers().find(|carrier| carrier.name == name)?.letter
    }

    /// The worms with their places in the snapshot, the first letters first.
    pub fn by_letter(&self) -> impl DoubleEndedIterator<Item = (usize, &WormView)> {
        let mut worms: Vec<_> = self.update.snapshot.worms.iter().enumerate().collect();
        worms.sort_unstable_by_key(|(_, worm)| worm.letter);
        worms.into_iter()
    }

    /// What to call a message: its letter, or its name.
    pub fn call(&self, name: MessageId) -> String {
        self.letter_of(name).map_or_else(|| self.message_name(name), capital)
    }

    /// A message's name, as one can type it.
    pub fn message_name(&self, name: MessageId) -> String {
        self.network().message_name(name)
    }

    /// The same with its letter, if it has one.
    pub fn full_name(&self, name: MessageId) -> String {
        match self.letter_of(name) {
            Some(letter) => format!("{} {}", capital(letter), self.message_name(name)),
            None => self.message_name(name),
        }
    }
}

/// A channel's name in the characters of the screen, short as those of its router.
pub(super) fn channel_name<'a>(app: impl Into<Shown<'a>>, channel: ChannelId) -> String {
    let app = app.into();
    let (network, name) = (app.network(), app.network().channel_name(channel));
    let from = network.channel(channel).from;
    let rest = name.strip_prefix(&network.router_name(from)).filter(|_| network.has_long_names());
    let short = rest.map(|rest| network.short_router_name(from) + rest);
    short.unwrap_or(name).replace('→', app.glyphs.to)
}

/// A virtual channel's name: its channel's, and its number.
pub(super) fn vc_name<'a>(app: impl Into<Shown<'a>>, vc: VcId) -> String {
    let app = app.into();
    let (channel, vc) = app.snapshot().split(vc);
    format!("{} VC {vc}", channel_name(app, channel))
}

/// The channels whose buffers are at a router: hosts have theirs at their switch.
pub(super) fn into_router(app: &RunView, router: RouterId) -> impl Iterator<Item = ChannelId> + '_ {
    let network = app.network();
    let hosts = network.switches().map_or(&[] as &[_], |_| network.hosts_at(router));
    let injection = hosts.iter().filter_map(|&host| network.injection_of(host));
    network.inputs(router).iter().copied().chain(injection)
}

/// What a virtual channel is for, in a word or two.
pub fn vc_use_name(vc_use: VcUse) -> &'static str {
    match vc_use {
        VcUse::Open => "open",
        VcUse::Class(0) => "class 0",
        VcUse::Class(_) => "class 1",
        VcUse::Escape(0) => "escape 0",
        VcUse::Escape(_) => "escape 1",
        VcUse::Adaptive => "adaptive",
        VcUse::Hop(class) => ["hop 0, 3, 6", "hop 1, 4, 7", "hop 2, 5, 8"][usize::from(class) % 3],
    }
}

/// The digit of a dimension: 0 to 9, then letters from a on.
pub fn dimension_digit(dimension: usize) -> char {
    u32::try_from(dimension).ok().and_then(|it| char::from_digit(it, 36)).unwrap_or('?')
}

/// The dimension that a digit names.
pub fn dimension_of(digit: char) -> Option<usize> {
    digit.to_digit(36).map(|it| it as usize)
}

/// A letter for heads; where one letter does not do, two or more.
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

/// True if a character is one of those that names of messages are made of.
pub fn is_letter(glyph: char) -> bool {
    ALPHABET.contains(&glyph)
}

/// The letter for heads, where one does and there is no room for more.
pub fn single(letter: Letter) -> Option<char> {
    ALPHABET.get(letter.index()).copied()
}
