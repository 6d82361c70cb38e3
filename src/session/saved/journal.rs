//! The journal of a saved session: changes of the load and of the links, in order.

use std::collections::BTreeMap;

use crate::engine::Change;
use crate::ids::ChannelId;
use crate::scenario::node::Node;
use crate::scenario::reader::Reader;
use crate::scenario::{RATE_MIN, Scenario};
use crate::session::Intervention;
use crate::system::System;
use crate::units::{Cycle, Rate};
use crate::words::Need::Example;
use crate::words::{Kind, Words, words, written};

words! {
    /// An entry of the journal.
    pub(super) enum Done {
        /// Sets the generation rate.
        Rate {
            /// The first cycle with this rate.
            cycle: u64 = Example("4000"), super::cycle("the cycle");
            /// Messages per node and cycle (circuits: unit of time).
            rate: f64 = Example("0.01"), Kind::positive("the rate", "0.01", f64::INFINITY);
        },
        /// Closes a link to further worms and circuits.
        LinkDown {
            /// The first cycle with the closed link.
            cycle: u64 = Example("4000"), super::cycle("the cycle");
            /// The number of the channel.
            link: u32 = Example("12"), Kind::whole("the link", 0, u32::MAX);
        },
        /// Opens a closed link.
        LinkUp {
            /// The first cycle with the open link.
            cycle: u64 = Example("4000"), super::cycle("the cycle");
            /// The number of the channel.
            link: u32 = Example("12"), Kind::whole("the link", 0, u32::MAX);
        },
    }
}

/// Formats an intervention as a journal entry, with the ends of its link as a comment.
pub(super) fn line(&Intervention { cycle, change }: &Intervention, system: &System) -> String {
    let cycle = cycle.0;
    let (entry, link) = match change {
        Change::Rate(rate) => (Done::Rate { cycle, rate: rate.0 }, None),
        Change::LinkDown(link) => (Done::LinkDown { cycle, link: link.0 }, Some(link)),
        Change::LinkUp(link) => (Done::LinkUp { cycle, link: link.0 }, Some(link)),
    };
    let ends = link.map(|link| format!(" // {}", system.network.channel_name(link)));
    format!("        {},{}\n", written(&entry), ends.unwrap_or_default())
}

/// Parses the entries and validates each: in order, valid in this network, and not idle.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    entries: Vec<Node<'a>>,
    live: u64,
    scenario: Option<&Scenario>,
) -> Vec<Intervention> {
    let mut done: Vec<Intervention> = Vec::new();
    // Closed links, with the cycle of closing.
    let failed = scenario.map_or(&[][..], |scenario| scenario.system.failed());
    let mut down: BTreeMap<u32, u64> = failed.iter().map(|link| (link.0, 0)).collect();
    for node in entries {
        let entry = reader.term("journal", node, &[Done::VALUES]);
        let Some((entry, Some(fields))) = entry else { continue };
        let before = done.last().map_or(0, |last| last.cycle.0);
        let at = |name| fields.get(name).map_or(node, |field| field.value);
        let (Done::Rate { cycle, .. } | Done::LinkDown { cycle, .. } | Done::LinkUp { cycle, .. }) =
            entry;
        if cycle > live {
            let what = format!("the cycle must be 0 to {live}, not {cycle}");
            reader.problem(at("cycle"), what, Some(format!("write {live} or less")));
        } else if cycle < before {
            let what =
                format!("cycle {cycle} follows cycle {before}: the journal must be in order");
            reader.problem(
                at("cycle"),
                what,
                Some("move the entry before those of later cycles".into()),
            );
        }
        let change = match entry {
            Done::Rate { rate, .. } => {
                check_rate(reader, at("rate"), rate, scenario);
                Change::Rate(Rate(rate))
            }
            Done::LinkDown { link, .. } => {
                check_link(reader, at("link"), link, scenario);
                if let Some(since) = down.insert(link, cycle) {
                    let what = format!("link {link} is already closed, since cycle {since}");
                    let help = "open the link first with `LinkUp`, or remove this entry";
                    reader.problem(at("link"), what, Some(help.into()));
                }
                Change::LinkDown(ChannelId(link))
            }
            Done::LinkUp { link, .. } => {
                check_link(reader, at("link"), link, scenario);
                if down.remove(&link).is_none() {
                    let what = format!("link {link} is not closed");
                    let help = "close the link first with `LinkDown`, or remove this entry";
                    reader.problem(at("link"), what, Some(help.into()));
                }
                Change::LinkUp(ChannelId(link))
            }
        };
        done.push(Intervention { cycle: Cycle(cycle), change });
    }
    done
}

fn check_rate<'a>(reader: &mut Reader<'a>, node: Node<'a>, rate: f64, scenario: Option<&Scenario>) {
    let Some(most) = scenario.map(|scenario| scenario.system.rate_max().0) else { return };
    if !(RATE_MIN..=most).contains(&rate) {
        let what = format!("the rate must be {RATE_MIN} to {most}, not {rate}");
        let help = "no source can send more, and a lower rate is practically 0";
        reader.problem(node, what, Some(help.into()));
    }
}

fn check_link<'a>(reader: &mut Reader<'a>, node: Node<'a>, link: u32, scenario: Option<&Scenario>) {
    let Some(links) = scenario.map(|scenario| scenario.system.network.links()) else { return };
    if link as usize >= links {
        let what = format!("the network has no link {link}");
        let help = match links.checked_sub(1) {
            Some(last) => format!("its links are 0 to {last}"),
            None => "the network has no links".to_owned(),
        };
        reader.problem(node, what, Some(help));
    }
}
