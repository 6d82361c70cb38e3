//! The sets of characters.

use super::*;

#[test]
fn the_ascii_set_is_ascii() {
    let all = format!("{ASCII:?}");
    assert!(all.is_ascii(), "{all}");
}
