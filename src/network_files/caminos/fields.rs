//! Fields of a configuration, read one by one.

use super::tree::{Field, Node, Value};
use crate::network_files::mistake::{Report, Span, meant, quoted};

/// An object whose fields are taken one by one.
pub(super) struct Object<'n, 't> {
    pub name: &'t str,
    pub at: Span,
    fields: Vec<&'n Field<'t>>,
    /// The fields that were asked for.
    known: Vec<&'static str>,
}

impl<'n, 't> Object<'n, 't> {
    pub fn take(&mut self, name: &'static str) -> Option<&'n Node<'t>> {
        self.known.push(name);
        let at = self.fields.iter().position(|field| field.name == name)?;
        Some(&self.fields.swap_remove(at).value)
    }
}

/// The conversion, with the mistakes and notes so far.
pub(super) struct Converter<'t> {
    pub report: Report<'t>,
    pub notes: Vec<String>,
}

impl<'t> Converter<'t> {
    pub fn refuse<T>(&mut self, at: &Span, what: impl Into<String>, help: &str) -> Option<T> {
        self.report.add(at, what, help);
        None
    }

    /// A value with fields, of one of these names.
    pub fn object<'n>(
        &mut self,
        node: &'n Node<'t>,
        names: &[&'static str],
    ) -> Option<Object<'n, 't>> {
        let (name, fields): (_, &[Field<'t>]) = match &node.value {
            Value::Object(name, fields) => (*name, fields),
            Value::Word(name) => (*name, &[]),
            Value::Text | Value::Array(_) => ("", &[]),
        };
        if !names.contains(&name) {
            let what = format!("{} is not converted", quoted(&self.report.text[node.at.clone()]));
            let list: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            let known = format!("converted are {}", list.join(", "));
            let help = meant(name, names.iter().copied(), &known);
            return self.refuse(&node.at, what, &help);
        }
        let fields = fields.iter().collect();
        Some(Object { name, at: node.at.clone(), fields, known: Vec::new() })
    }

    /// A field that must be given.
    pub fn needed<'n>(
        &mut self,
        of: &mut Object<'n, 't>,
        name: &'static str,
    ) -> Option<&'n Node<'t>> {
        let found = of.take(name);
        if found.is_none() {
            let what = format!("{} has no field {}", quoted(of.name), quoted(name));
            self.report.add(&of.at, what, format!("add `{name}: ...`"));
        }
        found
    }

    /// Reports the fields that are not converted.
    pub fn end(&mut self, of: Object<'_, 't>) {
        for Field { name, name_at, .. } in of.fields {
            let what = format!("{} of {} is not converted", quoted(name), quoted(of.name));
            let help = meant(name, of.known.iter().copied(), "remove the field");
            self.report.add(name_at, what, help);
        }
    }

    pub fn number(&mut self, node: &Node<'t>, [least, most]: [f64; 2]) -> Option<f64> {
        let number = match node.value {
            Value::Word(word) => word.parse::<f64>().ok(),
            Value::Text | Value::Array(_) | Value::Object(..) => None,
        };
        let fitting = number.filter(|number| (least..=most).contains(number));
        if fitting.is_none() {
            let what = format!("this must be a number from {least} to {most}");
            return self.refuse(&node.at, what, "write such a number");
        }
        fitting
    }

    pub fn whole(&mut self, node: &Node<'t>, [least, most]: [u32; 2]) -> Option<u32> {
        let number = self.number(node, [least, most].map(f64::from))?;
        if number.fract() != 0.0 {
            return self.refuse(&node.at, "this must be a whole number", "remove the fraction");
        }
        Some(number as u32)
    }

    pub fn truth(&mut self, node: &Node<'t>) -> Option<bool> {
        match node.value {
            Value::Word("true") => Some(true),
            Value::Word("false") => Some(false),
            Value::Word(_) | Value::Text | Value::Array(_) | Value::Object(..) => {
                self.refuse(&node.at, "this must be `true` or `false`", "write one of them")
            }
        }
    }

    pub fn list<'n>(&mut self, node: &'n Node<'t>) -> Option<&'n [Node<'t>]> {
        match &node.value {
            Value::Array(values) => Some(values),
            Value::Word(_) | Value::Text | Value::Object(..) => {
                self.refuse(&node.at, "this must be a list", "write values in square brackets")
            }
        }
    }

    pub fn wholes(&mut self, node: &Node<'t>, limits: [u32; 2]) -> Option<Vec<u32>> {
        let values = self.list(node)?;
        values.iter().map(|value| self.whole(value, limits)).collect()
    }

    /// Reports a field with another value than the one that is converted.
    pub fn only(&mut self, of: &mut Object<'_, 't>, name: &'static str, value: &str) {
        let Some(node) = of.take(name) else { return };
        let given = &self.report.text[node.at.clone()];
        let same =
            given == value || given.parse::<f64>().is_ok_and(|given| value.parse() == Ok(given));
        if !same {
            let what = format!("`{name}: {given}` is not converted");
            self.report.add(&node.at, what, format!("write {value}, or remove the field"));
        }
    }
}
