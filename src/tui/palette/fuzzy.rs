//! How well a name and its help match what was typed.

/// How well something matches, the smallest best; `None` if it does not.
///
/// Best is the name itself, then a name that begins so, a word of it that does, one that holds the
/// text; then words of the help, then the letters in their order somewhere in the name.
pub fn rank(typed: &str, name: &str, help: &str) -> Option<u8> {
    let (typed, name) = (typed.trim().to_lowercase(), name.to_lowercase());
    let joined = typed.split_whitespace().collect::<Vec<_>>().join("-");
    let words = || typed.split_whitespace();
    let place = name.find(&joined);
    if typed.is_empty() || name == joined {
        return Some(0);
    }
    match place {
        Some(0) => return Some(1),
        Some(at) if name[..at].ends_with('-') => return Some(2),
        Some(_) => return Some(3),
        None => {}
    }
    let all = format!("{name} {}", help.to_lowercase());
    let begins =
        |word: &str| all.split(|c: char| !c.is_alphanumeric()).any(|w| w.starts_with(word));
    if words().all(begins) {
        return Some(4);
    }
    if words().all(|word| all.contains(word)) {
        return Some(5);
    }
    has_in_order(&name, &joined).then_some(6)
}

/// Whether the letters of `typed` occur in `name` in their order, whatever their case.
pub fn has_in_order(name: &str, typed: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
