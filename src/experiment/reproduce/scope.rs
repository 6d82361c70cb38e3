//! What formulas and texts come to for a case, as far as there are results.

use super::cases::{Case, Cases, Equations, Value};
use super::formula::{Format, Formula, Part, Text};
use super::table::Spread;
use super::{Point, PointId, Results, Verdict, curve};
use crate::experiment::Plan;

/// A case that something is said of.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its place among the cases.
    pub case: usize,
    /// The cases that it is put beside, by name; an optional one may be missing.
    pub partners: Vec<(String, Option<usize>)>,
    /// What was judged of it.
    pub found: Option<Found>,
}

impl Item {
    /// A case alone.
    pub fn alone(case: usize) -> Self {
        Self { case, partners: Vec::new(), found: None }
    }
}

/// A figure judged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// The figure.
    pub mean: f64,
    /// Half its 95 % interval.
    pub half_width: Option<f64>,
    /// Whether it lies in its range.
    pub verdict: Verdict,
}

/// Where formulas are worked out. What is missing (a result, a printed value, a solution) makes
/// missing what is worked out from it; a truth that is missing is false.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// All cases.
    pub cases: &'a Cases,
    /// What has been simulated.
    pub results: &'a Results,
    /// The case in question.
    pub item: &'a Item,
    /// Those that `max(x)` and the like go over.
    pub items: &'a [Item],
}

impl<'a> Scope<'a> {
    /// The number that a formula comes to.
    ///
    /// # Panics
    ///
    /// Here and below, if a name or a function is not known: a mistake in the study, which the tests
    /// of all studies find.
    pub fn number(&self, formula: &Formula) -> Option<f64> {
        match self.value(formula)? {
            Value::Number(number) => Some(number),
            Value::Text(text) => panic!("`{text}` is no number"),
        }
    }

    /// Whether a formula comes to something other than 0.
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

    fn case(&self) -> &'a Case {
        &self.cases.all[self.item.case]
    }

    fn value(&self, formula: &Formula) -> Option<Value> {
        match formula {
            Formula::Number(number) => Some(Value::Number(*number)),
            Formula::Text(text) => self.text(text).map(Value::Text),
            Formula::Name(name) => self.named(name),
            Formula::Of(name, inner) => self.of(name, inner),
            Formula::Call(name, arguments) => self.call(name, arguments),
            Formula::Prefix('-', inner) => self.number(inner).map(|it| Value::Number(-it)),
            Formula::Prefix(_, inner) => Some(truth(!self.holds(inner))),
            Formula::Infix("&", left, right) => Some(truth(self.holds(left) && self.holds(right))),
            Formula::Infix("|", left, right) => Some(truth(self.holds(left) || self.holds(right))),
            Formula::Infix("==", left, right) => {
                Some(truth(self.value(left)? == self.value(right)?))
            }
            Formula::Infix("!=", left, right) => {
                Some(truth(self.value(left)? != self.value(right)?))
            }
            Formula::Infix(operator, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Some(match *operator {
                    "<=" => truth(left <= right),
                    ">=" => truth(left >= right),
                    "<" => truth(left < right),
                    ">" => truth(left > right),
                    "+" => Value::Number(left + right),
                    "-" => Value::Number(left - right),
                    "*" => Value::Number(left * right),
                    "/" => Value::Number(left / right),
                    "^" => Value::Number(left.powf(right)),
                    other => panic!("a study knows no operator `{other}`"),
                })
            }
        }
    }

    /// A figure of the case.
    fn named(&self, name: &str) -> Option<Value> {
        let case = self.case();
        if let Some(value) = case.values.get(name) {
            return value.clone();
        }
        if let Some(formula) = self.cases.lets.get(name) {
            return self.value(formula);
        }
        if self.cases.models.iter().any(|model| model == name) {
            let theory = case.theories.get(name)?;
            let latency = theory.prediction.as_ref()?.latency_mean;
            return Some(Value::Number(theory.equations.unit.of(latency)));
        }
        let system = || Some(&case.scenario.as_ref()?.system);
        let time = |cycles: Option<f64>| Some(system()?.time_unit().of(cycles?));
        let verdicts = |verdict| {
            let found = self.items.iter().filter_map(|item| item.found);
            Some(found.filter(|it| it.verdict == verdict).count() as f64)
        };
        let found = self.item.found;
        let number = match name {
            "inf" => Some(f64::INFINITY),
            "quick" => return Some(truth(self.cases.quick)),
            "index" => Some(self.item.case as f64),
            "rate" => Some(system()?.traffic.rate.0),
            "offered" => Some(system()?.load().0),
            "flits" => Some(system()?.traffic.lengths.mean()),
            "latency" => time(self.results.latency(case.point)),
            "network_latency" => time(self.results.network_latency(case.point)),
            "aborts" => self.results.aborts(case.point),
            "it" => found.map(|it| it.mean),
            "half" => found.map(|it| it.half_width.unwrap_or_default()),
            "fails" => return Some(truth(found?.verdict == Verdict::DoesNotHold)),
            "count" => Some(self.items.len() as f64),
            "holding" => verdicts(Verdict::Holds),
            "failing" => verdicts(Verdict::DoesNotHold),
            "undecided" => verdicts(Verdict::Undecided),
            _ => {
                assert!(self.cases.names.contains(name), "a study knows no `{name}`");
                None
            }
        };
        number.map(Value::Number)
    }

    /// A figure of a partner or of a model.
    fn of(&self, name: &str, inner: &Formula) -> Option<Value> {
        if let Some((_, partner)) = self.item.partners.iter().find(|(known, _)| known == name) {
            return Scope { item: &Item::alone((*partner)?), ..*self }.value(inner);
        }
        assert!(self.cases.models.iter().any(|model| model == name), "a study knows no `{name}`");
        let theory = self.case().theories.get(name)?;
        let equations: &Equations = &theory.equations;
        let circuits = || theory.prediction.as_ref()?.circuits;
        let (figure, arguments): (&str, &[Formula]) = match inner {
            Formula::Name(figure) => (figure, &[]),
            Formula::Call(function, arguments) => (function, arguments),
            Formula::Number(_)
            | Formula::Text(_)
            | Formula::Of(..)
            | Formula::Prefix(..)
            | Formula::Infix(..) => panic!("a model has no {inner:?}"),
        };
        let number = match (figure, arguments) {
            ("limit", []) => Some(equations.limit()),
            ("aborts", []) => circuits().map(|it| it.aborts),
            ("set_up", []) => circuits().map(|it| equations.unit.of(it.set_up_cycles)),
            ("at", [rate]) => equations.latency(self.number(rate)?),
            ("reaches", [limit]) => Some(equations.reaches(self.number(limit)?)),
            _ => panic!("a model has no `{figure}`"),
        };
        number.map(Value::Number)
    }

    fn call(&self, name: &str, arguments: &[Formula]) -> Option<Value> {
        let number = match (name, arguments) {
            ("if", [condition, then, rest @ ..]) => {
                let chosen = if self.holds(condition) { Some(then) } else { rest.first() };
                return self.value(chosen?);
            }
            ("defined", [it]) => return Some(truth(self.value(it).is_some())),
            ("abs", [it]) => self.number(it)?.abs(),
            ("min", [one, other]) => self.number(one)?.min(self.number(other)?),
            ("max", [one, other]) => self.number(one)?.max(self.number(other)?),
            ("at", [x]) => curve::latency_at(self.results, self.curve(), self.number(x)?)?,
            ("reaches", [limit]) => {
                curve::reaches(self.results, self.curve(), self.number(limit)?)?
            }
            ("mean", [it]) => {
                let at = |results: &Results| Scope { results, ..*self }.number(it);
                self.results.uncertain(at)?.mean
            }
            // Where a model of a built-in scenario saturates.
            ("limit_of", [scenario, model, reading]) => {
                let shown = |it| self.shown(it, Format::default());
                let none: [(&str, String); 0] = [];
                let point = Point::new(&shown(scenario)?, &none, Plan::default());
                let model = (shown(model)?, shown(reading)?);
                Equations::find(&point.scenario().system, &model)?.limit()
            }
            ("list", [it, rest @ ..]) => return self.list(it, rest).map(Value::Text),
            ("groups", [key, it, joint]) => return self.groups(key, it, joint).map(Value::Text),
            ("spread", [it, label]) => return self.spread(it, label).map(Value::Text),
            ("at_max", [it, label]) => {
                let most = self.most(it, 1.0)?;
                return self.of_item(most).value(label);
            }
            ("at_min", [it, label]) => {
                let least = self.most(it, -1.0)?;
                return self.of_item(least).value(label);
            }
            ("first", [it]) => return self.of_item(self.items.first()?).value(it),
            ("last", [it]) => return self.of_item(self.items.last()?).value(it),
            ("max", [it]) => self.numbers(it).map(|(_, it)| it).reduce(f64::max)?,
            ("min", [it]) => self.numbers(it).map(|(_, it)| it).reduce(f64::min)?,
            ("sum", [it]) => self.numbers(it).map(|(_, it)| it).sum(),
            ("rms", [it]) => {
                let squares = self.items.iter().map(|item| self.of_item(item).number(it));
                let squares = squares.map(|it| Some(it?.powi(2))).sum::<Option<f64>>()?;
                (squares / self.items.len() as f64).sqrt()
            }
            ("crosses", [x, y]) => {
                // Where y changes its sign, on the straight line between two items.
                let dots = self.numbers(x).map(|(item, x)| (x, self.of_item(item).number(y)));
                let dots: Vec<(f64, f64)> = dots.filter_map(|(x, y)| Some((x, y?))).collect();
                let pair = dots.windows(2).find(|pair| pair[0].1 <= 0.0 && pair[1].1 > 0.0)?;
                let share = -pair[0].1 / (pair[1].1 - pair[0].1);
                pair[0].0 + share * (pair[1].0 - pair[0].0)
            }
            ("rises", [x, y]) => {
                let mut dots: Vec<_> = self.numbers(x).collect();
                dots.sort_by(|a, b| a.1.total_cmp(&b.1));
                let ys: Option<Vec<f64>> =
                    dots.iter().map(|(item, _)| self.of_item(item).number(y)).collect();
                return Some(truth(ys?.is_sorted()));
            }
            _ => panic!("a study knows no function `{name}` of {} arguments", arguments.len()),
        };
        Some(Value::Number(number))
    }

    /// The case's curve.
    fn curve(&self) -> &'a [(f64, PointId)] {
        &self.cases.curves[self.case().curve]
    }

    /// The same scope at another item.
    fn of_item(&self, item: &'a Item) -> Self {
        Self { item, ..*self }
    }

    /// The items for which a formula comes to a number.
    fn numbers(&self, formula: &Formula) -> impl Iterator<Item = (&'a Item, f64)> {
        self.items.iter().filter_map(|item| Some((item, self.of_item(item).number(formula)?)))
    }

    /// The first item for which a formula times `sign` is largest.
    fn most(&self, formula: &Formula, sign: f64) -> Option<&'a Item> {
        let larger = |most: (&'a Item, f64), it: (&'a Item, f64)| {
            if sign * it.1 > sign * most.1 { it } else { most }
        };
        self.numbers(formula).reduce(larger).map(|(item, _)| item)
    }

    /// A text for each item that has one, in their order or by growing `rest[1]`, with `rest[0]` (or a
    /// comma) between.
    fn list(&self, it: &Formula, rest: &[Formula]) -> Option<String> {
        let mut items: Vec<&Item> = self.items.iter().collect();
        if let Some(key) = rest.get(1) {
            let key = |item: &Item| Scope { item, ..*self }.number(key).unwrap_or_default();
            items.sort_by(|a, b| key(a).total_cmp(&key(b)));
        }
        let joint =
            rest.first().map_or(Some(", ".to_owned()), |it| self.shown(it, Format::default()));
        let texts =
            items.into_iter().filter_map(|item| self.of_item(item).shown(it, Format::default()));
        Some(texts.collect::<Vec<_>>().join(&joint?))
    }

    /// A text for each group of items of the same `key`, in order of their first.
    fn groups(&self, key: &Formula, it: &Formula, joint: &Formula) -> Option<String> {
        let mut groups: Vec<(String, Vec<Item>)> = Vec::new();
        for item in self.items {
            let key = self.of_item(item).shown(key, Format::default())?;
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(item.clone()),
                None => groups.push((key, vec![item.clone()])),
            }
        }
        let text = |(_, items): &(String, Vec<Item>)| {
            Scope { item: items.first()?, items, ..*self }.shown(it, Format::default())
        };
        let texts: Option<Vec<String>> = groups.iter().map(text).collect();
        Some(texts?.join(&self.shown(joint, Format::default())?))
    }

    /// Deviations of the items in three figures.
    fn spread(&self, it: &Formula, label: &Formula) -> Option<String> {
        let deviations = self.numbers(it).map(|(item, deviation)| {
            let label = self.of_item(item).shown(label, Format::default());
            (label.unwrap_or_default(), deviation)
        });
        Spread::of(deviations).map(|spread| spread.to_string())
    }
}

fn truth(truth: bool) -> Value {
    Value::Number(f64::from(u8::from(truth)))
}

#[cfg(test)]
mod tests;
