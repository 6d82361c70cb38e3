//! Tables of studies with runs that are too short to tell if their loads are carried.

use super::*;

/// The table of a study of a mesh with a number of messages in each run.
fn table(messages: u32) -> String {
    let text = format!("Study(scenario: \"mesh-8x8\", loads: [0.1, 0.25], messages: {messages})");
    let kept = TempDir::new().unwrap();
    let folder = Folder::begin(kept.path(), &study(&text), false).unwrap();
    run(&folder, &Part::All, 2);
    Results::of(&folder, false).text()
}

#[test]
fn too_few_messages_are_stated_with_the_remedy() {
    let short = table(200);
    let note = " of 2 loads: 200 messages are too few to tell if the load is carried; set more `--messages`";
    assert!(short.contains(note), "{short}");
    let long = table(40_000);
    assert!(!long.contains("too few"), "{long}");
}
