//! `completions`: what a shell needs to complete arguments.

use clap::Args;
use clap_complete::Shell;

use super::Failure;
use super::output;

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::definition(), "flitscope", &mut script);
        output::print_bytes(&script)
    }
}
