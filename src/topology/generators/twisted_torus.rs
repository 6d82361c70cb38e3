//! Twisted tori: the wrap-around links of the second dimension are shifted along the first.

use super::plan::prelude::*;

words! {
    /// The parameters of a twisted torus.
    pub struct TwistedTorus {
        /// Routers along each of two dimensions.
        pub radix: List = Example("[8, 4]"), RADIX;
        /// The shift of the wrap-around links of the second dimension.
        pub twist: u32 = Example("4"), Kind::whole("the twist", 0, 1023);
        /// Hosts of every router.
        pub hosts: u32 = Default("1"), Kind::whole("the number of hosts", 1, 65_536);
    }
}

const RADIX: Kind = Kind::Own(
    "a list of two whole numbers",
    Structure::List(&Kind::whole("a radix", 3, 1024), (2, 2)),
);

impl TwistedTorus {
    fn sides(&self) -> [u32; 2] {
        let radix = self.radix.as_slice();
        [radix[0], radix[1]]
    }
}

impl Generate for TwistedTorus {
    const HELP: &'static str =
        "A torus of two dimensions with wrap-around links of the second shifted along the first.";

    fn name(&self) -> String {
        let [a, b] = self.sides();
        format!("{a}x{b} torus twisted by {}", self.twist)
    }

    fn size(&self) -> [u64; 2] {
        let routers = self.sides().map(u64::from).iter().product();
        [routers, u64::saturating_mul(routers, u64::from(self.hosts))]
    }

    fn plan(&self) -> Result<Plan, Misfit> {
        let &Self { twist, hosts, .. } = self;
        let [a, b] = self.sides();
        if twist >= a {
            let what = format!("a ring of {a} cannot be twisted by {twist}");
            return Misfit::because(what, format!("write 0 to {}", a - 1));
        }
        let router = |x: u32, y: u32| y * a + x % a;
        let kind = |kind| Attributes { kind, ..Attributes::default() };
        let along = |x, y| Cable { attributes: kind(0), ..(router(x, y), router(x + 1, y)).into() };
        let across = |x, y| {
            let to = if y + 1 < b { router(x, y + 1) } else { router(x + twist, 0) };
            Cable { attributes: kind(1), ..(router(x, y), to).into() }
        };
        let all = (0..b).flat_map(|y| (0..a).map(move |x| (x, y)));
        let links = all.clone().flat_map(|(x, y)| [along(x, y), across(x, y)]).collect();
        let values = all.clone().flat_map(|(x, y)| [x as u16, y as u16]).collect();
        Ok(Plan {
            labels: Labels::new([level("x", a), level("y", b)].into(), values),
            form: Form::Lattice,
            links,
            hosts: (0..a * b * hosts).map(|host| host / hosts).collect(),
        })
    }
}
