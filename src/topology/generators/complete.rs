//! Complete graphs: every router is joined to every other.

use super::plan::prelude::*;

words! {
    /// The parameters of a complete graph.
    pub struct Complete {
        /// Routers, each joined to all others.
        pub routers: u32 = Example("8"), Kind::whole("the number of routers", 2, 1024);
        /// Hosts of every router.
        pub hosts: u32 = Default("1"), Kind::whole("the number of hosts", 1, 65_536);
    }
}

impl Generate for Complete {
    const HELP: &'static str = "Every router is joined to every other.";

    fn name(&self) -> String {
        format!("complete graph of {} routers", self.routers)
    }

    fn size(&self) -> [u64; 2] {
        let routers = u64::from(self.routers);
        [routers, routers * u64::from(self.hosts)]
    }

    fn plan(&self) -> Result<Plan, Misfit> {
        let &Self { routers, hosts } = self;
        let links = (0..routers).flat_map(|a| (a + 1..routers).map(move |b| (a, b).into()));
        Ok(Plan {
            labels: Labels::new([level("router", routers)].into(), (0..routers as u16).collect()),
            form: Form::Circle,
            links: links.collect(),
            hosts: (0..routers * hosts).map(|host| host / hosts).collect(),
        })
    }
}
