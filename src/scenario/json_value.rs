//! Translates JSON values of single fields into RON.

use super::FIELDS;
use super::json::translated;
use crate::words::{Kind, Structure};

/// Translates the JSON value of a field at a path to RON; `None` for RON, and for JSON without texts
/// and objects, which is the same in RON.
pub fn ron_value(path: &str, value: &str) -> Option<String> {
    entry(path, value, Structure::Settings(FIELDS))
}

/// Translates a JSON list of values of one or several fields, as [`ron_value`] does.
pub fn ron_values(paths: &str, values: &str) -> Option<String> {
    entry(paths, values, Structure::Axes(FIELDS))
}

/// Translates the value of the only entry of a map.
fn entry(key: &str, value: &str, map: Structure) -> Option<String> {
    if !value.contains(['{', '"']) {
        return None;
    }
    let before = format!("{{{}: ", serde_json::to_string(key).ok()?);
    let text = format!("{before}{value}}}");
    let ron = translated(key, &text, &Kind::Own("a map", map)).ok()?.ron;
    Some(ron.strip_prefix(&before)?.strip_suffix('}')?.to_owned())
}
