//! Builds the study from the arguments of `sweep`.

use std::path::Path;

use clap::Args;

use super::Sweep;
use crate::cli::Failure;
use crate::experiment::sweep::{Study, is_study};
use crate::files;
use crate::scenario::{self, Override};
use crate::words::written;

/// Options permitted together with a study file.
const BESIDE: [&str; 2] = ["quick", "seed"];

/// The loads to run, and the number of runs of each.
#[derive(Args, Debug)]
pub(super) struct Offered {
    /// The loads, flits per node and cycle: `0.1,0.2`, or the first, the last and how many, as in
    /// `0.02:0.3:9` [default: that of the scenario]
    #[arg(long, value_name = "LOADS", value_parser = loads, conflicts_with_all = ["rate", "load"])]
    loads: Option<String>,
    /// Search where each curve saturates, and choose the loads so that a straight line between two points
    /// errs by less than their intervals
    #[arg(long, conflicts_with_all = ["loads", "of_saturation", "rate", "load"])]
    auto: bool,
    /// Search where each curve saturates, and then run these shares of it: `0.25,0.5,0.9`
    #[arg(long, value_name = "SHARES", conflicts_with_all = ["loads", "rate", "load"])]
    of_saturation: Option<String>,
    /// Search until the loads between which a curve saturates are apart by this share [default: 0.02]
    #[arg(long, value_name = "SHARE")]
    bracket: Option<String>,
    /// Search from above too, with runs that begin congested: where a congested network stays so, it carries
    /// less than one that never was
    #[arg(long)]
    from_above: bool,
    /// Run every load with each of these seeds, and take the results together: `1,2,3`
    #[arg(long, value_name = "SEEDS", conflicts_with = "seed")]
    seeds: Option<String>,
}

impl Sweep {
    /// The named study, or a study built from the options and a scenario.
    pub(super) fn study(&self, name: &str) -> Result<Study, Failure> {
        let given = self.given();
        let (source, text) = files::read(name)?;
        if is_study(&text) {
            if let Some(option) = given.iter().find(|one| !BESIDE.contains(&one.path.as_str())) {
                return Err(Failure::beside_study(option));
            }
            let folder = Path::new(name).parent().unwrap_or(Path::new(""));
            return Ok(Study::read(&source, &text, folder, &given)?);
        }
        if name == "-" {
            scenario::parse(&source, &text, &[])?;
            let what = "a study needs a scenario that can be read again, not standard input";
            return Err(Failure::usage(what, "name a file or a built-in scenario"));
        }
        let text = format!("Study(scenario: {})", written(&name));
        Ok(Study::read("the study", &text, Path::new(""), &given)?)
    }

    /// The options, as fields of a study.
    fn given(&self) -> Vec<Override> {
        let mut given = Vec::new();
        let mut add = |path: &str, value: String, label: String| {
            given.push(Override { path: path.to_owned(), value, label });
        };
        let map = |entries: Vec<(&str, &str)>| {
            let entries = entries.iter().map(|(path, value)| format!("{}: {value}", written(path)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        };
        let fields = self.fields.overrides();
        let (seed, set): (Vec<&Override>, _) = fields.iter().partition(|one| one.path == "seed");
        if !set.is_empty() {
            let entries = Override::joined(&[], set.into_iter().cloned());
            let entries = entries.iter().map(|one| (one.path.as_str(), one.value.as_str()));
            add("set", map(entries.collect()), "--set".to_owned());
        }
        if !self.vary.is_empty() {
            let entries = self.vary.iter().map(|(path, values)| (path.as_str(), values.as_str()));
            add("vary", map(entries.collect()), "--vary".to_owned());
        }
        given.extend(self.offered.overrides());
        given.extend(self.quick.then(|| Override {
            path: "quick".to_owned(),
            value: "true".to_owned(),
            label: "--quick".to_owned(),
        }));
        given.extend(seed.into_iter().cloned().chain(self.runs.overrides()));
        given
    }
}

impl Offered {
    fn overrides(&self) -> Vec<Override> {
        let auto = self.auto.then(|| ("loads", "Auto".to_owned(), "--auto".to_owned()));
        let loads = self.loads.as_ref().map(|loads| ("loads", loads.clone(), "--loads".to_owned()));
        let shares = self.of_saturation.as_ref().map(|shares| {
            let label = format!("--of-saturation {shares}");
            ("loads", format!("OfSaturation([{shares}])"), label)
        });
        let seeds = self.seeds.as_ref().map(|seeds| {
            let label = format!("--seeds {seeds}");
            ("seeds", format!("[{seeds}]"), label)
        });
        let bracket = self.bracket.as_ref().map(|share| {
            let label = format!("--bracket {share}");
            ("bracket", share.clone(), label)
        });
        let above = ("from_above", "true".to_owned(), "--from-above".to_owned());
        let above = self.from_above.then_some(above);
        let given = [loads, auto, shares, bracket, above, seeds].into_iter().flatten();
        let given = given.map(|(path, value, label)| Override { path: path.into(), value, label });
        given.collect()
    }
}

/// Parses loads into a field of a study.
fn loads(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split(':').collect();
    match parts[..] {
        [list] => Ok(format!("[{list}]")),
        [from, to, points] => Ok(format!("Range(from: {from}, to: {to}, points: {points})")),
        _ => Err("these must be loads, as in `0.1,0.2`, or a range, as in `0.02:0.3:9`".to_owned()),
    }
}
