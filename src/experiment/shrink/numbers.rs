//! Networks of a family with smaller numbers: radices, dimensions, hosts, groups.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::failures::{failures, on_other, with_failures};
use super::part::PART_MAX;
use super::text::{set, settled, with};
use super::{Case, MANY, Search, begin};
use crate::experiment::trial::Trial;
use crate::experiment::witness::{Attempts, KINDS};
use crate::routing::dependency::Pairs;
use crate::scenario::Scenario;
use crate::scenario::node::{Node, list, named, split};
use crate::session::saved::Saved;
use crate::units::Cycle;

/// Attempts to close the cycle of a smaller network.
const ATTEMPTS: u32 = 36;
/// Attempts with messages between any pairs, on networks that are not large.
const ANY: u32 = 12;
/// Attempts that deadlock, of which the one with the fewest messages is taken.
const SEVERAL: usize = 4;
/// Cycles of a run of a smaller network with the traffic of the given scenario.
const CYCLES: u64 = 6_000;
/// The numbers tried from 1 up, before halves.
const SMALL: u64 = 8;

/// A network as a value with fields.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Value {
    variant: String,
    fields: Vec<(String, Contents)>,
}

/// The contents of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Contents {
    /// The entries of a list.
    List(Vec<String>),
    Single(String),
}

impl Value {
    fn read(text: &str) -> Option<Self> {
        let (variant, fields) = split(Node::alone(text))?;
        let contents = |value: Node<'_>| match list(value) {
            Some(entries) => {
                Contents::List(entries.iter().map(|entry| entry.text.to_owned()).collect())
            }
            None => Contents::Single(value.text.to_owned()),
        };
        let fields = named(fields)?.into_iter();
        let fields = fields.map(|field| (field.name.to_owned(), contents(field.value))).collect();
        Some(Self { variant: variant.text.to_owned(), fields })
    }

    fn text(&self) -> String {
        let field = |(name, contents): &(String, Contents)| match contents {
            Contents::List(entries) => format!("{name}: [{}]", entries.join(", ")),
            Contents::Single(text) => format!("{name}: {text}"),
        };
        let fields: Vec<String> = self.fields.iter().map(field).collect();
        format!("{}({})", self.variant, fields.join(", "))
    }

    /// Values with an entry less in every list of the same length, then those with a smaller number.
    fn smaller(&self) -> Vec<Self> {
        let lengths = self.fields.iter().filter_map(|(_, contents)| match contents {
            Contents::List(entries) => Some(entries.len()),
            Contents::Single(_) => None,
        });
        let mut found = Vec::new();
        let longest = lengths.max().unwrap_or(0);
        if longest > 1 {
            found.extend((0..longest).map(|at| self.without(at, longest)));
        }
        for (index, (name, contents)) in self.fields.iter().enumerate() {
            let mut replace = |number: &str, set: &dyn Fn(&mut Contents, String)| {
                for number in below(number) {
                    let mut smaller = self.clone();
                    set(&mut smaller.fields[index].1, number.to_string());
                    found.push(smaller);
                }
            };
            match contents {
                // The seed of a random network is no size.
                Contents::Single(number) if name != "seed" => {
                    replace(number, &|contents, text| *contents = Contents::Single(text));
                }
                Contents::Single(_) => {}
                Contents::List(entries) => {
                    for (at, number) in entries.iter().enumerate() {
                        replace(number, &|contents, text| {
                            if let Contents::List(entries) = contents {
                                entries[at] = text;
                            }
                        });
                    }
                }
            }
        }
        found
    }

    /// The value without an entry in all lists of a length.
    fn without(&self, at: usize, length: usize) -> Self {
        let mut fewer = self.clone();
        for (_, contents) in &mut fewer.fields {
            if let Contents::List(entries) = contents
                && entries.len() == length
            {
                entries.remove(at);
            }
        }
        fewer
    }
}

/// The numbers below another that are tried in its place.
fn below(number: &str) -> impl Iterator<Item = u64> + use<> {
    let number = number.parse().unwrap_or(0);
    let halves = std::iter::successors(Some(number / 2), |half| Some(half / 2));
    let halves = halves.take_while(|&half| half > SMALL);
    let mut larger: Vec<u64> = halves.collect();
    larger.reverse();
    if number > SMALL + 1 && larger.last() != Some(&(number - 1)) {
        larger.push(number - 1);
    }
    (1..number.min(SMALL + 1)).chain(larger)
}

impl Search<'_> {
    /// The case on the first network with a smaller number that deadlocks too.
    pub(super) fn with_smaller_number(&self, case: &Case) -> Option<Case> {
        let value = Value::read(&case.scenario.text_of("network")?)?;
        if value.variant == "Switches" {
            return None;
        }
        let smaller = value.smaller().into_iter().map(|value| value.text());
        smaller.into_iter().find_map(|network| {
            let key = (network, failures(&case.scenario).given.len());
            if self.refuted.borrow().contains(&key) {
                return None;
            }
            let found = self.on(case, &key.0);
            if found.is_none() {
                self.refuted.borrow_mut().insert(key);
            }
            found
        })
    }

    /// The case on another network, with messages found anew.
    fn on(&self, case: &Case, network: &str) -> Option<Case> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let longest = case.letters.iter().map(|letter| letter.length).max()?;
        let classes = case.scenario.text_of("traffic.message_classes");
        let classes = classes.map(|classes| format!(", message_classes: {classes}"));
        let uniform = format!(
            "(arrivals: Geometric(load: 0.5), destinations: Uniform, lengths: Fixed({longest}){})",
            classes.unwrap_or_default()
        );
        let with_traffic = |traffic: String| {
            let fields = [set("network", network.to_owned()), set("traffic", traffic)];
            let scenario = with(&case.scenario, fields)?;
            let [from, to] = [&case.scenario, &scenario].map(|it| &*it.system.network);
            let failures = on_other(failures(&case.scenario), from, to);
            Some(with_failures(scenario, failures))
        };
        let given = with_traffic(self.traffic.clone());
        let uniform = || with_traffic(uniform.clone());
        let (closing, found) = match given {
            Some(given) => (self.closing(&given), self.found(given)),
            None => (self.closing(&uniform()?), None),
        };
        let found = found.or_else(|| self.found(uniform()?));
        let few = [closing, found].into_iter().flatten().filter(|it| it.letters.len() <= MANY);
        let mut case = few.min_by_key(|case| case.letters.len())?;
        self.remove(&mut case);
        Some(settled(case))
    }

    /// The case of messages that close the cycle of the proof, without superfluous ones.
    pub(super) fn closed(&self, scenario: &Scenario) -> Option<Case> {
        let mut case = self.closing(scenario)?;
        self.remove(&mut case);
        Some(settled(case))
    }

    /// The case of messages that close the cycle of the proof.
    fn closing(&self, scenario: &Scenario) -> Option<Case> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let trial = Trial { scenario, stop: self.stop, kind: Some(self.kind) };
        let attempts = Attempts::new(&trial, &scenario.system.proof(), &Pairs::All)?;
        // Ties between routes may keep the named messages from closing the cycle.
        let is_small = scenario.system.network.routers() <= PART_MAX;
        let any = KINDS..KINDS + if is_small { ANY } else { 0 };
        let numbers = (0..ATTEMPTS).chain(any);
        let found = numbers.filter_map(|number| attempts.made(number)).take(SEVERAL);
        let reduced = found.map(|letters| {
            let mut case = Case { scenario: scenario.clone(), letters, outcome: None };
            self.remove_outside(&mut case);
            case
        });
        reduced.min_by_key(|case| case.letters.len())
    }

    /// The case of a run that deadlocks by itself.
    fn found(&self, scenario: Scenario) -> Option<Case> {
        let last = failures(&scenario).given.iter().map(|failure| failure.cycle).max();
        let until = Cycle(last.unwrap_or(0) + CYCLES);
        let saved = Saved::beginning(Arc::new(scenario));
        let limits = (until, Some(self.kind));
        let mut case = begin::find(&saved, limits, (self.stop, &|_| ())).ok()?.case;
        self.remove_outside(&mut case);
        Some(case)
    }
}
