//! Two levels of routers: every leaf is joined to every spine.

use super::plan::prelude::*;

words! {
    /// The parameters of a leaf-spine network.
    pub struct LeafSpine {
        /// Routers with hosts.
        pub leaves: u32 = Example("8"), Kind::whole("the number of leaves", 2, 16_384);
        /// Routers without hosts, each joined to all leaves.
        pub spines: u32 = Example("4"), Kind::whole("the number of spines", 1, 16_384);
        /// Hosts of every leaf.
        pub hosts: u32 = Example("8"), Kind::whole("the number of hosts", 1, 65_536);
        /// Links between every leaf and every spine.
        pub links: u32 = Default("1"), Kind::whole("the number of links", 1, 64);
    }
}

impl Generate for LeafSpine {
    const HELP: &'static str = "Two levels: every leaf is joined to every spine.";

    fn name(&self) -> String {
        format!("leaf-spine network of {} leaves and {} spines", self.leaves, self.spines)
    }

    fn size(&self) -> [u64; 2] {
        let [leaves, spines, hosts] = [self.leaves, self.spines, self.hosts].map(u64::from);
        [leaves + spines, leaves * hosts]
    }

    fn plan(&self) -> Result<Plan, Misfit> {
        let &Self { leaves, spines, hosts, links: count } = self;
        let cable = |leaf, spine| Cable { count, ..(leaf, leaves + spine).into() };
        let links = (0..leaves).flat_map(|leaf| (0..spines).map(move |spine| cable(leaf, spine)));
        let value = |at: u32| if at < leaves { [0, at as u16] } else { [1, (at - leaves) as u16] };
        let labels = [level("level", 2), level("position", leaves.max(spines))];
        Ok(Plan {
            labels: Labels::new(labels.into(), (0..leaves + spines).flat_map(value).collect()),
            form: Form::Rows,
            links: links.collect(),
            hosts: (0..leaves * hosts).map(|host| host / hosts).collect(),
        })
    }
}
