//! The ports of the routers: one for each channel.

use super::records::{NONE, Port};
use crate::ids::ChannelId;
use crate::switching::{Stages, Wormhole};
use crate::topology::{Network, Role};

/// The idle ports of all channels.
pub(super) fn of(network: &Network, machine: &Wormhole, stages: Stages) -> Vec<Port> {
    let all = u32::MAX >> (32 - machine.virtual_channels);
    let mut ports: Vec<Port> = Vec::with_capacity(network.channels().len());
    for (at, channel) in network.channels().iter().enumerate() {
        let seat = network.terminal_of(ChannelId::new(at)).map(|node| network.seat(node));
        let place = |links: &[ChannelId]| match (channel.role, seat) {
            (Role::Link, _) | (_, None) => {
                links.iter().position(|it| it.index() == at).unwrap_or_default() as u32
            }
            (Role::Injection | Role::Ejection, Some(seat)) => links.len() as u32 + seat,
        };
        let (inputs, outputs) = (network.inputs(channel.to), network.outputs(channel.from));
        let count = |links: &[ChannelId], at| (links.len() + network.terminals_at(at)) as u32;
        let is_link = channel.role == Role::Link;
        let delay = channel.attributes.delay.map(|it| u32::from(it.get()));
        let usual = if is_link { machine.channel_delay } else { 1 };
        let cycles_per_flit = u32::from(channel.attributes.cycles_per_flit);
        let own = delay.unwrap_or(usual);
        let (delay, credit) = (own + cycles_per_flit - 1, own + machine.credit_delay);
        let to_arrival = match channel.role {
            Role::Injection => stages.injection,
            Role::Link | Role::Ejection => stages.of_flit() + delay,
        };
        ports.push(Port {
            from: channel.from.0,
            to: channel.to.0,
            input: place(inputs),
            inputs: count(inputs, channel.to),
            output: place(outputs),
            outputs: count(outputs, channel.from),
            free: all,
            bids: 0,
            listed: false,
            closed: false,
            delay,
            round_trip: to_arrival + stages.credit + credit,
            extra: delay.cast_signed() - usual.cast_signed(),
            cycles_per_flit,
            departs: 0,
            served: NONE,
            crossed: 0,
        });
    }
    ports
}

/// The ring of each channel, named by its first channel, or [`NONE`].
pub(super) fn rings(network: &Network) -> Vec<u32> {
    let terminals = network.channels().len() - network.links();
    let rings = network.rings().into_iter().map(|ring| ring.map_or(NONE, |first| first.0));
    rings.chain(std::iter::repeat_n(NONE, terminals)).collect()
}
