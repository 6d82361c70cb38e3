//! Valid files with random changes: read or refused, never a panic.

use super::*;
use crate::random::mix;

/// Words and signs with a meaning in some format.
const PARTS: &[&str] = &[
    "router",
    "node",
    "host",
    "edge",
    "graph",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    ",",
    "<",
    ">",
    "/>",
    "&",
    "&#0;",
    "<data key=\"d0\">",
    "NaN",
    "-1",
    "1e400",
    "18446744073709551616",
    "0",
    "4097",
    "\n",
    "\r\n",
    "\t",
    "é",
    "\u{feff}",
    "\0",
    "#",
    "=",
    "true",
    "null",
    "from,to",
    "source",
    "id",
    "Switch 1 \"S-9\"",
    "[1] \"S-01\"[2]",
    "x",
    "endpoints",
    "host_names",
    "delay",
    "one_way",
];

/// A source of numbers.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = mix(self.0, 1);
        (self.0 >> 16) as usize % limit.max(1)
    }
}

/// A text with one to eight changes.
fn changed(text: &str, draws: &mut Draws) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=draws.below(8) {
        let from = draws.below(bytes.len());
        let to = (from + draws.below(30)).min(bytes.len());
        match draws.below(6) {
            0 => drop(bytes.drain(from..to)),
            1 => {
                let copy = bytes[from..to].to_vec();
                let at = draws.below(bytes.len());
                bytes.splice(at..at, copy);
            }
            2 => bytes.truncate(bytes.len() - draws.below(bytes.len()) / 4),
            3 if !bytes.is_empty() => bytes[from] = draws.below(256) as u8,
            _ => {
                let part = PARTS[draws.below(PARTS.len())].bytes();
                bytes.splice(from..to.min(from + 6), part);
            }
        }
    }
    bytes
}

/// Reads a file; the network of a draft is built, and mistakes have places in the text.
fn survives(name: &str, bytes: &[u8]) {
    match read(name, bytes) {
        Ok(draft) => {
            let network = draft.graph().network();
            assert!(network.nodes() >= 2 && network.routers() == draft.routers.len());
        }
        Err(mistakes) => {
            assert!(!mistakes.is_empty() && mistakes.len() <= MISTAKES_MAX + 1);
            let shown = |it: &Mistake| !it.what.is_empty() && !it.help.is_empty();
            assert!(mistakes.iter().all(|it| shown(it) && (it.line == 0) == (it.column == 0)));
        }
    }
}

fn run(times: usize, seed: u64) {
    let mut draws = Draws(seed);
    for (name, text) in SAMPLES {
        for _ in 0..times {
            survives(name, &changed(text, &mut draws));
        }
    }
}

#[test]
fn changed_files_are_read_or_refused() {
    run(1500, 1);
}

#[test]
#[ignore = "a million changes of each sample take minutes"]
fn a_million_changed_files_of_each_format_are_read_or_refused() {
    run(1_000_000, 2);
}
