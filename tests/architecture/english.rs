//! Comments start with what an item is or does. Modules are listed as they are rewritten; the list may
//! only grow.

use super::room;
use super::tree::Tree;

/// Modules in which nearly all comments do.
const REWRITTEN: &[&str] = &[
    "capacity",
    "cli",
    "engine",
    "experiment",
    "files",
    "flows",
    "live",
    "model",
    "random",
    "recording",
    "report",
    "routing",
    "scenario",
    "session",
    "stats",
    "system",
    "text",
    "topology",
    "tui",
    "units",
    "words",
];

/// The most comments of a module, in per cent, that may start with one of [`BEGINNINGS`].
const SHARE_MAX: usize = 5;

/// Question words and prepositions.
const BEGINNINGS: &[&str] = &[
    "what", "how", "whether", "where", "who", "whom", "whose", "which", "when", "why", "of", "by",
    "as", "for", "with", "from", "in", "on", "at", "until",
];

/// The first words of all comments, in small letters. Lines that follow each other are one comment.
fn first_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut inside = false;
    for line in text.lines().map(str::trim_start) {
        let comment = line.strip_prefix("//");
        if let (Some(comment), false) = (comment, inside) {
            let comment = comment.trim_start_matches(['/', '!']).trim_start();
            let first: String = comment.chars().take_while(|it| it.is_alphabetic()).collect();
            words.push(first.to_lowercase());
        }
        inside = comment.is_some();
    }
    words
}

#[test]
fn comments_start_with_what_an_item_is_or_does() {
    let tree = Tree::read();
    for module in REWRITTEN {
        let sources = tree.sources.iter().filter(|source| room(source) == *module);
        let words: Vec<(String, String)> = sources
            .flat_map(|source| {
                let path = source.path.display().to_string();
                first_words(&source.text).into_iter().map(move |word| (path.clone(), word))
            })
            .collect();
        let odd: Vec<_> =
            words.iter().filter(|(_, word)| BEGINNINGS.contains(&word.as_str())).collect();
        let (found, all) = (odd.len(), words.len());
        assert!(all > 10, "{module} has comments");
        assert!(100 * found <= SHARE_MAX * all, "{module}: {found} of {all}: {odd:?}");
    }
}
