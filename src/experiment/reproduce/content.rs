//! Tables, figures and claims of a study, computed from possibly partial results.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::cases::{Cases, Values};
use super::claim::{Claim, Found, Paper, Partner, Row, Rows, Which};
use super::lookup::{Derived, Lookup};
use super::names::{Figure, Text};
use super::parts::{CurveOf, FigureOf, LineOf, Parts, TableOf};
use super::selection::Selection;
use super::{Finding, Judgement, PointId, Results, prepare};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::stats::Estimate;

/// Number of points of a model's curve.
const MODEL_POINTS: u32 = 100;

/// Tables, claims and figures of a study with their cases.
#[derive(Debug)]
pub struct Content {
    pub tables: Vec<Table>,
    pub claims: Vec<Stated>,
    /// Figures with the cases of each series.
    figures: Vec<(FigureOf, Vec<Vec<usize>>)>,
    paper: Option<&'static Paper>,
    derived: Derived,
    cases: Arc<Cases>,
}

/// A table of the paper's figures and the figures found here.
#[derive(Clone, PartialEq, Debug)]
pub struct Table<L = Line> {
    pub of: TableOf,
    pub lines: Vec<L>,
}

/// A table line.
#[derive(Debug)]
pub struct Line {
    /// Name of the figure: `8x8 at 0.005`.
    pub name: String,
    /// Simulated or measured figure in print, or from an independent simulation.
    pub paper: Option<f64>,
    /// Computed figure in print.
    pub paper_model: Option<f64>,
    /// The figure computed by the model here.
    pub model: Option<f64>,
    /// Maximum relative deviation of the simulation from the paper's figure, if judged.
    paper_within: Option<f64>,
    /// Maximum relative deviation of the model from the simulation, if judged.
    model_within: Option<f64>,
    simulation: Figure,
    case: usize,
    /// Values along the axes of the line.
    values: Values,
}

/// A claim of a paper with its cases.
#[derive(Debug)]
pub struct Stated {
    pub claim: Claim,
    items: Vec<Item>,
}

/// The index of a case, and the indices of its partners.
type Item = (usize, Vec<Option<usize>>);

impl Parts {
    /// Applies the study to these cases.
    pub fn content(&self, cases: &Arc<Cases>) -> Content {
        cases.solve();
        let (all, derived) = (cases, self.derived());
        let lookup = move |place| Lookup::new(all, derived, place);
        let every = || (0..all.all.len()).map(lookup);
        let line = |(place, values, line): (usize, Values, &LineOf)| {
            let case = lookup(place).with_values(&values);
            let number = |figure: &Option<Figure>| case.figure(figure.as_ref()?);
            Line {
                name: case.fill(&line.name.0).unwrap_or_default(),
                paper: number(&line.paper),
                paper_model: number(&line.paper_model),
                model: number(&line.model),
                paper_within: number(&line.paper_within),
                model_within: number(&line.model_within),
                simulation: line.simulation.clone(),
                case: place,
                values,
            }
        };
        let chosen = |of: &Selection, by_curve| {
            cases.chosen(every().filter(|case| of.holds(case)), by_curve)
        };
        let table = |of: &TableOf| {
            let mut lines: Vec<(usize, Values, &LineOf)> = Vec::new();
            for line in &of.lines {
                let places = prepare::along(vec![Values::new()], &line.axes, cases.quick);
                for case in chosen(&line.of, line.by_curve) {
                    lines.extend(places.iter().map(|values| (case, values.clone(), line)));
                }
            }
            lines.sort_by_key(|(case, ..)| *case);
            Table { of: of.clone(), lines: lines.into_iter().map(line).collect() }
        };
        let figure = |of: &FigureOf| {
            let mut series: Vec<(String, Vec<usize>)> = Vec::new();
            for case in chosen(&of.of, false) {
                let key = lookup(case).fill(&of.by.0).unwrap_or_default();
                match series.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, items)) => items.push(case),
                    None => series.push((key, vec![case])),
                }
            }
            (of.clone(), series.into_iter().map(|(_, items)| items).collect())
        };
        let claim = |claim: Claim| {
            let about = chosen(&claim.of, claim.by_curve).into_iter();
            let mut items: Vec<_> = about.map(|case| (case, Vec::new())).collect();
            for partner in &claim.beside {
                items = items.iter().flat_map(|item| with(item, partner, every())).collect();
            }
            (!items.is_empty()).then_some(Stated { claim, items })
        };
        let claims = self.judged.map(Paper::claims).unwrap_or_default();
        Content {
            tables: self.tables.iter().map(table).collect(),
            figures: self.figures.iter().map(figure).collect(),
            claims: claims.into_iter().filter_map(claim).collect(),
            paper: self.judged,
            derived,
            cases: Arc::clone(cases),
        }
    }
}

impl Cases {
    /// The indices of cases, or of the first case of each curve.
    fn chosen<'a>(&self, all: impl Iterator<Item = Lookup<'a>>, by_curve: bool) -> Vec<usize> {
        let mut curves = BTreeSet::new();
        let places = all.map(|case| case.place);
        places.filter(|&case| curves.insert(self.all[case].curve) || !by_curve).collect()
    }
}

/// Items for a case with one more partner, one item per partner found.
fn with<'a>(
    (case, partners): &Item,
    partner: &Partner,
    all: impl Iterator<Item = Lookup<'a>> + Clone,
) -> Vec<Item> {
    let Some(this) = all.clone().nth(*case) else { return Vec::new() };
    let found = all.filter(|other| partner.suits(&this, other)).map(|other| Some(other.place));
    let mut found: Vec<Option<usize>> = found.collect();
    match partner.which {
        Which::IfAny if found.is_empty() => found.push(None),
        Which::First | Which::IfAny => found.truncate(1),
        Which::Every | Which::Later => {}
    }
    let with = |other| (*case, partners.iter().copied().chain([other]).collect());
    found.into_iter().map(with).collect()
}

/// The relative deviation of one figure from another.
pub(super) fn deviation(of: Option<f64>, from: Option<f64>) -> Option<f64> {
    Some(of? / from? - 1.0)
}

impl Content {
    /// The points to run longer for verdicts attainable with up to `times` as many replications.
    pub fn open(&self, results: &Results, times: f64) -> BTreeSet<PointId> {
        let lines = self.tables.iter().flat_map(|table| &table.lines);
        let lines = lines.filter_map(|line| self.kept(line, results));
        let judged = lines.chain(self.claims.iter().map(|claim| self.judge(claim, results)));
        judged.flat_map(|one| one.open(times).collect::<Vec<_>>()).collect()
    }

    fn lookup<'a>(&'a self, case: usize, results: &'a Results) -> Lookup<'a> {
        Lookup::new(&self.cases, self.derived, case).with_results(results)
    }

    fn rows<'a>(&'a self, Stated { claim, items }: &'a Stated, results: &'a Results) -> Rows<'a> {
        let row = |(case, partners): &'a Item| {
            let case = self.lookup(*case, results);
            Some(Row { paper: self.paper?, case, partners, found: None })
        };
        Rows { claim, all: items.iter().filter_map(row).collect() }
    }

    /// The simulated figure of a line.
    pub(super) fn simulation(&self, line: &Line, results: &Results) -> Option<f64> {
        self.lookup(line.case, results).with_values(&line.values).figure(&line.simulation)
    }

    /// Judges the tolerance of a line, if any.
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

    /// The verdict on a claim, given `results`.
    pub fn judge(&self, claim: &Stated, results: &Results) -> Judgement {
        self.judged(claim, results).unwrap_or_else(|| Judgement::unknown(results.missing() > 0))
    }

    fn judged(&self, stated: &Stated, results: &Results) -> Option<Judgement> {
        let claim = &stated.claim;
        let mut judged = self.rows(stated, results);
        let mut findings: Vec<Finding> = Vec::new();
        for row in &mut judged.all {
            for figure in &claim.each {
                let found = results.uncertain(|_| row.figure(&figure.of))?;
                let Estimate { mean, half_width } = found.estimate();
                let finding = found.judge(figure.range(row));
                row.found.get_or_insert(Found { mean, half_width, verdict: finding.verdict });
                findings.push(finding);
            }
        }
        for figure in &claim.root_mean_square {
            let found = results.uncertain(|_| judged.root_mean_square(&figure.of))?;
            findings.push(found.judge(figure.range(judged.first()?)));
        }
        Some(Judgement::all(findings, judged.evidence()?))
    }

    /// The figures by name, as far as results exist.
    pub fn plots(&self, results: &Results) -> Vec<(String, Plot)> {
        let plot = |(figure, series): &(FigureOf, Vec<Vec<usize>>)| {
            let mut curves = Vec::new();
            for (at, cases) in series.iter().enumerate() {
                for curve in figure.curves.iter().filter(|it| at == 0 || !it.first_only) {
                    let group = at + curve.colours * series.len();
                    curves.extend(self.curve(curve, group, cases, results));
                }
            }
            let FigureOf { name, title, x, y, y_max, .. } = figure.clone();
            (name, Plot { title, x, y, y_max, curves, notes: Vec::new() })
        };
        self.figures.iter().map(plot).collect()
    }

    /// A curve of a series; `None` without points, except for simulated curves.
    fn curve(
        &self,
        curve: &CurveOf,
        group: usize,
        cases: &[usize],
        results: &Results,
    ) -> Option<Curve> {
        let first = self.lookup(*cases.first()?, results);
        let mut dots = Vec::new();
        if let Some(model) = &curve.model {
            let (equations, unit) = (first.equations(model)?, first.figure(&curve.x)?);
            let dot = |(rate, y)| Dot { x: rate * unit, y, half_width: None };
            dots.extend(equations.curve(MODEL_POINTS).map(dot));
        } else {
            let dot = |case: &usize| {
                let up = |results: &Results| self.lookup(*case, results).figure(curve.y.as_ref()?);
                let x = self.lookup(*case, results).figure(&curve.x)?;
                let Estimate { mean, half_width } = results.uncertain(up)?.estimate();
                Some(Dot { x, y: mean, half_width })
            };
            let shown = if curve.once { &cases[..1] } else { cases };
            dots.extend(shown.iter().filter_map(dot));
            if !curve.as_listed {
                dots.sort_by(|a, b| a.x.total_cmp(&b.x));
            }
        }
        let Text(label) = &curve.label;
        let label = first.fill(label)?;
        let drawn = curve.origin == Origin::Simulation || !dots.is_empty();
        let (origin, mark, bracket) = (curve.origin, group, None);
        drawn.then_some(Curve { label, origin, group, mark, dots, bracket })
    }
}
