//! The table of constants in the documentation of channel flow, generated from the code.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Expr, Field, Item, ItemConst, Lit, Member, Meta, Type};

const MODEL: &str = "src/model/channel_flow";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(MODEL).join(name)
}

/// The documentation of an item as one paragraph.
fn words(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(it) if it.path.is_ident("doc") => match &it.value {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(line).collect::<Vec<_>>().join(" ")
}

/// Whether a constant is a number, or numbers.
fn is_number(constant: &ItemConst) -> bool {
    let words = match &*constant.ty {
        Type::Array(array) => array.elem.to_token_stream().to_string(),
        other => other.to_token_stream().to_string(),
    };
    matches!(words.as_str(), "f64" | "u32" | "usize")
}

/// A value without the spaces between tokens.
fn value(expr: &Expr) -> String {
    let text = expr.to_token_stream().to_string();
    text.replace("- ", "−")
        .replace("[ ", "[")
        .replace(" ]", "]")
        .replace(" ,", ",")
        .replace("[-", "[−")
}

fn items(name: &str) -> Vec<Item> {
    syn::parse_file(&fs::read_to_string(path(name)).unwrap()).unwrap().items
}

/// The file of the constants that are fitted: a struct, and its value.
const FITTED: &str = "constants.rs";

/// The fitted constants: name in capitals, value and meaning.
fn fitted() -> Vec<[String; 3]> {
    let mut fields: Vec<Field> = Vec::new();
    let mut found = Vec::new();
    for item in items(FITTED) {
        match item {
            Item::Struct(it) => fields.extend(it.fields),
            Item::Const(it) => {
                let Expr::Struct(literal) = *it.expr else { panic!("a value of the struct") };
                for field in literal.fields {
                    let Member::Named(name) = &field.member else { panic!("fields with names") };
                    let declared = fields.iter().find(|it| it.ident.as_ref() == Some(name));
                    let meaning = words(&declared.unwrap().attrs);
                    found.push([name.to_string().to_uppercase(), value(&field.expr), meaning]);
                }
            }
            _ => {}
        }
    }
    assert_eq!(found.len(), fields.len());
    found
}

/// The constants of a file: name, value and meaning. A constant without documentation belongs to the
/// one before it.
fn constants(name: &str) -> Vec<[String; 3]> {
    if name == FITTED {
        return fitted();
    }
    let items = items(name);
    let mut meaning = String::new();
    let mut found = Vec::new();
    for item in items {
        let Item::Const(constant) = item else { continue };
        let own = words(&constant.attrs);
        if !own.is_empty() {
            meaning = own;
        }
        if is_number(&constant) {
            found.push([constant.ident.to_string(), value(&constant.expr), meaning.clone()]);
        }
    }
    found
}

/// Files with equations, the fitted constants first.
const FILES: [&str; 8] = [
    FITTED,
    "arrivals.rs",
    "machine.rs",
    "propagation.rs",
    "output.rs",
    "sharing.rs",
    "solve.rs",
    "sweep.rs",
];

/// The most fitted numbers.
const NUMBERS_MAX: usize = 19;

#[test]
fn few_numbers_are_fitted_and_all_of_them_in_one_file() {
    let numbers = |value: &str| value.split(',').count();
    let fitted: usize = fitted().iter().map(|[_, value, _]| numbers(value)).sum();
    assert!(fitted <= NUMBERS_MAX, "{fitted} fitted numbers");
    // Other constants bound iterations and ranges, or follow from a machine or a distribution.
    let others = FILES.iter().filter(|&&file| file != FITTED).flat_map(|file| constants(file));
    let others: BTreeSet<String> = others.map(|[name, ..]| name).collect();
    assert_eq!(others, OTHERS.map(str::to_owned).into());
}

/// The constants of the model that no fit changes.
const OTHERS: [&str; 14] = [
    "BUSY_MOST",
    "HANDOVER",
    "LAG_TOLERANCE",
    "LONGER_MIN",
    "MET_MOST",
    "OFTEN",
    "OUTPUTS",
    "PASSES",
    "REACH_MAX",
    "SERIES",
    "STEPS",
    "STEP_LEAST",
    "TOLERANCE",
    "VCS_MAX",
];

fn table() -> String {
    let mut table = "| constant | value | file | meaning |\n|---|---|---|---|\n".to_owned();
    for file in FILES {
        for [name, value, meaning] in constants(file) {
            let file = file.trim_end_matches(".rs");
            writeln!(table, "| `{name}` | {value} | `{file}` | {meaning} |").unwrap();
        }
    }
    table
}

#[test]
fn the_documentation_has_the_constants_of_the_code() {
    let (file, table) = (path("constants.md"), table());
    if std::env::var_os("FLITSCOPE_UPDATE").is_some() {
        fs::write(&file, &table).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap();
    assert!(kept == table, "an old table: FLITSCOPE_UPDATE=1 cargo test --test architecture");
}

/// Names in capitals between backticks: `` `1 + GAPS m/B` ``.
fn named(text: &str) -> BTreeSet<String> {
    let capitals =
        |word: &&str| word.len() > 2 && word.chars().all(|it| it.is_ascii_uppercase() || it == '_');
    let spans = text.split('`').skip(1).step_by(2);
    let words =
        spans.flat_map(|span| span.split(|it: char| !it.is_ascii_alphabetic() && it != '_'));
    words.filter(capitals).map(str::to_owned).collect()
}

#[test]
fn the_equations_name_every_fitted_constant_and_no_other() {
    let equations = fs::read_to_string(path("equations.md"))
        .unwrap()
        .replace("```text", "`")
        .replace("```", "`");
    let named = named(&equations);
    let all: BTreeSet<String> =
        FILES.iter().flat_map(|file| constants(file)).map(|[name, ..]| name).collect();
    let unknown: Vec<&String> = named.difference(&all).collect();
    assert!(unknown.is_empty(), "not in the code: {unknown:?}");
    let fitted: BTreeSet<String> = fitted().into_iter().map(|[name, ..]| name).collect();
    let missing: Vec<&String> = fitted.difference(&named).collect();
    assert!(missing.is_empty(), "not in the equations: {missing:?}");
}

#[test]
fn every_file_with_constants_is_listed() {
    let mut files = BTreeSet::new();
    let mut folders = vec![path("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap().path();
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|it| it == "rs") {
                files.insert(entry.strip_prefix(path("")).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    // Ranges of measured systems are no part of the equations.
    files.retain(|file| !file.ends_with("tests.rs") && !file.starts_with("errors"));
    files.retain(|file| !constants(file).is_empty());
    let listed: BTreeSet<String> = FILES.iter().map(|&it| it.to_owned()).collect();
    assert_eq!(files.difference(&listed).collect::<Vec<_>>(), Vec::<&String>::new());
}
