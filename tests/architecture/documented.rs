//! Public modules, types, traits, functions and constants are described. Fields and variants are where
//! their names and types leave something open, such as a unit.

use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, ImplItem, Item, TraitItem, Visibility};

/// The names of public items without a description, and the number of those with one.
#[derive(Default)]
struct Descriptions {
    missing: Vec<String>,
    found: usize,
}

impl Descriptions {
    fn look(&mut self, place: &str, attributes: &[Attribute]) {
        if attributes.iter().any(|attribute| attribute.path().is_ident("doc")) {
            self.found += 1;
        } else {
            self.missing.push(place.to_owned());
        }
    }

    /// Reads a module's file, and those of the public modules in it.
    fn read(&mut self, path: &Path) {
        let text = fs::read_to_string(path).unwrap();
        let file = syn::parse_file(&text).unwrap();
        self.look(&path.display().to_string(), &file.attrs);
        for item in &file.items {
            self.item(path, item);
        }
    }

    fn item(&mut self, path: &Path, item: &Item) {
        let place = |name: &dyn ToString| format!("{}: {}", path.display(), name.to_string());
        let (visibility, name, attributes): (_, &dyn ToString, _) = match item {
            Item::Const(it) => (&it.vis, &it.ident, &it.attrs),
            Item::Enum(it) => (&it.vis, &it.ident, &it.attrs),
            Item::Fn(it) => (&it.vis, &it.sig.ident, &it.attrs),
            Item::Static(it) => (&it.vis, &it.ident, &it.attrs),
            Item::Struct(it) => (&it.vis, &it.ident, &it.attrs),
            Item::Type(it) => (&it.vis, &it.ident, &it.attrs),
            Item::Trait(it) => {
                for inner in &it.items {
                    if let (TraitItem::Fn(function), true) = (inner, is_public(&it.vis)) {
                        self.look(&place(&function.sig.ident), &function.attrs);
                    }
                }
                (&it.vis, &it.ident, &it.attrs)
            }
            Item::Impl(it) => {
                for inner in &it.items {
                    if let (ImplItem::Fn(function), None) = (inner, &it.trait_)
                        && is_public(&function.vis)
                        && function.sig.ident != "new"
                    {
                        self.look(&place(&function.sig.ident), &function.attrs);
                    }
                }
                return;
            }
            Item::Mod(it) => {
                if is_public(&it.vis) && it.content.is_none() {
                    self.read(&below(path, &it.ident.to_string()));
                }
                return;
            }
            _ => return,
        };
        if is_public(visibility) {
            self.look(&place(name), attributes);
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The file of a module declared in the file `path`.
fn below(path: &Path, module: &str) -> PathBuf {
    let root = path.ends_with("lib.rs");
    let folder = if root { path.with_file_name("") } else { path.with_extension("") };
    folder.join(format!("{module}.rs"))
}

#[test]
fn public_items_are_described() {
    let mut descriptions = Descriptions::default();
    descriptions.read(Path::new("src/lib.rs"));
    assert!(descriptions.found > 1000, "{}", descriptions.found);
    assert!(descriptions.missing.is_empty(), "{:#?}", descriptions.missing);
}
