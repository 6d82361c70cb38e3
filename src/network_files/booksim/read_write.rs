//! Reads and writes: requests and replies as message classes, each with a range of VCs.

use super::Values;
use super::network::Function;

/// The kinds of packets, in the order of the classes: the beginning of their keys, the name of the class
/// and the class answered.
const KINDS: [(&str, &str, Option<&str>); 4] = [
    ("read_request", "read", None),
    ("write_request", "write", None),
    ("read_reply", "data", Some("read")),
    ("write_reply", "done", Some("write")),
];

const LATE_REPLIES: &str =
    "`use_read_write` is approximated: the latency of a reply begins a cycle later";

/// Reads and writes as parts of a scenario.
pub(super) struct ReadWrite {
    /// The message classes of the traffic.
    pub classes: String,
    /// The VCs of the classes.
    pub ranges: String,
    /// Flits of a request and its reply together, on average.
    pub flits: f64,
}

impl Values<'_> {
    /// Reads and writes; `Some(None)` if packets have no replies, `None` after a mistake.
    #[expect(clippy::option_option, reason = "absence and mistakes differ")]
    pub(super) fn read_write(&mut self, routing: Option<Function>) -> Option<Option<ReadWrite>> {
        if !self.flag("use_read_write")? {
            return Some(None);
        }
        let (value, at) = self.value("write_fraction");
        let writes = value.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
        if writes.is_none() {
            let what = format!("the share of writes must be 0 to 1, not `{value}`");
            self.report.add(&at, what, "write a number such as 0.5");
        }
        let vcs = self.whole("num_vcs", [1, 32]);
        let mut classes = Vec::new();
        let mut ranges = Vec::new();
        let mut flits = 0.0;
        for (key, name, to) in KINDS {
            let size = self.whole(&format!("{key}_size"), [1, 1_000_000]);
            let limits = [0, vcs.map_or(31, |vcs| vcs - 1)];
            let [from, to_vc] =
                ["begin", "end"].map(|end| self.whole(&format!("{key}_{end}_vc"), limits));
            let (size, from, to_vc) = (size?, from?, to_vc?);
            if from > to_vc {
                let (_, at) = self.value(&format!("{key}_end_vc"));
                let what = format!("the VCs of `{key}` end before they begin, at {from}");
                self.report.add(&at, what, format!("write {from} or more"));
            }
            let is_write = key.starts_with("write");
            let share = if is_write { writes? } else { 1.0 - writes? };
            if share == 0.0 {
                continue;
            }
            flits += share * size as f64;
            classes.push(match to {
                None => format!("(name: \"{name}\", weight: {share}, lengths: Fixed({size}))"),
                Some(to) => {
                    format!("(name: \"{name}\", to: \"{to}\", after: 1, lengths: Fixed({size}))")
                }
            });
            ranges.push((from, to_vc));
        }
        self.notes.push(LATE_REPLIES.to_owned());
        let overlap = |(number, a): (usize, &(u64, u64))| {
            ranges[number + 1..].iter().any(|b| a.0 <= b.1 && b.0 <= a.1)
        };
        let overlapping = ranges.iter().enumerate().any(overlap);
        if overlapping && routing.is_some_and(|routing| routing.has_classes) {
            let (_, at) = self.value("use_read_write");
            let what = "the VCs of reads and writes overlap, and this routing divides its VCs into classes";
            self.report.add(&at, what, "give every kind of packets VCs of its own");
        }
        let classes = format!("[\n            {},\n        ]", classes.join(",\n            "));
        Some(Some(ReadWrite { classes, ranges: format!("{ranges:?}"), flits }))
    }
}
