//! `--against` and `--against-set`: the run that another one is held against.

use std::sync::Arc;

use clap::Args;

use super::options::{Fields, setting};
use super::{Failure, output};
use crate::files;
use crate::scenario::{Override, Scenario, contrast};
use crate::words::Misfit;

/// What the scenario is compared with.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Comparison")]
pub struct Against {
    /// Compare with another scenario of the same network, run at the same rate with the same seed
    #[arg(long, value_name = "SCENARIO")]
    against: Option<String>,
    /// Compare with the same scenario (or that of --against) with this field set:
    /// `--against-set routing.escape=Dateline`; may be repeated
    #[arg(long, value_name = "PATH=VALUE", value_parser = setting)]
    against_set: Vec<(String, String)>,
}

impl Against {
    /// The scenario to be run beside `first`, to which `fields` were given as well; `None` where
    /// nothing is to be compared.
    pub(super) fn open(
        &self,
        first: &Scenario,
        fields: &Fields,
    ) -> Result<Option<Arc<Scenario>>, Failure> {
        let set = self.against_set.iter().map(|(path, value)| Override {
            path: path.clone(),
            value: value.clone(),
            label: format!("--against-set {path}={value}"),
        });
        let other = match &self.against {
            Some(name) => files::open(name, &Override::joined(&fields.overrides(), set))?,
            None if self.against_set.is_empty() => return Ok(None),
            None => first.with(set)?,
        };
        let refused = |Misfit { what, help, .. }| Failure::usage(what, help);
        let beside = contrast::beside(first, &other).map_err(refused)?;
        let (rate, own) = (beside.system.traffic.rate, other.system.traffic.rate);
        if rate != own {
            let name = &other.name;
            output::remark(&format!("{name}: run at a rate of {} instead of {}", rate.0, own.0));
        }
        Ok(Some(Arc::new(beside)))
    }
}
