//! Claims of papers: words and ranges from a file, and the judged figures.

use std::collections::BTreeMap;
use std::ops::{Deref, RangeInclusive};

use ron::extensions::Extensions;
use serde::Deserialize;

use super::Verdict;
use super::lookup::{Derived, Lookup};
use super::names::{Figure, Text, fill};
use super::selection::Selection;
use super::verdict::Spread;

/// A named figure of a case with its partners.
pub type FigureOfRow = (&'static str, fn(&Row<'_>) -> Option<f64>);

/// A named part of the evidence about all cases of a claim.
pub type Summary = (&'static str, fn(&Rows<'_>) -> Option<String>);

/// Claims of a paper, and the figures beyond the contents of its study file.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// The study's name.
    pub name: &'static str,
    pub derived: Derived,
    /// Figures of a case with its partners.
    pub figures: &'static [FigureOfRow],
    /// Parts of evidence about all cases of a claim.
    pub summaries: &'static [Summary],
    /// The text of the file with the claims.
    pub claims: &'static str,
}

impl Paper {
    pub fn claims(&self) -> Vec<Claim> {
        let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        options.from_str(self.claims).expect("the files of claims are built in")
    }
}

/// A claim of a paper.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Section of the paper, and statement.
    pub says: String,
    /// The known correct verdict.
    #[serde(default)]
    pub expected: Verdict,
    /// The relevant cases. Without such cases the claim is omitted.
    #[serde(default)]
    pub of: Selection,
    /// True if the first case represents each curve.
    #[serde(default)]
    pub by_curve: bool,
    #[serde(default)]
    pub beside: Vec<Partner>,
    /// Figures judged for each case.
    #[serde(default)]
    pub each: Vec<Judged>,
    /// Figures with a judged root mean square over all cases.
    #[serde(default)]
    pub root_mean_square: Vec<Judged>,
    /// The evidence, with names of figures, lists and summaries in braces.
    pub evidence: Text,
    /// Texts about each case, joined to a list.
    #[serde(default)]
    pub lists: BTreeMap<String, Text>,
    /// The separator in lists; a comma by default.
    pub joint: Option<String>,
    /// The figure by which lists are sorted, the greatest first.
    pub falling: Option<String>,
    /// The part `groups` of the evidence.
    pub groups: Option<Groups>,
}

/// Partners for comparison; cases without a required partner are omitted.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Partner {
    #[serde(default)]
    of: Selection,
    /// Names of values equal to the case's.
    #[serde(default)]
    same: Vec<String>,
    #[serde(default)]
    pub which: Which,
}

/// A choice among possible partners.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize, Debug)]
pub enum Which {
    #[default]
    First,
    /// The first, or none.
    IfAny,
    /// All in turn.
    Every,
    /// All after the case in turn.
    Later,
}

impl Partner {
    pub fn suits(&self, case: &Lookup<'_>, other: &Lookup<'_>) -> bool {
        self.of.holds(other)
            && case.same(other, &self.same)
            && (self.which != Which::Later || other.place > case.place)
    }
}

/// A figure with its required range; a missing bound is infinite.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    pub of: Figure,
    from: Option<Figure>,
    to: Option<Figure>,
    /// The maximum distance from 0, in place of both bounds.
    within: Option<Figure>,
}

impl Judged {
    /// The range for a case.
    pub fn range(&self, row: &Row<'_>) -> RangeInclusive<f64> {
        let bound = |figure: &Option<Figure>| row.figure(figure.as_ref()?);
        let within = bound(&self.within).unwrap_or(f64::INFINITY);
        bound(&self.from).unwrap_or(-within)..=bound(&self.to).unwrap_or(within)
    }
}

/// Cases with equal labels, each group with a text.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    by: Text,
    text: Text,
    joint: String,
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
    pub paper: &'static Paper,
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
    /// The partner with this number, from 1.
    pub fn partner(&self, number: usize) -> Option<Lookup<'a>> {
        Some(self.case.at_case((*self.partners.get(number.checked_sub(1)?)?)?))
    }

    /// A figure of the first partner.
    pub fn other(&self, name: &str) -> Option<f64> {
        self.partner(1)?.number(name)
    }

    /// The mean of the judged figure.
    pub fn mean(&self) -> Option<f64> {
        Some(self.found?.mean)
    }

    /// A figure of the case; after a dot, of the partner with the number before the dot, or
    /// compared with the first partner: their ratio (`times`), its distance from 1 (`gain`, or `less`
    /// for the inverse), and their difference (`more`). Words without a dot stand for the judged
    /// figure: its mean (`found`), the absolute mean (`absolute`) and `half_width`.
    pub fn number(&self, name: &str) -> Option<f64> {
        if let Some((_, figure)) = self.paper.figures.iter().find(|(known, _)| *known == name) {
            return figure(self);
        }
        let (how, of) = name.split_once('.').unwrap_or((name, ""));
        let both = || Some((self.case.number(of)?, self.other(of)?));
        match how {
            "found" => self.mean(),
            "absolute" => Some(self.mean()?.abs()),
            "half_width" => Some(self.found?.half_width.unwrap_or_default()),
            "times" => both().map(|(own, other)| own / other),
            "gain" => both().map(|(own, other)| own / other - 1.0),
            "less" => both().map(|(own, other)| other / own - 1.0),
            "more" => both().map(|(own, other)| own - other),
            _ => match how.parse() {
                Ok(partner) => self.partner(partner)?.number(of),
                Err(_) => self.case.number(name),
            },
        }
    }

    pub fn figure(&self, figure: &Figure) -> Option<f64> {
        match figure {
            Figure::Number(number) => Some(*number),
            Figure::Name(name) => self.number(name),
        }
    }

    /// A text with figures in place of the names in braces; `None` if a figure is missing.
    fn filled(&self, text: &Text) -> Option<String> {
        fill(&text.0, |name| {
            written(name, |name| self.number(name)).or_else(|| self.case.text(name))
        })
    }
}

/// The named number in a format behind a colon: `{gain:+.1%}` has a sign and one decimal, in per
/// cent.
fn written(name: &str, number: impl Fn(&str) -> Option<f64>) -> Option<String> {
    let Some((name, how)) = name.split_once(':') else { return Some(number(name)?.to_string()) };
    let (how, unit) = how.strip_suffix('%').map_or((how, 1.0), |how| (how, 100.0));
    let decimals = how.trim_start_matches(['+', '.']).parse().ok()?;
    let number = unit * number(name)?;
    Some(if how.starts_with('+') {
        format!("{number:+.decimals$}")
    } else {
        format!("{number:.decimals$}")
    })
}

/// A share in per cent with sign.
pub fn percent(share: f64, decimals: usize) -> String {
    format!("{:+.decimals$}", 100.0 * share)
}

/// The cases of a claim, or of a group.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    pub claim: &'a Claim,
    pub all: Vec<Row<'a>>,
}

impl<'a> Rows<'a> {
    pub fn first(&self) -> Option<&Row<'a>> {
        self.all.first()
    }

    pub fn count(&self) -> usize {
        self.all.len()
    }

    pub fn counted(&self, is: impl Fn(&Row<'a>) -> bool) -> usize {
        self.all.iter().filter(|row| is(row)).count()
    }

    /// The number of cases with this verdict.
    pub fn with(&self, verdict: Verdict) -> usize {
        self.counted(|row| row.found.is_some_and(|found| found.verdict == verdict))
    }

    /// The evidence of the claim; `None` if a figure is missing.
    pub fn evidence(&self) -> Option<String> {
        self.fill(&self.claim.evidence)
    }

    fn fill(&self, text: &Text) -> Option<String> {
        fill(&text.0, |name| self.part(name))
    }

    /// A summary, the list of this name, the groups, a summarised figure, or a figure of the first
    /// case.
    fn part(&self, name: &str) -> Option<String> {
        let first = self.first()?;
        let mut summaries = first.paper.summaries.iter();
        if let Some((_, summary)) = summaries.find(|(known, _)| *known == name) {
            return summary(self);
        }
        if let Some(text) = self.claim.lists.get(name) {
            return Some(self.list(|it| it.filled(text)));
        }
        if let Some(of) = name.strip_prefix("spread.") {
            return self.spread(of);
        }
        match &self.claim.groups {
            Some(groups) if name == "groups" => self.groups(groups),
            Some(_) | None => {
                written(name, |name| self.number(name)).or_else(|| first.case.text(name))
            }
        }
    }

    fn number(&self, name: &str) -> Option<f64> {
        match name.split_once('.').unwrap_or((name, "")) {
            ("count", _) => Some(self.count() as f64),
            ("holding", _) => Some(self.with(Verdict::Holds) as f64),
            ("failing", _) => Some(self.with(Verdict::DoesNotHold) as f64),
            ("least", of) => self.least(|it| it.number(of)),
            ("most", of) => self.most(|it| it.number(of)),
            ("last", of) => self.all.last()?.number(of),
            _ => self.first()?.number(name),
        }
    }

    /// The rows with a value of `of`.
    fn numbers(
        &self,
        of: impl Fn(&Row<'a>) -> Option<f64>,
    ) -> impl Iterator<Item = (&Row<'a>, f64)> {
        self.all.iter().filter_map(move |row| Some((row, of(row)?)))
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
    pub fn root_mean_square(&self, of: &Figure) -> Option<f64> {
        let squares = self.all.iter().map(|row| Some(row.figure(of)?.powi(2)));
        Some((squares.sum::<Option<f64>>()? / self.all.len() as f64).sqrt())
    }

    /// A summary of deviations, with the text `line` of the worst.
    fn spread(&self, of: &str) -> Option<String> {
        let named = |(row, it): (&Row<'a>, f64)| (row.text("line").unwrap_or_default(), it);
        Some(Spread::of(self.numbers(|row| row.number(of)).map(named))?.to_string())
    }

    /// The texts of the rows, sorted and joined as the claim says; rows without text are omitted.
    pub fn list(&self, text: impl Fn(&Row<'a>) -> Option<String>) -> String {
        let mut rows = self.all.clone();
        if let Some(of) = &self.claim.falling {
            let key = |row: &Row<'a>| -row.number(of).unwrap_or_default();
            rows.sort_by(|one, other| key(one).total_cmp(&key(other)));
        }
        let joint = self.claim.joint.as_deref().unwrap_or(", ");
        rows.iter().filter_map(text).collect::<Vec<_>>().join(joint)
    }

    /// The texts of groups of rows with equal labels, in order of their first rows.
    fn groups(&self, Groups { by, text, joint }: &Groups) -> Option<String> {
        let mut groups: Vec<(String, Self)> = Vec::new();
        for row in &self.all {
            let key = row.filled(by)?;
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.all.push(*row),
                None => groups.push((key, Self { all: vec![*row], ..*self })),
            }
        }
        let texts = groups.iter().map(|(_, rows)| rows.fill(text));
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
