//! Dependencies: where they are from, and that their licences are those that `deny.toml` allows.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// The texts in the list behind a name in `deny.toml`.
fn listed(config: &str, name: &str) -> Vec<String> {
    let (_, list) = config.split_once(&format!("\n{name} = [")).unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// All packages, and which needs which.
fn metadata() -> Value {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()
        .unwrap();
    serde_json::from_slice(&cargo.stdout).unwrap()
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

/// The parts of a version, `1.89` as `[1, 89]`.
fn parts(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().unwrap()).collect()
}

/// The packages that this one needs on any system, tests aside, and those that they need.
fn needed(all: &Value) -> BTreeSet<&str> {
    let nodes = all["resolve"]["nodes"].as_array().unwrap();
    let mut open = vec![all["resolve"]["root"].as_str().unwrap()];
    let mut needed = BTreeSet::new();
    while let Some(id) = open.pop() {
        if needed.insert(id) {
            let node = nodes.iter().find(|node| node["id"] == id).unwrap();
            let is_normal = |kind: &Value| kind["kind"] != "dev";
            let deps = node["deps"].as_array().unwrap().iter();
            let normal =
                deps.filter(|it| it["dep_kinds"].as_array().unwrap().iter().any(is_normal));
            open.extend(normal.map(|it| it["pkg"].as_str().unwrap()));
        }
    }
    needed
}

/// The version of Rust that is stated is the least that every dependency takes, in the manifest and
/// where people read of it.
#[test]
fn the_rust_version_is_the_newest_that_a_dependency_needs() {
    let all = metadata();
    let (needed, packages) = (needed(&all), all["packages"].as_array().unwrap());
    assert!(needed.len() > 100);
    let of = |package: &Value| parts(package["rust_version"].as_str().unwrap_or("1.0"));
    let is_own = |package: &&Value| package["name"] == "flitscope";
    let stated = of(packages.iter().find(is_own).unwrap());
    let others = packages.iter().filter(|package| !is_own(package));
    let others = others.filter(|package| needed.contains(package["id"].as_str().unwrap()));
    let newest = others.max_by_key(|package| of(package)).unwrap();
    let without_patch = |version: Vec<u32>| version[..2].to_vec();
    assert_eq!(without_patch(stated.clone()), without_patch(of(newest)), "{}", newest["name"]);
    let stated = format!("{}.{}", stated[0], stated[1]);
    for file in ["README.md", ".ci/run"] {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains(&format!("{stated} or later")), "{file}");
    }
}

#[test]
fn every_dependency_is_from_crates_io_under_an_allowed_licence() {
    let config = std::fs::read_to_string("deny.toml").unwrap();
    let (allowed, registries) = (listed(&config, "allow"), listed(&config, "allow-registry"));
    let all = metadata();
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
