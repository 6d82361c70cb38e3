//! `network`: prints the network of a scenario, or a network file, in a format of other programs.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::options::Fields;
use super::{Failure, output};
use crate::files;
use crate::network_files::write::{WRITERS, Writer};
use crate::scenario;

/// The arguments of `network`.
#[derive(Args, Debug)]
pub(super) struct Network {
    /// A scenario, as for other commands, or a network file (.csv, .graphml, .gml, .anynet,
    /// .ibnetdiscover, or .json of node-link form)
    #[arg(value_name = "SCENARIO")]
    scenario: String,
    /// The format to print
    #[arg(long, value_parser = writers(), value_name = "FORMAT")]
    to: Writer,
    #[command(flatten)]
    fields: Fields,
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
        if !files::is_network(name) {
            let scenario = self.fields.open(name)?;
            for note in &scenario.notes {
                output::remark(&format!("{name}: {note}"));
            }
            return output::print(&(self.to.write)(&scenario.system.network));
        }
        if let Some(set) = self.fields.overrides().first() {
            let what = format!("`{}` is given with a network file, which has no fields", set.label);
            return Err(Failure::usage(what, "leave it out, or name a scenario"));
        }
        let draft =
            files::network(name).map_err(|found| Failure::Usage(scenario::render(&found)))?;
        for note in &draft.notes {
            output::remark(&format!("{name}: {note}"));
        }
        output::print(&(self.to.write)(&draft.graph().network()))
    }
}
