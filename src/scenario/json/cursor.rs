//! A position in JSON text, with steps over tokens and values.

/// A position in text; all text before is valid JSON.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    pub text: &'t str,
    pub at: usize,
}

impl<'t> Cursor<'t> {
    pub fn rest(self) -> &'t str {
        &self.text[self.at..]
    }

    pub fn first(self) -> u8 {
        self.rest().bytes().next().unwrap_or_default()
    }

    /// Skips and returns white space.
    pub fn space(&mut self) -> &'t str {
        let rest = self.rest();
        let space = &rest[..rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len()];
        self.at += space.len();
        space
    }

    pub fn take(&mut self, byte: u8) -> Option<()> {
        (self.first() == byte).then(|| self.at += 1)
    }

    /// Skips and returns a string with its quotes, a number or a word.
    pub fn token(&mut self) -> &'t str {
        let rest = self.rest();
        let length = if rest.starts_with('"') {
            let mut escaped = false;
            let end = rest.bytes().skip(1).position(|byte| {
                let ends = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else {
            let end = |letter: char| !letter.is_ascii_alphanumeric() && !"+-.".contains(letter);
            rest.find(end).unwrap_or(rest.len())
        };
        self.at += length;
        &rest[..length]
    }

    /// Skips a value, including brackets.
    pub fn skip_value(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.text.len() {
            match self.first() {
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth == 0 => return,
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => self.at += 1,
                b',' | b':' => return,
                _ if self.token().is_empty() => {
                    self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                }
                _ => {}
            }
            if depth == 0 {
                return;
            }
            self.space();
        }
    }
}

/// The names of the members of the outermost object, each with the first character of its value.
/// Ends at the first mistake of the JSON.
pub(in crate::scenario) fn members(text: &str) -> impl Iterator<Item = (&str, char)> {
    let mut cursor = Cursor { text, at: 0 };
    cursor.space();
    let _ = cursor.take(b'{');
    std::iter::from_fn(move || {
        cursor.space();
        let key = cursor.token();
        let name = key.strip_prefix('"')?.strip_suffix('"')?;
        cursor.space();
        cursor.take(b':')?;
        cursor.space();
        let first = cursor.rest().chars().next()?;
        cursor.skip_value();
        cursor.space();
        let _ = cursor.take(b',');
        Some((name, first))
    })
}
