//! Scenarios drawn as texts, the same in RON and in JSON: one verdict, one run, and no text that the
//! reader takes and the schema refuses.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;

use crate::dice::Dice;
use crate::grammar;
use crate::schema::accepts;
use flitscope::scenario::{FIELDS, Scenario, json, json_schema, parse, render};
use flitscope::session::Session;
use flitscope::stats::WarmUp;
use flitscope::units::Cycle;

/// The largest network that is run.
const NODES_MAX: usize = 128;
/// Cycles of a run.
const CYCLES: u64 = 20;

/// The fields of a scenario, each with its value as a text.
type Fields = Vec<(&'static str, String)>;

fn text(fields: &Fields) -> String {
    let field = |(name, value): &(&str, String)| format!("    {name}: {value},\n");
    format!("Scenario(\n{})\n", fields.iter().map(field).collect::<String>())
}

/// Another value of a field.
fn changed(dice: &mut Dice, fields: &Fields) -> Fields {
    let field = &FIELDS[dice.index(FIELDS.len())];
    let value = match field.name {
        "network" if !dice.one_in(4) => dice.of(&grammar::NETWORKS).to_owned(),
        _ => grammar::value(dice, field),
    };
    let mut fields: Fields =
        fields.iter().filter(|(name, _)| *name != field.name).cloned().collect();
    fields.push((field.name, value));
    fields
}

/// The fingerprint of a run of a scenario, which is shown if the run panics.
fn after(scenario: Scenario, text: &str) -> u64 {
    let run = AssertUnwindSafe(|| {
        let mut run = Session::new(Arc::new(scenario), 1, 0, WarmUp::Cycles(0));
        run.advance(Cycle(CYCLES));
        run.fingerprint()
    });
    catch_unwind(run).unwrap_or_else(|_| panic!("{text}"))
}

/// Something that no scenario may be, made of one.
fn damaged(dice: &mut Dice, value: &mut Value) {
    let inner = match value {
        Value::Object(members) if !members.is_empty() => {
            let at = dice.index(members.len());
            let name = members.keys().nth(at).unwrap().clone();
            if dice.one_in(3) {
                let inner = members.remove(&name).unwrap();
                members.insert(name + "s", inner);
                return;
            }
            members.get_mut(&name)
        }
        Value::Array(items) if !items.is_empty() => {
            let at = dice.index(items.len());
            items.get_mut(at)
        }
        _ => None,
    };
    match inner {
        Some(inner) if !dice.one_in(3) => damaged(dice, inner),
        Some(inner) => *inner = Value::Null,
        None => *value = Value::Null,
    }
}

/// A value that is wrong in most places.
fn odd(dice: &mut Dice) -> Value {
    let texts = ["0", "1", "-1", "0.5", "1e9", "18446744073709551615", "\"a\"", "[]"];
    serde_json::from_str(dice.of(&texts)).unwrap()
}

/// Puts such a value in the place of a part of a value.
fn disturbed(dice: &mut Dice, value: &mut Value) {
    let inner = match value {
        Value::Object(members) => {
            let at = dice.index(members.len().max(1));
            members.values_mut().nth(at)
        }
        Value::Array(items) => {
            let at = dice.index(items.len().max(1));
            items.get_mut(at)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    match inner {
        Some(inner) if !dice.one_in(8) => disturbed(dice, inner),
        Some(inner) => *inner = odd(dice),
        None => *value = odd(dice),
    }
}

#[test]
fn scenarios_drawn_at_random_are_the_same_in_json_and_the_schema_agrees() {
    let schema = json_schema();
    let (mut taken, mut run, mut refused, mut refused_by_both) = (0, 0, 0, 0);
    let begin: Fields = vec![
        ("network", "Mesh(radix: [3, 3])".to_owned()),
        ("routing", "DimensionOrder".to_owned()),
        (
            "traffic",
            "(arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(8))".to_owned(),
        ),
    ];
    let mut dice = Dice::new(crate::given("FLITSCOPE_SEED", 1));
    let mut fields = begin.clone();
    let wanted = crate::given("FLITSCOPE_SCENARIOS", 500);
    while run < wanted {
        if (taken + refused) % 16 == 0 {
            fields.clone_from(&begin);
        }
        let next = changed(&mut dice, &fields);
        let ron = text(&next);
        let written = json(&ron).unwrap_or_else(|| panic!("{ron}"));
        let mut value: Value = serde_json::from_str(&written).unwrap();
        match (parse("x", &ron, &[]), parse("x", &written, &[])) {
            (Ok(one), Ok(other)) => {
                taken += 1;
                assert!(accepts(&schema, &value), "the schema refuses\n{written}");
                let network = &one.system.network;
                if network.nodes().max(network.routers()) <= NODES_MAX {
                    assert_eq!(after(one, &ron), after(other, &written), "{ron}\n{written}");
                    fields = next;
                    run += 1;
                }
                let mut other = value.clone();
                disturbed(&mut dice, &mut other);
                let written = serde_json::to_string_pretty(&other).unwrap();
                let is_right = parse("x", &written, &[]).is_ok();
                assert!(!is_right || accepts(&schema, &other), "the schema refuses\n{written}");
                damaged(&mut dice, &mut value);
                let written = serde_json::to_string_pretty(&value).unwrap();
                assert!(!accepts(&schema, &value), "the schema takes\n{written}");
                assert!(parse("x", &written, &[]).is_err(), "the reader takes\n{written}");
            }
            (Err(_), Err(_)) => {
                refused += 1;
                refused_by_both += u32::from(!accepts(&schema, &value));
            }
            (Ok(_), Err(problems)) => panic!("{ron}\n{}", render(&problems)),
            (Err(problems), Ok(_)) => panic!("{written}\n{}", render(&problems)),
        }
    }
    let said = format!(
        "{run} runs compared, {taken} scenarios taken, {refused} refused, {refused_by_both} by the schema too\n"
    );
    std::io::stdout().write_all(said.as_bytes()).unwrap();
    assert!(refused > 100, "{said}");
}
