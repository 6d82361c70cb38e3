//! For tests of audits: a state is damaged row by row, and each time a law must be broken.

use std::collections::{BTreeMap, BTreeSet};

/// Changes something in a row; whether there was something to change. `None`: there is no such row.
pub type Damage<E> = fn(&mut E, usize) -> Option<bool>;

/// Replaces a row; whether it was another.
pub fn or(row: &mut u32, other: u32) -> bool {
    std::mem::replace(row, other) != other
}

/// In every row of a table where a condition holds something is changed.
macro_rules! damage {
    ($name:literal, $($table:ident).+, |$row:ident| $done:expr) => {
        ($name, |engine, at| {
            let $row = engine.$($table).+.get_mut(at)?;
            Some($done)
        })
    };
}
pub(crate) use damage;

/// A number that is kept once is one more.
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

/// Which damage broke which laws, their numbers left out.
#[derive(Default)]
pub struct Broken(BTreeMap<&'static str, BTreeSet<String>>);

impl Broken {
    /// Does each of `damages` to every row of `whole`, and asks which laws are broken then.
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

    /// In the order of `damages`, one line each, with its laws below.
    pub fn told<E>(&self, damages: &[(&'static str, Damage<E>)]) -> String {
        let told = damages.iter().map(|(name, _)| {
            let broken = self.0.get(name).into_iter().flatten().map(|law| format!("\n    {law}"));
            format!("{name}{}\n", broken.collect::<String>())
        });
        told.collect()
    }
}

/// A law without its numbers.
fn law_of(text: &str) -> String {
    let law: String = text.chars().filter(|it| !it.is_ascii_digit()).collect();
    let (_, law) = law.rsplit_once(": ").unwrap_or(("", &law));
    law.split_whitespace().collect::<Vec<_>>().join(" ")
}
