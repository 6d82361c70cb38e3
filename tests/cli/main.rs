//! The program as a person or a script meets it: arguments in, text and exit status out.

mod output;
mod program;
mod results;
mod signals;
mod usage;
