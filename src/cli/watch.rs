//! No command: the screen, or one table where there is no terminal to draw it on.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::options::{Fields, Printing, Screen};
use super::output;
use super::simulate::Batch;
use crate::experiment::Plan;
use crate::scenario::Scenario;

/// The scenario that is shown where none is named.
const DEFAULT_SCENARIO: &str = "papers/adaptive-torus-8x8";

/// The arguments without a command.
#[derive(Args, Debug)]
pub struct Watch {
    /// A scenario file, the name of a built-in scenario, or `-` for standard input
    /// [default: papers/adaptive-torus-8x8]
    #[arg(value_name = "SCENARIO")]
    scenario: Option<String>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    screen: Screen,
}

/// Opens the screen on a scenario, or prints one table if standard input or output is no terminal.
pub(super) fn watch(watch: &Watch) -> Result<(), Failure> {
    let name = watch.scenario.as_deref().unwrap_or(DEFAULT_SCENARIO);
    let scenario = Arc::new(watch.fields.open(name)?);
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return open_screen(&scenario, watch.screen);
    }
    output::remark("this is not a terminal: no screen, one table (see `flitscope simulate`)");
    print_table(&scenario)
}

/// The one place where the screen is started.
fn open_screen(scenario: &Arc<Scenario>, _screen: Screen) -> Result<(), Failure> {
    output::remark("the screen is not built in yet: one table instead");
    print_table(scenario)
}

/// One headless run to the default precision, as a table.
fn print_table(scenario: &Arc<Scenario>) -> Result<(), Failure> {
    let batch = Batch {
        scenarios: std::slice::from_ref(scenario),
        plan: Plan::default(),
        replicated: false,
        jobs: None,
        printing: Printing::default(),
    };
    batch.run()
}
