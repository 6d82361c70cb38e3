//! The program as a person or a script meets it: arguments, files, a terminal, the screen.
#![expect(clippy::unwrap_used, reason = "a test that meets what it did not expect has failed")]

mod auto;
mod cli;
mod faults;
mod limits;
mod papers;
mod python;
mod reproduce;
mod screen;
mod studies;
mod sweep;
mod terminal;
