//! The content of a study, from a file or the command line: fields with values and positions.

use super::fields::{Loads, OF_SATURATION, SHARE_MAX, SHARES};
use super::search::Aim;
use super::standard_figure::StandardFigure;
use crate::experiment::reproduce::Parts;
use crate::experiment::reproduce::read::named;
use crate::experiment::{End, Plan};
use crate::scenario::Problem;
use crate::scenario::checked::Checked;
use crate::scenario::node::{Node, list, map, tuple};
use crate::scenario::reader::Reader;
use crate::stats::WarmUp;
use crate::words::Words;

/// Maximum number of points of a study.
const POINTS_MAX: usize = 10_000;
/// The field varied by loads.
pub(super) const LOAD: &str = "traffic.arrivals.load";
const SEED: &str = "seed";
/// A load feasible for nearly every scenario, used to check the rest of a curve.
pub(super) const LOAD_SOME: f64 = 0.001;

/// Default relative precision of saturation.
const BRACKET: f64 = 0.02;
/// A field with a value, and their positions.
#[derive(Clone, Debug)]
pub(super) struct Setting<'a> {
    pub path: String,
    pub value: String,
    key: Node<'a>,
    at: Node<'a>,
}

impl Setting<'_> {
    pub fn label(&self) -> String {
        format!("{}={}", self.path, self.value)
    }

    /// Locates a problem of a point in the study.
    pub fn located(mut problem: Problem, settings: &[&Self], reader: &Reader<'_>) -> Problem {
        let Some(setting) = settings.iter().find(|it| it.label() == problem.source) else {
            return problem;
        };
        let mut at = setting.at;
        if let Some(place) = problem.place.as_mut().filter(|place| place.line == 1) {
            let path = setting.path.chars().count();
            if place.column <= path {
                at = setting.key;
                // After the quote.
                place.column += 1;
            } else {
                place.column -= path + 1;
            }
        }
        reader.moved(&mut problem, at, 0);
        problem
    }
}

/// The values along an axis, each for one field or several fields.
pub(super) type Axis<'a> = Vec<Vec<Setting<'a>>>;

pub(super) struct Draft<'a> {
    pub set: Vec<Setting<'a>>,
    pub axes: Vec<Axis<'a>>,
    /// The loads; a placeholder load if loads are searched.
    pub loads: Axis<'a>,
    pub seeds: Axis<'a>,
    pub aim: Aim,
    /// True if saturation is also searched from above.
    pub from_above: bool,
    pub plan: Plan,
    /// The seed of all points' seeds, if each point has its own.
    pub seed: Option<u64>,
    /// The standard figures to draw; `None` for all.
    pub drawn: Option<Vec<StandardFigure>>,
    pub parts: Parts,
}

impl<'a> Draft<'a> {
    /// Reads all fields of a study except its scenario.
    pub fn read(reader: &mut Reader<'a>, all: &Checked<'a>) -> Option<Self> {
        let node = |name| all.fields.get(name).map(|field| field.value);
        let parts = Parts::read(reader, all);
        let drawn = node("figures").map(|at| drawn(reader, at));
        let seed = all.given::<u64>("seed");
        let (parts, drawn) = (parts?, drawn.map_or(Some(None), |drawn| drawn.map(Some))?);
        if parts.cases.is_some() {
            let nothing = || vec![Vec::new()];
            let (set, axes, loads, seeds) = (Vec::new(), Vec::new(), nothing(), nothing());
            let (aim, plan) = (Aim::Given, Plan::default());
            let from_above = false;
            return Some(Self {
                set,
                axes,
                loads,
                seeds,
                aim,
                from_above,
                plan,
                seed,
                drawn,
                parts,
            });
        }
        if let (Some(at), true) = (node("seeds"), parts.judges()) {
            let what = "every point has a seed of its own where figures are judged";
            return reader.refuse(at, what, "write `replications: 8`");
        }
        if let Some(at) = node("axis") {
            return reader.refuse(at, "this is for `cases` alone", "remove it");
        }
        let mut set = node("set").map_or(Some(Vec::new()), |at| settings(reader, at));
        if let (Some(set), Some(seed), Some(field), false) =
            (&mut set, seed, all.fields.get("seed"), parts.judges())
        {
            let (path, value) = (SEED.to_owned(), seed.to_string());
            set.push(Setting { path, value, key: field.key, at: field.value });
        }
        let axes = node("vary").map_or(Some(Vec::new()), |at| axes(reader, at));
        let bracket = all.given::<f64>("bracket");
        let loads = match node("loads") {
            Some(at) => loads(reader, at, bracket.unwrap_or(BRACKET)),
            None => Some((vec![Vec::new()], Aim::Given)),
        };
        let seeds = node("seeds").map_or(Some(vec![Vec::new()]), |at| seeds(reader, at));
        let (set, axes, (loads, aim), seeds) = (set?, axes?, loads?, seeds?);
        let others = || set.iter().chain(axes.iter().flatten().flatten());
        if let (Some(at), true) = (node("seeds"), others().any(|it| it.path == SEED)) {
            let what = "a seed is given besides the seeds";
            return reader.refuse(at, what, "remove one of the two");
        }
        if let (Some(_), Some(load)) = (node("loads"), others().find(|it| it.path == LOAD)) {
            let what = "a load is given besides the loads";
            return reader.refuse(load.key, what, "remove one of the two");
        }
        let from_above = node("from_above").map_or(Some(false), |at| at.text.parse().ok())?;
        if let (Aim::Given, Some(at)) = (&aim, node("bracket").or(node("from_above"))) {
            let what = if node("bracket").is_some() {
                "saturation is not searched here, so that there is no bracket"
            } else {
                "saturation is not searched here, so that there is no recovery from it"
            };
            return reader.refuse(at, what, "write `loads: Auto`, or remove it");
        }
        let lists = axes.iter().chain([&loads, &seeds]);
        let points = lists.map(Vec::len).fold(1, usize::saturating_mul);
        if points > POINTS_MAX {
            let what = format!("these are {points} points, and a study may have {POINTS_MAX}");
            let at = node("vary").or(node("loads"))?;
            return reader.refuse(at, what, "make several studies of it");
        }
        let mut whole = |name, called, least, most| {
            let read = node(name).map(|at| reader.integer(at, called, least..=most));
            read.map_or(Some(None), |read| read.map(Some))
        };
        let messages = whole("messages", "the number of messages", 1, u64::MAX);
        let cycles = whole("cycles", "the number of cycles", 1, u64::MAX);
        let warm_up = whole("warm_up", "the warm-up", 0, u64::MAX / 2);
        let replications = all.get("replications")?;
        let plan = Plan {
            end: End::new(all.given("precision"), messages?, cycles?),
            warm_up: warm_up?.map_or(WarmUp::Automatic, WarmUp::Cycles),
            replications,
            ..Plan::default()
        };
        if let (Some(at), Some(misfit)) = (node("warm_up"), plan.misfit()) {
            return reader.refuse(at, misfit.what, misfit.help);
        }
        if let (Some(at), true) = (node("claims").or(node("tables")), replications == 1) {
            let what = "a single run of each point has no verdict";
            return reader.refuse(at, what, "add `replications: 8`");
        }
        Some(Self { set, axes, loads, seeds, aim, from_above, plan, seed, drawn, parts })
    }
}

/// Reads the standard figures to draw.
fn drawn<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Vec<StandardFigure>> {
    reader.each(&named(node), |reader, part| {
        let (figure, _) = reader.term("figures", part, &[StandardFigure::VALUES])?;
        Some(figure)
    })
}

/// Reads fields with one value each.
fn settings<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Vec<Setting<'a>>> {
    entries(reader, node, r#"write `{"routing.escape": Dateline}`"#)?
        .into_iter()
        .map(|(path, key, at)| Some(Setting { path, value: at.text.into(), key, at }))
        .collect()
}

/// Reads fields with lists of values.
fn axes<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Vec<Axis<'a>>> {
    const EXAMPLE: &str = r#"write `{"routing": [DimensionOrder(), WestFirst()]}`"#;
    let entries = entries(reader, node, EXAMPLE)?;
    let mut known: Vec<String> = Vec::new();
    let mut axes: Vec<Option<Axis<'a>>> = Vec::new();
    for (key_text, key, at) in entries {
        let paths: Vec<&str> = key_text.split(',').map(str::trim).collect();
        if let Some(twice) = paths.iter().find(|path| known.iter().any(|known| known == *path)) {
            let what = format!("`{twice}` is varied twice");
            return reader.refuse(key, what, "put its values into one list");
        }
        known.extend(paths.iter().map(ToString::to_string));
        let called = format!("the values of `{key_text}`");
        axes.push(reader.list(at, &called, EXAMPLE).and_then(|values| {
            if values.is_empty() {
                let help = "name some, or remove it";
                return reader.refuse(at, format!("{called} are missing"), help);
            }
            values_of(reader, &paths, key, &values)
        }));
    }
    axes.into_iter().collect()
}

/// The values along an axis.
fn values_of<'a>(
    reader: &mut Reader<'a>,
    paths: &[&str],
    key: Node<'a>,
    values: &[Node<'a>],
) -> Option<Axis<'a>> {
    let mut seen: Vec<&str> = Vec::new();
    reader.each(values, |reader, value| {
        if seen.contains(&value.text) {
            return reader.refuse(value, "this value is given twice", "remove one of the two");
        }
        seen.push(value.text);
        let parts = if paths.len() == 1 { vec![value] } else { tuple(value).unwrap_or_default() };
        if parts.len() != paths.len() {
            let what = format!("this tuple needs {} values", paths.len());
            return reader.refuse(value, what, "write one for each field, in their order");
        }
        let setting = |(path, at): (&&str, Node<'a>)| {
            let (path, value) = ((*path).to_owned(), at.text.to_owned());
            Setting { path, value, key, at }
        };
        Some(paths.iter().zip(parts).map(setting).collect())
    })
}

/// Reads a map with unique text keys.
fn entries<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    example: &str,
) -> Option<Vec<(String, Node<'a>, Node<'a>)>> {
    let Some(entries) = map(node) else {
        return reader.refuse(node, "this must be a map from fields to values", example);
    };
    let mut found: Vec<(String, Node<'a>, Node<'a>)> = Vec::new();
    for (key, value) in entries {
        let path = reader.line_of_text(key, "a field")?;
        if found.iter().any(|(known, ..)| *known == path) {
            return reader.refuse(key, "this field is given twice", "remove one of the two");
        }
        found.push((path, key, value));
    }
    Some(found)
}

/// Reads a list of loads, a range, or a search method.
fn loads<'a>(reader: &mut Reader<'a>, node: Node<'a>, bracket: f64) -> Option<(Axis<'a>, Aim)> {
    let setting = |value: String, at| vec![Setting { path: LOAD.into(), value, key: at, at }];
    if let Some(parts) = list(node) {
        let loads = numbers(reader, node, &parts, ("load", "0.1"), "[0.1, 0.2]")?;
        let loads = loads.iter().map(|(part, _)| setting(part.text.to_owned(), *part));
        return Some((loads.collect(), Aim::Given));
    }
    let (choice, contents) = reader.pick("loads", node, &[Loads::VALUES, &[OF_SATURATION]])?;
    let some = vec![setting(LOAD_SOME.to_string(), node)];
    if choice.is == OF_SATURATION.name {
        let at = reader.single(choice, SHARES)?;
        let parts = reader.list(at, "the shares", &format!("write `{SHARES}`"))?;
        let shares = numbers(reader, at, &parts, ("share", "0.5"), "[0.5, 0.9]")?;
        if let Some((part, _)) = shares.iter().find(|(_, share)| *share > SHARE_MAX) {
            let what = format!("a share of saturation must be at most {SHARE_MAX}");
            return reader.refuse(*part, what, "write it as a number, such as 0.9 for 90 %");
        }
        let shares = shares.iter().map(|(_, share)| *share).collect();
        return Some((some, Aim::Shares { shares, bracket }));
    }
    let (loads, fields) = reader.chosen("loads", choice, contents)?;
    match loads {
        Loads::Auto => Some((some, Aim::Curve { bracket })),
        Loads::Range { from, to, .. } if to <= from => {
            let at = fields.and_then(|fields| fields.get("to")).map_or(node, |to| to.value);
            let what = format!("the last load must be above the first, {from}");
            reader.refuse(at, what, "write the lower one first")
        }
        Loads::Range { from, to, points } => {
            let load = |at: u32| {
                let load = from + (to - from) * f64::from(at) / f64::from(points - 1);
                // Removes rounding errors of the division.
                setting(format!("{}", (load * 1e9).round() / 1e9), node)
            };
            Some(((0..points).map(load).collect(), Aim::Given))
        }
    }
}

/// Reads a list of unique seeds.
fn seeds<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Axis<'a>> {
    const EXAMPLE: &str = "write `[1, 2, 3]`";
    let parts = reader.list(node, "the seeds", EXAMPLE)?;
    if parts.is_empty() {
        return reader.refuse(node, "there are no seeds", EXAMPLE);
    }
    let mut seen: Vec<u64> = Vec::new();
    reader.each(&parts, |reader, part| {
        let seed = reader.integer(part, "a seed", 0..=u64::MAX)?;
        if seen.contains(&seed) {
            return reader.refuse(part, "this seed is given twice", "remove one of the two");
        }
        seen.push(seed);
        Some(vec![Setting { path: SEED.into(), value: seed.to_string(), key: part, at: part }])
    })
}

/// Reads a list of unique positive numbers.
fn numbers<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    parts: &[Node<'a>],
    (called, example): (&str, &str),
    examples: &str,
) -> Option<Vec<(Node<'a>, f64)>> {
    if parts.is_empty() {
        let help = format!("write some, such as `{examples}`");
        return reader.refuse(node, format!("there are no {called}s"), help);
    }
    let mut seen: Vec<f64> = Vec::new();
    reader.each(parts, |reader, part| {
        let number = reader.positive(part, &format!("a {called}"), example)?;
        if seen.contains(&number) {
            let what = format!("this {called} is given twice");
            return reader.refuse(part, what, "remove one of the two");
        }
        seen.push(number);
        Some((part, number))
    })
}
