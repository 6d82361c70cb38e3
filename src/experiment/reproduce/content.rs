//! What a study is run as: points, and tables, figures and claims that are worked out from their
//! results, at any time and as far as there are any.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::cases::{Cases, Values};
use super::formula::{Formula, Written};
use super::parts::{ClaimOf, CurveOf, FigureOf, Judged, LineOf, Partner, Parts, TableOf};
use super::scope::{Found, Item, Scope};
use super::{Finding, Judgement, PointId, Results, prepare};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::stats::Estimate;

/// Points of a model's curve.
const MODEL_POINTS: u32 = 100;

/// What is made of the points of a study.
#[derive(Debug)]
pub struct Content {
    /// What is compared figure by figure.
    pub tables: Vec<Table>,
    pub claims: Vec<Claim>,
    /// What is drawn, with the cases of each series.
    figures: Vec<(FigureOf, Vec<Vec<Item>>)>,
    cases: Arc<Cases>,
}

/// A table of figures of the paper beside those found here.
#[derive(Clone, PartialEq, Debug)]
pub struct Table<L = Line> {
    /// What the study's file says of it.
    pub of: TableOf,
    pub lines: Vec<L>,
}

/// One line of a table.
#[derive(Debug)]
pub struct Line {
    /// Which figure it is: `8x8 at 0.005`.
    pub name: String,
    /// What the paper printed as simulated or measured, or an independent simulation found.
    pub paper: Option<f64>,
    /// What the paper printed as computed.
    pub paper_model: Option<f64>,
    /// What the model computes here.
    pub model: Option<f64>,
    /// How far simulation may be from the paper's figure, as a share of it, if that is judged.
    paper_within: Option<f64>,
    /// How far the model may be from simulation, as a share of it, if that is judged.
    model_within: Option<f64>,
    simulation: Written<Formula>,
    item: Item,
}

/// A claim of a paper.
#[derive(Debug)]
pub struct Claim {
    /// What the study's file says of it.
    pub of: ClaimOf,
    items: Vec<Item>,
}

impl Parts {
    /// What is made of these cases.
    pub fn content(&self, cases: Arc<Cases>) -> Content {
        cases.solve();
        let line = |(item, line): (Item, &LineOf)| {
            let number = |of: &Option<Written<Formula>>| {
                cases.plainly(&item, |scope| scope.number(of.as_ref()?))
            };
            let name = cases.plainly(&item, |scope| scope.text(&line.name));
            Line {
                name: name.unwrap_or_default(),
                paper: number(&line.paper),
                paper_model: number(&line.paper_model),
                model: number(&line.model),
                paper_within: number(&line.paper_within),
                model_within: number(&line.model_within),
                simulation: line.simulation.clone(),
                item,
            }
        };
        let table = |of: &TableOf| {
            let mut lines: Vec<(Item, &LineOf)> = Vec::new();
            for line in &of.lines {
                let places = prepare::along(vec![Values::new()], &line.axes, cases.quick);
                for item in cases.which(&line.of, line.by_curve) {
                    let at = |values: &Values| Item { values: values.clone(), ..item.clone() };
                    lines.extend(places.iter().map(|values| (at(values), line)));
                }
            }
            lines.sort_by_key(|(item, _)| item.case);
            Table { of: of.clone(), lines: lines.into_iter().map(line).collect() }
        };
        let figure = |of: &FigureOf| {
            let mut series: Vec<(String, Vec<Item>)> = Vec::new();
            for item in cases.which(&of.of, false) {
                let key = cases.plainly(&item, |scope| scope.text(&of.by)).unwrap_or_default();
                match series.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, items)) => items.push(item),
                    None => series.push((key, vec![item])),
                }
            }
            (of.clone(), series.into_iter().map(|(_, items)| items).collect())
        };
        let claim = |of: &ClaimOf| {
            let mut items = cases.which(&of.of, of.by_curve);
            for partner in &of.beside {
                items = items.iter().flat_map(|item| beside(item, partner, &cases)).collect();
            }
            (!items.is_empty()).then(|| Claim { of: of.clone(), items })
        };
        Content {
            tables: self.tables.iter().map(table).collect(),
            figures: self.figures.iter().map(figure).collect(),
            claims: self.claims.iter().filter_map(claim).collect(),
            cases,
        }
    }
}

impl Cases {
    /// The cases for which `of` holds, of each curve only the first where it is about curves.
    fn which(&self, of: &Formula, by_curve: bool) -> Vec<Item> {
        let mut curves = BTreeSet::new();
        let all = (0..self.all.len()).map(Item::alone);
        let chosen = all.filter(|item| self.plainly(item, |scope| scope.holds(of)));
        chosen.filter(|item| curves.insert(self.all[item.case].curve) || !by_curve).collect()
    }
}

/// An item with a partner, or with one after the other.
fn beside(item: &Item, partner: &Partner, cases: &Cases) -> Vec<Item> {
    let this = vec![("this".to_owned(), Some(item.case))];
    let fits = |&case: &usize| {
        let other = Item { partners: this.clone(), ..Item::alone(case) };
        cases.plainly(&other, |scope| scope.holds(&partner.is))
    };
    let mut found: Vec<Option<usize>> = (0..cases.all.len()).filter(fits).map(Some).collect();
    if found.is_empty() && partner.optional {
        found.push(None);
    }
    if !partner.every {
        found.truncate(1);
    }
    let with = |other| {
        let mut item = item.clone();
        item.partners.push((partner.name.clone(), other));
        item
    };
    found.into_iter().map(with).collect()
}

/// One figure from another, as a share of the latter.
pub(super) fn deviation(of: Option<f64>, from: Option<f64>) -> Option<f64> {
    Some(of? / from? - 1.0)
}

impl Content {
    /// The points to be run longer for verdicts that are in reach with up to `times` as many
    /// replications.
    pub fn open(&self, results: &Results, times: f64) -> BTreeSet<PointId> {
        let lines = self.tables.iter().flat_map(|table| &table.lines);
        let lines = lines.filter_map(|line| self.kept(line, results));
        let judged = lines.chain(self.claims.iter().map(|claim| self.judge(claim, results)));
        judged.flat_map(|one| one.open(times).collect::<Vec<_>>()).collect()
    }

    /// The simulated figure of a line.
    pub(super) fn simulation(&self, line: &Line, results: &Results) -> Option<f64> {
        let scope = Scope { cases: &self.cases, results, item: &line.item, items: &[] };
        scope.number(&line.simulation)
    }

    /// Whether the tolerance of a line is kept, if there is one.
    pub fn kept(&self, line: &Line, results: &Results) -> Option<Judgement> {
        let within = line.paper_within.or(line.model_within)?;
        let found = results.uncertain(|results| {
            let simulation = self.simulation(line, results);
            match line.paper_within {
                Some(_) => deviation(simulation, line.paper),
                None => deviation(line.model, simulation),
            }
        });
        Some(found.map_or_else(
            || Judgement::unknown(results.missing() > 0),
            |found| Judgement::all([found.judge(-within..=within)], String::new()),
        ))
    }

    /// The verdict on a claim that `results` lead to.
    pub fn judge(&self, claim: &Claim, results: &Results) -> Judgement {
        self.judged(claim, results).unwrap_or_else(|| Judgement::unknown(results.missing() > 0))
    }

    fn judged(&self, Claim { of, items }: &Claim, results: &Results) -> Option<Judgement> {
        let mut findings: Vec<Finding> = Vec::new();
        let mut judged = items.clone();
        for (item, at) in judged.iter_mut().zip(items) {
            let scope = Scope { cases: &self.cases, results, item: at, items };
            for judged in &of.each {
                let (finding, found) = one(judged, &scope)?;
                findings.push(finding);
                item.found.get_or_insert(found);
            }
        }
        let items = &judged;
        let scope = Scope { cases: &self.cases, results, item: &items[0], items };
        for judged in &of.together {
            findings.push(one(judged, &scope)?.0);
        }
        Some(Judgement::all(findings, scope.text(&of.evidence)?))
    }

    /// The figures by name, as far as there are results.
    pub fn plots(&self, results: &Results) -> Vec<(String, Plot)> {
        let plot = |(figure, series): &(FigureOf, Vec<Vec<Item>>)| {
            let mut curves = Vec::new();
            for (at, items) in series.iter().enumerate() {
                for curve in figure.curves.iter().filter(|it| at == 0 || !it.first_only) {
                    let group = at + curve.colours * series.len();
                    curves.extend(self.curve(curve, group, items, results));
                }
            }
            let FigureOf { name, title, x, y, y_max, .. } = figure.clone();
            (name, Plot { title, x, y, y_max, curves })
        };
        self.figures.iter().map(plot).collect()
    }

    /// A curve of a series; none where it has no points, unless it is simulated.
    fn curve(
        &self,
        curve: &CurveOf,
        group: usize,
        items: &[Item],
        results: &Results,
    ) -> Option<Curve> {
        let scope = Scope { cases: &self.cases, results, item: items.first()?, items };
        let mut dots = Vec::new();
        if let Some(model) = &curve.model {
            let equations = self.cases.all[scope.item.case].theories.get(model)?.equations()?;
            let unit = scope.number(&curve.x)?;
            let dot = |(rate, y)| Dot { x: rate * unit, y, half_width: None };
            dots.extend(equations.curve(MODEL_POINTS).map(dot));
        } else {
            let dot = |item: &Item| {
                let up = |results: &Results| {
                    Scope { cases: &self.cases, results, item, items }.number(curve.y.as_ref()?)
                };
                let x = Scope { item, ..scope }.number(&curve.x)?;
                let Estimate { mean, half_width } = results.uncertain(up)?.estimate();
                Some(Dot { x, y: mean, half_width })
            };
            let shown = if curve.once { &items[..1] } else { items };
            dots.extend(shown.iter().filter_map(dot));
            dots.sort_by(|a, b| a.x.total_cmp(&b.x));
        }
        let label = scope.text(&curve.label)?;
        let drawn = curve.origin == Origin::Simulation || !dots.is_empty();
        let (origin, mark, bracket) = (curve.origin, group, None);
        drawn.then_some(Curve { label, origin, group, mark, dots, bracket })
    }
}

/// A figure against its range.
fn one(Judged(figure, least, most): &Judged, scope: &Scope<'_>) -> Option<(Finding, Found)> {
    let figure = scope.results.uncertain(|results| Scope { results, ..*scope }.number(figure))?;
    let Estimate { mean, half_width } = figure.estimate();
    let finding = figure.judge(scope.number(least)?..=scope.number(most)?);
    let found = Found { mean, half_width, verdict: finding.verdict };
    Some((finding, found))
}
