//! Tests of `manual`.

use super::{json_schema, table};

/// `FLITSCOPE_WRITE=1 cargo test` writes the table anew.
#[test]
fn the_table_in_the_documentation_is_that_of_the_descriptors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/scenario/fields.md");
    if std::env::var_os("FLITSCOPE_WRITE").is_some() {
        std::fs::write(path, table()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), table());
}

#[test]
fn the_schema_names_what_a_scenario_needs() {
    let schema = json_schema();
    assert_eq!(schema["required"], serde_json::json!(["network", "routing", "traffic"]));
    let delay = schema["properties"]["switching"]["anyOf"][0]["properties"]["Wormhole"]
        ["properties"]["channel_delay"]
        .clone();
    assert_eq!((delay["minimum"].as_u64(), delay["maximum"].as_u64()), (Some(1), Some(64)));
}
