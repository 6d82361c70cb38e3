//! Built-in scenarios: the files of `scenarios/`, embedded in the program.

use std::sync::LazyLock;

use include_dir::{Dir, File, include_dir};

use super::names::nearest;

/// A built-in scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// The path below `scenarios/` without `.ron`.
    pub name: &'static str,
    pub text: &'static str,
}

static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/scenarios");

/// All built-in scenarios, sorted by path.
pub static ALL: LazyLock<Vec<Builtin>> = LazyLock::new(|| {
    let below = ["hangs", "papers"].into_iter().filter_map(|name| FOLDER.get_dir(name));
    let folders = std::iter::once(&FOLDER).chain(below);
    let files = folders.flat_map(Dir::files);
    let builtin = |file: &'static File<'static>| {
        let name = file.path().to_str()?.strip_suffix(".ron")?;
        Some(Builtin { name, text: file.contents_utf8()? })
    };
    let mut all: Vec<Builtin> = files.filter_map(builtin).collect();
    all.sort_by_key(|it| it.name);
    all
});

/// The text of a file below `scenarios/`.
pub fn file(path: &str) -> Option<&'static str> {
    FOLDER.get_file(path)?.contents_utf8()
}

/// The built-in study of the given name, with or without `.ron`: path below `scenarios/` and text.
pub fn study(name: &str) -> Option<(String, &'static str)> {
    let path = format!("{}.ron", name.strip_suffix(".ron").unwrap_or(name));
    let text = file(&path).filter(|_| path.starts_with("studies/"))?;
    Some((path, text))
}

/// The built-in scenario of the given name, with or without `.ron`.
pub fn find(name: &str) -> Option<Builtin> {
    let name = name.strip_suffix(".ron").unwrap_or(name);
    ALL.iter().find(|builtin| builtin.name == name).copied()
}

/// The built-in name most similar to `name`.
pub fn suggest(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".ron").unwrap_or(name);
    let last = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
    nearest(name, ALL.iter().map(|builtin| builtin.name)).or_else(|| {
        let near = nearest(name, ALL.iter().map(|builtin| last(builtin.name)))?;
        ALL.iter().map(|builtin| builtin.name).find(|name| last(name) == near)
    })
}
