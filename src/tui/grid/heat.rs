//! Heat of channels and routers in 16 levels.
//!
//! A level changes only if the value has moved by more than half a level, to keep pictures calm.

use crate::ids::{ChannelId, NodeId};
use crate::live::Update;
use crate::routing::VcUse;
use crate::tui::theme::LEVELS;
use crate::tui::view::View;

/// The least deviation, in levels, that changes a level.
const HOLD: f32 = 0.75;

/// Upper ends of the scale, as shares of the maximum.
pub const TOPS: [f32; 4] = [0.125, 0.25, 0.5, 1.0];

/// The levels of every channel and router.
#[derive(Clone, Debug, Default)]
pub struct Heat {
    channels: Vec<u8>,
    routers: Vec<u8>,
    queued: Vec<u64>,
    basis: Option<(View, Option<u32>, f32)>,
}

impl Heat {
    /// Computes the levels of an update for a view, for all VCs or one, on a scale up to `top`.
    pub fn update(&mut self, update: &Update, view: View, vc: Option<u32>, top: f32) {
        let network = &update.scenario.system.network;
        let basis = Some((view, vc, top));
        let fresh = self.basis != basis || self.channels.len() != network.channels().len();
        self.basis = basis;
        self.channels.resize(network.channels().len(), 0);
        let routed = (view == View::Routed).then(|| Routed::of(update));
        for (channel, level) in self.channels.iter_mut().enumerate() {
            let id = ChannelId::new(channel);
            let share = match &routed {
                Some(routed) => routed.share(id),
                None => value_of(update, view, vc, id) / top,
            };
            let value = share * f32::from(LEVELS - 1);
            if fresh || (value - f32::from(*level)).abs() > HOLD || value == 0.0 {
                // Channels that are not idle have at least level 1.
                let floor = u8::from(value > 0.0);
                *level = (value.round() as u8).clamp(floor, LEVELS - 1);
            }
        }
        self.routers.clear();
        self.routers.resize(network.routers(), 0);
        for (channel, &level) in network.channels().iter().zip(&self.channels) {
            let router = &mut self.routers[channel.to.index()];
            *router = (*router).max(level);
        }
        if view == View::Occupancy {
            for (level, &jobs) in self.routers.iter_mut().zip(&update.snapshot.controllers) {
                *level = (jobs * 2).min(u32::from(LEVELS - 1)) as u8;
            }
        }
        self.queued.clear();
        self.queued.resize(network.routers(), 0);
        for (node, &waiting) in update.snapshot.queues.iter().enumerate().take(network.nodes()) {
            self.queued[network.router_of(NodeId::new(node)).index()] += waiting;
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

/// The value of a channel in a view, 0 to 1.
fn value_of(update: &Update, view: View, vc: Option<u32>, channel: ChannelId) -> f32 {
    if view == View::Utilisation {
        return update.utilisation.get(channel.index()).copied().unwrap_or(0.0);
    }
    let snapshot = &update.snapshot;
    let all = snapshot.vcs_of(channel);
    let vcs = vc.and_then(|vc| all.get(vc as usize..=vc as usize)).unwrap_or(all);
    // Circuits have no buffers: held lanes are counted instead.
    let share = if view == View::Classes || snapshot.buffer_flits == 0 {
        vcs.iter().filter(|vc| vc.holder > 0).count() as f32
    } else {
        vcs.iter().map(|vc| vc.flits).sum::<u32>() as f32 / snapshot.buffer_flits as f32
    };
    (share / vcs.len().max(1) as f32).min(1.0)
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
