//! Tests of `manual`.

use super::row;

#[test]
fn links_of_docstrings_are_names_and_other_brackets_stay() {
    let mut out = String::new();
    row(&mut out, "x", "", "", "As [`Self::One`] or [`Two`] [default: `false`].");
    assert!(out.contains("As `One` or `Two` [default: `false`]."), "{out}");
}
