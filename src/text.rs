//! Sanitizes untrusted text for display: file names, titles, typed input, messages of the system.
//! The results contain no terminal escapes, reverse no direction of writing and break no format.

/// Replacement for a character that cannot be displayed, if only one cell is available.
const INSTEAD: char = '\u{fffd}';

/// True if a character occupies a cell of its own: excludes control characters, marks of direction,
/// combining characters, and blanks other than the space.
pub fn shows(letter: char) -> bool {
    // Fast path for ASCII, lines, blocks, symbols and braille: nearly all of a screen.
    matches!(letter, ' '..='~' | '\u{2500}'..='\u{28ff}') || letter.escape_debug().len() == 1
}

/// The character, or a replacement.
pub fn letter(letter: char) -> char {
    if shows(letter) { letter } else { INSTEAD }
}

/// Escapes a character: a tab becomes spaces, a character that cannot be displayed its code, as in
/// `\u{1b}`.
pub fn cell(letter: char) -> String {
    match letter {
        '\t' => "    ".into(),
        letter if shows(letter) => letter.into(),
        letter => letter.escape_debug().collect(),
    }
}

/// Escapes a text as a single line.
pub fn line(text: &str) -> String {
    text.chars().map(cell).collect()
}

/// Quotes a text as one word for a shell, unless it contains only letters, digits and characters
/// usual in paths.
pub fn shell_word(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+@:%,=".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The first line of a text for a message, cut if long.
pub fn shown(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}...") } else { short }
}

/// The last part of a name or path.
pub fn short_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// A count with its noun: `1 entry`, `2 entries`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Escapes a text of several lines, without a final line break.
pub fn lines(text: &str) -> String {
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
