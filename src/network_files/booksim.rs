//! Configurations of BookSim2 as scenarios.
//!
//! ```text
//! // An 8x8 mesh.
//! topology = mesh;
//! k = 8;
//! n = 2;
//! routing_function = dor;
//! ```
//!
//! Keys that are left out have their values by default. Every key is converted, approximated with a
//! note, without effect on the network, or refused.

mod keys;
mod network;
mod read_write;
mod statements;

use std::collections::BTreeMap;
use std::fmt::Write;

use self::keys::{KEYS, Treatment};
use self::network::{Function, Topology};
use self::read_write::ReadWrite;
use self::statements::{Statement, statements};
pub use super::conversion::Configuration;
use super::mistake::{Mistake, Report, Span, meant, nearest, quoted};
use crate::switching::ITERATIONS_MAX;

/// Converts a configuration.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub fn read_configuration(text: &str) -> Result<Configuration, Vec<Mistake>> {
    let mut report = Report::new(text);
    let given = statements(&mut report);
    let mut values = Values { given, report, notes: Vec::new() };
    values.check_keys();
    let scenario = values.scenario();
    match scenario.filter(|_| values.report.is_clean()) {
        Some(scenario) => Ok(Configuration { scenario, notes: values.notes }),
        None => Err(values.report.finish()),
    }
}

const SLOW_ROUTES: &str = "`routing_delay` above 1 is approximated: BookSim2 begins no route while an earlier one of \
     the router is computed; measured: latencies 4 % lower at 70 % of saturation";

const AGE_OF_ISLIP: &str = "`priority = age` is approximated: iSLIP of BookSim2 compares ages only between VCs of an \
     input that request the same output";

/// The largest speedup.
const SPEEDUP_MAX: u64 = 4;

/// The given values by key, with the mistakes and notes so far.
struct Values<'t> {
    given: BTreeMap<&'t str, Statement<'t>>,
    report: Report<'t>,
    notes: Vec<String>,
}

impl<'t> Values<'t> {
    /// Records unknown, refused, approximated and ignored keys.
    fn check_keys(&mut self) {
        let mut measurement = Vec::new();
        for (key, Statement { value, name_at, value_at }) in self.given.clone() {
            let names = KEYS.iter().map(|(name, ..)| *name);
            let Some(&(_, usual, treatment)) = KEYS.iter().find(|(name, ..)| *name == key) else {
                let help = meant(key, names, "remove the line");
                self.report.add(&name_at, format!("BookSim2 has no key {}", quoted(key)), help);
                continue;
            };
            let same = value == usual
                || value.parse::<f64>().is_ok_and(|value| usual.parse() == Ok(value));
            match treatment {
                Treatment::Converted | Treatment::Dependent => {}
                Treatment::Measurement => measurement.push(key),
                Treatment::Approximated(_) | Treatment::Refused(_) if same => {}
                Treatment::Approximated(by) => {
                    self.notes.push(format!("`{key} = {value}` is {by}"));
                }
                Treatment::Refused(why) => {
                    let what = format!("{} cannot be converted: {why}", quoted(key));
                    self.report.add(&value_at, what, format!("write {usual}, or remove the line"));
                }
            }
        }
        if !measurement.is_empty() {
            let list = measurement.join(", ");
            self.notes.push(format!("without effect on the network: {list}"));
        }
    }

    /// The value of a key, or its default, and its place.
    fn value(&self, key: &str) -> (&'t str, Span) {
        if let Some(statement) = self.given.get(key) {
            return (statement.value, statement.value_at.clone());
        }
        let usual = KEYS.iter().find(|(name, ..)| *name == key);
        (usual.map_or("", |it| it.1), 0..0)
    }

    fn whole(&mut self, key: &str, limits: [u64; 2]) -> Option<u64> {
        let (value, at) = self.value(key);
        self.report.whole(key, value, &at, limits[0]..=limits[1])
    }

    fn flag(&mut self, key: &str) -> Option<bool> {
        self.whole(key, [0, 1]).map(|value| value == 1)
    }

    /// The conversion of a word; the table has the words that are converted.
    fn word<T: Copy>(&mut self, key: &str, known: &[(&str, T)]) -> Option<T> {
        let (value, at) = self.value(key);
        let found = known.iter().find(|(name, _)| *name == value);
        if found.is_none() {
            let names: Vec<String> = known.iter().map(|(name, _)| quoted(name)).collect();
            let near = nearest(value, known.iter().map(|(name, _)| *name));
            let help = near.map_or_else(
                || format!("converted are {}", names.join(", ")),
                |near| format!("did you mean {}?", quoted(near)),
            );
            self.report.add(&at, format!("`{key} = {value}` cannot be converted"), help);
        }
        found.map(|(_, converted)| *converted)
    }

    /// The scenario; `None` after a mistake.
    fn scenario(&mut self) -> Option<String> {
        let topology = self.topology();
        let network = topology.and_then(|topology| self.network(topology));
        let routing = topology.and_then(|topology| self.routing(topology));
        let read_write = self.read_write(routing);
        let of_classes = read_write.as_ref().and_then(Option::as_ref);
        let switching = self.switching(topology, routing, of_classes);
        let traffic = self.traffic(of_classes);
        read_write.as_ref()?;
        let seed = self.whole("seed", [0, u64::MAX >> 11]);
        let (network, routing) = (network?, routing?.routing);
        let (switching, traffic, seed) = (switching?, traffic?, seed?);
        Some(format!(
            "Scenario(\n    network: {network},\n    routing: {routing},\n    switching: {switching},\n    \
             traffic: {traffic},\n    seed: {seed},\n)\n"
        ))
    }

    fn switching(
        &mut self,
        topology: Option<Topology>,
        routing: Option<Function>,
        classes: Option<&ReadWrite>,
    ) -> Option<String> {
        let changed = routing.and_then(|routing| routing.vcs);
        let vcs = self.whole("num_vcs", [changed.map_or(1, |[fewest, _]| fewest), 32]);
        let vcs = vcs.map(|vcs| changed.map_or(vcs, |[_, vcs]| vcs));
        let buffer = self.whole("vc_buf_size", [1, 65_535]);
        let names = ["routing_delay", "vc_alloc_delay", "sw_alloc_delay", "st_prepare_delay"];
        let stages = names.map(|name| self.whole(name, [0, 16]));
        let last = self.whole("st_final_delay", [0, 16]);
        let speedups = self.speedups();
        let allocator = self.allocator();
        let credit_delay = self.whole("credit_delay", [0, 64]);
        let speculative = self.flag("speculative");
        let waits = self.flag("wait_for_tail_credit");
        if self.whole("routing_delay", [0, 16]).is_some_and(|delay| delay > 1) {
            self.notes.push(SLOW_ROUTES.to_owned());
        }
        // The links of a folded torus are twice as long, and so are those past two hosts.
        let is_far = topology.is_some_and(Topology::has_long_links);
        let far = self.flag("use_noc_latency").map(|it| it && is_far);
        let [route, vc, switch, prepare] = stages;
        let traverse = prepare? + last?;
        let mut text = format!(
            "Wormhole(\n        virtual_channels: {},\n        buffer_flits: {},\n        pipeline: \
             Stages(route: {}, vc: {}, switch: {}, traverse: {traverse}",
            vcs?, buffer?, route?, vc?, switch?
        );
        if speculative? {
            text.push_str(", speculative: true");
        }
        text.push_str(&allocator);
        for (name, speedup) in speedups?.into_iter().filter(|(_, speedup)| *speedup > 1) {
            let _ = write!(text, ", {name}: {speedup}");
        }
        text.push_str("),\n");
        if far? {
            text.push_str("        channel_delay: 2,\n");
        }
        let credit_delay = credit_delay?;
        if credit_delay > 0 {
            let _ = writeln!(text, "        credit_delay: {credit_delay},");
        }
        if waits? {
            text.push_str("        release: Credit,\n");
        }
        if self.oldest_first()? {
            text.push_str("        allocation: OldestFirst,\n");
        }
        if let Some(classes) = classes {
            let _ = writeln!(text, "        message_classes: Ranges({}),", classes.ranges);
            text.push_str("        injection: RepliesFirst,\n");
        }
        Some(text + "    )")
    }

    /// True if the oldest packets come first.
    fn oldest_first(&mut self) -> Option<bool> {
        let oldest = self.word("priority", &[("none", false), ("age", true)])?;
        if oldest && self.value("sw_allocator").0 == "islip" {
            self.notes.push(AGE_OF_ISLIP.to_owned());
        }
        Some(oldest)
    }

    /// The field of the allocator, if not the usual one.
    fn allocator(&mut self) -> String {
        let names = ["vc_allocator", "sw_allocator"].map(|key| (key, self.value(key).0));
        let [_, (_, of_switch)] = names;
        let (field, name) = match of_switch {
            "separable_input_first" => (", allocator: Separable".to_owned(), of_switch),
            "wavefront" => (", allocator: Wavefront".to_owned(), of_switch),
            _ => match iterations(of_switch) {
                None | Some(1) => (String::new(), "islip"),
                Some(many) => (format!(", allocator: Islip(iterations: {many})"), of_switch),
            },
        };
        for (key, value) in names.into_iter().filter(|(_, value)| *value != name) {
            self.notes.push(format!("`{key} = {value}` is approximated by `{name}`"));
        }
        field
    }

    /// The speedups of inputs, outputs and routers, with the names of their fields.
    fn speedups(&mut self) -> Option<[(&'static str, u64); 3]> {
        let [input, output] =
            ["input_speedup", "output_speedup"].map(|key| self.whole(key, [1, SPEEDUP_MAX]));
        let (value, at) = self.value("internal_speedup");
        let is_whole =
            |speedup: &f64| (1.0..=SPEEDUP_MAX as f64).contains(speedup) && speedup.fract() == 0.0;
        let internal = value.parse::<f64>().ok().filter(is_whole);
        if internal.is_none() {
            let what = format!("`internal_speedup = {value}` cannot be converted");
            self.report.add(&at, what, format!("write a whole number from 1 to {SPEEDUP_MAX}"));
        }
        let internal = internal? as u64;
        Some([
            ("input_speedup", input?),
            ("output_speedup", output?),
            ("internal_speedup", internal),
        ])
    }

    fn traffic(&mut self, classes: Option<&ReadWrite>) -> Option<String> {
        let destinations = self.word(
            "traffic",
            &[
                ("uniform", "Uniform"),
                ("transpose", "Transpose"),
                ("bitcomp", "BitComplement"),
                ("bitrev", "BitReversal"),
                ("shuffle", "Shuffle"),
                ("tornado", "Tornado"),
                ("neighbor", "Neighbour"),
            ],
        );
        let arrivals = self.word("injection_process", &[("bernoulli", "Geometric")]);
        let length = self.whole("packet_size", [1, 1_000_000]);
        let in_flits = self.flag("injection_rate_uses_flits");
        let (value, at) = self.value("injection_rate");
        let rate = value.parse::<f64>().ok().filter(|rate| *rate > 0.0 && *rate <= 1.0);
        if rate.is_none() {
            let what =
                format!("the injection rate must be above 0 and at most 1, not {}", quoted(value));
            self.report.add(&at, what, "write a number such as 0.1");
        }
        let (destinations, arrivals, length) = (destinations?, arrivals?, length?);
        let flits = classes.map_or(length as f64, |classes| classes.flits);
        let rate = rate? / if in_flits? { flits } else { 1.0 };
        if destinations != "Uniform" {
            self.notes.push(
                "packets of a node to itself are left out: BookSim2 sends them over the router of the \
                 node"
                    .to_owned(),
            );
        }
        let to_itself = if destinations == "Uniform" { "\n        to_itself: true," } else { "" };
        let classes = classes.map_or_else(String::new, |classes| {
            format!("\n        message_classes: {},", classes.classes)
        });
        Some(format!(
            "(\n        arrivals: {arrivals}(rate: {rate}),\n        destinations: {destinations},{to_itself}\n        \
             lengths: Fixed({length}),{classes}\n    )"
        ))
    }
}

/// The number in `islip(2)`.
fn iterations(allocator: &str) -> Option<u32> {
    let number = allocator.strip_prefix("islip(")?.strip_suffix(')')?;
    number.parse().ok().filter(|number| (1..=ITERATIONS_MAX).contains(number))
}

#[cfg(test)]
mod tests;
