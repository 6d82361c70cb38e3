//! Heat of channels and routers in 16 levels.
//!
//! A level changes only if the value has moved by more than half a level, to keep pictures calm.

use crate::engine::{Snapshot, VcView};
use crate::ids::{ChannelId, NodeId};
use crate::live::Update;
use crate::routing::VcUse;
use crate::tui::theme::LEVELS;
use crate::tui::view::{Filter, View};

/// The least deviation, in levels, that changes a level.
const HOLD: f32 = 0.75;

/// Upper ends of the scale, as shares of the maximum.
pub const TOPS: [f32; 4] = [0.125, 0.25, 0.5, 1.0];
/// The share of the next lower scale that the highest value falls below before the scale is lowered.
const CALM: f32 = 0.9;

/// The levels of every channel and router.
#[derive(Clone, Debug, Default)]
pub struct Heat {
    channels: Vec<u8>,
    routers: Vec<u8>,
    queued: Vec<u64>,
    basis: Option<(View, Filter, f32)>,
    /// Channels that may have a level above 0.
    warm: Vec<u32>,
    /// Routers with queued messages.
    crowded: Vec<u32>,
}

impl Heat {
    /// The upper end of the scale for an update in a view. Utilisation, which is far below 1 in most
    /// networks, has the lowest scale for its highest value.
    pub fn top(&self, update: &Update, view: View) -> f32 {
        if view != View::Utilisation {
            return 1.0;
        }
        let highest = update.usage.recent.iter().copied().fold(0.0, f32::max);
        let least = |share: f32| TOPS.into_iter().find(|&top| top >= share).unwrap_or(1.0);
        let before = self.basis.filter(|&(of, ..)| of == view).map(|(.., top)| top);
        before.unwrap_or(0.0).clamp(least(highest), least(highest / CALM))
    }

    /// Computes the levels of an update for a view, for the selected part of the traffic, on a scale up to
    /// `top`.
    pub fn update(&mut self, update: &Update, view: View, filter: Filter, top: f32) {
        let network = &update.scenario.system.network;
        let (basis, count) = (Some((view, filter, top)), network.channels().len());
        let fresh = self.basis != basis || self.channels.len() != count;
        self.basis = basis;
        if fresh {
            self.warm.clear();
            self.channels.clear();
            self.channels.resize(count, 0);
        }
        let flits = flits_of_class(&update.snapshot, filter);
        let routed = (view == View::Routed).then(|| Routed::of(update));
        let level_of = |channel: u32, level: u8| {
            let id = ChannelId(channel);
            let share = match &routed {
                Some(routed) => routed.share(id),
                None => value_of(update, (view, filter), flits.as_deref(), id) / top,
            };
            let value = share * f32::from(LEVELS - 1);
            if fresh || (value - f32::from(level)).abs() > HOLD || value == 0.0 {
                // Channels that are not idle have at least level 1.
                (value.round() as u8).clamp(u8::from(value > 0.0), LEVELS - 1)
            } else {
                level
            }
        };
        let used: Vec<u32> = if is_sparse(update, view) {
            let path = update.snapshot.path.iter();
            path.map(|&vc| update.snapshot.split(vc).0.0).collect()
        } else {
            self.warm.clear();
            (0..count as u32).collect()
        };
        for &channel in self.warm.iter().chain(&used) {
            let level = &mut self.channels[channel as usize];
            *level = level_of(channel, *level);
        }
        self.routers.clear();
        self.routers.resize(network.routers(), 0);
        for &channel in &used {
            let router = &mut self.routers[network.channel(ChannelId(channel)).to.index()];
            *router = (*router).max(self.channels[channel as usize]);
        }
        self.warm = used;
        if view == View::Occupancy {
            for (level, &jobs) in self.routers.iter_mut().zip(&update.snapshot.controllers) {
                *level = (jobs * 2).min(u32::from(LEVELS - 1)) as u8;
            }
        }
        self.queued.resize(network.routers(), 0);
        for router in self.crowded.drain(..) {
            if let Some(queued) = self.queued.get_mut(router as usize) {
                *queued = 0;
            }
        }
        let queues = update.snapshot.queues.iter().enumerate().take(network.nodes());
        for (node, &waiting) in queues.filter(|&(_, &waiting)| waiting > 0) {
            let router = network.router_of(NodeId::new(node));
            self.queued[router.index()] += waiting;
            self.crowded.push(router.0);
        }
    }

    /// The level of a channel.
    pub fn channel(&self, channel: usize) -> u8 {
        self.channels.get(channel).copied().unwrap_or(0)
    }

    /// The number of messages queued at a router's terminals.
    pub fn queued(&self, router: usize) -> u64 {
        self.queued.get(router).copied().unwrap_or(0)
    }

    /// The highest level of a router's inputs.
    pub fn router(&self, router: usize) -> u8 {
        self.routers.get(router).copied().unwrap_or(0)
    }
}

/// True if the channels of worms alone can have levels above 0 in a view. Circuits also hold links in
/// the opposite direction.
fn is_sparse(update: &Update, view: View) -> bool {
    match view {
        View::Utilisation | View::Routed => false,
        View::Occupancy | View::Worms | View::Classes | View::Waits | View::Difference => {
            update.snapshot.circuits.is_empty()
        }
    }
}

/// Channel loads implied by the routes.
struct Routed<'a> {
    gamma: &'a [f64],
    most: f64,
}

impl<'a> Routed<'a> {
    fn of(update: &'a Update) -> Self {
        let gamma = update.scenario.capacity().map_or(&[][..], |capacity| &capacity.gamma);
        Self { gamma, most: gamma.iter().copied().fold(0.0, f64::max) }
    }

    /// The load of a channel relative to the busiest channel, 0 to 1.
    fn share(&self, channel: ChannelId) -> f32 {
        let gamma = self.gamma.get(channel.index()).copied().unwrap_or(0.0);
        if self.most > 0.0 { (gamma / self.most) as f32 } else { 0.0 }
    }
}

/// The flits of the selected message class in each VC; `None` if all classes are selected.
fn flits_of_class(snapshot: &Snapshot, filter: Filter) -> Option<Vec<u32>> {
    filter.message_class?;
    let mut flits = vec![0; snapshot.vcs.len()];
    for worm in snapshot.worms.iter().filter(|worm| filter.shows(worm)) {
        let path = worm.path_first as usize..(worm.path_first + worm.path_len) as usize;
        for (vc, count) in snapshot.path[path.clone()].iter().zip(&snapshot.path_flits[path]) {
            flits[vc.index()] += count;
        }
    }
    Some(flits)
}

/// The value of a channel in a view, 0 to 1. `flits` are those of the selected message class in each VC.
fn value_of(
    update: &Update,
    (view, filter): (View, Filter),
    flits: Option<&[u32]>,
    channel: ChannelId,
) -> f32 {
    if view == View::Utilisation {
        return update.usage.recent.get(channel.index()).copied().unwrap_or(0.0);
    }
    let snapshot = &update.snapshot;
    let first = channel.index() * snapshot.virtual_channels as usize;
    let vcs = snapshot.vcs_of(channel);
    let vcs = || (0..).zip(vcs).filter(|&(vc, _)| filter.selects(vc));
    let owned = |view: &VcView| snapshot.owner(view).is_some_and(|(_, worm)| filter.shows(worm));
    // Circuits have no buffers: held lanes are counted instead.
    let share = if view == View::Classes || snapshot.buffer_flits == 0 {
        vcs().filter(|(_, view)| owned(view)).count() as f32
    } else {
        let flits_of = |(vc, view): (u32, &VcView)| {
            flits.map_or(view.flits, |flits| flits[first + vc as usize])
        };
        vcs().map(flits_of).sum::<u32>() as f32 / snapshot.buffer_flits as f32
    };
    (share / vcs().count().max(1) as f32).min(1.0)
}

/// The line style of a VC class: 0 for open VCs and class 0, 1 for higher classes, 2 for adaptive
/// VCs; classes of hop schemes cycle through all three.
pub fn class_line(vc_use: VcUse) -> usize {
    match vc_use {
        VcUse::Open => 0,
        VcUse::Class(class) | VcUse::Escape(class) => usize::from(class.min(1)),
        VcUse::Adaptive => 2,
        VcUse::Hop(class) => usize::from(class) % 3,
    }
}

#[cfg(test)]
mod tests;
