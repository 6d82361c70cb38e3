//! What formulas and texts come to for a case, as far as there are results.

use std::ops::RangeInclusive;

use super::cases::{Case, Cases, Value, Values};
use super::formula::{Format, Formula, Part, Text};
use super::verdict::Spread;
use super::{PointId, Replication, Results, Verdict};
use crate::experiment::equations::Equations;
use crate::system::System;

type OfCase = fn(&Scope<'_>) -> Option<f64>;

/// The figures of a case that have a name in every study.
pub(super) static FIGURES: [(&str, OfCase); 16] = [
    ("inf", |_| Some(f64::INFINITY)),
    ("quick", |scope| Some(truth(scope.cases.quick))),
    ("index", |scope| Some(scope.item.case as f64)),
    ("rate", |scope| Some(scope.system()?.traffic.rate.0)),
    ("offered", |scope| Some(scope.system()?.load().0)),
    ("flits", |scope| Some(scope.system()?.traffic.lengths.mean())),
    ("latency", |scope| scope.time(scope.simulated(|one| one.latency))),
    ("network_latency", |scope| scope.time(scope.simulated(|one| one.network_latency))),
    ("aborts", |scope| scope.simulated(|one| one.aborts)),
    ("it", |scope| Some(scope.item.found?.mean)),
    ("half", |scope| Some(scope.item.found?.half_width.unwrap_or_default())),
    ("fails", |scope| Some(truth(scope.item.found?.verdict == Verdict::DoesNotHold))),
    ("count", |scope| Some(scope.items.len() as f64)),
    ("holding", |scope| Some(scope.verdicts(Verdict::Holds))),
    ("failing", |scope| Some(scope.verdicts(Verdict::DoesNotHold))),
    ("undecided", |scope| Some(scope.verdicts(Verdict::Undecided))),
];

type OfModel = fn(&Scope<'_>, &str, &[Formula]) -> Option<f64>;

/// What a model says, by name and number of arguments.
pub(super) static OF_MODELS: [(&str, RangeInclusive<usize>, OfModel); 5] = [
    ("limit", 0..=0, |scope, model, _| Some(scope.equations(model)?.limit())),
    ("aborts", 0..=0, |scope, model, _| Some(scope.case().prediction(model)?.circuits?.aborts)),
    ("set_up", 0..=0, |scope, model, _| {
        scope.time(Some(scope.case().prediction(model)?.circuits?.set_up_cycles))
    }),
    ("at", 1..=1, |scope, model, with| scope.equations(model)?.latency(scope.number(&with[0])?)),
    ("reaches", 1..=1, |scope, model, with| {
        Some(scope.equations(model)?.reaches(scope.number(&with[0])?))
    }),
];

type Function = fn(&Scope<'_>, &[Formula]) -> Option<Value>;

/// Functions by name and number of arguments.
pub(super) static FUNCTIONS: [(&str, RangeInclusive<usize>, Function); 20] = [
    ("if", 2..=3, |scope, with| {
        let chosen = if scope.holds(&with[0]) { Some(&with[1]) } else { with.get(2) };
        scope.value(chosen?)
    }),
    ("defined", 1..=1, |scope, with| number(truth(scope.value(&with[0]).is_some()))),
    ("abs", 1..=1, |scope, with| number(scope.number(&with[0])?.abs())),
    ("min", 1..=2, |scope, with| scope.extreme(with, f64::min)),
    ("max", 1..=2, |scope, with| scope.extreme(with, f64::max)),
    ("at", 1..=1, |scope, with| {
        number(scope.results.latency_at(scope.curve(), scope.number(&with[0])?)?)
    }),
    ("reaches", 1..=1, |scope, with| {
        number(scope.results.reaches(scope.curve(), scope.number(&with[0])?)?)
    }),
    // The figure itself, as the table of the study has it.
    ("mean", 1..=1, |scope, with| number(scope.number(&with[0])?)),
    // Where a model of another scenario saturates.
    ("limit_of", 3..=3, |scope, with| {
        let scenario = scope.cases.sources.parse(&scope.plain(&with[0])?, &[]).ok()?;
        let (name, reading) = (scope.plain(&with[1])?, scope.plain(&with[2])?);
        number(Equations::find(&scenario.system, &name, Some(&reading))?.1.limit())
    }),
    ("list", 1..=3, |scope, with| scope.list(&with[0], &with[1..]).map(Value::Text)),
    ("groups", 3..=3, |scope, with| scope.groups(&with[0], &with[1], &with[2]).map(Value::Text)),
    ("spread", 2..=2, |scope, with| {
        let label = |item| scope.of_item(item).plain(&with[1]).unwrap_or_default();
        let deviations = scope.numbers(&with[0]).map(|(item, it)| (label(item), it));
        Some(Value::Text(Spread::of(deviations)?.to_string()))
    }),
    ("at_max", 2..=2, |scope, with| scope.most(&with[0], 1.0)?.value(&with[1])),
    ("at_min", 2..=2, |scope, with| scope.most(&with[0], -1.0)?.value(&with[1])),
    ("first", 1..=1, |scope, with| scope.of_item(scope.items.first()?).value(&with[0])),
    ("last", 1..=1, |scope, with| scope.of_item(scope.items.last()?).value(&with[0])),
    ("sum", 1..=1, |scope, with| number(scope.numbers(&with[0]).map(|(_, it)| it).sum())),
    ("rms", 1..=1, |scope, with| {
        let squares = scope.items.iter().map(|item| scope.of_item(item).number(&with[0]));
        let squares = squares.map(|it| Some(it?.powi(2))).sum::<Option<f64>>()?;
        number((squares / scope.items.len() as f64).sqrt())
    }),
    ("crosses", 2..=2, |scope, with| {
        // Where y changes its sign, on the straight line between two items.
        let dots = scope.numbers(&with[0]);
        let dots = dots.filter_map(|(item, x)| Some((x, scope.of_item(item).number(&with[1])?)));
        let dots: Vec<(f64, f64)> = dots.collect();
        let pair = dots.windows(2).find(|pair| pair[0].1 <= 0.0 && pair[1].1 > 0.0)?;
        let share = -pair[0].1 / (pair[1].1 - pair[0].1);
        number(pair[0].0 + share * (pair[1].0 - pair[0].0))
    }),
    ("rises", 2..=2, |scope, with| {
        let mut dots: Vec<_> = scope.numbers(&with[0]).collect();
        dots.sort_by(|a, b| a.1.total_cmp(&b.1));
        let y = |(item, _): &(&_, f64)| scope.of_item(item).number(&with[1]);
        number(truth(dots.iter().map(y).collect::<Option<Vec<f64>>>()?.is_sorted()))
    }),
];

#[expect(clippy::unnecessary_wraps, reason = "what a function comes to may be missing")]
fn number(number: f64) -> Option<Value> {
    Some(Value::Number(number))
}

fn truth(truth: bool) -> f64 {
    f64::from(u8::from(truth))
}

/// A case that something is said of.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its place among the cases.
    pub case: usize,
    /// The cases that it is put beside, by name; an optional one may be missing.
    pub partners: Vec<(String, Option<usize>)>,
    /// What was judged of it.
    pub found: Option<Found>,
    /// Values that it has besides those of its case.
    pub values: Values,
}

impl Item {
    pub fn alone(case: usize) -> Self {
        Self { case, partners: Vec::new(), found: None, values: Values::new() }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    pub mean: f64,
    /// Half its 95 % interval.
    pub half_width: Option<f64>,
    /// Whether it lies in its range.
    pub verdict: Verdict,
}

/// Where formulas are worked out. What is missing (a result, a printed value, a solution) makes
/// missing what is worked out from it, and so is a number where there is a text; a truth that is
/// missing is false.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub cases: &'a Cases,
    pub results: &'a Results,
    pub item: &'a Item,
    /// Those that `max(x)` and the like go over.
    pub items: &'a [Item],
}

impl Cases {
    /// An item with no results known.
    pub(super) fn plainly<T>(&self, item: &Item, ask: impl FnOnce(&Scope<'_>) -> T) -> T {
        ask(&Scope { cases: self, results: &Results::none(0), item, items: &[] })
    }
}

impl<'a> Scope<'a> {
    /// The number that a formula comes to.
    pub fn number(&self, formula: &Formula) -> Option<f64> {
        match self.value(formula)? {
            Value::Number(number) => Some(number),
            Value::Text(_) => None,
        }
    }

    /// True if a formula comes to something other than 0.
    pub fn holds(&self, formula: &Formula) -> bool {
        self.number(formula).is_some_and(|truth| truth != 0.0)
    }

    /// A text with its formulas worked out; `None` where one is missing.
    pub fn text(&self, text: &Text) -> Option<String> {
        let part = |part: &Part| match part {
            Part::Plain(text) => Some(text.clone()),
            Part::Shown(formula, format) => self.shown(formula, *format),
        };
        text.0.iter().map(part).collect()
    }

    fn shown(&self, formula: &Formula, format: Format) -> Option<String> {
        Some(match self.value(formula)? {
            Value::Number(number) => format.number(number),
            Value::Text(text) => text,
        })
    }

    fn plain(&self, formula: &Formula) -> Option<String> {
        self.shown(formula, Format::default())
    }

    fn case(&self) -> &'a Case {
        &self.cases.all[self.item.case]
    }

    fn system(&self) -> Option<&'a System> {
        Some(&self.case().scenario.as_ref()?.system)
    }

    fn simulated(&self, figure: fn(&Replication) -> Option<f64>) -> Option<f64> {
        self.results.mean(self.case().point, figure)
    }

    /// Cycles in the scenario's unit of time.
    fn time(&self, cycles: Option<f64>) -> Option<f64> {
        Some(self.system()?.time_unit().of(cycles?))
    }

    fn equations(&self, model: &str) -> Option<&'a Equations> {
        self.case().theories.get(model)?.equations()
    }

    fn verdicts(&self, verdict: Verdict) -> f64 {
        let found = self.items.iter().filter_map(|item| item.found);
        found.filter(|it| it.verdict == verdict).count() as f64
    }

    fn value(&self, formula: &Formula) -> Option<Value> {
        match formula {
            Formula::Number(it) => number(*it),
            Formula::Text(text) => self.text(text).map(Value::Text),
            Formula::Name(name) => self.named(name),
            Formula::Of(name, inner) => self.of(name, inner),
            Formula::Call(name, with) => {
                let (.., function) = FUNCTIONS.iter().find(|(known, ..)| known == name)?;
                function(self, with)
            }
            Formula::Prefix('-', inner) => number(-self.number(inner)?),
            Formula::Prefix(_, inner) => number(truth(!self.holds(inner))),
            Formula::Infix(operator, left, right) => {
                self.infix(operator, left, right).and_then(number)
            }
        }
    }

    fn infix(&self, operator: &str, left: &Formula, right: &Formula) -> Option<f64> {
        let numbers = || Some((self.number(left)?, self.number(right)?));
        let compared = |of: fn(&f64, &f64) -> bool| numbers().map(|(a, b)| truth(of(&a, &b)));
        match operator {
            "&" => Some(truth(self.holds(left) && self.holds(right))),
            "|" => Some(truth(self.holds(left) || self.holds(right))),
            "==" => Some(truth(self.value(left)? == self.value(right)?)),
            "!=" => Some(truth(self.value(left)? != self.value(right)?)),
            "<=" => compared(f64::le),
            ">=" => compared(f64::ge),
            "<" => compared(f64::lt),
            ">" => compared(f64::gt),
            "+" => numbers().map(|(a, b)| a + b),
            "-" => numbers().map(|(a, b)| a - b),
            "*" => numbers().map(|(a, b)| a * b),
            "/" => numbers().map(|(a, b)| a / b),
            "^" => numbers().map(|(a, b)| a.powf(b)),
            other => unreachable!("the reader of formulas knows no operator `{other}`"),
        }
    }

    fn named(&self, name: &str) -> Option<Value> {
        let case = self.case();
        if let Some(value) = self.item.values.get(name).or_else(|| case.values.get(name)) {
            return value.clone();
        }
        if let Some(formula) = self.cases.lets.get(name) {
            return self.value(formula);
        }
        if case.theories.contains_key(name) {
            return self.time(Some(case.prediction(name)?.latency_mean)).and_then(number);
        }
        let (_, figure) = FIGURES.iter().find(|(known, _)| *known == name)?;
        figure(self).and_then(number)
    }

    fn of(&self, name: &str, inner: &Formula) -> Option<Value> {
        if let Some((_, partner)) = self.item.partners.iter().find(|(known, _)| known == name) {
            return Scope { item: &Item::alone((*partner)?), ..*self }.value(inner);
        }
        let (figure, with) = inner.as_call()?;
        let (.., said) = OF_MODELS.iter().find(|(known, ..)| *known == figure)?;
        said(self, name, with).and_then(number)
    }

    /// Of one argument the extreme over the items, or that of two numbers.
    fn extreme(&self, with: &[Formula], of: fn(f64, f64) -> f64) -> Option<Value> {
        number(match with {
            [one, other] => of(self.number(one)?, self.number(other)?),
            _ => self.numbers(&with[0]).map(|(_, it)| it).reduce(of)?,
        })
    }

    fn curve(&self) -> &'a [(f64, PointId)] {
        self.cases.curves.get(self.case().curve).map_or(&[], Vec::as_slice)
    }

    fn of_item(&self, item: &'a Item) -> Self {
        Self { item, ..*self }
    }

    /// The items for which a formula comes to a number.
    fn numbers(&self, formula: &Formula) -> impl Iterator<Item = (&'a Item, f64)> {
        self.items.iter().filter_map(|item| Some((item, self.of_item(item).number(formula)?)))
    }

    /// This scope at the first item for which a formula times `sign` is largest.
    fn most(&self, formula: &Formula, sign: f64) -> Option<Self> {
        let larger = |most: (&'a Item, f64), it: (&'a Item, f64)| {
            if sign * it.1 > sign * most.1 { it } else { most }
        };
        self.numbers(formula).reduce(larger).map(|(item, _)| self.of_item(item))
    }

    /// A text for each item that has one, in their order or by growing `rest[1]`, with `rest[0]` (or a
    /// comma) between.
    fn list(&self, it: &Formula, rest: &[Formula]) -> Option<String> {
        let mut items: Vec<&Item> = self.items.iter().collect();
        if let Some(key) = rest.get(1) {
            let key = |item: &Item| Scope { item, ..*self }.number(key).unwrap_or_default();
            items.sort_by(|a, b| key(a).total_cmp(&key(b)));
        }
        let joint = rest.first().map_or(Some(", ".to_owned()), |it| self.plain(it));
        let texts = items.into_iter().filter_map(|item| self.of_item(item).plain(it));
        Some(texts.collect::<Vec<_>>().join(&joint?))
    }

    /// A text for each group of items of the same `key`, in order of their first.
    fn groups(&self, key: &Formula, it: &Formula, joint: &Formula) -> Option<String> {
        let mut groups: Vec<(String, Vec<Item>)> = Vec::new();
        for item in self.items {
            let key = self.of_item(item).plain(key)?;
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(item.clone()),
                None => groups.push((key, vec![item.clone()])),
            }
        }
        let text = |(_, items): &(String, Vec<Item>)| {
            Scope { item: items.first()?, items, ..*self }.plain(it)
        };
        let texts: Option<Vec<String>> = groups.iter().map(text).collect();
        Some(texts?.join(&self.plain(joint)?))
    }
}

#[cfg(test)]
mod tests;
