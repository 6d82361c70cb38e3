//! Tests of `json_schema`.

use super::json_schema;

#[test]
fn the_schema_names_what_a_scenario_needs() {
    let schema = json_schema();
    assert_eq!(schema["required"], serde_json::json!(["network", "routing", "traffic"]));
    let delay = schema["properties"]["switching"]["anyOf"][0]["properties"]["Wormhole"]
        ["properties"]["channel_delay"]
        .clone();
    assert_eq!((delay["minimum"].as_u64(), delay["maximum"].as_u64()), (Some(1), Some(64)));
}
