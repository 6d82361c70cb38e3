//! Tests of replacing and refusing files, and of the state after failures.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use super::*;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn writing_replaces_nothing_unasked_and_loses_nothing() {
    let folder = folder();
    let path = folder.path().join("a.ron");
    write(&path, "one", false).unwrap();
    for refused in [write(&path, "two", false), grow(&path, false).map(drop)] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
        assert_eq!(refused.to_string(), format!("`{}` exists", path.display()));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    write(&path, "two", true).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    // A draft that is not kept leaves no trace.
    let mut draft = Draft::begin(&path, true).unwrap();
    draft.write_all(b"half").unwrap();
    drop(draft);
    // Another writer was first.
    let late = Draft::begin(&folder.path().join("b.ron"), false).unwrap();
    write(folder.path().join("b.ron"), "first", false).unwrap();
    assert_eq!(late.keep().unwrap_err().kind(), ErrorKind::AlreadyExists);
    // A folder with the file's name, and a missing folder.
    fs::create_dir(folder.path().join("c.ron")).unwrap();
    for wrong in ["c.ron", "nowhere/d.ron"] {
        let wrong = folder.path().join(wrong);
        let error = write(&wrong, "three", true).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}: ", wrong.display())), "{error}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    assert_eq!(names(folder.path()), ["a.ron", "b.ron", "c.ron"]);
}

/// Removes drafts of killed programs, but neither drafts in use nor other files with similar names.
#[test]
fn drafts_of_programs_that_are_gone_are_removed() {
    let folder = folder();
    let own = ["b.part", "notes.x.part", "readme.ABCDEF.part", "a.json.ABCDE.part"];
    for name in own.into_iter().chain(["a.json.ABCDEF.part"]) {
        fs::write(folder.path().join(name), "half").unwrap();
    }
    let mut draft = Draft::begin(&folder.path().join("c.json"), false).unwrap();
    clear_drafts(folder.path());
    draft.write_all(b"whole").unwrap();
    draft.keep().unwrap();
    clear_drafts(folder.path());
    let mut left: Vec<&str> = own.into_iter().chain(["c.json"]).collect();
    left.sort_unstable();
    assert_eq!(names(folder.path()), left);
}

#[test]
fn what_is_replaced_keeps_its_mode_and_links_stay_links() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
    write(at("secret"), "one", false).unwrap();
    for kept in [0o600, 0o640, 0o755] {
        fs::set_permissions(at("secret"), Permissions::from_mode(kept)).unwrap();
        write(at("secret"), "two", true).unwrap();
        grow(at("secret"), true).unwrap().write_all(b"three").unwrap();
        assert_eq!(mode("secret"), kept);
    }
    // A new file has the default mode of the system.
    File::create(at("plain")).unwrap();
    write(at("new"), "", false).unwrap();
    assert_eq!(mode("new"), mode("plain"));

    fs::create_dir(at("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere/target", at("link")).unwrap();
    assert_eq!(write(at("link"), "", false).unwrap_err().kind(), ErrorKind::AlreadyExists);
    for text in ["made", "replaced"] {
        write(at("link"), text, true).unwrap();
        assert!(at("link").is_symlink());
        assert_eq!(fs::read_to_string(at("elsewhere/target")).unwrap(), text);
    }
    std::os::unix::fs::symlink("round", at("round")).unwrap();
    write(at("round"), "", true).unwrap_err();
}

#[test]
fn devices_are_written_into_and_a_full_disk_names_the_file() {
    write("/dev/null", "x", true).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let full = write("/dev/full", "x", true).unwrap_err();
    assert_eq!(full.kind(), ErrorKind::StorageFull);
    assert!(full.to_string().starts_with("/dev/full: "), "{full}");
}

#[test]
fn what_grows_is_there_under_its_name_at_once() {
    let folder = folder();
    let path = folder.path().join("a.cast");
    let mut file = grow(&path, false).unwrap();
    file.write_all(b"so far").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "so far");
}

#[test]
fn a_fence_lets_nothing_out() {
    let root = folder();
    let inside = root.path().join("film");
    let fence = Fence { folder: inside.clone() };
    let outside = |name: &str| matches!(fence.write(name, "x", true), Err(Refused::Outside));
    for name in
        ["../a", "/tmp/a", "a/../../b", "..", "", "a/", "./..", root.path().to_str().unwrap()]
    {
        assert!(outside(name), "{name}");
    }
    fence.write("a/b/c.txt", "x", false).unwrap();
    fence.write("./d.txt", "x", false).unwrap();
    assert!(matches!(fence.write("d.txt", "y", false), Err(Refused::Exists(_))));
    assert!(matches!(fence.write("a\u{1b}[2J.txt", "x", false), Err(Refused::Control)));
    // Links lead out.
    write(root.path().join("precious"), "mine", false).unwrap();
    std::os::unix::fs::symlink("../precious", inside.join("link")).unwrap();
    std::os::unix::fs::symlink("..", inside.join("up")).unwrap();
    std::os::unix::fs::symlink("a", inside.join("within")).unwrap();
    for name in ["link", "up/new", "up/new/er", "up/precious"] {
        assert!(outside(name), "{name}");
    }
    fence.write("within/e.txt", "x", false).unwrap();
    assert_eq!(fs::read_to_string(root.path().join("precious")).unwrap(), "mine");
    assert_eq!(names(root.path()), ["film", "precious"]);
    assert_eq!(names(&inside), ["a", "d.txt", "link", "up", "within"]);
}
