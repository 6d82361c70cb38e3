//! The JSON schema of scenarios, from their descriptors.

use serde_json::{Map, Value as Json, json};

use super::schema::FIELDS;
use crate::words::{Contents, Field, Kind, Limits, Need, Structure, Value};

/// The JSON schema of scenarios in the format of `serde`: `{"Fixed": 12}` for `Fixed(12)`.
pub fn json_schema() -> Json {
    let mut schema = object(&[FIELDS]);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Scenario");
    let besides = [
        ("$schema", "The location of this schema, for editors."),
        ("$comment", "A description. The first line states the point of the scenario."),
    ];
    for (name, help) in besides {
        schema["properties"][name] = json!({ "type": "string", "description": help });
    }
    schema
}

fn object(groups: &[&[Field]]) -> Json {
    let all = || groups.iter().copied().flatten();
    let properties: Map<String, Json> = all()
        .map(|field| {
            let mut schema = kind(&field.kind);
            schema["description"] = json!(field.help.trim());
            if let Some(value) = default(field) {
                schema["default"] = value;
            }
            (field.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<&str> = required(groups).collect();
    json!({
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": false,
    })
}

/// The names of required fields.
fn required<'g>(groups: &'g [&[Field]]) -> impl Iterator<Item = &'static str> + use<'g> {
    let needed = |field: &&Field| matches!(field.need, Need::Example(_));
    groups.iter().copied().flatten().filter(needed).map(|field| field.name)
}

/// The default of an omitted field.
fn default(field: &Field) -> Option<Json> {
    let Need::Default(text) = field.need else { return None };
    let value = super::print::value(super::node::Node::alone(text))?;
    serde_json::from_str(&value).ok()
}

fn kind(kind: &Kind) -> Json {
    match *kind {
        Kind::Whole { limits: (least, most), .. } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::Number { limits: Limits::Positive(most), .. } if most.is_finite() => {
            json!({ "type": "number", "exclusiveMinimum": 0, "maximum": most })
        }
        Kind::Number { limits: Limits::Positive(_), .. } => {
            json!({ "type": "number", "exclusiveMinimum": 0 })
        }
        Kind::Number { limits: Limits::Below(limit), .. } => {
            json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": limit })
        }
        Kind::Number { limits: Limits::Within(least, most, _), .. } => {
            json!({ "type": "number", "minimum": least, "maximum": most })
        }
        Kind::Text(_) => json!({ "type": "string" }),
        Kind::Choice(groups) => {
            let values: Vec<Json> = groups.iter().copied().flatten().flat_map(value).collect();
            json!({ "anyOf": values })
        }
        Kind::Fields(groups) => object(groups),
        Kind::Own(_, of) => structure(of),
    }
}

fn structure(of: Structure) -> Json {
    match of {
        Structure::Truth => json!({ "type": "boolean" }),
        Structure::List(of, limits) | Structure::Tuple([of], limits) => array(kind(of), limits),
        Structure::Tuple(kinds, limits) => {
            let mut array = array(kinds.last().map_or(json!(true), kind), limits);
            array["prefixItems"] = kinds.iter().map(kind).collect();
            array
        }
        Structure::Either([only]) => kind(only),
        Structure::Either(kinds) => json!({ "anyOf": kinds.iter().map(kind).collect::<Vec<_>>() }),
        Structure::Map(of) => json!({ "type": "object", "additionalProperties": kind(of) }),
        Structure::Settings(_) | Structure::Axes(_) | Structure::Plain(_) => {
            json!({ "type": "object" })
        }
    }
}

/// An array of items with their minimum and maximum number.
fn array(items: Json, (least, most): (usize, usize)) -> Json {
    let mut array = json!({ "type": "array", "minItems": least });
    array["items"] = items;
    if most < usize::MAX {
        array["maxItems"] = json!(most);
    }
    array
}

/// The forms of a variant: its name if no contents are required, and an object with its contents.
fn value(value: &Value) -> Vec<Json> {
    let help = value.help.trim();
    let alone = json!({ "const": value.name, "description": help });
    let with = |contents: Json| {
        json!({
            "type": "object", "properties": { value.name: contents }, "required": [value.name],
            "additionalProperties": false, "description": help,
        })
    };
    match value.contents {
        Contents::Nothing => vec![alone],
        Contents::One(_, one) => vec![with(kind(&one))],
        Contents::Fields(groups) if required(groups).next().is_none() => {
            vec![with(object(groups)), alone]
        }
        Contents::Fields(groups) => vec![with(object(groups))],
    }
}

#[cfg(test)]
mod tests;
