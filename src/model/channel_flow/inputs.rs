//! The streams that compete for each output: the flows listed by destination server.

use super::routes::Flows;
use super::servers::Resource;
use crate::model::budget;

/// Messages from one channel or one source to one output.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Input {
    /// Messages per message of a node.
    pub share: f64,
    pub from_source: bool,
    /// Messages of the same source to other outputs; 0 for a channel.
    pub rest: f64,
    /// Messages of other classes over the output's channel: all from other channels, and a fraction
    /// of those from the same channel.
    pub others: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Inputs {
    /// Index of the first stream of each output, and the total number at the end.
    start: Vec<u32>,
    pub all: Vec<Input>,
}

impl Inputs {
    /// Builds the streams of these flows and records the index of the stream in each step. The
    /// fraction `alongside` of messages of other classes from the same channel is counted.
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
        // The origin of each stream, if several classes share its output channel.
        let outputs: Vec<Resource> = servers.iter().map(|server| server.resource).collect();
        // Streams by output channel: the server, the origin and the index of the stream.
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

    /// The indices of the streams of an output.
    pub fn places(&self, output: usize) -> std::ops::Range<usize> {
        self.start[output] as usize..self.start[output + 1] as usize
    }
}

/// The origin of a stream: one channel carries a flit per cycle, regardless of classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Channel(u32),
    Source(u32),
}
