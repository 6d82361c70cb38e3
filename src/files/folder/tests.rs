//! Tests of files read in parts.

use super::*;

#[test]
fn a_large_file_is_read_from_any_position() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.csv"), "0123456789").unwrap();
    let files = Folder(folder.path().to_owned());
    assert!(files.open("m.csv", 10).unwrap().is_none());
    assert!(files.open("other.csv", 0).is_err());
    assert!(files.open(".", 0).unwrap().is_none());
    let store = files.open("m.csv", 9).unwrap().unwrap();
    assert!(store.name().ends_with("m.csv") && store.name().starts_with('/'));
    let mut bytes = [0; 4];
    for (from, expected) in [(3, "3456"), (0, "0123"), (8, "89"), (20, "")] {
        let read = store.read(from, &mut bytes).unwrap();
        assert_eq!(&bytes[..read], expected.as_bytes());
    }
}
