//! Tests of `relation`.

use super::subsets;

#[test]
fn subsets_are_all_there_once() {
    assert_eq!(subsets(0).collect::<Vec<_>>(), [0]);
    assert_eq!(subsets(0b1010).collect::<Vec<_>>(), [0, 2, 8, 10]);
}
