//! The program as a person or a script meets it: arguments in, text and exit status out.
#![expect(clippy::unwrap_used, reason = "a test that meets what it did not expect has failed")]

mod compare;
mod config;
mod films;
mod hostile;
mod output;
mod plain;
mod program;
mod results;
mod signals;
mod usage;
