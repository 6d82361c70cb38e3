//! `route`: synthesises balanced routes for a network and proves them free of deadlock.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::options::{Fields, Printing};
use super::progress::{by_share, patiently};
use super::{Failure, output};
use crate::experiment::report::{RouteRow, route_table};
use crate::files;
use crate::network_files::write::routes_text;
use crate::routing::dependency::{progress, prove};
use crate::routing::{CLASSES_MAX, Layers, Relation, Routing};
use crate::scenario;
use crate::topology::Network;

/// The arguments of `route`.
#[derive(Args, Debug)]
pub(super) struct Route {
    /// A network file, or a scenario, as for other commands
    #[arg(value_name = "NETWORK")]
    network: String,
    /// Virtual channels that the routes may use: more of them make routes shorter
    #[arg(long, value_name = "N", default_value_t = 2,
        value_parser = clap::value_parser!(u32).range(1..=CLASSES_MAX as i64))]
    vcs: u32,
    /// Write the routes to this file, as CSV for `routing: Table(routes: File(...))`
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file, if it exists; without this it is left as it is, and the status is 2
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    printing: Printing,
}

impl Route {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let network = Arc::new(self.network()?);
        let quiet = self.printing.quiet;
        let synthesised = patiently(&format!("routing {}", self.network), || {
            Routing::Layered { layers: Layers(self.vcs) }.on(&network)
        });
        let placement = synthesised.map_err(|why| {
            let help = why.help.replace("layers: ", "--vcs ").replace(['`', ':'], "");
            Failure::usage(format!("{}: {}", self.network, why.what), help)
        })?;
        let relation = Relation::of(placement, Arc::clone(&network), self.vcs);
        let what = format!("checking the routes of {}", self.network);
        let proof = by_share((&what, "proof"), quiet, |share| {
            progress::shared(share, || prove(&network, &relation))
        });
        let Some(routes) = relation.routes() else { return Ok(()) };
        let row = RouteRow::of(&network, routes, &proof);
        if let Some(path) = &self.output {
            files::write(path, routes_text(&network, routes), self.force)?;
            if !quiet {
                output::remark_on(path, ": the routes, for `routing: Table(routes: File(...))`");
            }
        }
        output::print_rows(self.printing.format, std::slice::from_ref(&row), || route_table(&row))
    }

    /// The network of a file or a scenario.
    fn network(&self) -> Result<Network, Failure> {
        let name = &self.network;
        if Path::new(name).is_file()
            && files::is_network(name)
            && self.fields.overrides().is_empty()
        {
            let draft =
                files::network(name).map_err(|found| Failure::Usage(scenario::render(&found)))?;
            for note in draft.notes.iter().filter(|_| !self.printing.quiet) {
                output::remark(&format!("{name}: {note}"));
            }
            return Ok(draft.graph().network());
        }
        Ok(Network::clone(&self.fields.open(name)?.system.network))
    }
}
