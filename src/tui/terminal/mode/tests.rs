//! Tests of disabling every enabled mode.

use super::*;

#[test]
fn everything_taken_is_given_back() {
    for mode in ["?1049", "?25", "?7", "?2004", "?1004"] {
        assert!(ENTER.contains(mode) && LEAVE.contains(mode), "{mode}");
    }
    for mode in ["?1000", "?1002", "?1006"] {
        assert!(MOUSE_ON.contains(mode) && MOUSE_OFF.contains(mode) && LEAVE.contains(mode));
    }
}
