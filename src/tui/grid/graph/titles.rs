//! Names groups, levels and stages of switches, where there is room.
//!
//! A title has a fixed place: it depends on links, switches and hosts, but not on the traffic, and is
//! hidden while something else is drawn there.

use std::collections::{BTreeMap, BTreeSet};

use super::hosts::Hosts;
use super::{Canvas, Map};
use crate::ids::RouterId;
use crate::topology::Network;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;

/// The largest distance of the middle of a title from the circle around a group, in columns.
const BESIDE: i32 = 8;
/// Rows searched above and below the middle of a group.
const FAR: i32 = 8;

/// A title and the position of its first character.
type Title = ((i32, i32), String);

/// The titles of the visible part of a graph.
pub(super) struct Titles(Vec<Title>);

impl Titles {
    /// Finds places on a canvas that contains the links.
    pub(super) fn new(network: &Network, map: &Map, hosts: &Hosts, canvas: &Canvas) -> Self {
        let mut taken: BTreeSet<(i32, i32)> = hosts.cells().collect();
        for router in shown(network, map) {
            let (x, y) = map.at(router);
            let end = x + map.label(network, router).chars().count() as i32 + 1;
            taken.extend((x - 1..=end).map(|x| (x, y)));
        }
        let is_free = |x: i32, y: i32| canvas.is_free(x, y) && !taken.contains(&(x, y));
        // A blank on both sides, but for the edge of the pane.
        let fits = |(x, y): (i32, i32), text: &str| {
            x >= 0 && ((x - 1).max(0)..=x + width(text)).all(|x| is_free(x, y))
        };
        let mut titles = of_groups(network, map, fits);
        titles.extend(of_levels(network, map, fits));
        Self(titles)
    }

    /// Draws the titles that nothing else covers.
    pub(super) fn draw(&self, app: &Scene<'_>, pen: &mut Pen<'_>) {
        for ((x, y), text) in &self.0 {
            if (*x..x + width(text)).all(|x| pen.shows(x, *y, ' ')) {
                pen.text(*x, *y, text, app.theme.dim());
            }
        }
    }
}

fn shown(network: &Network, map: &Map) -> impl Iterator<Item = RouterId> {
    (0..network.routers()).map(RouterId::new).filter(|&router| map.shows(router))
}

/// The positions of visible switches by a number that each may have.
fn by_number<N: Ord>(
    network: &Network,
    map: &Map,
    number: impl Fn(RouterId) -> Option<N>,
) -> BTreeMap<N, Vec<(i32, i32)>> {
    let mut found: BTreeMap<N, Vec<(i32, i32)>> = BTreeMap::new();
    for router in shown(network, map) {
        if let Some(number) = number(router) {
            found.entry(number).or_default().push(map.at(router));
        }
    }
    found
}

/// Columns of a title: one for each character, as written by [`Pen::text`].
fn width(text: &str) -> i32 {
    text.chars().count() as i32
}

/// The titles of groups: in full if all of them fit, otherwise in short; names have no short form.
fn of_groups(network: &Network, map: &Map, fits: impl Fn((i32, i32), &str) -> bool) -> Vec<Title> {
    let groups = by_number(network, map, |router| network.group_of(router));
    let place = |group: u16, members: &[(i32, i32)], text: String| -> Option<Title> {
        let count = members.len() as i32;
        let mean = |of: fn(&(i32, i32)) -> i32| members.iter().map(of).sum::<i32>() / count;
        let (middle, width) = ((mean(|at| at.0), mean(|at| at.1)), width(&text));
        let is_own = |&(x, y): &(i32, i32)| {
            let nearest = map.nearest(x + width / 2, y);
            nearest.and_then(|router| network.group_of(router)) == Some(group)
        };
        let far = |&(x, y): &(i32, i32)| {
            let (right, down) = (x - middle.0, y - middle.1);
            (right * right + 4 * down * down).isqrt()
        };
        let reach = members.iter().map(far).max().unwrap_or(0) + BESIDE;
        let cells = around(middle).take_while(|at| far(at) <= reach);
        let mut cells = cells.map(|(x, y)| (x - width / 2, y)).filter(|&at| fits(at, &text));
        cells.find(is_own).map(|at| (at, text))
    };
    let all = |word: &str| {
        groups
            .iter()
            .map(|(&group, members)| {
                let name = network.group_name(group);
                let is_number = name.bytes().all(|digit| digit.is_ascii_digit());
                place(group, members, if is_number { format!("{word}{name}") } else { name })
            })
            .collect::<Vec<_>>()
    };
    let long = all("group ");
    let titles = if long.iter().all(Option::is_some) { long } else { all("g") };
    titles.into_iter().flatten().collect()
}

/// Characters in order of distance from (x, y); a row counts as two columns.
fn around((x, y): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let mut cells: Vec<(i32, i32)> = (-FAR..=FAR)
        .flat_map(|down| (-2 * FAR..=2 * FAR).map(move |right| (right, down)))
        .collect();
    cells.sort_by_key(|&(right, down)| (right * right + 4 * down * down, down, right));
    cells.into_iter().map(move |(right, down)| (x + right, y + down))
}

/// The titles of levels drawn in rows or columns: at the beginning of each.
fn of_levels(network: &Network, map: &Map, fits: impl Fn((i32, i32), &str) -> bool) -> Vec<Title> {
    let Some(in_rows) = map.levels_in_rows() else { return Vec::new() };
    let labels = network.labels().and_then(|labels| labels.levels().first());
    let word = labels.filter(|_| network.group_of(RouterId(0)).is_none());
    let word = word.map_or("level", |level| level.name.as_str());
    let initial: String = word.chars().take(1).collect();
    let levels = by_number(network, map, |router| network.level_of(router));
    let top = levels.values().flatten().map(|at| at.1).min().unwrap_or(0);
    let title = |(level, members): (u32, Vec<(i32, i32)>)| {
        let (long, short) = (format!("{word} {level}"), format!("{initial}{level}"));
        let &(x, y) = members.iter().min_by_key(|at| if in_rows { at.0 } else { at.1 })?;
        // A title in rows reaches the edge of the pane only in its short form.
        [(1, long), (1, short.clone()), (0, short)].into_iter().find_map(|(left, text)| {
            let width = width(&text);
            let at = if in_rows { (left, y) } else { ((x - width / 2).max(1), top - 2) };
            (fits(at, &text) && (!in_rows || left + width + 1 < x)).then_some((at, text))
        })
    };
    levels.into_iter().filter_map(title).collect()
}
