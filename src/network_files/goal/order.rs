//! Order of the operations of a trace, and the conditions under which messages are sent.
//!
//! Every operation has a start and an end, the *points* of a graph. A point follows others; the
//! conditions of a message are the events of other messages from which its start follows.

use std::collections::{BinaryHeap, HashMap};

use super::Machine;
use super::trace::{Action, Trace};
use crate::network_files::mistake::Report;
use crate::text::count;
use crate::traffic::script::Event;

/// Maximum number of points visited for all conditions.
const VISITS_MAX: usize = 1 << 26;

/// A condition: the operation that sends the message awaited, the event, and a time in nanoseconds.
pub(super) type Condition = (usize, Event, u64);

/// A message of a trace.
pub(super) struct Message {
    /// Its operation.
    pub operation: usize,
    /// The earliest start in nanoseconds.
    pub born: u64,
    pub conditions: Vec<Condition>,
}

/// The start of an operation, or its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Point {
    operation: usize,
    ends: bool,
}

impl Point {
    const fn start(operation: usize) -> Self {
        Self { operation, ends: false }
    }

    const fn index(self) -> usize {
        2 * self.operation + self.ends as usize
    }

    const fn at(index: usize) -> Self {
        Self { operation: index / 2, ends: index % 2 == 1 }
    }
}

/// The points of a trace in an order in which each comes after those that it follows.
pub(super) struct Order<'a> {
    trace: &'a Trace<'a>,
    eager_bytes: u64,
    /// The send that matches each receive.
    sends: HashMap<usize, usize>,
    /// True for operations that use the network.
    remote: Vec<bool>,
    /// All points in order.
    points: Vec<Point>,
    /// The place of each point in the order.
    places: Vec<usize>,
}

impl<'a> Order<'a> {
    /// Matches and orders the operations of a trace; mistakes are reported.
    pub fn of(trace: &'a Trace<'a>, machine: &Machine, report: &mut Report<'_>) -> Option<Self> {
        let node = |rank: u32| machine.nodes.as_ref().map(|nodes| &nodes[rank as usize]);
        let remote = trace.operations.iter().map(|it| match it.action {
            Action::Send { to: peer, .. } | Action::Receive { from: peer, .. } => {
                peer != it.rank && (machine.nodes.is_none() || node(peer) != node(it.rank))
            }
            Action::Calculate(_) => false,
        });
        let mut order = Self {
            trace,
            eager_bytes: machine.eager_bytes,
            sends: HashMap::new(),
            remote: remote.collect(),
            points: Vec::new(),
            places: vec![usize::MAX; 2 * trace.operations.len()],
        };
        order.match_receives(report);
        if report.is_clean() {
            order.sort(report);
        }
        report.is_clean().then_some(order)
    }

    /// Finds the send of every receive; others are reported.
    fn match_receives(&mut self, report: &mut Report<'_>) {
        let operations = &self.trace.operations;
        let mut open: HashMap<(u32, u32, u32), Vec<usize>> = HashMap::new();
        for (index, it) in operations.iter().enumerate().rev() {
            if let Action::Send { to, tag, .. } = it.action {
                open.entry((it.rank, to, tag)).or_default().push(index);
            }
        }
        for (index, it) in operations.iter().enumerate() {
            let Action::Receive { bytes, from, tag } = it.action else { continue };
            let Some(send) = open.get_mut(&(from, it.rank, tag)).and_then(Vec::pop) else {
                let what = format!("rank {from} sends no such message to rank {}", it.rank);
                let help = format!("write a `send` with tag {tag} in rank {from}");
                report.add(&it.at, what, help);
                continue;
            };
            self.sends.insert(index, send);
            let Action::Send { bytes: sent, .. } = operations[send].action else { continue };
            if sent > bytes {
                let line = report.line(&operations[send].at);
                let what = format!("{sent} bytes are sent on line {line}, and {bytes} received");
                report.add(&it.at, what, format!("write {sent}b in both"));
            }
        }
        for send in open.into_values().flatten() {
            let it = &operations[send];
            let Action::Send { to, tag, .. } = it.action else { continue };
            let what = format!("rank {to} does not receive this message");
            report.add(&it.at, what, format!("write a `recv` with tag {tag} in rank {to}"));
        }
    }

    /// The points that a point follows, by number.
    fn before(&self, point: Point, number: usize) -> Option<Point> {
        let Point { operation, ends } = point;
        if !ends {
            let it = self.trace.requires[operation].get(number)?;
            return Some(Point { operation: it.operation, ends: !it.starts });
        }
        match number {
            0 => Some(Point::start(operation)),
            1 => self.sends.get(&operation).map(|&send| Point::start(send)),
            _ => None,
        }
    }

    /// Orders all points; operations that wait for each other are reported.
    fn sort(&mut self, report: &mut Report<'_>) {
        const OPEN: usize = usize::MAX - 1;
        let mut path: Vec<(Point, usize)> = Vec::new();
        for first in 0..self.places.len() {
            if self.places[first] == usize::MAX {
                path.push((Point::at(first), 0));
                self.places[first] = OPEN;
            }
            while let Some((point, number)) = path.last_mut() {
                let (at, next) = (*point, self.before(*point, *number));
                *number += 1;
                match next.map(|next| (next, self.places[next.index()])) {
                    None => {
                        self.places[at.index()] = self.points.len();
                        self.points.push(at);
                        path.pop();
                    }
                    Some((next, usize::MAX)) => {
                        self.places[next.index()] = OPEN;
                        path.push((next, 0));
                    }
                    Some((next, OPEN)) => {
                        let begin = path.iter().position(|(it, _)| *it == next).unwrap_or(0);
                        let circle: Vec<usize> =
                            path[begin..].iter().map(|(it, _)| it.operation).collect();
                        return self.report_circle(circle, report);
                    }
                    Some(_) => {}
                }
            }
        }
    }

    /// Reports operations that wait for each other.
    fn report_circle(&self, mut circle: Vec<usize>, report: &mut Report<'_>) {
        circle.dedup();
        if circle.len() > 1 && circle.first() == circle.last() {
            circle.pop();
        }
        let first = &self.trace.operations[circle[0]];
        let shown = circle.iter().take(8).map(|&it| self.name(it)).collect::<Vec<_>>();
        let what = format!(
            "{} wait for each other: {}{}",
            count(circle.len(), "operation", "operations"),
            shown.join(" for "),
            if circle.len() > shown.len() { " for …" } else { "" },
        );
        report.add(&first.at, what, "remove one of the `requires`, or reorder the operations");
    }

    /// The name of an operation: its rank and label, or its number if there is none.
    pub fn name(&self, operation: usize) -> String {
        let it = &self.trace.operations[operation];
        match it.label {
            Some(label) => format!("{}.{label}", it.rank),
            None => format!("{}.#{operation}", it.rank),
        }
    }

    /// The messages of a trace, each after those that it awaits; too many conditions are reported.
    pub fn messages(&self, report: &mut Report<'_>) -> Option<Vec<Message>> {
        let mut messages: Vec<Message> = Vec::new();
        let mut known: HashMap<usize, usize> = HashMap::new();
        let mut visits = 0;
        for &Point { operation, ends } in &self.points {
            let it = &self.trace.operations[operation];
            if ends || !self.remote[operation] || !matches!(it.action, Action::Send { .. }) {
                continue;
            }
            let mut message = self.conditions(operation, &mut visits);
            if visits > VISITS_MAX {
                let what =
                    format!("the messages up to {} await too many others", self.name(operation));
                let help = "divide the trace, or let fewer operations require many others";
                report.add(&it.at, what, help);
                return None;
            }
            let awaited = |other: usize| messages[known[&other]].conditions.as_slice();
            message.conditions = without_implied(&message.conditions, awaited);
            known.insert(operation, messages.len());
            messages.push(message);
        }
        Some(messages)
    }

    /// The conditions of a message: points are visited from the last in order, each with the longest
    /// time to the start of the message.
    fn conditions(&self, operation: usize, visits: &mut usize) -> Message {
        let mut message = Message { operation, born: 0, conditions: Vec::new() };
        let mut path = Path::default();
        path.reach(self.places[Point::start(operation).index()], 0);
        while let Some((place, time)) = path.next() {
            *visits += 1;
            let point = self.points[place];
            let (sends, eager, lasts) = match self.trace.operations[point.operation].action {
                Action::Send { bytes, .. } => (true, bytes <= self.eager_bytes, 0),
                Action::Receive { .. } => (false, false, 0),
                Action::Calculate(time) => (false, false, time),
            };
            let remote = self.remote[point.operation];
            if remote && sends && point.operation != operation {
                let event = match (point.ends, eager) {
                    (false, _) => Event::Started,
                    (true, true) => Event::Sent,
                    (true, false) => Event::Delivered,
                };
                message.conditions.push((point.operation, event, time));
                continue;
            }
            let time = if point.ends { time + lasts } else { time };
            let mut number = 0;
            while let Some(before) = self.before(point, number) {
                if remote && point.ends && number == 1 {
                    message.conditions.push((before.operation, Event::Delivered, time));
                } else {
                    path.reach(self.places[before.index()], time);
                }
                number += 1;
            }
            if number == 0 {
                message.born = message.born.max(time);
            }
        }
        message.conditions.sort_unstable();
        message
    }
}

/// Points to visit, by their places, with the longest time to the start of a message.
#[derive(Default)]
struct Path {
    times: HashMap<usize, u64>,
    queue: BinaryHeap<usize>,
}

impl Path {
    fn reach(&mut self, place: usize, time: u64) {
        let known = self.times.entry(place).or_insert_with(|| {
            self.queue.push(place);
            0
        });
        *known = time.max(*known);
    }

    fn next(&mut self) -> Option<(usize, u64)> {
        let place = self.queue.pop()?;
        Some((place, self.times[&place]))
    }
}

/// Maximum numbers of conditions among which implied conditions are sought.
const FEW: usize = 8;

/// Conditions without those that other conditions imply: an earlier event of the same message, or an
/// event that the other message has itself awaited.
fn without_implied<'m>(
    conditions: &[Condition],
    awaited: impl Fn(usize) -> &'m [Condition],
) -> Vec<Condition> {
    let implies = |&(message, event, time): &Condition, &(other, sooner, least): &Condition| {
        let later = message == other && sooner < event && least <= time;
        let mut its = awaited(message).iter().take(FEW);
        later
            || its.any(|&(it, event, more)| it == other && sooner <= event && least <= time + more)
    };
    let needed = |one: &&Condition| !conditions.iter().take(FEW).any(|other| implies(other, one));
    conditions.iter().filter(needed).copied().collect()
}
