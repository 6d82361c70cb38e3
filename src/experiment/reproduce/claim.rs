//! Claims of papers: the judged figures, and the evidence in a sentence.

use std::fmt;
use std::ops::Deref;

use super::Verdict;
use super::lookup::{Derived, Lookup};
use super::verdict::Spread;

/// Figures and claims of a paper beyond the contents of its study file.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// The study's name.
    pub name: &'static str,
    pub derived: Derived,
    pub claims: fn() -> Vec<Claim>,
}

type Figure = Box<dyn Fn(&Row<'_>) -> Option<f64> + Send + Sync>;
type Range = Box<dyn Fn(&Row<'_>, &Rows<'_>) -> [f64; 2] + Send + Sync>;
type OfAll = Box<dyn Fn(&Rows<'_>) -> Option<f64> + Send + Sync>;
type Relation = Box<dyn Fn(&Lookup<'_>, &Lookup<'_>) -> bool + Send + Sync>;
type Evidence = Box<dyn Fn(&Rows<'_>) -> Option<String> + Send + Sync>;

/// A claim of a paper.
#[must_use]
pub struct Claim {
    /// Section of the paper, and statement.
    pub says: String,
    /// The known correct verdict.
    pub expected: Verdict,
    /// True for the relevant cases. Without such cases the claim is omitted.
    pub of: Box<dyn Fn(&Lookup<'_>) -> bool + Send + Sync>,
    /// True if the first case represents each curve.
    pub is_by_curve: bool,
    pub partners: Vec<Partner>,
    /// Figures judged for each case.
    pub each: Vec<(Figure, Range)>,
    /// Figures judged over all cases together.
    pub together: Vec<(OfAll, [f64; 2])>,
    pub evidence: Evidence,
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").field("says", &self.says).finish_non_exhaustive()
    }
}

/// A partner for comparison; cases without a required partner are omitted.
pub struct Partner {
    /// True for partners of the first case.
    pub is: Relation,
    /// True if the case is compared with all partners in turn; otherwise with the first.
    pub every: bool,
    /// True if the partner may be missing.
    pub optional: bool,
}

impl Claim {
    /// A claim about these cases, expected to hold.
    pub fn new(
        says: impl Into<String>,
        of: impl Fn(&Lookup<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            says: says.into(),
            expected: Verdict::Holds,
            of: Box::new(of),
            is_by_curve: false,
            partners: Vec::new(),
            each: Vec::new(),
            together: Vec::new(),
            evidence: Box::new(|_| Some(String::new())),
        }
    }

    /// Marks the claim as known not to hold.
    pub fn fails(self) -> Self {
        Self { expected: Verdict::DoesNotHold, ..self }
    }

    /// Restricts the claim to fewer cases.
    pub fn only(self, of: impl Fn(&Lookup<'_>) -> bool + Send + Sync + 'static) -> Self {
        let all = self.of;
        Self { of: Box::new(move |it| all(it) && of(it)), ..self }
    }

    /// Makes the claim about curves.
    pub fn by_curve(self) -> Self {
        Self { is_by_curve: true, ..self }
    }

    /// Compares each case with the first such case.
    pub fn beside(
        self,
        is: impl Fn(&Lookup<'_>, &Lookup<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.with(Partner { is: Box::new(is), every: false, optional: false })
    }

    /// Compares each case with all such cases in turn.
    pub fn beside_every(
        self,
        is: impl Fn(&Lookup<'_>, &Lookup<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.with(Partner { is: Box::new(is), every: true, optional: false })
    }

    /// Compares each case with the first such case, if any.
    pub fn beside_any(
        self,
        is: impl Fn(&Lookup<'_>, &Lookup<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.with(Partner { is: Box::new(is), every: false, optional: true })
    }

    fn with(mut self, partner: Partner) -> Self {
        self.partners.push(partner);
        self
    }

    /// Judges a figure of each case against a range.
    pub fn each(
        self,
        figure: impl Fn(&Row<'_>) -> Option<f64> + Send + Sync + 'static,
        range: [f64; 2],
    ) -> Self {
        self.each_in(figure, move |_, _| range)
    }

    /// Judges a figure of each case against a range specific to the case.
    pub fn each_in(
        mut self,
        figure: impl Fn(&Row<'_>) -> Option<f64> + Send + Sync + 'static,
        range: impl Fn(&Row<'_>, &Rows<'_>) -> [f64; 2] + Send + Sync + 'static,
    ) -> Self {
        self.each.push((Box::new(figure), Box::new(range)));
        self
    }

    /// Judges a figure of all cases together.
    pub fn together(
        mut self,
        figure: impl Fn(&Rows<'_>) -> Option<f64> + Send + Sync + 'static,
        range: [f64; 2],
    ) -> Self {
        self.together.push((Box::new(figure), range));
        self
    }

    pub fn evidence(
        self,
        text: impl Fn(&Rows<'_>) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self { evidence: Box::new(text), ..self }
    }
}

/// A judged figure of a case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    pub mean: f64,
    /// Half the width of the mean's 95 % interval.
    pub half_width: Option<f64>,
    pub verdict: Verdict,
}

/// A case of a claim, with its partners.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub case: Lookup<'a>,
    pub partners: &'a [Option<usize>],
    /// The first of the case's judged figures; `None` until judged.
    pub found: Option<Found>,
}

impl<'a> Deref for Row<'a> {
    type Target = Lookup<'a>;

    fn deref(&self) -> &Lookup<'a> {
        &self.case
    }
}

impl<'a> Row<'a> {
    /// The partner with this index, from 0.
    pub fn partner(&self, at: usize) -> Option<Lookup<'a>> {
        Some(self.case.at_case((*self.partners.get(at)?)?))
    }

    /// A figure of the first partner.
    pub fn other(&self, name: &str) -> Option<f64> {
        self.partner(0)?.number(name)
    }

    /// The relative difference of a figure from the first partner's.
    pub fn gain(&self, name: &str) -> Option<f64> {
        Some(self.number(name)? / self.other(name)? - 1.0)
    }

    /// The mean of the judged figure.
    pub fn mean(&self) -> Option<f64> {
        Some(self.found?.mean)
    }

    /// The judged figure in per cent with sign and a fixed number of decimals.
    pub fn percent(&self, decimals: usize) -> Option<String> {
        self.mean().map(|mean| percent(mean, decimals))
    }
}

/// A share in per cent with sign.
pub fn percent(share: f64, decimals: usize) -> String {
    format!("{:+.decimals$}", 100.0 * share)
}

/// The cases of a claim.
#[derive(Clone, Debug)]
pub struct Rows<'a>(pub Vec<Row<'a>>);

impl<'a> Rows<'a> {
    pub fn first(&self) -> Option<&Row<'a>> {
        self.0.first()
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn counted(&self, is: impl Fn(&Row<'a>) -> bool) -> usize {
        self.0.iter().filter(|row| is(row)).count()
    }

    /// The number of cases with this verdict.
    pub fn with(&self, verdict: Verdict) -> usize {
        self.counted(|row| row.found.is_some_and(|found| found.verdict == verdict))
    }

    /// The rows with a value of `of`.
    fn numbers(
        &self,
        of: impl Fn(&Row<'a>) -> Option<f64>,
    ) -> impl Iterator<Item = (&Row<'a>, f64)> {
        self.0.iter().filter_map(move |row| Some((row, of(row)?)))
    }

    pub fn least(&self, of: impl Fn(&Row<'a>) -> Option<f64>) -> Option<f64> {
        self.numbers(of).map(|(_, number)| number).reduce(f64::min)
    }

    pub fn most(&self, of: impl Fn(&Row<'a>) -> Option<f64>) -> Option<f64> {
        self.numbers(of).map(|(_, number)| number).reduce(f64::max)
    }

    /// The first row with the maximum value.
    pub fn at_most(&self, of: impl Fn(&Row<'a>) -> Option<f64>) -> Option<&Row<'a>> {
        let most = self.numbers(of).reduce(|most, it| if it.1 > most.1 { it } else { most });
        most.map(|(row, _)| row)
    }

    /// The root mean square; `None` if a row has no value.
    pub fn root_mean_square(&self, of: impl Fn(&Row<'a>) -> Option<f64>) -> Option<f64> {
        let squares = self.0.iter().map(|row| Some(of(row)?.powi(2))).sum::<Option<f64>>()?;
        Some((squares / self.0.len() as f64).sqrt())
    }

    /// A summary of deviations, with the label of the worst.
    pub fn spread(&self, of: impl Fn(&Row<'a>) -> Option<f64>, label: &str) -> Option<String> {
        let named = |(row, it): (&Row<'a>, f64)| (row.fill(label).unwrap_or_default(), it);
        Some(Spread::of(self.numbers(of).map(named))?.to_string())
    }

    /// The texts of the rows, joined; rows without text are omitted.
    pub fn list(&self, joint: &str, text: impl Fn(&Row<'a>) -> Option<String>) -> String {
        self.0.iter().filter_map(text).collect::<Vec<_>>().join(joint)
    }

    /// The rows sorted by a decreasing number.
    #[must_use]
    pub fn falling(&self, of: &str) -> Self {
        let mut rows = self.0.clone();
        let key = |row: &Row<'a>| -row.number(of).unwrap_or_default();
        rows.sort_by(|one, other| key(one).total_cmp(&key(other)));
        Self(rows)
    }

    /// The texts of groups of rows with equal labels, in order of their first rows.
    pub fn groups(
        &self,
        label: &str,
        joint: &str,
        text: impl Fn(&Self, &Row<'a>) -> Option<String>,
    ) -> Option<String> {
        let mut groups: Vec<(String, Self)> = Vec::new();
        for row in &self.0 {
            let key = row.fill(label)?;
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.0.push(*row),
                None => groups.push((key, Self(vec![*row]))),
            }
        }
        let texts = groups.iter().map(|(_, rows)| text(rows, rows.first()?));
        Some(texts.collect::<Option<Vec<String>>>()?.join(joint))
    }

    /// The `x` of the first crossing of `y` above 0, interpolated linearly between two rows.
    pub fn crosses(&self, x: &str, y: impl Fn(&Row<'a>) -> Option<f64>) -> Option<f64> {
        let dots = self.numbers(|row| row.number(x));
        let dots: Vec<(f64, f64)> = dots.filter_map(|(row, x)| Some((x, y(row)?))).collect();
        let pair = dots.windows(2).find(|pair| pair[0].1 <= 0.0 && pair[1].1 > 0.0)?;
        let share = -pair[0].1 / (pair[1].1 - pair[0].1);
        Some(pair[0].0 + share * (pair[1].0 - pair[0].0))
    }

    /// True if `y` is known everywhere and never decreases with growing `x`.
    pub fn rises(&self, x: &str, y: &str) -> bool {
        let mut dots: Vec<(&Row<'a>, f64)> = self.numbers(|row| row.number(x)).collect();
        dots.sort_by(|one, other| one.1.total_cmp(&other.1));
        let y: Option<Vec<f64>> = dots.iter().map(|(row, _)| row.number(y)).collect();
        y.is_some_and(|y| y.is_sorted())
    }
}
