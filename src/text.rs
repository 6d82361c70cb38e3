//! Texts from outside, made fit to be shown: names of files, titles, what was typed, what the system
//! says. Nothing in them steers a terminal, turns a line round or breaks a format.

/// What stands for a character that does not show, where there is room for one only.
const INSTEAD: char = '\u{fffd}';

/// True if a character shows as itself, alone and one behind the other: no control character, no mark
/// of direction, nothing without a place of its own, no blank but the space.
pub fn shows(letter: char) -> bool {
    // ASCII, lines, blocks, signs and braille: nearly all of a screen, known without a search.
    matches!(letter, ' '..='~' | '\u{2500}'..='\u{28ff}') || letter.escape_debug().len() == 1
}

/// The character, or one that stands for it.
pub fn letter(letter: char) -> char {
    if shows(letter) { letter } else { INSTEAD }
}

/// A character of a text: a tab as spaces, what does not show as its number, as in `\u{1b}`.
pub fn cell(letter: char) -> String {
    match letter {
        '\t' => "    ".into(),
        letter if shows(letter) => letter.into(),
        letter => letter.escape_debug().collect(),
    }
}

/// A text as one line.
pub fn line(text: &str) -> String {
    text.chars().map(cell).collect()
}

/// A text as one word of a shell, in quotes where it has more than letters, digits and what stands in paths.
pub fn shell_word(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+@:%,=".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The last part of a name or path.
pub fn short_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// `1 entry`, `2 entries`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A text of several lines, without their ends in the last one.
pub fn lines(text: &str) -> String {
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
