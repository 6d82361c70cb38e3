//! Tests of tables read in blocks: the same messages as those of tables in memory, and mistakes.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;
use crate::network_files::{MessagesDraft, read_messages};
use crate::topology::cube::{Cube, Family};
use crate::traffic::classes::{MessageClasses, Origin};

/// A text in place of a file.
#[derive(Debug)]
pub(crate) struct Text(Vec<u8>);

impl Text {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.into())
    }
}

impl Store for Text {
    fn name(&self) -> &'static str {
        "/a/m.csv"
    }

    fn read(&self, from: u64, bytes: &mut [u8]) -> Result<usize, String> {
        let rest = &self.0[(from as usize).min(self.0.len())..];
        let length = rest.len().min(bytes.len());
        bytes[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}

fn network() -> Arc<Network> {
    Arc::new(Cube::network(Family::Mesh, &[4, 4]))
}

/// A table of messages in order of birth, with numbers of its sources backwards in every cycle.
fn table(rows: u64) -> String {
    let mut text = String::from("born,source,destination,length,serial,class\n");
    for row in 0..rows {
        let (source, to) = (mix(row, 1) % 16, mix(row, 2) % 15);
        let to = if to < source { to } else { to + 1 };
        let class = ["ask", "tell"][(row % 2) as usize];
        let (born, length) = (row / 40, 1 + row % 5);
        let _ = writeln!(text, "{born},{source},{to},{length},{},{class}", 1_000_000 - row);
        if row % 1000 == 0 {
            text += "# a remark\n\n";
        }
    }
    text
}

fn stream(text: &str, permitted: &Permitted) -> Result<StreamedDraft, Vec<Mistake>> {
    stream_messages(Arc::new(Text::new(text)), &network(), permitted)
}

#[test]
fn blocks_have_the_messages_of_the_table_in_memory() {
    // Larger than a chunk.
    let text = table(60_000);
    assert!(text.len() > CHUNK);
    let classes =
        Permitted { classes: MessageClasses::named(&["ask", "tell"]), ..Permitted::default() };
    let whole = read_messages(&text, &network(), &classes).unwrap();
    let streamed = stream(&text, &classes).unwrap();
    assert_eq!(streamed.script, whole.script);
    assert!(streamed.with_classes && streamed.script.at_once() == 60_000);
    let totals = |script: &Script| [0, 1].map(|class| script.totals_of_class(class).flits);
    assert_eq!(totals(&streamed.script), totals(&whole.script));
    assert_eq!(streamed.script.flows(), whole.script.flows());
    let table = &streamed.table;
    assert!(table.blocks.len() > 10, "{}", table.blocks.len());
    let mut last = 0;
    let mut messages = 0;
    for number in 0..table.blocks.len() {
        let block = table.block(number).unwrap();
        assert!(block.len() < BLOCK + 40 && block.is_sorted_by_key(|it| (it.born, it.source)));
        // A cycle is in one block.
        assert!(number == 0 || block[0].born > last);
        last = block.last().unwrap().born;
        messages += block.len();
    }
    assert!(messages == 60_000 && table.block(table.blocks.len()).is_none());
    assert!(streamed.script.last_delivery(|_, _| 1).is_none());
    // Replies are left out, as in memory.
    let mut answering = classes;
    answering.classes.0[1].origin = Origin::Reply { to: 0, after: 1, room: None };
    let whole = read_messages(&text, &network(), &answering).unwrap();
    let part = stream(&text, &answering).unwrap();
    assert_eq!((part.script, part.notes, whole.script.len()), (whole.script, whole.notes, 30_000));
    // Without classes, too.
    let MessagesDraft { script, notes, .. } =
        read_messages(&text, &network(), &Permitted::default()).unwrap();
    let plain = stream(&text, &Permitted::default()).unwrap();
    assert_eq!((plain.script, plain.notes, plain.with_classes), (script, notes, false));
}

#[test]
fn other_rows_have_another_hash() {
    let text = table(100);
    let of = |text: &str| stream(text, &Permitted::default()).unwrap().table.hash();
    assert_eq!(of(&text), of(&text));
    assert_ne!(of(&text), of(&text.replace("\n2,", "\n02,")));
    assert_ne!(of(&text), of(&table(101)));
    // Remarks are not rows.
    assert_eq!(of(&text), of(&text.replace("# a remark", "# another")));
}

#[test]
fn mistakes_have_their_places_in_the_file() {
    let text = table(60_000);
    let told = |text: &str| {
        let mistake = stream(text, &Permitted::default()).unwrap_err().remove(0);
        format!("{}:{}: {}; {}", mistake.line, mistake.column, mistake.what, mistake.help)
    };
    let lines = text.matches('\n').count() + 1;
    let wrong = format!("{text}1600,0,99,1,0,ask\n");
    assert!(
        told(&wrong).starts_with(&format!("{lines}:8: there is no node `99`")),
        "{}",
        told(&wrong)
    );
    let early = format!("{text}7,\"(1,2)\",0,1,0,ask\n");
    let found = told(&early);
    let expected = format!(
        "{lines}:1: this message is born in cycle 7, before the one above, of cycle 1499; a file of this \
         size is read in order of birth; sort the rows: `(head -n 1 '/a/m.csv'; tail -n +2 '/a/m.csv' | \
         sort -s -t, -k1,1n) > sorted.csv`"
    );
    assert_eq!(found, expected);
    for (text, expected) in [
        ("", "0:0: the table is empty; write"),
        ("# nothing\n", "0:0: the table is empty"),
        ("born,source,destination,length\n", "0:0: the table has no messages"),
        ("born,source,destination\n0,1,2\n", "1:1: the first line has no column `length`"),
        (
            "source,born,destination,length\n\"(0,1)\",4,2,1\n\"(0,1)\",3,2,1\n",
            "3:9: this message is born in cycle 3, before the one above, of cycle 4",
        ),
        (
            "id,born,source,destination,length,after\na,0,1,2,3,\nb,0,2,3,1,a\n",
            "3:11: this file is too large for messages that await others",
        ),
    ] {
        assert!(told(text).starts_with(expected), "{}", told(text));
    }
    assert!(
        told("source,born,destination,length\n\"(0,1)\",4,2,1\n\"(0,1)\",3,2,1\n")
            .contains("-k3,3n")
    );
    let long = format!("born,source,destination,length\n0,1,2,{}\n", "3".repeat(CHUNK));
    assert!(told(&long).contains("has more than 1048576 bytes"));
    let mut bytes = table(10).into_bytes();
    bytes[50] = 0xff;
    let store = Arc::new(Text(bytes));
    let found = stream_messages(store, &network(), &Permitted::default()).unwrap_err();
    assert_eq!(found[0].what, "byte 50 is not UTF-8 text");
}

#[test]
fn a_cycle_has_a_limited_number_of_messages() {
    let mut text = String::from("born,source,destination,length\n");
    for _ in 0..=BLOCK_MAX {
        text += "3,0,1,1\n";
    }
    let found = stream(&text, &Permitted::default()).unwrap_err();
    assert_eq!(
        (found[0].line, found[0].what.as_str()),
        (BLOCK_MAX + 2, "there are more than 262144 messages around cycle 3")
    );
}

#[test]
fn a_file_that_changes_during_a_run_is_noticed() {
    let StreamedDraft { table, script, .. } = stream(&table(100), &Permitted::default()).unwrap();
    drop(script);
    let mut table = Arc::into_inner(table).unwrap();
    table.store = Arc::new(Text::new(&self::table(100).replace(",4,", ",3,")));
    let panic = catch_unwind(AssertUnwindSafe(|| table.block(0))).unwrap_err();
    let Unreadable(why) = *panic.downcast().unwrap();
    assert_eq!(why, "the messages of /a/m.csv can no longer be read: it has changed");
}
