//! Permutations: every node sends all its messages to one other node.
//!
//! On a cube a node is its router. On a grid of switches the switches are permuted: a host sends to
//! the host at the same position of its switch's image. Switches without coordinates permute the
//! numbers of hosts, which have bits but no dimensions.
//!
//! Definitions: W. J. Dally and B. Towles, *Principles and Practices of Interconnection Networks*
//! (2004), section 3.2, table 3.1. *s* and *d* are the numbers of source and destination, bit i of
//! b, or coordinate x of radix k; the first dimension varies fastest, as in node ids.

use strum::VariantArray;

use crate::ids::{NodeId, RouterId};
use crate::text::count;
use crate::topology::Network;
use crate::words::{Misfit, Words, words};

words! {
    /// A permutation of the nodes. A node that is its own image sends nothing.
    #[derive(VariantArray)]
    pub enum Permutation {
        /// The halves of the coordinates change places: in two dimensions (x, y) sends to (y, x). Where
        /// radices are powers of two this is the book's dᵢ = sᵢ₊ᵦ⸝₂ (bits, modulo b). Needs an even
        /// number of dimensions whose halves have the same radices.
        Transpose,
        /// The bits in reverse: dᵢ = s with index b − i − 1. Needs 2ᵇ nodes, b ≥ 2.
        BitReversal,
        /// Every bit inverted: dᵢ = ¬sᵢ, the opposite corner of the grid. Needs 2ᵇ nodes.
        BitComplement,
        /// The bits turned left by one: dᵢ = sᵢ₋₁ (modulo b). Needs 2ᵇ nodes, b ≥ 2.
        Shuffle,
        /// Almost half way round in every dimension: d = s + ⌈k/2⌉ − 1 (modulo k). The coordinates
        /// wrap around in a mesh too, where those that pass the edge travel back. Needs a radix
        /// above 2: the nodes move in no dimension of radix 1 or 2.
        Tornado,
        /// One further in every dimension: d = s + 1 (modulo k), wrapping around in a mesh too.
        Neighbour,
    }
}

impl Permutation {
    /// Checks that the permutation is defined on a network and has a sender.
    pub(super) fn check(self, network: &Network) -> Result<(), Misfit> {
        if let Some(cube) = network.cube() {
            return self.check_numbers(cube.radix(), "nodes");
        }
        let name = self.word();
        let Some(grid) = network.grid() else {
            let hosts = network.nodes();
            return match self {
                Self::Transpose | Self::Tornado | Self::Neighbour => Misfit::because(
                    format!("`{name}` goes by coordinates, and these switches have none"),
                    self.instead_on(network),
                ),
                Self::BitReversal | Self::BitComplement | Self::Shuffle
                    if !hosts.is_power_of_two() =>
                {
                    Misfit::because(
                        format!("`{name}` needs a power of two of hosts, not {hosts}"),
                        format!("attach {} hosts, or write `Uniform`", hosts.next_power_of_two()),
                    )
                }
                Self::BitReversal | Self::BitComplement | Self::Shuffle => {
                    self.check_numbers(&[hosts as u32], "hosts")
                }
            };
        };
        self.check_numbers(grid.radix(), "switches")?;
        let nodes = || (0..network.nodes()).map(NodeId::new);
        if let Some(host) = nodes().find(|&host| self.opposite(host, network).is_none()) {
            let to = self.router_image(host, network);
            let what = format!(
                "`{name}` sends {} to the host in its place at {}, which has {}",
                network.node_name(host),
                network.router_name(to),
                count(network.terminals_at(to), "host", "hosts")
            );
            let help = "attach the same number of hosts to every switch, such as `hosts: 2`";
            return Misfit::because(what, help);
        }
        if nodes().all(|host| self.opposite(host, network) == Some(host)) {
            let what = format!("`{name}` leaves every host where it is: nobody would send");
            return Misfit::because(what, "attach hosts to other switches as well");
        }
        Ok(())
    }

    /// The traffic to write for switches without the coordinates of a grid.
    fn instead_on(self, network: &Network) -> String {
        let level = network.labels().and_then(|labels| labels.levels().first());
        let by_offset = matches!(self, Self::Tornado | Self::Neighbour);
        match level.filter(|level| by_offset && level.size > 1) {
            Some(level) => {
                let half = level.size.div_ceil(2).saturating_sub(1).max(1);
                let step = if self == Self::Tornado { half } else { 1 };
                format!(
                    "write `Offset([{step}])`: each sends to the same place of the {} {step} ahead",
                    level.name
                )
            }
            None => "write `BitReversal`, `Shuffle` or `BitComplement`, which go by the host's \
                     number, or the switches as a `SwitchGrid`"
                .to_owned(),
        }
    }

    fn check_numbers(self, radix: &[u32], whose: &str) -> Result<(), Misfit> {
        let name = self.word();
        let nodes: u64 = radix.iter().map(|&k| u64::from(k)).product();
        match self {
            Self::Transpose if !radix.len().is_multiple_of(2) => Misfit::because(
                format!(
                    "`{name}` exchanges the first half of a node's coordinates with the second, \
                     and {} cannot be halved",
                    if radix.len() == 1 { "one".to_string() } else { radix.len().to_string() }
                ),
                "use a network with an even number of dimensions, such as `radix: [8, 8]`",
            ),
            Self::Transpose => {
                let half = radix.len() / 2;
                let Some(at) = (0..half).find(|&at| radix[at] != radix[at + half]) else {
                    return Ok(());
                };
                let (one, other) = (radix[at], radix[at + half]);
                let what = format!(
                    "`{name}` exchanges the coordinates of dimensions {} and {}, whose radices {one} \
                     and {other} differ",
                    at + 1,
                    at + half + 1,
                );
                let mut equal = radix.to_vec();
                equal[at + half] = one;
                Misfit::because(what, format!("make them equal: `radix: {equal:?}`"))
            }
            Self::BitReversal | Self::BitComplement | Self::Shuffle if !nodes.is_power_of_two() => {
                Misfit::because(
                    format!("`{name}` needs a power of two of {whose}, not {nodes}"),
                    "use radices that are powers of two, or `Tornado` or `Neighbour`, which need none",
                )
            }
            Self::BitReversal | Self::Shuffle if nodes == 2 => Misfit::because(
                format!("`{name}` leaves each of 2 {whose} where it is: nobody would send"),
                "write `BitComplement`",
            ),
            Self::Tornado if radix.iter().all(|&k| k <= 2) => Misfit::because(
                format!(
                    "`{name}` goes half the radix (rounded up) less 1 ahead, which is 0 where no \
                     radix is above 2: nobody would send"
                ),
                "write `BitComplement` or `Neighbour`",
            ),
            Self::BitReversal
            | Self::BitComplement
            | Self::Shuffle
            | Self::Tornado
            | Self::Neighbour => Ok(()),
        }
    }

    /// The destination of `source` on a cube with these radices. Requires a successful `check`.
    pub fn image(self, source: NodeId, radix: &[u32]) -> NodeId {
        NodeId(self.number(source.0, radix))
    }

    /// The destination of a terminal in a network with a successful `check`.
    pub(super) fn image_on(self, source: NodeId, network: &Network) -> NodeId {
        match (network.cube(), network.grid()) {
            (Some(cube), _) => self.image(source, cube.radix()),
            (None, Some(_)) => {
                self.opposite(source, network).expect("a checked pattern finds every host's place")
            }
            (None, None) => self.image(source, &[network.nodes() as u32]),
        }
    }

    /// The image of a host's switch on a grid.
    fn router_image(self, host: NodeId, network: &Network) -> RouterId {
        RouterId(self.number(network.router_of(host).0, network.radix()))
    }

    /// The host at the same position of its switch's image on a grid, if any.
    fn opposite(self, host: NodeId, network: &Network) -> Option<NodeId> {
        let there = network.hosts_at(self.router_image(host, network));
        there.get(network.seat(host) as usize).copied()
    }

    /// The image of a number with these radices.
    fn number(self, node: u32, radix: &[u32]) -> u32 {
        let nodes: u32 = radix.iter().product();
        let bits = nodes.trailing_zeros();
        match self {
            Self::BitComplement => !node & (nodes - 1),
            Self::BitReversal => node.reverse_bits() >> (u32::BITS - bits),
            Self::Shuffle => ((node << 1) | (node >> (bits - 1))) & (nodes - 1),
            Self::Transpose => {
                // Both halves have the same radices, so they are two digits of one large radix.
                let low: u32 = radix[..radix.len() / 2].iter().product();
                node % low * low + node / low
            }
            Self::Tornado => shifted(node, radix, |k| k.div_ceil(2) - 1),
            Self::Neighbour => shifted(node, radix, |_| 1),
        }
    }
}

/// Shifts every coordinate of a node by `ahead(radix)`, modulo the radix.
fn shifted(node: u32, radix: &[u32], ahead: impl Fn(u32) -> u32) -> u32 {
    let (mut rest, mut stride, mut image) = (node, 1, 0);
    for &k in radix {
        image += (rest % k + ahead(k)) % k * stride;
        rest /= k;
        stride *= k;
    }
    image
}

#[cfg(test)]
mod tests;
