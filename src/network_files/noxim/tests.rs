//! Draws from traffic tables, and mistakes with their places.

use super::*;

const TABLE: &str = "% Nodes of a 4x4 mesh.\n0 15 0.02\n1 15 0.02\n4 15 0.02\n\n\
    12 3 0.05 0.05 1000 2000 4000\n";

fn drawn(text: &str, cycles: u64) -> Vec<[u64; 4]> {
    let table = read_traffic_table(text, Sample { cycles, flits: 8, seed: 5 }).unwrap();
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("born,source,destination,length"));
    let number = |text: &str| text.parse().unwrap();
    let row = |row: &str| row.split(',').map(number).collect::<Vec<u64>>().try_into().unwrap();
    rows.map(row).collect()
}

#[test]
fn messages_have_the_rates_and_times_of_their_rows() {
    let rows = drawn(TABLE, 400_000);
    assert!(rows.is_sorted_by_key(|[born, ..]| *born) && rows.iter().all(|row| row[3] == 8));
    let to = |node: u64| rows.iter().filter(move |row| row[2] == node);
    let count = to(15).count() as f64;
    // Six standard deviations.
    assert!((count - 24_000.0).abs() < 6.0 * 24_000f64.sqrt(), "{count}");
    let count = to(3).count() as f64;
    assert!((count - 5_000.0).abs() < 6.0 * 5_000f64.sqrt(), "{count}");
    assert!(to(3).all(|[born, source, ..]| (1000..2000).contains(&(born % 4000)) && *source == 12));
    assert_eq!(to(3).count() + to(15).count(), rows.len());
}

#[test]
fn the_second_rate_counts_after_a_message_and_a_source_sends_once_in_a_cycle() {
    let rows = drawn("3 1 0.01 1 0 1000 1000\n", 3_000);
    // The first message is followed by one in every cycle.
    assert!(rows.windows(2).all(|pair| pair[1][0] == pair[0][0] + 1) && rows.len() > 2_000);
    let rows = drawn("3 1 0.5\n3 2 0.5\n", 1_000);
    assert_eq!(rows.len(), 1_000);
    assert!((400..600).contains(&rows.iter().filter(|row| row[2] == 1).count()));
}

#[test]
fn every_mistake_of_a_traffic_table_has_its_place() {
    for (text, expected) in [
        ("% none\n", "1:1: no message is drawn from this table"),
        ("0 1 0\n", "1:1: no message is drawn from this table"),
        ("0 1\n", "1:1: a row has 3 to 7 values, not 2; write `source destination rate`"),
        ("0 1 0.1 0.1 5 6 7 8\n", "1:1: a row has 3 to 7 values, not 8"),
        ("\n  a 1 0.1\n", "2:3: `source` must be a whole number"),
        ("0 1 1.5\n", "1:5: the rate must be from 0 to 1, not `1.5`; write messages per cycle"),
        ("0 1 0.1 -1\n", "1:9: the rate again must be from 0 to 1, not `-1`"),
        ("2 2 0.1\n", "1:1: node 2 sends to itself"),
        ("0 1 0.1 0.1 20 10 30\n", "1:1: a row counts from cycle 20 to 10 of 30"),
        ("0 1 0.1 0.1 20 40 30\n", "1:1: a row counts from cycle 20 to 40 of 30"),
        ("0 1 0.7\n0 2 0.7\n", "1:1: node 0 would send 1.4 messages in a cycle"),
    ] {
        let sample = Sample { cycles: 100, flits: 8, seed: 5 };
        let found = &read_traffic_table(text, sample).unwrap_err()[0];
        let shown = format!("{}:{}: {}; {}", found.line, found.column, found.what, found.help);
        assert!(shown.starts_with(expected), "{text}: {shown}");
        assert!(!shown.ends_with("; "), "{shown}");
    }
}
