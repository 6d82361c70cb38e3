//! Tests of scenarios with messages read in blocks.

use std::fmt::Write;
use std::sync::Arc;

use crate::network_files::{Store, Text};
use crate::scenario::{self, Files, Override, Problem, Scenario};
use crate::session::Session;
use crate::stats::WarmUp;
use crate::units::Cycle;

const TEXT: &str = "Scenario(\n    network: Mesh(radix: [4, 4]),\n    routing: DimensionOrder(),\n    \
    traffic: (arrivals: Replay(File(\"m.csv\"))),\n)\n";

/// A folder in which every file has these rows, read in blocks if they are large.
struct Folder {
    rows: String,
    is_large: bool,
}

impl Files for Folder {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(self.rows.clone().into_bytes())
    }

    fn open(&self, name: &str, size: u64) -> Result<Option<Arc<dyn Store>>, String> {
        if name == "gone" {
            return Err("it is gone".into());
        }
        let meant = self.is_large || size == 0;
        Ok(meant.then(|| Arc::new(Text::new(&self.rows)) as Arc<dyn Store>))
    }
}

fn rows(count: u32) -> String {
    let mut rows = String::from("born,source,destination,length\n");
    for row in 0..count {
        let _ = writeln!(rows, "{},{},{},4", row / 3, row * 7 % 16, (row * 7 + 5) % 16);
    }
    rows
}

fn read(text: &str, rows: &str, is_large: bool) -> Result<Scenario, Vec<Problem>> {
    let folder = Folder { rows: rows.to_owned(), is_large };
    scenario::parse_with("a.ron", text, &[], &folder)
}

fn set(path: &str, value: &str) -> Override {
    Override { path: path.into(), value: value.into(), label: format!("--set {path}={value}") }
}

#[test]
fn a_run_is_the_same_with_messages_in_blocks_and_may_be_resumed() {
    let rows = rows(15_000);
    let run = |is_large| {
        let scenario = Arc::new(read(TEXT, &rows, is_large).unwrap());
        assert_eq!(scenario.stream.is_some(), is_large);
        Session::new(scenario, 1, 0, WarmUp::Automatic)
    };
    let (mut memory, mut blocks) = (run(false), run(true));
    // Beyond the first block.
    for until in [700, 1_300, 2_900, 4_900, 9_000] {
        let kept = blocks.clone();
        memory.advance(Cycle(until));
        blocks.advance(Cycle(until));
        assert_eq!(memory.fingerprint(), blocks.fingerprint(), "{until}");
        let mut again = kept;
        again.advance(Cycle(until));
        assert_eq!(again.fingerprint(), blocks.fingerprint(), "{until}");
    }
    assert!(blocks.is_complete());
}

#[test]
fn the_text_names_the_file_and_the_hash_of_its_rows() {
    let rows = rows(50);
    let scenario = read(TEXT, &rows, true).unwrap();
    let hash = scenario.stream.as_ref().unwrap().table.hash();
    let named = format!("Replay(Unchanged(file: \"/a/m.csv\", hash: \"{hash:016x}\"))");
    assert!(scenario.text.contains(&named), "{}", scenario.text);
    // Changes read the file again only if its meaning may be another.
    let store = |scenario: &Scenario| Arc::as_ptr(&scenario.stream.as_ref().unwrap().table);
    let slower = scenario.with([set("switching.virtual_channels", "2")]).unwrap();
    assert_eq!(store(&slower), store(&scenario));
    let larger = scenario.with([set("network.radix", "[5, 4]")]).unwrap();
    assert_ne!(store(&larger), store(&scenario));
    assert_eq!(larger.system.traffic.script, scenario.system.traffic.script);
    assert!(scenario.with([set("network.radix", "[2, 2]")]).is_err());
    // A file with other rows, or none.
    assert!(read(&scenario.text, &rows, false).unwrap().is_same(&scenario));
    let found = read(&scenario.text, &self::rows(51), false).unwrap_err();
    assert!(found[0].what.contains("has changed: the hash"), "{found:?}");
    assert_eq!(found[0].place.as_ref().unwrap().line, 4);
    let found = read(&scenario.text.replace("/a/m.csv", "gone"), &rows, true).unwrap_err();
    assert!(found[0].what.contains("`gone` cannot be read: it is gone"), "{found:?}");
    let found = scenario::parse("a.ron", &scenario.text, &[]).unwrap_err();
    assert!(found[0].what.contains("no file `/a/m.csv` is read here"), "{found:?}");
}

#[test]
fn mistakes_of_rows_have_the_name_of_the_file() {
    let found = read(TEXT, "born,source,destination,length\n5,0,1,2\n4,0,1,2\n", true).unwrap_err();
    let place = found[0].place.as_ref().unwrap();
    assert_eq!((found[0].source.as_str(), place.line, place.column), ("m.csv", 3, 1));
    // In memory, any order is right.
    assert!(read(TEXT, "born,source,destination,length\n5,0,1,2\n4,0,1,2\n", false).is_ok());
}
