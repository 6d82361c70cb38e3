//! The text of `ibnetdiscover`: a section for every switch and channel adapter of an InfiniBand fabric.
//!
//! A switch is a router. A port of a channel adapter that is cabled to a switch is a host. A cable is
//! named in the sections of both of its ends, with one width and speed, and counts once; only sections
//! of adapters may be missing. Cables between the same switches are
//! links side by side. Widths and speeds of links become rates: the fastest link sends a flit each
//! cycle, others in proportion.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Draft, Host, Link};
use super::ignored::Ignored;
use super::mistake::{Report, Span, meant, quoted};
use super::speeds::Speeds;
use crate::topology::attributes::Attributes;

/// A port of a device: its identifier and the number of the port.
type Port<'t> = (&'t str, u32);

/// A switch or channel adapter.
struct Device<'t> {
    id: &'t str,
    name: &'t str,
    at: Span,
    is_switch: bool,
    /// Ports of its section, each with the port at the other end.
    ports: BTreeMap<u32, (Port<'t>, Span)>,
}

/// Width and speed at the end of a line, such as `4xHDR`.
#[derive(Clone, Copy)]
struct Pace<'t> {
    word: &'t str,
    gigabits: f64,
}

#[derive(Default)]
struct Fabric<'t> {
    devices: BTreeMap<&'t str, Device<'t>>,
    /// Identifiers in the order of the file.
    order: Vec<&'t str>,
    /// Names of devices in the lines of the ports that lead to them.
    mentioned: BTreeMap<&'t str, &'t str>,
    /// Cables by both ports, the lower first.
    cables: BTreeMap<[Port<'t>; 2], (usize, Span, Option<Pace<'t>>)>,
    ignored: Ignored,
}

/// True if a text has a section of a switch or channel adapter near its beginning.
pub(super) fn sniff(text: &str) -> bool {
    let begins = |line: &str| section(line).is_some();
    text.lines().take(200).any(begins)
}

/// The kind, the identifier and the rest of a line that begins a section: `Switch 41 "S-00b0" # ...`.
fn section(line: &str) -> Option<(bool, &str, &str)> {
    let (kind, rest) = line.split_once(char::is_whitespace)?;
    let is_switch = match kind {
        "Switch" => true,
        "Ca" | "Rt" => false,
        _ => return None,
    };
    let (ports, rest) = rest.split_once('"')?;
    ports.trim().parse::<u32>().ok()?;
    let (id, rest) = rest.split_once('"')?;
    Some((is_switch, id, rest))
}

/// The comment's first text in quotes.
fn named(rest: &str) -> Option<&str> {
    let (_, comment) = rest.split_once('#')?;
    let (_, name) = comment.split_once('"')?;
    name.split_once('"').map(|(name, _)| name).filter(|name| !name.is_empty())
}

/// Reads the text of `ibnetdiscover`.
pub(super) fn read(report: &mut Report<'_>) -> Draft {
    let mut fabric = Fabric::default();
    let mut current = None;
    let text = report.text;
    for line in text.lines() {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some((is_switch, id, rest)) = section(line) {
            current = fabric.device(is_switch, id, named(rest).unwrap_or(id), report);
        } else if line.starts_with('[') {
            if let Some(device) = current {
                fabric.port(device, line, report);
            } else {
                let at = report.span(line);
                let help = "write `Switch PORTS \"IDENTIFIER\"` before its ports";
                report.add(&at, "this port is in no section", help);
            }
        } else if let Some((name, _)) = line.split_once('=').filter(|(name, _)| is_word(name)) {
            fabric.ignored.add("sections", name);
        } else if line.starts_with("Chassis") {
            fabric.ignored.add("sections", "Chassis");
        } else {
            let first = line.split_whitespace().next().unwrap_or_default();
            let kinds = ["Switch", "Ca", "Rt"].into_iter();
            let help = meant(first, kinds, "write a section of `Switch` or `Ca`, or its ports");
            let at = report.span(line);
            report.add(&at, format!("{} begins no line of ibnetdiscover", quoted(first)), help);
        }
    }
    fabric.draft(report)
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The number in brackets at the beginning, and the rest.
fn bracketed(text: &str) -> Option<(u32, &str)> {
    let (number, rest) = text.strip_prefix('[')?.split_once(']')?;
    Some((number.trim().parse().ok()?, rest))
}

/// The speed of a link from its width and the generation of its lanes, in gigabits of data per second.
fn pace(line: &str) -> Option<Pace<'_>> {
    let word = line.split_whitespace().last()?;
    let (width, name) = word.split_once('x')?;
    let width: u32 = width.parse().ok().filter(|width| (1..=12).contains(width))?;
    let lane = match name {
        "SDR" => 2.0,
        "DDR" => 4.0,
        "QDR" => 8.0,
        "FDR10" => 10.0,
        "FDR" => 13.64,
        "EDR" => 25.0,
        "HDR" => 50.0,
        "NDR" => 100.0,
        "XDR" => 200.0,
        _ => return None,
    };
    Some(Pace { word, gigabits: f64::from(width) * lane })
}

impl<'t> Fabric<'t> {
    fn device(
        &mut self,
        is_switch: bool,
        id: &'t str,
        name: &'t str,
        report: &mut Report<'_>,
    ) -> Option<&'t str> {
        let at = report.span(id);
        if let Some(known) = self.devices.get(id) {
            let line = report.line(&known.at);
            let what = format!("{} has two sections, the first on line {line}", quoted(id));
            report.add(&at, what, "remove one of the two");
            return None;
        }
        self.devices.insert(id, Device { id, name, at, is_switch, ports: BTreeMap::new() });
        self.order.push(id);
        Some(id)
    }

    /// Reads the line of a port: `[1] "S-00b0"[7] # "peer" lid 3 4xHDR`.
    fn port(&mut self, device: &'t str, line: &'t str, report: &mut Report<'_>) {
        let at = report.span(line);
        let parts = bracketed(line).and_then(|(port, rest)| {
            let (_, rest) = rest.split_once('"')?;
            let (id, rest) = rest.split_once('"')?;
            let (there, rest) = bracketed(rest)?;
            Some((port, (id, there), rest))
        });
        let Some((port, other, rest)) = parts else {
            let help = "write `[1] \"IDENTIFIER\"[1]`, or copy the whole line";
            report.add(&at, "this is no port with its other end", help);
            return;
        };
        if let Some(name) = named(rest) {
            self.mentioned.entry(other.0).or_insert(name);
        }
        let Some(own) = self.devices.get_mut(device) else { return };
        if let Some((_, first)) = own.ports.insert(port, (other, at.clone())) {
            let line = report.line(&first);
            let what = format!("port {port} is given twice, first on line {line}");
            report.add(&at, what, "remove one of the two");
            return;
        }
        let mut ends = [(device, port), other];
        ends.sort_unstable();
        let new = self.cables.len();
        let cable = self.cables.entry(ends).or_insert((new, at.clone(), None));
        let paces = [cable.2, pace(rest)];
        if let [Some(first), Some(second)] = paces
            && first.word != second.word
        {
            let line = report.line(&cable.1);
            let what = format!(
                "this cable is {} here and {} at its other end, on line {line}",
                second.word, first.word
            );
            report.add(&report.span(second.word), what, "correct one of the two lines");
        }
        cable.2 = cable.2.or(paces[1]);
    }

    /// Records cables with ends that disagree.
    fn check(&self, report: &mut Report<'_>) {
        for device in self.devices.values() {
            for (&port, (other, at)) in &device.ports {
                let Some(there) = self.devices.get(other.0) else {
                    if other.0.starts_with("S-") {
                        let help = meant(
                            other.0,
                            self.devices.keys().copied(),
                            "add its section: the file may be cut off",
                        );
                        report.add(at, format!("switch {} has no section", quoted(other.0)), help);
                    }
                    continue;
                };
                let Some((back, second)) = there.ports.get(&other.1) else {
                    let what = format!(
                        "the section of {}, on line {}, has no port {}, to which this cable leads",
                        quoted(other.0),
                        report.line(&there.at),
                        other.1
                    );
                    let help = format!(
                        "add `[{}] \"{}\"[{port}]` there, or remove this line",
                        other.1, device.id
                    );
                    report.add(at, what, help);
                    continue;
                };
                let leads_back = self.devices.get(back.0).is_some_and(|own| own.at == device.at);
                if !leads_back || back.1 != port {
                    let what = format!(
                        "port {} of {} leads elsewhere, as line {} states",
                        other.1,
                        quoted(other.0),
                        report.line(second)
                    );
                    report.add(at, what, "correct one of the two lines");
                }
            }
        }
    }

    fn draft(self, report: &mut Report<'_>) -> Draft {
        self.check(report);
        let mut draft = Draft::default();
        let mut routers = BTreeMap::new();
        let switches = || self.order.iter().filter(|id| self.devices[*id].is_switch);
        let short: BTreeSet<&str> = switches().map(|id| short(self.devices[id].name)).collect();
        let unique = short.len() == switches().count();
        for &id in switches() {
            let device = &self.devices[id];
            let name = if unique { self::short(device.name) } else { device.name };
            routers.insert(id, draft.router(name, device.at.clone()));
        }
        let mut ports: BTreeMap<&str, usize> = BTreeMap::new();
        for (id, _) in self.cables.keys().flatten() {
            *ports.entry(id).or_default() += 1;
        }
        let mut speeds = Speeds::default();
        let mut cables: Vec<_> = self.cables.iter().collect();
        cables.sort_by_key(|(_, (place, ..))| *place);
        for (&[a, b], (_, at, pace)) in cables {
            match [a, b].map(|end| routers.get(end.0)) {
                [Some(&from), Some(&to)] => {
                    if let Some(pace) = pace {
                        speeds.add("width and speed", draft.links.len(), pace.gigabits);
                    }
                    let attributes = Attributes::default();
                    let (count, one_way, at) = (1, false, at.clone());
                    draft.links.push(Link { from, to, one_way, count, attributes, at });
                }
                [Some(&router), None] => draft.hosts.push(self.host(b, router, &ports)),
                [None, Some(&router)] => draft.hosts.push(self.host(a, router, &ports)),
                [None, None] => {
                    let help = "join each to a switch";
                    report.add(at, "this cable joins two channel adapters", help);
                }
            }
        }
        speeds.apply(&mut draft);
        draft.notes.extend(self.ignored.notes(&[]));
        draft
    }

    fn host(&self, (id, port): Port<'_>, router: usize, ports: &BTreeMap<&str, usize>) -> Host {
        // The section of an adapter may be missing.
        let mentioned = || self.mentioned.get(id).copied().unwrap_or(id);
        let name = self.devices.get(id).map_or_else(mentioned, |device| device.name);
        let port = if ports[id] < 2 { String::new() } else { format!(" port {port}") };
        Host { name: Some(format!("{name}{port}")), router }
    }
}

/// The name of a switch in its description: `leaf-1` in `MF0;leaf-1:MQM8700/U1`.
fn short(description: &str) -> &str {
    let Some((_, name)) = description.split_once(';') else { return description };
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    if name.is_empty() { description } else { name }
}
