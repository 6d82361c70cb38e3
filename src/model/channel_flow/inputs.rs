//! The streams that compete for each output: the flows seen from where they go to.

use super::routes::Flows;
use super::servers::Resource;
use crate::model::budget;

/// Messages that go from one channel, or from a source, to one output.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Input {
    /// Messages per message of a node.
    pub share: f64,
    pub from_source: bool,
    /// From a source, its messages to other outputs.
    pub rest: f64,
    /// Messages of other classes over the output's channel: those that arrive over other channels, and a part of
    /// those that arrive over the same one.
    pub others: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Inputs {
    /// Of each output, its first stream; one more at the end.
    start: Vec<u32>,
    pub all: Vec<Input>,
}

impl Inputs {
    /// The streams of these flows, whose steps learn their places among the streams. Of the messages of other
    /// classes that arrive over the same channel the part `alongside` counts.
    pub fn of(flows: &mut Flows, alongside: f64) -> Self {
        let Flows { servers, sources, links } = flows;
        let mut start = vec![0; servers.len() + 1];
        let steps = servers.iter().flat_map(|server| &server.next);
        for step in steps.chain(sources.iter().flat_map(|source| &source.next)) {
            start[step.to as usize + 1] += 1;
        }
        for output in 0..servers.len() {
            start[output + 1] += start[output];
        }
        let mut all = vec![Input::default(); start[servers.len()] as usize];
        budget::charge(servers.len() + all.len());
        let mut free = start.clone();
        let mut place = |to: u32, input: Input| {
            let place = free[to as usize];
            free[to as usize] += 1;
            all[place as usize] = input;
            place
        };
        // Of each stream the channel it comes over, where classes share the one it goes to.
        let outputs: Vec<Resource> = servers.iter().map(|server| server.resource).collect();
        // Streams by the channel they go to: to which of its servers, from where, and their places.
        let mut meeting: Vec<(u32, [u32; 2], Origin)> = Vec::new();
        let mut meet = |to: u32, from: Origin, place: u32| {
            if let Resource::Link(channel, _) = outputs[to as usize]
                && links[channel.index()].classes > 1
            {
                meeting.push((channel.0, [to, place], from));
            }
        };
        for server in servers {
            let Resource::Link(channel, _) = server.resource else { continue };
            for step in &mut server.next {
                let input = Input { share: step.share, ..Input::default() };
                step.place = place(step.to, input);
                meet(step.to, Origin::Channel(channel.0), step.place);
            }
        }
        for (node, source) in (0..).zip(sources) {
            for step in &mut source.next {
                let rest = source.share - step.share;
                let input =
                    Input { share: step.share, from_source: true, rest, ..Input::default() };
                step.place = place(step.to, input);
                meet(step.to, Origin::Source(node), step.place);
            }
        }
        meeting.sort_by_key(|it| it.0);
        for streams in meeting.chunk_by(|one, other| one.0 == other.0) {
            for &(_, [to, place], from) in streams {
                let part = |other: u32, origin: Origin| match origin {
                    _ if other == to => 0.0,
                    _ if origin != from => 1.0,
                    Origin::Channel(_) => alongside,
                    Origin::Source(_) => 0.0,
                };
                let met = |&(_, [other, at], origin): &(u32, [u32; 2], Origin)| {
                    part(other, origin) * all[at as usize].share
                };
                all[place as usize].others = streams.iter().map(met).sum();
            }
        }
        Self { start, all }
    }

    /// The places of the streams of an output.
    pub fn places(&self, output: usize) -> std::ops::Range<usize> {
        self.start[output] as usize..self.start[output + 1] as usize
    }
}

/// Where a stream comes from: one channel carries a flit per cycle, whatever its classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Channel(u32),
    Source(u32),
}
