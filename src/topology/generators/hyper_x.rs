//! `HyperX` networks (J. H. Ahn et al. 2009): routers on a lattice, fully joined along every dimension.

use std::num::NonZeroU16;

use super::plan::prelude::*;

words! {
    /// The parameters of a `HyperX` network.
    pub struct HyperX {
        /// Routers along each dimension.
        pub radix: List = Example("[4, 4]"), RADIX;
        /// Hosts of every router.
        pub hosts: u32 = Example("4"), Kind::whole("the number of hosts", 1, 65_536);
        /// Parallel links between two routers in each dimension; if omitted, one.
        pub width: Option<List> = Open, WIDTH;
        /// Cycles of a link to the next router of the lattice, instead of `channel_delay`; a link to a
        /// farther one takes as many times as long. A credit takes as long, plus `credit_delay`.
        pub wire_delay: Option<u32> = Open, DELAY;
    }
}

const RADIX: Kind = Kind::Own(
    "a list of whole numbers",
    Structure::List(&Kind::whole("a radix", 2, 1024), (1, DIMENSIONS_MAX)),
);
const WIDTH: Kind = Kind::Own(
    "a list of whole numbers",
    Structure::List(&Kind::whole("a width", 1, 64), (1, DIMENSIONS_MAX)),
);

impl Generate for HyperX {
    const HELP: &'static str = "Routers on a lattice, fully joined along every dimension.";

    fn name(&self) -> String {
        let radix: Vec<String> = self.radix.as_slice().iter().map(u32::to_string).collect();
        format!("{} HyperX", radix.join("x"))
    }

    fn size(&self) -> [u64; 2] {
        let sizes = self.radix.as_slice().iter().map(|&k| u64::from(k));
        let routers = sizes.fold(1u64, u64::saturating_mul);
        [routers, routers.saturating_mul(u64::from(self.hosts))]
    }

    fn plan(&self) -> Result<Plan, Misfit> {
        let radix = self.radix.as_slice();
        let widths = match &self.width {
            Some(widths) if widths.as_slice().len() != radix.len() => {
                let what = format!(
                    "there are {} dimensions and {} widths",
                    radix.len(),
                    widths.as_slice().len()
                );
                return Misfit::because(what, "write a width for each dimension");
            }
            Some(widths) => widths.as_slice().to_vec(),
            None => vec![1; radix.len()],
        };
        let longest = radix.iter().max().map_or(0, |&radix| radix - 1);
        if let Some(delay) = self.wire_delay.filter(|delay| delay * longest > DELAY_MAX) {
            let what = format!(
                "the longest link spans {longest} routers and would take {} cycles; links take at most \
                 {DELAY_MAX}",
                delay * longest
            );
            return Misfit::because(
                what,
                format!("write `wire_delay: {}` or less", DELAY_MAX / longest),
            );
        }
        let routers: u32 = radix.iter().product();
        let weight = |dimension: usize| radix[..dimension].iter().product::<u32>();
        let coordinate = |at: u32, dimension: usize| at / weight(dimension) % radix[dimension];
        let mut links = Vec::new();
        for at in 0..routers {
            for (dimension, &count) in widths.iter().enumerate() {
                let here = coordinate(at, dimension);
                for other in here + 1..radix[dimension] {
                    let to = at + (other - here) * weight(dimension);
                    let cycles = self.wire_delay.map(|delay| delay * (other - here));
                    let delay = cycles.and_then(|cycles| NonZeroU16::new(cycles as u16));
                    let kind = dimension as u8;
                    let attributes = Attributes { delay, kind, ..Attributes::default() };
                    links.push(Cable { attributes, count, ..(at, to).into() });
                }
            }
        }
        let names = ["x", "y", "z", "w"];
        let labels = names.iter().zip(radix).map(|(name, &size)| level(name, size)).collect();
        let values = (0..routers)
            .flat_map(|at| (0..radix.len()).map(move |dimension| coordinate(at, dimension) as u16));
        Ok(Plan {
            labels: Labels::new(labels, values.collect()),
            form: Form::Lattice,
            links,
            hosts: (0..routers * self.hosts).map(|host| host / self.hosts).collect(),
        })
    }
}
