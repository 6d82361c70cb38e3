//! `network`: prints the network of a scenario, or a network file, in a format of other programs.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::options::Fields;
use super::{Failure, output};
use crate::files;
use crate::network_files::DelayUnit;
use crate::network_files::write::{WRITERS, Writer};
use crate::scenario;

/// The arguments of `network`.
#[derive(Args, Debug)]
pub(super) struct Network {
    /// A scenario, as for other commands, or a network file (.csv, .graphml, .gml, .anynet,
    /// .ibnetdiscover, .edgelist, or .json of node-link form)
    #[arg(value_name = "SCENARIO")]
    scenario: String,
    /// The attribute of links of a network file that states their delay in another unit than cycles
    #[arg(long, value_name = "ATTRIBUTE", requires = "cycles")]
    delay: Option<String>,
    /// Cycles in a unit of the attribute of --delay, as in 0.5; delays are rounded, to 1 cycle at least
    #[arg(long = "cycles-per-unit", value_name = "N", requires = "delay", value_parser = cycles)]
    cycles: Option<f64>,
    /// Print no remarks
    #[arg(long, short)]
    quiet: bool,
    /// The format to print
    #[arg(long, value_parser = writers(), value_name = "FORMAT")]
    to: Writer,
    #[command(flatten)]
    fields: Fields,
}

fn cycles(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(cycles) if cycles > 0.0 && cycles.is_finite() => Ok(cycles),
        _ => Err("this must be a number of cycles above 0, as in 0.5".to_owned()),
    }
}

/// The formats as values of clap.
fn writers() -> impl TypedValueParser<Value = Writer> {
    let value = |writer: &Writer| PossibleValue::new(writer.name).help(writer.help);
    let values: Vec<PossibleValue> = WRITERS.iter().map(value).collect();
    PossibleValuesParser::new(values).map(|name: String| {
        WRITERS.iter().copied().find(|writer| writer.name == name).expect("a possible value")
    })
}

impl Network {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let name = &self.scenario;
        let unit = self.delay.clone().zip(self.cycles);
        let unit = unit.map(|(attribute, cycles)| DelayUnit { attribute, cycles });
        if !files::is_network(name) {
            if unit.is_some() {
                let what = "`--delay` names an attribute of a network file, and this is a scenario";
                return Err(Failure::usage(what, "leave it out, or name a network file"));
            }
            let scenario = self.fields.open(name)?;
            for note in scenario.notes.iter().filter(|_| !self.quiet) {
                output::remark(&format!("{name}: {note}"));
            }
            return output::print(&(self.to.write)(&scenario.system.network));
        }
        if let Some(set) = self.fields.overrides().first() {
            let what = format!("`{}` is given with a network file, which has no fields", set.label);
            return Err(Failure::usage(what, "leave it out, or name a scenario"));
        }
        let draft = files::network_in(name, unit)
            .map_err(|found| Failure::Usage(scenario::render(&found)))?;
        for note in draft.notes.iter().filter(|_| !self.quiet) {
            output::remark(&format!("{name}: {note}"));
        }
        output::print(&(self.to.write)(&draft.graph().network()))
    }
}
