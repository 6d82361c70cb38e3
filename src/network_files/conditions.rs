//! Conditions of messages in tables: an id, an event, and a delay, as in `a`, `a+5` or `a:sent+5`.

use std::collections::HashMap;

use super::mistake::{meant, nearest, quoted};
use crate::traffic::script::Event;

/// The names of events.
pub(super) const EVENTS: [(&str, Event); 3] =
    [("delivered", Event::Delivered), ("sent", Event::Sent), ("started", Event::Started)];

/// A condition: the index of the message awaited, the event, and the delay in cycles; the error is a
/// mistake and its correction. An id takes precedence over an event or a delay of the same spelling.
pub(super) fn condition(
    text: &str,
    known: &HashMap<String, usize>,
) -> Result<(usize, Event, u32), (String, String)> {
    if let Some(&message) = known.get(text) {
        return Ok((message, Event::Delivered, 0));
    }
    let (before, delay) = match text.rsplit_once('+') {
        Some((before, digits)) if is_condition(before, known) => {
            let delay = digits.parse().map_err(|_| {
                let what = format!("the delay {} is not a number of cycles", quoted(digits));
                (what, format!("write a whole number up to {}, as in `{before}+10`", u32::MAX))
            })?;
            (before, delay)
        }
        Some(_) | None => (text, 0),
    };
    if let Some(&message) = known.get(before) {
        return Ok((message, Event::Delivered, delay));
    }
    let (id, event) = before.rsplit_once(':').unwrap_or((before, "delivered"));
    let Some(&message) = known.get(id) else {
        let ids = known.keys().map(String::as_str);
        let help = meant(id, ids, "write the `id` of another message");
        return Err((format!("no message has the id {}", quoted(id)), help));
    };
    let Some((_, event)) = EVENTS.iter().find(|(name, _)| *name == event) else {
        let names = EVENTS.map(|(name, _)| name);
        let near = nearest(event, names.into_iter()).unwrap_or("sent");
        let what = format!("{} is no event of message {}", quoted(event), quoted(id));
        return Err((what, format!("write `{id}:{near}`; events are {}", names.join(", "))));
    };
    Ok((message, *event, delay))
}

/// True for the id of a message, with an event or without.
fn is_condition(text: &str, known: &HashMap<String, usize>) -> bool {
    let id = text.rsplit_once(':').map_or(text, |(id, _)| id);
    known.contains_key(text) || known.contains_key(id)
}
