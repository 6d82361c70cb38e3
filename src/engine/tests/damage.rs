//! Damages a state row by row, and checks that an audit detects each damage.

use std::collections::{BTreeMap, BTreeSet};

/// Changes a row. Returns true if the change had an effect, and `None` if there is no such row.
pub type Damage<E> = fn(&mut E, usize) -> Option<bool>;

/// Replaces a value; returns true if the values differ.
pub fn or(row: &mut u32, other: u32) -> bool {
    std::mem::replace(row, other) != other
}

/// Changes every row of a table that satisfies a condition.
macro_rules! damage {
    ($name:literal, $($table:ident).+, |$row:ident| $done:expr) => {
        ($name, |engine, at| {
            let $row = engine.$($table).+.get_mut(at)?;
            Some($done)
        })
    };
}
pub(crate) use damage;

/// Increments a counter.
macro_rules! count {
    ($name:literal, $($count:ident).+) => {
        ($name, |engine, at| {
            (at == 0).then(|| {
                engine.$($count).+ += 1;
                true
            })
        })
    };
}
pub(crate) use count;

/// The laws broken by each damage, without their numbers.
#[derive(Default)]
pub struct Broken(BTreeMap<&'static str, BTreeSet<String>>);

impl Broken {
    /// Applies each of `damages` to every row of `whole`, and collects the broken laws.
    pub fn try_all<E: Clone>(
        &mut self,
        whole: &E,
        damages: &[(&'static str, Damage<E>)],
        laws: impl Fn(&E) -> Vec<String>,
    ) {
        let mut damaged = whole.clone();
        for &(name, damage) in damages {
            for at in 0.. {
                damaged.clone_from(whole);
                let Some(done) = damage(&mut damaged, at) else { break };
                if done {
                    let laws = laws(&damaged);
                    assert!(!laws.is_empty(), "{name}: row {at}");
                    self.0.entry(name).or_default().extend(laws.iter().map(|law| law_of(law)));
                }
            }
        }
    }

    /// Formats a line per damage, in the order of `damages`, followed by its laws.
    pub fn told<E>(&self, damages: &[(&'static str, Damage<E>)]) -> String {
        let told = damages.iter().map(|(name, _)| {
            let broken = self.0.get(name).into_iter().flatten().map(|law| format!("\n    {law}"));
            format!("{name}{}\n", broken.collect::<String>())
        });
        told.collect()
    }
}

/// Removes the numbers from a law.
fn law_of(text: &str) -> String {
    let law: String = text.chars().filter(|it| !it.is_ascii_digit()).collect();
    let (_, law) = law.rsplit_once(": ").unwrap_or(("", &law));
    law.split_whitespace().collect::<Vec<_>>().join(" ")
}
