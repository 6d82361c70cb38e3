//! Tables, figures and claims of a study as functions of its results.

use std::sync::Arc;

use super::cases::{Cases, Equations};
use super::formula::Formula;
use super::scope::{Found, Item, Scope};
use super::study::{ClaimOf, CurveOf, FigureOf, Judged, LineOf, Partner, Study, TableOf};
use super::{
    Claim, Content, Effort, Figure, Finding, Judgement, Line, Results, Table, Tolerance, prepare,
};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::stats::Estimate;

/// Points of a model's curve.
const MODEL_POINTS: u32 = 100;

impl Study {
    /// What is run at an effort, and what is made of it.
    pub fn content(&self, effort: Effort) -> Content {
        let mut content = Content::default();
        let cases = Arc::new(prepare::cases(self, effort, &mut content));
        content.tables = self.tables.iter().map(|it| table(it, &cases)).collect();
        content.figures = self.figures.iter().map(|it| figure(it, &cases)).collect();
        content.claims = self.claims.iter().filter_map(|it| claim(it, &cases)).collect();
        content
    }
}

impl Cases {
    /// Asks something about an item without any results.
    fn plainly<T>(&self, item: &Item, ask: impl FnOnce(&Scope<'_>) -> T) -> T {
        ask(&Scope { cases: self, results: &Results::none(self.points()), item, items: &[] })
    }

    /// The points, or more.
    fn points(&self) -> usize {
        self.all.iter().map(|case| case.point.0 + 1).max().unwrap_or_default()
    }

    /// The cases for which `of` holds, of each curve only the first where it is about curves.
    fn which(&self, of: &Formula, by_curve: bool) -> Vec<Item> {
        let mut curves = Vec::new();
        let all = (0..self.all.len()).map(Item::alone);
        let mut chosen: Vec<Item> =
            all.filter(|item| self.plainly(item, |scope| scope.holds(of))).collect();
        chosen.retain(|item| {
            let curve = self.all[item.case].curve;
            let new = !curves.contains(&curve);
            curves.push(curve);
            new || !by_curve
        });
        chosen
    }
}

fn table(table: &TableOf, cases: &Arc<Cases>) -> Table {
    let mut lines: Vec<(usize, Line)> = Vec::new();
    for line in &table.lines {
        let items = cases.which(&line.of, line.by_curve);
        lines.extend(items.into_iter().map(|item| (item.case, self::line(line, item, cases))));
    }
    lines.sort_by_key(|&(case, _)| case);
    Table { of: table.clone(), lines: lines.into_iter().map(|(_, line)| line).collect() }
}

fn line(line: &LineOf, item: Item, cases: &Arc<Cases>) -> Line {
    let number =
        |formula: &Option<Formula>| cases.plainly(&item, |scope| scope.number(formula.as_ref()?));
    let tolerance = number(&line.paper_within).map(Tolerance::SimulationToPaper);
    let name = cases.plainly(&item, |scope| scope.text(&line.name));
    Line {
        name: name.expect("a line has a name"),
        paper: number(&line.paper),
        paper_model: number(&line.paper_model),
        model: number(&line.model),
        tolerance: tolerance.or(number(&line.model_within).map(Tolerance::ModelToSimulation)),
        simulation: {
            let (cases, simulation) = (Arc::clone(cases), line.simulation.clone());
            Box::new(move |results| {
                Scope { cases: &cases, results, item: &item, items: &[] }.number(&simulation)
            })
        },
    }
}

fn figure(figure: &FigureOf, cases: &Arc<Cases>) -> Figure {
    let mut series: Vec<(String, Vec<Item>)> = Vec::new();
    for item in cases.which(&figure.of, false) {
        let key = cases.plainly(&item, |scope| scope.text(&figure.by)).expect("a series has a key");
        match series.iter_mut().find(|(known, _)| *known == key) {
            Some((_, items)) => items.push(item),
            None => series.push((key, vec![item])),
        }
    }
    let (figure, cases) = (figure.clone(), Arc::clone(cases));
    Figure::new(figure.name.clone(), move |results| {
        let mut curves = Vec::new();
        for (at, (_, items)) in series.iter().enumerate() {
            for curve in figure.curves.iter().filter(|it| at == 0 || !it.first_only) {
                let group = at + curve.colours * series.len();
                curves.extend(self::curve(curve, group, &cases, items, results));
            }
        }
        let FigureOf { title, x, y, y_max, .. } = figure.clone();
        Plot { title, x, y, y_max, curves }
    })
}

/// A curve of a series; none where it has no points, unless it is simulated.
fn curve(
    curve: &CurveOf,
    group: usize,
    cases: &Cases,
    items: &[Item],
    results: &Results,
) -> Option<Curve> {
    let first = items.first()?;
    let scope = Scope { cases, results, item: first, items };
    let mut dots = Vec::new();
    if let Some(model) = &curve.model {
        let equations: &Equations = &cases.all[first.case].theories.get(model)?.equations;
        let unit = scope.number(&curve.x)?;
        let dot = |(rate, y)| Dot { x: rate * unit, y, half_width: None };
        dots.extend(equations.curve(MODEL_POINTS).map(dot));
    } else {
        let dot = |item: &Item| {
            let up =
                |results: &Results| Scope { cases, results, item, items }.number(curve.y.as_ref()?);
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
    drawn.then_some(Curve { label, origin: curve.origin, group, dots })
}

fn claim(claim: &ClaimOf, cases: &Arc<Cases>) -> Option<Claim> {
    let mut items = cases.which(&claim.of, claim.by_curve);
    for partner in &claim.beside {
        items = items.into_iter().flat_map(|item| beside(&item, partner, cases)).collect();
    }
    let (cases, own) = (Arc::clone(cases), claim.clone());
    (!items.is_empty()).then(|| Claim {
        says: claim.says.clone(),
        expected: claim.expected,
        judge: Box::new(move |results| judge(&own, &cases, items.clone(), results)),
    })
}

/// An item with a partner, or with one after the other.
fn beside(item: &Item, partner: &Partner, cases: &Cases) -> Vec<Item> {
    let this = vec![("this".to_owned(), Some(item.case))];
    let fits = |&case: &usize| {
        let other = Item { case, partners: this.clone(), found: None };
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

fn judge(
    claim: &ClaimOf,
    cases: &Cases,
    mut items: Vec<Item>,
    results: &Results,
) -> Option<Judgement> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut all = Vec::new();
    for item in &items {
        let scope = Scope { cases, results, item, items: &items };
        let judged: Vec<(Finding, Found)> =
            claim.each.iter().map(|it| one(it, &scope)).collect::<Option<_>>()?;
        all.push(judged.first().map(|(_, found)| *found));
        findings.extend(judged.into_iter().map(|(finding, _)| finding));
    }
    items.iter_mut().zip(all).for_each(|(item, found)| item.found = found);
    let scope = Scope { cases, results, item: &items[0], items: &items };
    for judged in &claim.together {
        findings.push(one(judged, &scope)?.0);
    }
    Some(Judgement::all(findings, scope.text(&claim.evidence)?))
}

/// A figure against its range.
fn one(Judged(figure, least, most): &Judged, scope: &Scope<'_>) -> Option<(Finding, Found)> {
    let figure = scope.results.uncertain(|results| Scope { results, ..*scope }.number(figure))?;
    let Estimate { mean, half_width } = figure.estimate();
    let finding = figure.judge(scope.number(least)?..=scope.number(most)?);
    let found = Found { mean, half_width, verdict: finding.verdict };
    Some((finding, found))
}
