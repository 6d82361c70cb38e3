//! Positions of nodes in their sources: lines, text between nodes, problems of a part.

use super::Problem;
use super::found::Found;
use super::node::Node;
use super::reader::Reader;

impl<'a> Reader<'a> {
    /// The text between two nodes of a source.
    pub fn between(&self, one: Node<'a>, other: Node<'a>) -> &'a str {
        let text = self.sources[one.source].text;
        let at = |node: Node<'a>| node.text.as_ptr().addr() - text.as_ptr().addr();
        &text[at(one) + one.text.len()..at(other)]
    }

    /// Maps a problem found in the text of `node` alone, after `before` added lines, to its
    /// position in the whole source.
    pub fn moved(&self, problem: &mut Problem, node: Node<'a>, before: usize) {
        let source = &self.sources[node.source];
        source.label.clone_into(&mut problem.source);
        let Some(place) = &problem.place else { return };
        let start = node.text.as_ptr().addr() - source.text.as_ptr().addr();
        let rest = &source.text[start..];
        let lines = rest.split_inclusive('\n').take(place.line - before - 1);
        let line: usize = lines.map(str::len).sum();
        let columns = |text: &str, count: usize| -> usize {
            text.chars().take_while(|&c| c != '\n').take(count).map(char::len_utf8).sum()
        };
        let start = start + line + columns(&rest[line..], place.column - 1);
        let length = columns(&source.text[start..], place.length);
        let (what, help) = (problem.what.clone(), problem.help.clone());
        *problem = Found { source: node.source, start, length, what, help }.place(source);
    }

    /// The line of a node, from 1.
    pub fn line(&self, node: Node<'a>) -> usize {
        let text = self.sources[node.source].text;
        let start = node.text.as_ptr().addr() - text.as_ptr().addr();
        1 + text[..start].matches('\n').count()
    }
}
