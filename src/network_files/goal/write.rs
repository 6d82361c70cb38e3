//! Messages of a trace as a table.

use std::fmt::Write;

use super::order::{Condition, Message, Order};
use super::trace::{Action, Trace};
use super::{GoalDraft, Machine};
use crate::network_files::messages::{BORN_MAX, DELAY_MAX};
use crate::network_files::mistake::Report;
use crate::text::count;
use crate::traffic::lengths::LENGTH_MAX;
use crate::traffic::script::Event;

/// Maximum number of messages.
const MESSAGES_MAX: u64 = 1 << 26;

/// The table of the messages of a trace; mistakes are reported.
pub(super) fn messages(
    trace: &Trace<'_>,
    machine: &Machine,
    report: &mut Report<'_>,
) -> Option<GoalDraft> {
    let nodes = machine.nodes.as_ref().map_or(usize::MAX, Vec::len);
    if nodes < trace.ranks as usize {
        let what = format!("there are {} ranks, and nodes for {nodes}", trace.ranks);
        report.add(&(0..0), what, "name a node for every rank, one a line");
        return None;
    }
    let order = Order::of(trace, machine, report)?;
    let messages = order.messages(report)?;
    let mut writer = Writer { trace, machine, order: &order, table: String::new(), rows: 0 };
    writer.table.push_str("id,born,source,destination,length,after\n");
    for message in &messages {
        writer.message(message, report)?;
    }
    if writer.rows == 0 {
        report.add(&(0..0), "no message of this trace needs a network", "write a `send` to a rank");
        return None;
    }
    let mut notes = trace.ignored.notes(&[]);
    let sends = trace.operations.iter().filter(|it| matches!(it.action, Action::Send { .. }));
    let local = sends.count() - messages.len();
    if local > 0 {
        let local = count(local, "message stays", "messages stay");
        notes.push(format!("{local} at a node and need no network"));
    }
    Some(GoalDraft { table: writer.table, messages: writer.rows as usize, notes })
}

struct Writer<'a> {
    trace: &'a Trace<'a>,
    machine: &'a Machine,
    order: &'a Order<'a>,
    table: String,
    rows: u64,
}

impl Writer<'_> {
    /// The length of a message in flits, and the flits of its longest packet.
    fn length(&self, bytes: u64) -> (u64, u64) {
        let flits = bytes.div_ceil(self.machine.flit_bytes).max(1);
        (flits, self.machine.packet_flits.map_or(flits, u64::from))
    }

    /// Writes a row for each packet of a message. A packet is generated when the packet before has
    /// started.
    fn message(&mut self, message: &Message, report: &mut Report<'_>) -> Option<()> {
        let it = &self.trace.operations[message.operation];
        let Action::Send { bytes, to, .. } = it.action else { return Some(()) };
        let (flits, packet) = self.length(bytes);
        let packets = flits.div_ceil(packet);
        let cycles = self.cycles(message.born);
        let delays = message.conditions.iter().map(|&(_, _, time)| self.cycles(time));
        let wrong = if packet > u64::from(LENGTH_MAX) {
            let help = format!("divide it with --packet-flits, up to {LENGTH_MAX}");
            Some((format!("this message has {flits} flits"), help))
        } else if self.rows + packets > MESSAGES_MAX {
            let what = format!("the messages up to this have more than {MESSAGES_MAX} packets");
            Some((what, "increase --packet-flits or --flit-bytes".into()))
        } else if cycles > BORN_MAX || delays.max().unwrap_or(0) > DELAY_MAX {
            let what = format!("the operations before this take more than {DELAY_MAX} cycles");
            Some((what, "reduce --clock-ghz, or shorten the `calc`s".into()))
        } else {
            None
        };
        if let Some((what, help)) = wrong {
            report.add(&it.at, what, help);
            return None;
        }
        for number in 0..packets {
            let id = self.name(message.operation, number, packets);
            let length = packet.min(flits - number * packet);
            self.table.push_str(&id);
            self.table.push(',');
            if number == 0 && (cycles > 0 || message.conditions.is_empty()) {
                let _ = write!(self.table, "{cycles}");
            }
            for rank in [it.rank, to] {
                self.table.push(',');
                self.node(rank);
            }
            let _ = write!(self.table, ",{length},");
            if number == 0 {
                self.conditions(&message.conditions);
            } else {
                let before = self.name(message.operation, number - 1, packets);
                let _ = write!(self.table, "{before}:started");
            }
            self.table.push('\n');
        }
        self.rows += packets;
        Some(())
    }

    /// The id of a packet.
    fn name(&self, operation: usize, number: u64, packets: u64) -> String {
        let name = self.order.name(operation);
        if packets == 1 { name } else { format!("{name}/{number}") }
    }

    fn cycles(&self, time: u64) -> u64 {
        (time as f64 * self.machine.clock_ghz).round() as u64
    }

    /// Writes the node of a rank.
    fn node(&mut self, rank: u32) {
        match &self.machine.nodes {
            None => {
                let _ = write!(self.table, "{rank}");
            }
            Some(nodes) => {
                let name = nodes[rank as usize].replace('"', "\"\"");
                let _ = write!(self.table, "\"{name}\"");
            }
        }
    }

    /// Writes conditions: all packets of a message must be sent or delivered, and one started.
    fn conditions(&mut self, conditions: &[Condition]) {
        let mut between = "";
        for &(operation, event, time) in conditions {
            let Action::Send { bytes, .. } = self.trace.operations[operation].action else {
                continue;
            };
            let (flits, packet) = self.length(bytes);
            let packets = flits.div_ceil(packet);
            let (suffix, last) = match event {
                Event::Started => (":started", 1),
                Event::Sent => (":sent", packets),
                Event::Delivered => ("", packets),
            };
            let cycles = self.cycles(time);
            for number in 0..last {
                let id = self.name(operation, number, packets);
                let _ = write!(self.table, "{between}{id}{suffix}");
                if cycles > 0 {
                    let _ = write!(self.table, "+{cycles}");
                }
                between = " ";
            }
        }
    }
}
