//! Tests of `cli`.

use super::*;

#[test]
fn the_definition_is_sound() {
    definition().debug_assert();
}
