//! Splits lists and pairs of values.

use super::names::kind;
use super::node::{Node, list, tuple};
use super::reader::Reader;

impl<'a> Reader<'a> {
    /// Splits a list.
    pub fn list(&mut self, node: Node<'a>, called: &str, help: &str) -> Option<Vec<Node<'a>>> {
        let parts = list(node);
        if parts.is_none() {
            let found = kind(node);
            let what = format!("{called} must be a list in square brackets, not {found}");
            let values = tuple(node).unwrap_or_default();
            let values: Vec<&str> = values.iter().map(|value| value.text).collect();
            let help = if values.is_empty() || help.contains(node.text) {
                help.to_owned()
            } else {
                format!("write `[{}]`", values.join(", "))
            };
            self.problem(node, what, Some(help));
        }
        parts
    }

    /// Reads every part, even after mistakes.
    pub fn each<T>(
        &mut self,
        parts: &[Node<'a>],
        mut read: impl FnMut(&mut Self, Node<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let found: Vec<Option<T>> = parts.iter().map(|part| read(self, *part)).collect();
        found.into_iter().collect()
    }

    /// Splits two values in parentheses; `said` describes the pair in messages.
    pub fn pair(&mut self, node: Node<'a>, said: &str) -> Option<[Node<'a>; 2]> {
        self.pair_of(node, said, "write two numbers in parentheses")
    }

    /// Splits two values in parentheses, with another correction.
    pub fn pair_of(&mut self, node: Node<'a>, said: &str, help: &str) -> Option<[Node<'a>; 2]> {
        if let Ok(pair) = <[Node<'a>; 2]>::try_from(tuple(node).unwrap_or_default()) {
            return Some(pair);
        }
        let what = format!("{said}; this is {}", kind(node));
        self.refuse(node, what, help)
    }
}
