//! Parts of a study's points, and lists of points in the syntax of `sbatch --array=`.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// A subset of a study's points, numbered from 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Part {
    #[default]
    All,
    Points(Vec<RangeInclusive<usize>>),
    /// Every `of`-th point, starting with number `first`.
    Shard {
        /// The first point, below `of`.
        first: usize,
        /// The number of shards.
        of: usize,
    },
}

impl Part {
    /// True if the part contains the point.
    pub fn has(&self, point: usize) -> bool {
        match self {
            Self::All => true,
            Self::Points(ranges) => ranges.iter().any(|range| range.contains(&point)),
            Self::Shard { first, of } => point % of == *first,
        }
    }

    /// The highest listed point, if any.
    pub fn last(&self) -> Option<usize> {
        match self {
            Self::All | Self::Shard { .. } => None,
            Self::Points(ranges) => ranges.iter().map(|range| *range.end()).max(),
        }
    }

    /// Parses shard `i/n`, counted from 1.
    pub fn shard(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(at, of)| Some((number(at)?, number(of)?)));
        match parts {
            Some((at, of)) if (1..=of).contains(&at) => Ok(Self::Shard { first: at - 1, of }),
            _ => Err("this must be one of how many, as in `1/4`".to_owned()),
        }
    }

    /// Formats points given in ascending order: `3,7-9`.
    pub fn list(points: impl IntoIterator<Item = usize>) -> String {
        let mut ranges: Vec<RangeInclusive<usize>> = Vec::new();
        for point in points {
            match ranges.last_mut() {
                Some(range) if range.end() + 1 == point => *range = *range.start()..=point,
                _ => ranges.push(point..=point),
            }
        }
        let range = |range: RangeInclusive<usize>| match range.into_inner() {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        ranges.into_iter().map(range).collect::<Vec<_>>().join(",")
    }
}

/// Parses a list of points: `3,7-9`.
impl FromStr for Part {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let range = |text: &str| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            Some(number(first)?..=number(last)?).filter(|range| !range.is_empty())
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        let wrong =
            || "these must be numbers of points and ranges of them, as in `3,7-9`".to_owned();
        ranges.map(Self::Points).ok_or_else(wrong)
    }
}

/// Parses a number consisting of digits only.
fn number(text: &str) -> Option<usize> {
    let text = text.trim();
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
