//! Butterflies: k-ary n-flies with one-way links from stage to stage.
//!
//! A host has a router of its own, which sends to the first stage and receives from the last, so a
//! message crosses every stage once.

use super::plan::prelude::*;

words! {
    /// The parameters of a butterfly.
    pub struct Butterfly {
        /// Inputs and outputs of every switch.
        pub arity: u32 = Example("4"), Kind::whole("the arity", 2, 1024);
        /// Stages of switches between two hosts.
        pub levels: u32 = Example("3"), Kind::whole("the number of levels", 1, 16);
    }
}

impl Generate for Butterfly {
    const HELP: &'static str = "One-way links through stages of switches (a k-ary n-fly).";

    fn name(&self) -> String {
        format!("{}-ary {}-fly", self.arity, self.levels)
    }

    fn size(&self) -> [u64; 2] {
        let hosts = u64::from(self.arity).saturating_pow(self.levels);
        let switches = u64::from(self.levels).saturating_mul(hosts / u64::from(self.arity));
        [hosts.saturating_add(switches), hosts]
    }

    fn plan(&self) -> Result<Plan, Misfit> {
        let &Self { arity, levels } = self;
        let width = arity.pow(levels - 1);
        let hosts = width * arity;
        let one_way = |from, to, kind: u32| Cable {
            one_way: true,
            attributes: Attributes { kind: kind as u8, ..Attributes::default() },
            ..(from, to).into()
        };
        let switch = |stage: u32, at: u32| hosts + stage * width + at;
        let mut links: Vec<Cable> =
            (0..hosts).map(|host| one_way(host, switch(0, host / arity), 0)).collect();
        for stage in 1..levels {
            // Stage s replaces the digit of weight arity^(levels - 1 - s).
            let weight = arity.pow(levels - 1 - stage);
            for at in 0..width {
                let rest = at - at / weight % arity * weight;
                links.extend((0..arity).map(|digit| {
                    one_way(switch(stage - 1, at), switch(stage, rest + digit * weight), stage)
                }));
            }
        }
        links
            .extend((0..hosts).map(|host| one_way(switch(levels - 1, host / arity), host, levels)));
        let at_host = (0..hosts).map(|host| [0, host as u16]);
        let at_stage = (0..levels * width).map(|at| [(at / width + 1) as u16, (at % width) as u16]);
        let labels = [level("stage", levels + 1), level("position", hosts)];
        Ok(Plan {
            labels: Labels::new(labels.into(), at_host.chain(at_stage).flatten().collect()),
            form: Form::Columns,
            links,
            hosts: (0..hosts).collect(),
        })
    }
}
