//! Fat trees: k-ary n-trees (F. Petrini and M. Vanneschi 1997).
//!
//! A router has `arity` links down and, below the top level, as many up. Routers of a level are
//! numbered in base `arity`; a link from level l to level l + 1 changes digit l only.

use super::plan::prelude::*;

words! {
    /// The parameters of a fat tree.
    pub struct FatTree {
        /// Links down of every router, and as many up; hosts of a router of the lowest level.
        pub arity: u32 = Example("4"), Kind::whole("the arity", 2, 1024);
        /// Levels of routers.
        pub levels: u32 = Example("3"), Kind::whole("the number of levels", 1, 16);
    }
}

impl Generate for FatTree {
    const HELP: &'static str =
        "A fat tree: as many links up as down at every router (a k-ary n-tree).";

    fn name(&self) -> String {
        format!("{}-ary {}-tree", self.arity, self.levels)
    }

    fn size(&self) -> [u64; 2] {
        let hosts = u64::from(self.arity).saturating_pow(self.levels);
        [u64::from(self.levels).saturating_mul(hosts / u64::from(self.arity)), hosts]
    }

    fn plan(&self) -> Result<Plan, Misfit> {
        let &Self { arity, levels } = self;
        let width = arity.pow(levels - 1);
        let mut links = Vec::new();
        for lower in 0..levels - 1 {
            let weight = arity.pow(lower);
            let kind = lower as u8;
            for at in 0..width {
                let rest = at - at / weight % arity * weight;
                for digit in 0..arity {
                    let (from, to) =
                        (lower * width + at, (lower + 1) * width + rest + digit * weight);
                    let attributes = Attributes { kind, ..Attributes::default() };
                    links.push(Cable { attributes, ..(from, to).into() });
                }
            }
        }
        let routers = levels * width;
        let values = (0..routers).flat_map(|at| [(at / width) as u16, (at % width) as u16]);
        let labels = [level("level", levels), level("position", width)];
        Ok(Plan {
            labels: Labels::new(labels.into(), values.collect()),
            form: Form::Rows,
            links,
            hosts: (0..width * arity).map(|host| host / arity).collect(),
        })
    }
}
