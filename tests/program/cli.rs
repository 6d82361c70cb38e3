//! The program as a person or a script meets it: arguments in, text and exit status out.

mod compare;
mod config;
mod films;
mod hangs;
mod hostile;
mod messages;
mod output;
mod plain;
mod plans;
pub mod program;
mod proofs;
mod rank;
mod results;
mod signals;
mod tour;
mod usage;
mod walkthroughs;
