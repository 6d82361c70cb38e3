//! Translates JSON text to RON, value by value, by the kinds admitted at each place.

use super::cursor::{Cursor, members};
use super::kinds::{Keyed, Named, admitted, begins_upper, is_identifier, values_of};
use crate::scenario::found::Found;
use crate::scenario::names::{nearest, shown};
use crate::scenario::origin::Piece;
use crate::scenario::paths;
use crate::words::{Contents, Field, Kind, Structure, written};

/// Members of the outermost object for editors and people; not fields of a scenario.
const COMMENT: &str = "$comment";
const SCHEMA: &str = "$schema";

/// The translation so far.
pub(super) struct Writer<'t> {
    text: &'t str,
    at: usize,
    pub ron: String,
    pub pieces: Vec<Piece>,
    pub wrong: Vec<Found>,
    /// The text of `$comment`.
    pub comment: Option<String>,
    /// True for a study with a list of cases.
    lists_cases: bool,
}

impl<'t> Writer<'t> {
    fn cursor(&self) -> Cursor<'t> {
        Cursor { text: self.text, at: self.at }
    }

    fn first(&self) -> u8 {
        self.cursor().first()
    }

    /// Copies white space.
    fn space(&mut self) {
        let mut cursor = self.cursor();
        let space = cursor.space();
        self.copy(space.len());
    }

    /// Copies `length` bytes.
    fn copy(&mut self, length: usize) {
        let (start, end) = (self.at, self.at + length);
        if length > 0 {
            self.pieces.push(Piece { ron: self.ron.len(), json: start..end, verbatim: true });
            self.ron.push_str(&self.text[start..end]);
        }
        self.at = end;
    }

    /// Writes `ron` in place of `length` bytes.
    fn put(&mut self, ron: &str, length: usize) {
        self.pieces.push(Piece {
            ron: self.ron.len(),
            json: self.at..self.at + length,
            verbatim: false,
        });
        self.ron.push_str(ron);
        self.at += length;
    }

    /// Skips text but keeps its line breaks.
    fn skip(&mut self, to: usize) {
        for _ in self.text[self.at..to].matches('\n') {
            self.put("\n", 0);
        }
        self.at = to;
    }

    /// The token at the current position.
    fn token(&self) -> &'t str {
        self.cursor().token()
    }

    /// Records a mistake at the current token.
    fn problem(&mut self, what: String, help: String) {
        let length = self.token().len().max(1);
        let (source, start, help) = (0, self.at, Some(help));
        self.wrong.push(Found { source, start, length, what, help });
    }

    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            ron: String::new(),
            pieces: Vec::new(),
            wrong: Vec::new(),
            comment: None,
            lists_cases: members(text).any(|(key, _)| key == "cases"),
        }
    }

    /// Translates the whole text.
    pub fn whole(&mut self, kind: &Kind) {
        self.space();
        self.value(&admitted(kind), true);
        self.space();
    }

    fn value(&mut self, admitted: &[&Kind], outermost: bool) {
        match self.first() {
            b'{' => self.object(admitted, outermost),
            b'[' => self.array(admitted),
            b'"' => self.string(admitted),
            b'n' => {
                let what = "`null` is not a value here".to_owned();
                self.problem(what, "leave the field out, or write its value".to_owned());
                self.put("()", self.token().len());
            }
            _ => self.copy(self.token().len()),
        }
    }

    /// The unquoted string at the current position.
    fn string_here(&self) -> String {
        // `mistake::check` has parsed all strings.
        serde_json::from_str(self.token()).unwrap_or_default()
    }

    fn string(&mut self, admitted: &[&Kind]) {
        let text = self.string_here();
        let length = self.token().len();
        let is_text = admitted.iter().any(|kind| {
            matches!(kind, Kind::Text(_) | Kind::Own(_, Structure::Plain(_) | Structure::Truth))
        });
        let is_choice = admitted.iter().any(|kind| matches!(kind, Kind::Choice(_)));
        let is_word = if is_choice && !is_text {
            is_identifier(&text)
        } else if is_choice {
            values_of(admitted).any(|value| value.name == text)
        } else {
            admitted.is_empty() && is_identifier(&text) && begins_upper(&text)
        };
        if is_word {
            self.put(&text, length);
        } else if self.token().contains('\\') {
            self.put(&written(&text), length);
        } else {
            self.copy(length);
        }
    }

    fn array(&mut self, admitted: &[&Kind]) {
        let (mut list, mut tuple) = (None, None);
        for kind in admitted {
            if let Kind::Own(_, Structure::List(of, _)) = kind {
                list = Some(*of);
            } else if let Kind::Own(_, Structure::Tuple(kinds, _)) = kind {
                tuple = Some(*kinds);
            } else if let Kind::Own(_, Structure::Plain(_)) = kind {
                list = Some(&Kind::Own("a value", Structure::Plain(&[])));
            }
        }
        let brackets = if list.is_none() && tuple.is_some() { ("(", ")") } else { ("[", "]") };
        let of_tuple = |index| tuple.and_then(|kinds| kinds.get(index).or(kinds.last()));
        self.elements(brackets, |index| list.or_else(|| of_tuple(index)).copied());
    }

    /// Writes an array in the given brackets; `kind` is the kind of an element.
    fn elements(&mut self, brackets: (&str, &str), kind: impl Fn(usize) -> Option<Kind>) {
        self.put(brackets.0, 1);
        self.space();
        let mut index = 0;
        while self.first() != b']' {
            let kind = kind(index);
            self.value(&kind.as_ref().map(admitted).unwrap_or_default(), false);
            index += 1;
            self.comma();
        }
        self.put(brackets.1, 1);
    }

    /// Copies the next comma, if any, with white space on both sides.
    fn comma(&mut self) {
        self.space();
        if self.first() == b',' {
            self.copy(1);
            self.space();
        }
    }

    fn object(&mut self, admitted: &[&Kind], outermost: bool) {
        let all: Vec<&str> = members(self.cursor().rest()).map(|(key, _)| key).collect();
        let only = match all[..] {
            [only] if begins_upper(only) => Some(only),
            _ => None,
        };
        let (mut fields, mut keyed) = (None, None);
        for kind in admitted {
            match kind {
                Kind::Fields(groups) => fields = Some(Named::Fields(groups)),
                Kind::Own(_, Structure::Plain(kinds)) => fields = Some(Named::Plain(kinds)),
                Kind::Own(_, Structure::Map(of)) => keyed = Some(Keyed::All(of)),
                Kind::Own(_, Structure::Settings(fields)) => keyed = Some(Keyed::Settings(fields)),
                Kind::Own(_, Structure::Axes(fields)) => keyed = Some(Keyed::Axes(fields)),
                Kind::Whole { .. }
                | Kind::Number { .. }
                | Kind::Text(_)
                | Kind::Choice(_)
                | Kind::Own(
                    _,
                    Structure::Truth
                    | Structure::List(..)
                    | Structure::Tuple(..)
                    | Structure::Either(_),
                ) => {}
            }
        }
        let value = only.and_then(|only| {
            let all = || values_of(admitted);
            let near = || nearest(only, all().map(|value| value.name));
            all().find(|value| value.name == only).or_else(|| {
                let near = near()?;
                all().find(|value| value.name == near)
            })
        });
        match (keyed, only) {
            (_, Some(_)) if value.is_some() => self.variant(value.map(|value| value.contents)),
            (Some(keyed), _) => self.map(keyed),
            (None, Some(_)) if !matches!(fields, Some(Named::Plain(_))) => {
                let inner = fields.and_then(|fields| match fields {
                    Named::Fields(groups) => Some(Contents::Fields(groups)),
                    Named::Plain(_) => None,
                });
                self.variant(inner);
            }
            (None, _) => self.fields(fields, outermost),
        }
    }

    /// Writes the next token, a variant or field name, without its quotes.
    fn identifier(&mut self, name: &str) {
        let length = self.token().len();
        if is_identifier(name) {
            self.put(name, length);
        } else {
            self.not_a_name(name);
            self.put("_", length);
        }
    }

    /// Writes `{"Name": contents}` as `Name(contents)`.
    fn variant(&mut self, contents: Option<Contents>) {
        self.at += 1;
        self.space();
        let name = self.string_here();
        self.identifier(&name);
        // RON needs the parenthesis next to the name; white space follows.
        let mut cursor = self.cursor();
        cursor.space();
        let _ = cursor.take(b':');
        cursor.space();
        let kind = match contents {
            Some(Contents::One(_, kind)) => Some(kind),
            Some(Contents::Nothing | Contents::Fields(_)) | None => None,
        };
        let admitted = kind.as_ref().map(admitted).unwrap_or_default();
        if cursor.first() == b'{' && admitted.is_empty() {
            let groups = match contents {
                Some(Contents::Fields(groups)) => Some(Named::Fields(groups)),
                Some(Contents::Nothing | Contents::One(..)) | None => None,
            };
            let open = cursor.at;
            let before = self.at;
            self.at = open;
            self.put("(", 1);
            self.lines_between(before, open);
            self.members(groups, false);
            self.put(")", 1);
        } else {
            let before = self.at;
            self.at = cursor.at;
            self.put("(", 0);
            self.lines_between(before, cursor.at);
            self.value(&admitted, false);
            self.put(")", 0);
        }
        self.space();
        self.at += 1;
    }

    /// Writes the line breaks between two positions.
    fn lines_between(&mut self, from: usize, to: usize) {
        for _ in self.text[from..to].matches('\n') {
            self.put("\n", 0);
        }
    }

    /// Writes `{"name": value}` as `(name: value)`.
    fn fields(&mut self, named: Option<Named>, outermost: bool) {
        self.put("(", 1);
        self.members(named, outermost);
        self.put(")", 1);
    }

    /// Writes the members of an object up to its closing brace.
    fn members(&mut self, named: Option<Named>, outermost: bool) {
        self.space();
        while self.first() != b'}' {
            let name = self.string_here();
            if outermost && (name == COMMENT || name == SCHEMA) {
                self.left_out(&name);
                continue;
            }
            self.identifier(&name);
            self.colon();
            let kind = named.and_then(|named| named.kind(&name));
            self.value(&kind.as_ref().map(admitted).unwrap_or_default(), false);
            self.comma();
        }
    }

    fn colon(&mut self) {
        self.space();
        self.copy(1);
        self.space();
    }

    /// Skips `$comment` or `$schema`.
    fn left_out(&mut self, name: &str) {
        let mut cursor = self.cursor();
        cursor.token();
        cursor.space();
        let _ = cursor.take(b':');
        cursor.space();
        if name == COMMENT {
            let mut end = cursor;
            end.skip_value();
            let value = &self.text[cursor.at..end.at];
            self.comment = serde_json::from_str(value).ok();
            if self.comment.is_none() {
                self.at = cursor.at;
                let what = "`$comment` must be a text".to_owned();
                self.problem(what, "write it between two `\"`".to_owned());
            }
        }
        cursor.skip_value();
        cursor.space();
        let _ = cursor.take(b',');
        cursor.space();
        self.skip(cursor.at);
    }

    fn map(&mut self, keyed: Keyed) {
        self.copy(1);
        self.space();
        while self.first() != b'}' {
            let key = self.string_here();
            self.string(&[&Kind::Text("a key")]);
            self.colon();
            match keyed {
                Keyed::All(kind) => self.value(&admitted(kind), false),
                Keyed::Settings(_) if self.lists_cases => {
                    self.value(&[&Kind::Text("a text")], false);
                }
                Keyed::Settings(fields) => {
                    let kind = paths::kind(fields, &key);
                    self.value(&kind.as_ref().map(admitted).unwrap_or_default(), false);
                }
                Keyed::Axes(fields) => self.axis(fields, &key),
            }
            self.comma();
        }
        self.copy(1);
    }

    /// Writes the values of fields varied together.
    fn axis(&mut self, fields: &'static [Field], key: &str) {
        let keys: Vec<&str> = key.split(',').map(str::trim).collect();
        let kind = |index: usize| paths::kind(fields, keys.get(index)?);
        if self.first() != b'[' {
            return self.value(&[], false);
        }
        if keys.len() == 1 {
            return self.elements(("[", "]"), |_| kind(0));
        }
        self.put("[", 1);
        self.space();
        while self.first() != b']' {
            if self.first() == b'[' {
                self.elements(("(", ")"), kind);
            } else {
                self.value(&[], false);
            }
            self.comma();
        }
        self.put("]", 1);
    }

    fn not_a_name(&mut self, name: &str) {
        let what = format!("{} is not the name of a field", written(&shown(name)));
        self.problem(what, "names are letters, digits and `_`".to_owned());
    }
}
