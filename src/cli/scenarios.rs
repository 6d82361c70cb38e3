//! `scenarios`: lists the scenarios built in, or prints one.

use clap::Args;

use super::Failure;
use super::output;
use crate::scenario::{self, builtin};

/// The arguments of `scenarios`.
#[derive(Args, Debug)]
pub(super) struct Scenarios {
    /// The scenario to print [default: all are listed]
    name: Option<String>,
    /// Print a JSON schema of scenarios
    #[arg(long, conflicts_with = "name")]
    schema: bool,
    /// Print a table of all fields and values, in Markdown
    #[arg(long, conflicts_with_all = ["name", "schema"])]
    fields: bool,
}

impl Scenarios {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.name {
            None if self.schema => output::print(&format!("{:#}\n", scenario::json_schema())),
            None if self.fields => output::print(&scenario::table()),
            None => output::print(&list()),
            Some(name) => match builtin::find(name) {
                Some(builtin) => output::print(builtin.text),
                None => Err(unknown(name)),
            },
        }
    }
}

/// Each name with what to look for.
fn list() -> String {
    let width = builtin::ALL.iter().map(|builtin| builtin.name.len()).max().unwrap_or(0);
    let line = |builtin: &builtin::Builtin| {
        let description = scenario::description(builtin.text);
        let first = description.lines().next().unwrap_or_default();
        format!("{:<width$}  {first}\n", builtin.name)
    };
    builtin::ALL.iter().map(line).collect()
}

fn unknown(name: &str) -> Failure {
    let help = match builtin::suggest(name) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`flitscope scenarios` lists them".to_owned(),
    };
    Failure::Scenario(format!(
        "error: there is no built-in scenario `{}`\n = help: {help}",
        name.escape_debug()
    ))
}
