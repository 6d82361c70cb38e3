//! Servers that are mirror images of each other: one of them is worked out for all.
//!
//! Where the flows stay as they are when every coordinate x of a dimension becomes k − 1 − x, one half of
//! the network says what happens in the other. Under uniform traffic that is so in every dimension of a
//! mesh or torus: a quarter of a plane is left, and of a hypercube one router. Whether it is so is looked
//! up in the flows themselves, whatever the traffic. With odd k routers in the middle are their own images,
//! and their streams would have to be told apart: such dimensions stay whole.

use std::collections::HashMap;

use super::choice::Choices;
use super::inputs::Inputs;
use super::routes::Flows;
use super::servers::{Resource, Source, Step};
use crate::ids::RouterId;
use crate::model::budget;
use crate::topology::Network;
use crate::topology::cube::{Cube, Sign};

/// How far the shares of images may be apart, as a part of them: they are sums in different orders.
const ALIKE: f64 = 1e-9;

/// Dimensions that are mirrored, by bit.
type Mirrors = u32;

/// What one half of the network says of the other.
struct Images<'a> {
    network: &'a Network,
    cube: &'a Cube,
    flows: &'a Flows,
    /// By channel its first server, and by server another one on its channel.
    first: Vec<Option<u32>>,
    other: Vec<Option<u32>>,
    /// By node.
    ejection: Vec<Option<u32>>,
    strides: Vec<usize>,
    /// By router, the mirrors that bring it to where it stands for all its images: into the lower halves.
    homes: Vec<Mirrors>,
    /// By dimension, the image of each server; empty where images are not alike.
    known: Vec<Vec<u32>>,
}

/// One of each set of images.
#[derive(Clone, Debug)]
pub(super) struct Folded {
    pub flows: Flows,
    pub inputs: Inputs,
    pub choices: Choices,
    /// By node the source among them that says what holds there.
    pub stands: Vec<u32>,
    /// By server the one among them that does.
    pub servers: Vec<u32>,
}

/// What is left of flows and their choices, of each set of images one, with their streams. `None` where
/// nothing is alike. `short` is by channel.
pub(super) fn fold(
    network: &Network,
    short: &[f64],
    flows: &Flows,
    choices: &Choices,
) -> Option<Folded> {
    budget::charge(flows.servers.len());
    let mut images = Images::new(network, network.cube()?, flows);
    for (d, &radix) in images.cube.radix().iter().enumerate() {
        if radix % 2 == 0
            && let Some(alike) = images.alike(d, short)
        {
            images.add(d, alike);
        }
    }
    images.known.iter().any(|it| !it.is_empty()).then(|| images.folded(choices))
}

impl<'a> Images<'a> {
    fn new(network: &'a Network, cube: &'a Cube, flows: &'a Flows) -> Self {
        let mut first = vec![None; network.channels().len()];
        let mut other = vec![None; flows.servers.len()];
        let mut ejection = vec![None; network.nodes()];
        for (number, server) in (0..).zip(&flows.servers) {
            match server.resource {
                Resource::Link(channel, _) => {
                    other[number as usize] = first[channel.index()].replace(number);
                }
                Resource::Ejection(node) => ejection[node.index()] = Some(number),
            }
        }
        let stride = |stride: &mut usize, &radix: &u32| {
            let here = *stride;
            *stride *= radix as usize;
            Some(here)
        };
        let strides = cube.radix().iter().scan(1, stride).collect();
        let homes = vec![0; network.routers()];
        let known = vec![Vec::new(); cube.radix().len()];
        Self { network, cube, flows, first, other, ejection, strides, homes, known }
    }

    /// Mirrors dimension `d`, in which each server has this image.
    fn add(&mut self, d: usize, images: Vec<u32>) {
        self.known[d] = images;
        let (radix, stride) = (self.cube.radix()[d] as usize, self.strides[d]);
        for (router, home) in self.homes.iter_mut().enumerate() {
            if router / stride % radix >= radix / 2 {
                *home |= 1 << d;
            }
        }
    }

    /// A router's image.
    fn router(&self, router: usize, mirrors: Mirrors) -> usize {
        let coordinates = self.cube.coordinates(RouterId::new(router));
        let mut image = router;
        for (d, (&x, &radix)) in coordinates.iter().zip(self.cube.radix()).enumerate() {
            if mirrors >> d & 1 == 1 {
                let (x, stride) = (usize::from(x), self.strides[d]);
                image = image - x * stride + (radix as usize - 1 - x) * stride;
            }
        }
        image
    }

    /// A server's image where images are alike.
    fn image(&self, server: u32, mirrors: Mirrors) -> u32 {
        let mirrored = self.known.iter().enumerate().filter(|(d, _)| mirrors >> d & 1 == 1);
        mirrored.fold(server, |server, (_, images)| images[server as usize])
    }

    /// A server's image in dimension `d`, if there is one.
    fn server(&self, server: u32, mirrored: usize) -> Option<u32> {
        let mirrors = 1 << mirrored;
        match self.flows.servers[server as usize].resource {
            Resource::Ejection(node) => self.ejection[self.router(node.index(), mirrors)],
            Resource::Link(channel, vcs) => {
                let from = self.router(self.network.channel(channel).from.index(), mirrors);
                let (d, sign) = self.cube.direction(channel);
                let sign = match sign {
                    sign if d != mirrored => sign,
                    Sign::Plus => Sign::Minus,
                    Sign::Minus => Sign::Plus,
                };
                let image = self.cube.channel_from(RouterId::new(from), d, sign)?;
                let others = |&at: &u32| self.other[at as usize];
                std::iter::successors(self.first[image.index()], others).find(|&at| {
                    matches!(self.flows.servers[at as usize].resource,
                        Resource::Link(_, these) if these == vcs)
                })
            }
        }
    }

    fn home_of(&self, server: u32) -> Mirrors {
        match self.flows.servers[server as usize].resource {
            Resource::Link(channel, _) => self.homes[self.network.channel(channel).from.index()],
            Resource::Ejection(node) => self.homes[node.index()],
        }
    }

    /// Servers that stand for all their images so far.
    fn standing(&self) -> impl Iterator<Item = u32> {
        (0..self.flows.servers.len() as u32).filter(|&server| self.home_of(server) == 0)
    }

    /// Sources that do, by node.
    fn standing_sources(&self) -> impl Iterator<Item = usize> {
        (0..self.flows.sources.len()).filter(|&node| self.homes[node] == 0)
    }

    /// The image of each server in dimension `d`, if the flows stay as they are under this mirror: looked at
    /// for those that stand so far.
    fn alike(&self, d: usize, short: &[f64]) -> Option<Vec<u32>> {
        let Flows { servers, sources, .. } = self.flows;
        let near = |one: f64, other: f64| (one - other).abs() <= ALIKE * one.abs();
        let images = (0..servers.len() as u32).map(|server| self.server(server, d));
        let images = images.collect::<Option<Vec<u32>>>()?;
        let steps = |one: &[Step], other: &[Step]| {
            one.len() == other.len()
                && one.iter().all(|step| {
                    let to = images[step.to as usize];
                    let image = other.iter().find(|it| it.to == to);
                    image.is_some_and(|image| near(step.share, image.share))
                })
        };
        let short = |server: u32| match servers[server as usize].resource {
            Resource::Link(channel, _) => short.get(channel.index()).copied().unwrap_or(0.0),
            Resource::Ejection(_) => 0.0,
        };
        // Of two that are each other's image one is looked at.
        let servers_are =
            self.standing().filter(|&server| images[server as usize] >= server).all(|server| {
                let image = images[server as usize];
                let [one, other] = [server, image].map(|it| &servers[it as usize]);
                near(short(server), short(image))
                    && near(one.share, other.share)
                    && steps(&one.next, &other.next)
            });
        let sources_are = || {
            self.standing_sources().all(|node| {
                let (one, other) = (&sources[node], &sources[self.router(node, 1 << d)]);
                near(one.share, other.share)
                    && near(one.hops.mean, other.hops.mean)
                    && near(one.hops.square, other.hops.square)
                    && steps(&one.next, &other.next)
            })
        };
        (servers_are && sources_are()).then_some(images)
    }

    /// What is left when all else is left out.
    fn folded(&self, choices: &Choices) -> Folded {
        let Flows { servers, sources, links } = self.flows;
        let kept: Vec<u32> = self.standing().collect();
        let mut numbers = vec![0; servers.len()];
        for (new, &old) in (0..).zip(&kept) {
            numbers[old as usize] = new;
        }
        let image = |server: u32, away| self.image(server, away) as usize;
        // A stream that leaves the half that is kept is that which comes into it at the image. No two streams of an
        // output are images of each other: they come from one router.
        let lead = |step: &mut Step| step.to = numbers[image(step.to, self.home_of(step.to))];
        // So is a choice; it leads to the servers of one router.
        let mut left = Choices::default();
        let mut known: HashMap<(u32, Mirrors), u32> = HashMap::new();
        let mut choose = |made: &mut [(u32, f64)]| {
            for (choice, _) in made {
                let away = self.home_of(choices.first(*choice));
                let number = |server| numbers[image(server, away)];
                let add = || left.add(choices, *choice, number);
                *choice = *known.entry((*choice, away)).or_insert_with(add);
            }
        };
        let mut flows = Flows { links: links.clone(), ..Flows::default() };
        for &number in &kept {
            let mut server = servers[number as usize].clone();
            server.next.iter_mut().for_each(lead);
            choose(&mut server.choices);
            flows.servers.push(server);
        }
        let mut stands = vec![0; sources.len()];
        for (new, node) in (0..).zip(self.standing_sources()) {
            let mut source: Source = sources[node].clone();
            source.next.iter_mut().for_each(lead);
            choose(&mut source.choices);
            flows.sources.push(source);
            stands[node] = new;
        }
        let home = |node| stands[self.router(node, self.homes[node])];
        let stands = (0..sources.len()).map(home).collect();
        let home = |server| numbers[image(server, self.home_of(server))];
        let servers = (0..servers.len() as u32).map(home).collect();
        let inputs = Inputs::of(&mut flows);
        Folded { flows, inputs, choices: left, stands, servers }
    }
}

#[cfg(test)]
mod tests;
