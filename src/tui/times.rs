//! Formats times and loads in cycles, or in the time unit of circuits, called T.

use super::pen::{brief, grouped};
use crate::live::Speed;
use crate::units::TimeUnit;

impl TimeUnit {
    /// True if the unit is the cycle.
    pub fn in_cycles(self) -> bool {
        self.cycles == 1
    }

    /// A short form of the unit: `cycles`, `T`.
    pub fn symbol(self) -> &'static str {
        if self.in_cycles() { "cycles" } else { "T" }
    }

    /// The meaning of the symbol T; `None` for cycles.
    pub fn meaning(self) -> Option<String> {
        (!self.in_cycles()).then(|| {
            let singular = self.name.strip_suffix('s').unwrap_or(self.name);
            format!("a {singular}")
        })
    }

    /// Formats a duration or instant without its unit: `12,345`, `12.056`.
    pub fn exact(self, cycles: u64) -> String {
        if self.in_cycles() { grouped(cycles) } else { self.text(cycles) }
    }

    /// Formats a duration or instant with its unit.
    pub fn with_unit(self, cycles: u64) -> String {
        match cycles {
            1 if self.in_cycles() => "1 cycle".to_owned(),
            _ => format!("{} {}", self.exact(cycles), self.symbol()),
        }
    }

    /// Formats the present time of a run: `cycle 12,345`, `time 12.056 T`.
    pub fn now(self, cycles: u64) -> String {
        if self.in_cycles() {
            format!("cycle {}", grouped(cycles))
        } else {
            format!("time {} T", self.exact(cycles))
        }
    }

    /// Formats a mean to a tenth of a cycle, or to a thousandth of T.
    pub fn mean(self, cycles: f64) -> String {
        self.fixed(cycles, [1, 3])
    }

    /// Formats a time with the first number of decimals for cycles and the second for T.
    pub fn fixed(self, cycles: f64, decimals: [usize; 2]) -> String {
        format!("{:.*}", decimals[usize::from(!self.in_cycles())], self.of(cycles))
    }

    /// Formats a time in at most five characters, for axes.
    pub fn brief(self, cycles: f64) -> String {
        let value = self.of(cycles);
        if !self.in_cycles() && value < 0.995 {
            return format!("{value:.3}").trim_end_matches('0').trim_end_matches('.').to_owned();
        }
        brief(value)
    }

    /// Formats the length of a message in flits, or the time of its data in T.
    pub fn length(self, flits: u32) -> String {
        let units = f64::from(flits) / f64::from(self.flits);
        if self.in_cycles() { grouped(u64::from(flits)) } else { format!("{units:.3}") }
    }

    /// Formats a pace: `64 cycles/s`, `0.25 T/s`, `max`.
    pub fn pace(self, pace: Speed) -> String {
        match pace {
            Speed::Max => "max".to_owned(),
            Speed::PerSecond(cycles) => self.per_second(cycles),
        }
    }

    /// Formats a pace given in cycles per second.
    pub fn per_second(self, cycles: f64) -> String {
        let value = self.of(cycles);
        // Paces are powers of 4: two digits are sufficient.
        let text = match value {
            value if value < 0.00995 => format!("{value:.1e}"),
            value if value < 0.0995 => format!("{value:.3}"),
            value => brief(value),
        };
        format!("{text} {}/s", self.symbol())
    }

    /// The singular of the unit, for use after a slash: messages per node and `cycle`.
    pub fn unit_word(self) -> &'static str {
        if self.in_cycles() { "cycle" } else { "T" }
    }

    pub fn load_unit(self) -> &'static str {
        if self.in_cycles() { "flits/node/cycle" } else { "erlang/node" }
    }
}

/// Formats a duration in seconds with its two largest units: `4.2 s`, `3 min 20 s`, `1 h 5 min`.
pub fn lasting(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..10 => format!("{:.1} s", seconds.max(0.0)),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        3600..86_400 => format!("{} h {} min", whole / 3600, whole / 60 % 60),
        _ => format!("{} d {} h", whole / 86_400, whole / 3600 % 24),
    }
}

#[cfg(test)]
mod tests;
