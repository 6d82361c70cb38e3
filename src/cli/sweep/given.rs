//! The study that the arguments of `sweep` mean.

use std::path::Path;

use super::Sweep;
use crate::cli::Failure;
use crate::experiment::sweep::{Study, is_study};
use crate::files;
use crate::scenario::{self, Override};
use crate::words::written;

impl Sweep {
    /// The study of this name, or that of the options and a scenario.
    pub(super) fn study(&self, name: &str) -> Result<Study, Failure> {
        let given = self.given();
        let (source, text) = files::read(name)?;
        if is_study(&text) {
            if let Some(option) = given.first() {
                let what =
                    format!("`{}` is given beside a study, which says that itself", option.label);
                return Err(Failure::usage(what, "leave it out, or change the study's file"));
            }
            let folder = Path::new(name).parent().unwrap_or(Path::new(""));
            return Ok(Study::read(&source, &text, folder, &[])?);
        }
        if name == "-" {
            scenario::parse(&source, &text, &[])?;
            let what = "a study needs a scenario that can be read again, not standard input";
            return Err(Failure::usage(what, "name a file or a built-in scenario"));
        }
        let text = format!("Study(scenario: {})", written(&name));
        Ok(Study::read("the study", &text, Path::new(""), &given)?)
    }

    /// What options say about a study.
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
        if let Some(loads) = &self.loads {
            add("loads", loads.clone(), "--loads".to_owned());
        }
        if self.auto {
            add("loads", "Auto".to_owned(), "--auto".to_owned());
        }
        if let Some(shares) = &self.of_saturation {
            let label = format!("--of-saturation {shares}");
            add("loads", format!("OfSaturation([{shares}])"), label);
        }
        if let Some(seeds) = &self.seeds {
            add("seeds", format!("[{seeds}]"), format!("--seeds {seeds}"));
        }
        if let Some(share) = &self.bracket {
            add("bracket", share.clone(), format!("--bracket {share}"));
        }
        given.extend(seed.into_iter().cloned().chain(self.runs.overrides()));
        given
    }
}

/// Loads as a study has them.
pub(super) fn loads(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split(':').collect();
    match parts[..] {
        [list] => Ok(format!("[{list}]")),
        [from, to, points] => Ok(format!("Range(from: {from}, to: {to}, points: {points})")),
        _ => Err("these must be loads, as in `0.1,0.2`, or a range, as in `0.02:0.3:9`".to_owned()),
    }
}
