//! The program: parse, call one function, turn its failure into an exit status.
#![forbid(unsafe_code)]

fn main() {}
