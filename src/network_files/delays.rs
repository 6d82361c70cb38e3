//! Delays of links in other units than cycles.

use super::mistake::{Report, Span, meant, quoted};
use super::values::DELAYS;

/// An attribute of links as their delay.
#[derive(Clone, PartialEq, Debug)]
pub struct DelayUnit {
    /// The name of the attribute; capital letters do not matter.
    pub attribute: String,
    /// Cycles in a unit of the attribute, above 0.
    pub cycles: f64,
}

impl Report<'_> {
    /// True for the attribute of links that states their delay in another unit.
    pub fn is_delay(&self, name: &str) -> bool {
        self.unit.as_ref().is_some_and(|unit| unit.attribute.eq_ignore_ascii_case(name))
    }

    /// Records the name of an attribute of links.
    pub fn mention(&mut self, name: &str) {
        if self.unit.is_some() && !self.mentioned.contains(name) {
            self.mentioned.insert(name.to_owned());
        }
    }

    /// Reads a delay in the unit of its attribute: at least 1 cycle, otherwise the nearest whole number.
    pub fn delay_in_units(&mut self, value: &str, at: &Span) -> Option<u64> {
        let unit = self.unit.clone()?;
        let name = &unit.attribute;
        let most = *DELAYS.end();
        let number = value.trim().parse::<f64>().ok().filter(|delay| delay.is_finite());
        let cycles = number.map(|delay| delay * unit.cycles);
        match cycles {
            Some(cycles) if cycles >= 0.0 && cycles <= most as f64 => {
                Some((cycles.round() as u64).max(1))
            }
            Some(cycles) => {
                let what =
                    format!("`{name}` {} is {cycles:.0} cycles, not 0 to {most}", quoted(value));
                let help = format!("choose fewer cycles in a unit than {}", unit.cycles);
                self.add_of("delay", at, what, help);
                None
            }
            None => {
                let what = format!("`{name}` must be a number, not {}", quoted(value));
                self.add_of("delay", at, what, "write a number without a unit, such as 2.5");
                None
            }
        }
    }

    /// Records a missing attribute that was to state delays.
    pub fn check_unit(&mut self) {
        let Some(unit) = self.unit.clone() else { return };
        if !self.mentioned.iter().any(|name| name.eq_ignore_ascii_case(&unit.attribute)) {
            let names = self.mentioned.iter().map(String::as_str);
            let help = meant(&unit.attribute, names, "name an attribute of links of this file");
            let what = format!("no link has an attribute {}", quoted(&unit.attribute));
            self.add(&(0..0), what, help);
        }
    }
}
