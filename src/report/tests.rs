//! Tests of `report`.

use super::*;
use crate::experiment::report::Row;
use crate::tui::fake::{self, TORUS};

#[test]
fn a_file_holds_what_the_screen_shows() {
    let update = fake::update(&fake::scenario(TORUS, &[4, 4], 4), 8);
    let json: Value = serde_json::from_str(&text(&update, "a.JSON").unwrap()).unwrap();
    assert_eq!(json["summary"]["latency_mean"]["measured"], 54.8);
    assert_eq!(json["summary"]["latency_mean"]["predicted"], 53.1);
    assert_eq!(json["summary"]["accepted"]["unit"], "flits/node/cycle");
    assert_eq!(json["model"]["applies"], true);
    let bins = json["histogram"].as_array().unwrap();
    assert_eq!(bins.len(), update.latencies.bins.len());
    let counted: f64 = bins.iter().filter_map(|bin| bin["messages"].as_f64()).sum();
    assert!((counted - update.latencies.count as f64).abs() < 0.5);
    let links = json["links"].as_array().unwrap();
    assert_eq!(links.len(), update.scenario.system.network.channels().len());
    assert!(links[0]["use"]["measured"].is_number() && links[0]["channel"].is_string());

    let table = text(&update, "a.csv").unwrap();
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    assert_eq!(rows.headers().unwrap(), Figure::COLUMNS);
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let with = |table: &str| rows.iter().filter(|row| &row[3] == table).count();
    assert_eq!(with("histogram"), bins.len());
    assert!(with("links") >= links.len() && with("summary") == 14);
    let mean = rows.iter().find(|row| &row[7] == "latency_mean").unwrap();
    assert_eq!((&mean[8], &mean[9], &mean[10]), ("54.8", "53.1", "cycles"));
    for path in ["a.txt", "csv", "", "a."] {
        assert!(text(&update, path).unwrap_err().contains(".csv or .json"), "{path}");
    }
}
