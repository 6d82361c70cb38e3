//! Judges values by a JSON schema.

use serde_json::Value;

/// Whether a value is right by a schema made of the keywords that ours uses; others are refused.
pub fn accepts(schema: &Value, value: &Value) -> bool {
    schema.as_object().unwrap().iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "title" | "description" | "default" => true,
        "anyOf" => rule.as_array().unwrap().iter().any(|one| accepts(one, value)),
        "const" => rule == value,
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.is_u64(),
            other => panic!("{other}"),
        },
        "minimum" => value.as_f64().is_none_or(|it| it >= rule.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|it| it <= rule.as_f64().unwrap()),
        "exclusiveMaximum" => value.as_f64().is_none_or(|it| it < rule.as_f64().unwrap()),
        "exclusiveMinimum" => value.as_f64().is_none_or(|it| it > rule.as_f64().unwrap()),
        "prefixItems" => value.as_array().is_none_or(|all| {
            all.iter().zip(rule.as_array().unwrap()).all(|(it, rule)| accepts(rule, it))
        }),
        "items" => value.as_array().is_none_or(|all| {
            let first =
                schema.get("prefixItems").map_or(0, |rules| rules.as_array().unwrap().len());
            all.iter().skip(first).all(|it| accepts(rule, it))
        }),
        "minItems" => value.as_array().is_none_or(|it| it.len() as u64 >= rule.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|it| it.len() as u64 <= rule.as_u64().unwrap()),
        "properties" => value.as_object().is_none_or(|members| {
            members.iter().all(|(name, it)| rule.get(name).is_none_or(|rule| accepts(rule, it)))
        }),
        "required" => value.as_object().is_none_or(|members| {
            rule.as_array().unwrap().iter().all(|it| members.contains_key(it.as_str().unwrap()))
        }),
        "additionalProperties" => {
            assert_eq!(rule, &Value::Bool(false));
            let known = &schema["properties"];
            value.as_object().is_none_or(|it| it.keys().all(|name| known.get(name).is_some()))
        }
        other => panic!("the keyword {other} is not known here"),
    })
}
