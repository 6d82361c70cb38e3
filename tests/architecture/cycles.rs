//! Cycles of files that use each other, and types whose methods are in many files.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use crate::tree::Tree;

/// Files with methods of one type, where there are more than a reader finds at once. The numbers may only
/// become smaller.
const SPREAD: [(&str, usize); 5] = [
    ("engine::circuit: CircuitEngine", 8),
    ("engine::wormhole: State", 6),
    ("engine::wormhole: WormholeEngine", 20),
    ("model::circuit: Equations", 7),
    ("tui::app: App", 16),
];

/// The most files with methods of one type.
const FILES_MAX: usize = 5;

#[test]
fn no_files_use_each_other_in_a_cycle() {
    let tree = Tree::read();
    let edges = (0..tree.sources.len() as u32)
        .flat_map(|at| tree.named_by(at as usize).into_keys().map(move |other| (at, other as u32)));
    let graph = DiGraph::<(), ()>::from_edges(edges);
    let mut uses = Vec::new();
    for part in tarjan_scc(&graph).into_iter().filter(|part| part.len() > 1) {
        let within: BTreeSet<usize> = part.iter().map(|node| node.index()).collect();
        let path = |at: usize| tree.sources[at].path.display();
        for &at in &within {
            for (other, name) in tree.named_by(at).into_iter().filter(|it| within.contains(&it.0)) {
                uses.push(format!("{} -> {}: {name}", path(at), path(other)));
            }
        }
    }
    assert!(uses.is_empty(), "{uses:#?}");
}

#[test]
fn the_methods_of_a_type_are_in_few_files() {
    let mut files = BTreeMap::<String, BTreeSet<String>>::new();
    for source in &Tree::read().sources {
        let file = syn::parse_file(&source.text).unwrap();
        for item in file.items {
            let syn::Item::Impl(block) = item else { continue };
            if let (syn::Type::Path(path), None) = (*block.self_ty, block.trait_) {
                let name = path.path.segments.last().unwrap().ident.to_string();
                let top = source.module.iter().take(2).cloned().collect::<Vec<_>>().join("::");
                files
                    .entry(format!("{top}: {name}"))
                    .or_default()
                    .insert(source.path.display().to_string());
            }
        }
    }
    let many = files.iter().filter(|(_, files)| files.len() > FILES_MAX);
    let many: Vec<(&str, usize)> = many.map(|(name, files)| (name.as_str(), files.len())).collect();
    assert_eq!(many, SPREAD);
}
