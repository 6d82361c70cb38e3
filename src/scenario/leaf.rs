//! Reads numbers and texts, with a specific message for each mistake.

use std::ops::RangeInclusive;

use super::names::{kind, shown};
use super::node::Node;
use super::reader::Reader;

impl<'a> Reader<'a> {
    /// Reads a whole number within limits; `name` is the subject of messages.
    pub fn integer(
        &mut self,
        node: Node<'a>,
        name: &str,
        limits: RangeInclusive<u64>,
    ) -> Option<u64> {
        let (low, high) = (*limits.start(), *limits.end());
        let outside = match (ron::from_str::<u64>(node.text), ron::from_str::<i64>(node.text)) {
            (Ok(number), _) if limits.contains(&number) => return Some(number),
            (Ok(number), _) => Some((number.to_string(), number < low)),
            (_, Ok(number @ ..0)) => Some((number.to_string(), true)),
            _ => None,
        };
        if let Some((number, below)) = outside {
            let what = format!("{name} must be {low} to {high}, not {number}");
            let (limit, side) = if below { (low, "more") } else { (high, "less") };
            return self.refuse(node, what, format!("write {limit} or {side}"));
        }
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let unquoted = node.text.trim_matches('"');
        let help = match ron::from_str::<f64>(node.text) {
            Ok(_) if digits(node.text) => Some(format!("write {high} or less")),
            Ok(x) if x.is_finite() && x >= low as f64 && x <= high as f64 && x.fract() == 0.0 => {
                Some(format!("write {x} without a fraction or exponent"))
            }
            Ok(x) if x >= low as f64 && x <= high as f64 => {
                Some(format!("write {} or {}", x.floor(), x.ceil()))
            }
            _ if unquoted.len() < node.text.len() && digits(unquoted) => {
                Some(format!("write {unquoted} without the quotes"))
            }
            Err(_) => Some(format!("write a number, such as {low}")),
            Ok(_) => None,
        };
        let what =
            format!("{name} must be a whole number from {low} to {high}, not {}", kind(node));
        self.problem(node, what, help);
        None
    }

    /// Reads a whole number within limits of type `u32`.
    pub fn small(
        &mut self,
        node: Node<'a>,
        name: &str,
        limits: RangeInclusive<u32>,
    ) -> Option<u32> {
        let (low, high) = limits.into_inner();
        let number = self.integer(node, name, u64::from(low)..=u64::from(high))?;
        u32::try_from(number).ok()
    }

    /// Reads a finite number.
    pub fn number(&mut self, node: Node<'a>, name: &str, example: &str) -> Option<f64> {
        match ron::from_str::<f64>(node.text) {
            Ok(number) if number.is_finite() => Some(number),
            Ok(_) => {
                let what = format!("{name} must be a finite number, not {}", shown(node.text));
                self.refuse(node, what, format!("write a number, such as {example}"))
            }
            Err(_) => {
                let unquoted = node.text.trim_matches('"');
                let quoted = unquoted.len() < node.text.len() && unquoted.parse::<f64>().is_ok();
                let help = Some(if quoted {
                    format!("write {unquoted} without the quotes")
                } else {
                    format!("write a number, such as {example}")
                });
                let what = format!("{name} must be a number, not {}", kind(node));
                self.problem(node, what, help);
                None
            }
        }
    }

    /// Reads a finite number above 0.
    pub fn positive(&mut self, node: Node<'a>, name: &str, example: &str) -> Option<f64> {
        let number = self.number(node, name, example)?;
        if number > 0.0 {
            return Some(number);
        }
        let what = format!("{name} must be above 0, not {}", shown(node.text));
        self.refuse(node, what, format!("write a number above 0, such as {example}"))
    }

    /// Reads `true` or `false`.
    pub fn truth(&mut self, node: Node<'a>) -> Option<bool> {
        match node.text.parse() {
            Ok(truth) => Some(truth),
            Err(_) => self.refuse(node, "this must be `true` or `false`", "write one of the two"),
        }
    }

    /// Reads a single line of text.
    pub fn line_of_text(&mut self, node: Node<'a>, name: &str) -> Option<String> {
        let Ok(text) = ron::from_str::<String>(node.text) else {
            let what = format!("{name} must be a text in quotes, not {}", kind(node));
            return self.refuse(node, what, "write it between two `\"`");
        };
        if text.chars().any(char::is_control) {
            let help = Some("write it on one line, without tabs".into());
            self.problem(node, format!("{name} contains control characters"), help);
            return None;
        }
        Some(text)
    }
}
