//! Writes the messages of a run as Chrome trace JSON, for viewers such as Perfetto.
//!
//! A message is an asynchronous event of the process of its source, from its generation to its
//! delivery, with its wait at the source nested inside. A cycle (of circuits, a unit of time) is a
//! microsecond.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::Failure;
use crate::engine::Delivery;
use crate::files::Draft;
use crate::system::System;

/// A trace under construction. Events are not kept in memory.
pub(super) struct TraceFile {
    file: BufWriter<Draft>,
    /// The sources already named.
    sources: BTreeSet<usize>,
}

/// True if the file name is that of a trace.
pub(super) fn is_trace(path: &Path) -> bool {
    path.to_str().is_some_and(|name| name.ends_with(".trace.json"))
}

impl TraceFile {
    /// Creates the file; `force` permits replacing an existing file.
    pub(super) fn begin(path: &Path, force: bool) -> Result<Self, Failure> {
        let file = BufWriter::new(Draft::begin(path, force)?);
        Ok(Self { file, sources: BTreeSet::new() })
    }

    /// Writes the events of a message.
    pub(super) fn write(&mut self, system: &System, delivery: &Delivery) -> io::Result<()> {
        let source = delivery.source.index();
        let from = system.network.node_name(delivery.source);
        if self.sources.insert(source) {
            let name = json!({"name": format!("source {from}")});
            self.event(&json!({"ph": "M", "name": "process_name", "pid": source, "args": name}))?;
        }
        let to = system.network.node_name(delivery.destination);
        let name = format!("to {to}");
        let id = format!("{source}.{}", delivery.serial);
        let mut span = |name: &str, (begin, end): (u64, u64), args: Value| {
            let time = |cycles: u64| cycles as f64 / system.time_unit().cycles as f64;
            let common = json!({"cat": "message", "name": name, "id": id, "pid": source, "tid": 0});
            for (phase, time, args) in [("b", time(begin), args), ("e", time(end), json!({}))] {
                let mut event = common.clone();
                event["ph"] = phase.into();
                event["ts"] = time.into();
                event["args"] = args;
                self.event(&event)?;
            }
            Ok::<(), io::Error>(())
        };
        let facts = json!({
            "serial": delivery.serial,
            "length": delivery.length,
            "hops": delivery.hops,
            "aborts": delivery.aborts,
        });
        let (born, entered, done) = (delivery.born.0, delivery.entered.0, delivery.done.0);
        span(&name, (born, done), facts)?;
        if entered > born { span("source wait", (born, entered), json!({})) } else { Ok(()) }
    }

    /// Completes the file under its final name.
    pub(super) fn keep(mut self) -> io::Result<()> {
        self.file.write_all(if self.sources.is_empty() { b"[]\n" } else { b"\n]\n" })?;
        let draft = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        draft.keep().map(drop)
    }

    fn event(&mut self, event: &Value) -> io::Result<()> {
        let first = event["ph"] == "M" && self.sources.len() == 1;
        self.file.write_all(if first { b"[\n" } else { b",\n" })?;
        serde_json::to_writer(&mut self.file, event).map_err(io::Error::from)
    }
}
