//! Tests of passing a file to the editor.

use super::*;

#[test]
fn the_files_name_reaches_the_editor_whole() {
    let status = run("test 'a b$c' =", "a b$c").unwrap();
    assert!(status.success());
    assert!(run("test ./-x =", "-x").unwrap().success());
    assert_eq!(run("no-such-editor-here 2>/dev/null", "x").unwrap().code(), Some(127));
}
