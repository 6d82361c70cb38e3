//! Letters for worms: who has one keeps it while it lives, and who is pinned until it is let go. A
//! free one goes to whoever matters most, members of a deadlock first, then those that have stood
//! longest, then the oldest.

use super::app::App;
use crate::engine::{CircuitView, HeadState, Snapshot, WormView};
use crate::ids::{ChannelId, MessageId, WormId};
use crate::routing::VcUse;

/// The most worms with letters at once.
pub const LETTERS: usize = 24;

/// The letters given out.
#[derive(Clone, Debug, Default)]
pub struct Names {
    holders: [Option<MessageId>; LETTERS],
    /// Letters that stay with their holders, in the network or not.
    pinned: [bool; LETTERS],
    /// For each worm of the snapshot, its letter plus 1, or 0.
    letters: Vec<u8>,
    /// For each letter, its worm's index in the snapshot.
    worms: [Option<u32>; LETTERS],
    /// For each worm of the snapshot, whether it is in a deadlock.
    doomed: Vec<bool>,
}

impl Names {
    /// Gives out the letters for a new snapshot.
    pub fn update(&mut self, snapshot: &Snapshot) {
        let worms = &snapshot.worms;
        self.letters.clear();
        self.letters.resize(worms.len(), 0);
        self.doomed.clear();
        self.doomed.resize(worms.len(), false);
        self.worms = [None; LETTERS];
        if let Some(deadlock) = &snapshot.deadlock {
            for (at, worm) in worms.iter().enumerate() {
                self.doomed[at] = deadlock.worms.contains(&worm.id);
            }
        }
        let mut sorted: Vec<(MessageId, u8)> = self
            .holders
            .iter()
            .enumerate()
            .filter_map(|(letter, name)| name.map(|name| (name, letter as u8)))
            .collect();
        sorted.sort_unstable();
        for (at, worm) in worms.iter().enumerate() {
            let name = worm.name();
            if let Ok(found) = sorted.binary_search_by_key(&name, |&(name, _)| name) {
                let letter = sorted[found].1;
                self.letters[at] = letter + 1;
                self.worms[usize::from(letter)] = Some(at as u32);
            }
        }
        let cycle: &[_] = snapshot.deadlock.as_ref().map_or(&[], |deadlock| &deadlock.cycle);
        let in_cycle = |worm: &WormView| cycle.iter().any(|wait| wait.worm == worm.id);
        // Those who are caught take letters from those who are not.
        for at in 0..worms.len() {
            if self.doomed[at] && self.letters[at] == 0 {
                let taken = (0..LETTERS).filter(|&letter| !self.pinned[letter]).find(|&letter| {
                    self.worms[letter].is_none_or(|other| {
                        let other = other as usize;
                        !self.doomed[other] || in_cycle(&worms[at]) && !in_cycle(&worms[other])
                    })
                });
                if let Some(letter) = taken {
                    if let Some(other) = self.worms[letter] {
                        self.letters[other as usize] = 0;
                    }
                    self.give(letter, at, &worms[at]);
                }
            }
        }
        for blocked in [true, false] {
            for (at, worm) in worms.iter().enumerate() {
                if self.letters[at] != 0 || blocked != matches!(worm.head, HeadState::Blocked(_)) {
                    continue;
                }
                let free = |&letter: &usize| !self.pinned[letter] && self.worms[letter].is_none();
                let Some(letter) = (0..LETTERS).find(free) else {
                    break;
                };
                self.give(letter, at, worm);
            }
        }
        for letter in (0..LETTERS).filter(|&letter| !self.pinned[letter]) {
            self.holders[letter] = self.worms[letter].map(|at| worms[at as usize].name());
        }
    }

    /// Gives the letters of another run's worms to the same messages in this one's snapshot; those
    /// that are pinned there are pinned here.
    pub fn follow(&mut self, first: &Self, snapshot: &Snapshot) {
        for letter in 0..LETTERS {
            let pinned = first.pinned[letter];
            let here = |name| pinned || snapshot.worms.iter().any(|worm| worm.name() == name);
            self.pinned[letter] = pinned;
            let Some(name) = first.holders[letter].filter(|&name| here(name)) else { continue };
            for own in self.holders.iter_mut().filter(|own| **own == Some(name)) {
                *own = None;
            }
            self.holders[letter] = Some(name);
        }
        self.update(snapshot);
    }

    fn give(&mut self, letter: usize, at: usize, worm: &WormView) {
        self.worms[letter] = Some(at as u32);
        self.holders[letter] = Some(worm.name());
        self.letters[at] = letter as u8 + 1;
    }

    /// Has a message keep its letter, or one that is not pinned, from the next snapshot on; says
    /// which, or nothing where all are pinned.
    pub fn pin(&mut self, name: MessageId) -> Option<usize> {
        let free = |&letter: &usize| !self.pinned[letter];
        let own = self.letter_of(name);
        let letter = own
            .or_else(|| (0..LETTERS).filter(free).find(|&letter| self.worms[letter].is_none()))
            // The last ones went to those that matter least.
            .or_else(|| (0..LETTERS).rev().find(free))?;
        self.holders[letter] = Some(name);
        self.pinned[letter] = true;
        Some(letter)
    }

    /// Lets go of a message that was pinned; says whether it was.
    pub fn unpin(&mut self, name: MessageId) -> bool {
        let letter = self.letter_of(name).filter(|&letter| self.pinned[letter]);
        if let Some(letter) = letter {
            self.pinned[letter] = false;
        }
        letter.is_some()
    }

    /// The pinned messages with their letters.
    pub fn pins(&self) -> impl Iterator<Item = (usize, MessageId)> {
        let holder = |letter: usize| Some((letter, self.holders[letter]?));
        (0..LETTERS).filter(|&letter| self.pinned[letter]).filter_map(holder)
    }

    /// The letters that are shown in lists: those of pinned messages first.
    pub fn listed(&self) -> impl Iterator<Item = usize> {
        let others = (0..LETTERS).filter(|&at| !self.pinned[at] && self.worms[at].is_some());
        self.pins().map(|(letter, _)| letter).chain(others)
    }

    /// Whether a letter stays with its holder.
    pub fn is_pinned(&self, letter: usize) -> bool {
        self.pinned.get(letter).copied().unwrap_or(false)
    }

    /// Who has a letter.
    pub fn holder(&self, letter: usize) -> Option<MessageId> {
        self.holders.get(letter).copied().flatten()
    }

    /// The letter that a message has.
    pub fn letter_of(&self, name: MessageId) -> Option<usize> {
        self.holders.iter().position(|&holder| holder == Some(name))
    }

    /// The letter's number of a worm of the snapshot.
    pub fn letter(&self, worm: usize) -> Option<usize> {
        self.letters.get(worm).and_then(|&letter| usize::from(letter).checked_sub(1))
    }

    /// The worm that has a letter.
    pub fn worm(&self, letter: usize) -> Option<usize> {
        self.worms.get(letter).copied().flatten().map(|at| at as usize)
    }

    /// Whether a worm of the snapshot can never move again.
    pub fn is_doomed(&self, worm: usize) -> bool {
        self.doomed.get(worm).copied().unwrap_or(false)
    }
}

impl App {
    /// What to call a message: its letter, or its name.
    pub fn call(&self, name: MessageId) -> String {
        match self.names.letter_of(name) {
            Some(letter) => capital(letter).to_string(),
            None => self.message_name(name),
        }
    }

    /// What to call a circuit.
    pub fn call_circuit(&self, circuit: &CircuitView) -> String {
        self.call(circuit.name())
    }

    /// What to call a worm.
    pub fn call_worm(&self, worm: &WormView) -> String {
        self.call(worm.name())
    }

    /// A message's name, as one can type it.
    pub fn message_name(&self, name: MessageId) -> String {
        self.update.scenario.system.network.message_name(name)
    }

    /// The same with its letter, if it has one.
    pub fn full_name(&self, name: MessageId) -> String {
        match self.names.letter_of(name) {
            Some(letter) => format!("{} {}", capital(letter), self.message_name(name)),
            None => self.message_name(name),
        }
    }
}

/// A channel's name in the characters of the screen.
pub fn channel_name(app: &App, channel: ChannelId) -> String {
    let name = app.update.scenario.system.network.channel_name(channel);
    name.replace('→', app.glyphs.to)
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

/// A letter for heads.
pub fn capital(letter: usize) -> char {
    char::from(b'A' + (letter % LETTERS) as u8)
}

/// The same for tails.
pub fn small(letter: usize) -> char {
    capital(letter).to_ascii_lowercase()
}

/// The index of a worm in a snapshot by its id.
pub fn index_of(snapshot: &Snapshot, id: WormId) -> Option<usize> {
    snapshot.worms.iter().position(|worm| worm.id == id)
}
