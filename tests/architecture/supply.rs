//! Dependencies: where they are from, and that their licences are those that `deny.toml` allows.

use std::process::Command;

use serde_json::Value;

/// The texts in the list behind a name in `deny.toml`.
fn listed(config: &str, name: &str) -> Vec<String> {
    let (_, list) = config.split_once(&format!("\n{name} = [")).unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether an expression as in `(MIT OR Apache-2.0) AND Zlib` can be met with what is allowed.
fn can_be_met(expression: &str, allowed: &[String]) -> bool {
    let apart = |operator: &str| {
        let mut depth = 0;
        let mut parts = vec![String::new()];
        for word in expression.replace('/', " OR ").split_whitespace() {
            depth = depth + word.matches('(').count() - word.matches(')').count();
            if depth == 0 && word == operator {
                parts.push(String::new());
            } else if let Some(last) = parts.last_mut() {
                *last = [last.as_str(), word].join(" ").trim().into();
            }
        }
        parts
    };
    let choices = apart("OR");
    if choices.len() > 1 {
        return choices.iter().any(|one| can_be_met(one, allowed));
    }
    let all = apart("AND");
    if all.len() > 1 {
        return all.iter().all(|one| can_be_met(one, allowed));
    }
    match expression.strip_prefix('(').and_then(|inside| inside.strip_suffix(')')) {
        Some(inside) => can_be_met(inside, allowed),
        None => allowed.iter().any(|name| name == expression),
    }
}

#[test]
fn every_dependency_is_from_crates_io_under_an_allowed_licence() {
    let config = std::fs::read_to_string("deny.toml").unwrap();
    let (allowed, registries) = (listed(&config, "allow"), listed(&config, "allow-registry"));
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()
        .unwrap();
    let all: Value = serde_json::from_slice(&cargo.stdout).unwrap();
    let packages = all["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    for package in packages.iter().filter(|package| package["name"] != "flitscope") {
        let (name, source) = (&package["name"], package["source"].as_str().unwrap());
        let known = |it: &String| source == format!("registry+{it}");
        assert!(registries.iter().any(known), "{name} is from {source}");
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(can_be_met(licence, &allowed), "{name}: {licence}");
    }
    assert!(can_be_met("(MIT OR X) AND Zlib", &allowed));
    assert!(!can_be_met("(MIT OR X) AND Y", &allowed) && !can_be_met("GPL-3.0", &allowed));
}
