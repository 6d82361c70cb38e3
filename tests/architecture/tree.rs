//! The source tree as it is compiled without tests: files, their words, and who uses whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{Attribute, Item, UseTree};

/// A path in code, from the root of the crate: `["engine", "wormhole", "state", "State"]`.
pub type Names = Vec<String>;

/// A source file without its tests.
pub struct Source {
    /// Below `src`.
    pub path: PathBuf,
    /// The module that it is; empty for `lib.rs`.
    pub module: Names,
    /// All of it, as it stands.
    pub text: String,
    /// Every word of its code, macros included.
    pub words: BTreeSet<String>,
    /// Macros that it calls.
    macros: BTreeSet<String>,
    /// Paths as they are imported.
    named: Vec<Names>,
    /// What its names stand for: imported ones, and modules declared in it.
    imports: BTreeMap<String, Names>,
    /// Modules of which all is imported.
    globs: Vec<Names>,
    /// Paths of two names and more, as they stand in code.
    paths: BTreeSet<Names>,
}

/// All of `src`.
pub struct Tree {
    pub sources: Vec<Source>,
    /// Which source each module is.
    modules: BTreeMap<Names, usize>,
}

/// Whether an attribute leaves an item to tests.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

/// Drops what is compiled for tests only.
fn without_tests(items: Vec<Item>) -> Vec<Item> {
    let kept = items.into_iter().filter(|item| !is_for_tests(attributes(item)));
    kept.map(|mut item| {
        if let Item::Impl(one) = &mut item {
            one.items.retain(|inner| match inner {
                syn::ImplItem::Fn(function) => !is_for_tests(&function.attrs),
                _ => true,
            });
        }
        item
    })
    .collect()
}

/// The modules that a file declares for tests.
fn test_modules(items: &[Item]) -> impl Iterator<Item = String> {
    items.iter().filter_map(|item| match item {
        Item::Mod(one) if is_for_tests(&one.attrs) => Some(one.ident.to_string()),
        _ => None,
    })
}

/// Collects what a file names.
#[derive(Default)]
struct Reader {
    imports: Vec<(String, Names)>,
    globs: Vec<Names>,
    paths: BTreeSet<Names>,
    words: BTreeSet<String>,
    macros: BTreeSet<String>,
}

impl Reader {
    fn import(&mut self, before: &Names, tree: &UseTree) {
        let joined = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect();
        match tree {
            UseTree::Path(path) => self.import(&joined(&path.ident), &path.tree),
            UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.import(before, item));
            }
            UseTree::Glob(_) => self.globs.push(before.clone()),
            UseTree::Name(name) if name.ident == "self" => {
                self.imports.extend(before.last().map(|last| (last.clone(), before.clone())));
            }
            UseTree::Name(name) => self.imports.push((name.ident.to_string(), joined(&name.ident))),
            UseTree::Rename(name) => {
                self.imports.push((name.rename.to_string(), joined(&name.ident)));
            }
        }
    }

    /// The words in tokens, be they in macros or not, and the paths: words between double colons.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path = Names::new();
        let mut colons = 0;
        for token in tokens {
            if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':') {
                colons += 1;
                continue;
            }
            let name = match &token {
                TokenTree::Ident(name) => Some(name.to_string()),
                TokenTree::Punct(_) | TokenTree::Literal(_) | TokenTree::Group(_) => None,
            };
            let bang = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '!');
            if bang && let Some(last) = path.last() {
                self.macros.insert(last.clone());
            }
            if colons != 2 || name.is_none() {
                self.close(&mut path);
            }
            colons = 0;
            if let Some(name) = name {
                self.words.insert(name.clone());
                path.push(name);
            }
            if let TokenTree::Group(group) = token {
                self.tokens(group.stream());
            }
        }
        self.close(&mut path);
    }

    fn close(&mut self, path: &mut Names) {
        let whole = std::mem::take(path);
        if whole.len() > 1 {
            self.paths.insert(whole);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&Names::new(), &item.tree);
    }
}

fn module_of(path: &Path) -> Names {
    let mut module: Names =
        path.iter().map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
    if matches!(module.as_slice(), [one] if one == "lib" || one == "main") {
        module.clear();
    }
    module
}

fn listed(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            listed(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

impl Tree {
    /// The tree, read once for all tests.
    pub fn read() -> &'static Self {
        static TREE: LazyLock<Tree> = LazyLock::new(Tree::parse);
        &TREE
    }

    fn parse() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut paths = Vec::new();
        listed(&root, &mut paths);
        let mut for_tests = Vec::new();
        let mut sources = Vec::new();
        for path in paths {
            let text = fs::read_to_string(&path).unwrap();
            let file = syn::parse_file(&text).unwrap();
            let path = path.strip_prefix(&root).unwrap().to_path_buf();
            let module = module_of(&path);
            let below = |name| module.iter().cloned().chain([name]).collect::<Names>();
            for_tests.extend(test_modules(&file.items).map(below));
            sources.push(Source::new(path, text, &without_tests(file.items)));
        }
        sources.retain(|source| !for_tests.iter().any(|test| source.module.starts_with(test)));
        let whole = sources.iter().enumerate();
        let named = whole.filter(|(_, source)| !source.path.ends_with("main.rs"));
        let modules = named.map(|(at, source)| (source.module.clone(), at)).collect();
        Self { sources, modules }
    }

    /// The files that a file uses, with a name that it takes from each. What a file calls in the
    /// modules inside its own is no use of another file.
    pub fn used_by(&self, at: usize) -> BTreeMap<usize, String> {
        let source = &self.sources[at];
        let imported = source.imports.values().chain(&source.globs).cloned();
        let written = source.paths.iter().filter_map(|path| source.absolute(path));
        let found = imported.chain(written).filter_map(|path| self.home(&path, 0));
        let inside = |file: usize| self.sources[file].module.starts_with(&source.module);
        found.filter(|&(file, _)| file != at && !inside(file)).collect()
    }

    /// The files that a file depends on, with a name that it takes from each: facades as they are named,
    /// and the modules inside its own. A file may use those that it is inside of.
    pub fn named_by(&self, at: usize) -> BTreeMap<usize, String> {
        let source = &self.sources[at];
        let imported = source.named.iter().filter_map(|path| source.absolute(path));
        let written = source.paths.iter().filter_map(|path| source.absolute(path));
        let found = imported.chain(written).filter_map(|path| {
            let (length, &file) = (0..=path.len())
                .rev()
                .find_map(|length| Some((length, self.modules.get(&path[..length])?)))?;
            Some((file, path.get(length)?.clone()))
        });
        let around = |file: usize| source.module.starts_with(&self.sources[file].module);
        found.filter(|&(file, _)| !around(file)).collect()
    }

    /// The file in which a path from the root leads to a definition, and its name there.
    fn home(&self, path: &[String], depth: usize) -> Option<(usize, String)> {
        let (length, &file) = (0..=path.len())
            .rev()
            .find_map(|length| Some((length, self.modules.get(&path[..length])?)))?;
        let Some(name) = path.get(length) else {
            // A module itself: what is used of it stands with its name in front.
            return None;
        };
        let source = &self.sources[file];
        match source.imports.get(name) {
            Some(there) if depth < 8 && there.as_slice() != &path[..=length] => {
                let rest = there.iter().chain(&path[length + 1..]).cloned().collect::<Names>();
                self.home(&rest, depth + 1)
            }
            _ => Some((file, name.clone())),
        }
    }
}

impl Source {
    fn new(path: PathBuf, text: String, items: &[Item]) -> Self {
        let module = module_of(&path);
        let mut reader = Reader::default();
        let mut imports = BTreeMap::new();
        for item in items {
            reader.visit_item(item);
            if !matches!(item, Item::Use(_)) {
                reader.tokens(item.to_token_stream());
            }
            if let Item::Mod(one) = item {
                let name = one.ident.to_string();
                let whole = module.iter().cloned().chain([name.clone()]).collect();
                imports.insert(name, whole);
            }
        }
        let mut source = Self {
            path,
            module,
            text,
            words: reader.words,
            macros: reader.macros,
            named: reader.imports.iter().map(|one| &one.1).chain(&reader.globs).cloned().collect(),
            imports,
            globs: Vec::new(),
            paths: reader.paths,
        };
        // An import may begin with what another brought in.
        for _ in 0..2 {
            for (name, there) in &reader.imports {
                if let Some(whole) = source.absolute(there) {
                    source.imports.insert(name.clone(), whole);
                }
            }
        }
        source.globs = reader.globs.iter().filter_map(|path| source.absolute(path)).collect();
        source
    }

    /// Whether a path that begins so is imported or written out.
    pub fn names_path(&self, beginning: &[&str]) -> bool {
        let begins = |path: &Names| {
            path.len() >= beginning.len() && path.iter().zip(beginning).all(|(a, b)| a == b)
        };
        self.named.iter().any(begins) || self.paths.iter().any(begins)
    }

    /// Whether it calls a macro of this name.
    pub fn calls_macro(&self, name: &str) -> bool {
        self.macros.contains(name)
    }

    /// A path from the root; `None` where it leads out of the crate.
    fn absolute(&self, path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        let mut whole = match first.as_str() {
            "crate" | "flitscope" => Names::new(),
            "self" => self.module.clone(),
            "super" => self.module[..self.module.len().checked_sub(1)?].to_vec(),
            name => self.imports.get(name)?.clone(),
        };
        for name in rest {
            if name == "super" {
                whole.pop()?;
            } else {
                whole.push(name.clone());
            }
        }
        Some(whole)
    }
}
