//! What a study says, as its file or the command line has it: fields with their values and places.

use super::search::Aim;
use crate::experiment::{End, Plan};
use crate::scenario::Problem;
use crate::scenario::checked::Checked;
use crate::scenario::node::{Node, list, map, tuple};
use crate::scenario::reader::Reader;
use crate::stats::WarmUp;
use crate::words::Need::{Default, Example, Open};
use crate::words::{Contents, Field, Kind, Value, Words, words};

/// The most points of a study.
const POINTS_MAX: usize = 10_000;
/// The field that loads are values of.
pub(super) const LOAD: &str = "traffic.arrivals.load";
const SEED: &str = "seed";
/// A load that nearly every scenario can have, to see whether the rest of a curve can be run.
pub(super) const LOAD_SOME: f64 = 0.001;

/// What a study may say.
pub const FIELDS: &[Field] = words!(@fields
    /// The scenario: a file, by its path from the study's own, or one that is built in.
    scenario = Example("\"mesh-8x8\""), Kind::Text("the scenario's name");
    /// Fields that are set in it: `{"routing.escape": Dateline}`.
    set = Open, Kind::Own("a map from fields to values");
    /// Fields that are varied, each with its values: `{"routing": [DimensionOrder(), WestFirst()]}`; of
    /// several, every value with every one. Fields that go together stand in one key, their values in
    /// parentheses: `{"routing, switching.virtual_channels": [(DimensionOrder(), 2), (WestFirst(), 4)]}`.
    vary = Open, Kind::Own("a map from fields to lists of values");
    /// Offered loads, in flits per node and cycle (over circuits in transmission times per node and unit
    /// of time): a list, or `Range(from: 0.02, to: 0.3, points: 9)`. `Auto` searches saturation, and chooses
    /// loads so that a straight line between two points errs by less than their intervals;
    /// `OfSaturation([0.5, 0.9])` searches saturation, and then runs these shares of it. Left out: the load
    /// of the scenario.
    loads = Open, Kind::Own("a list of loads, a range, `Auto` or `OfSaturation([...])`");
    /// Where loads are searched: until those between which the network saturates are apart by this share of
    /// them [default: 0.02].
    bracket = Open, Kind::within("the width of the bracket", "0.02", (0.001, 0.5), "of the load");
    /// The seed of all points [default: the scenario's].
    seed = Open, Kind::Whole { called: "the seed", limits: (0, u64::MAX) };
    /// Several seeds: every load is run with each of them, as a point of its own, and the results are those
    /// of all together. Differences of curves are then means over pairs of the same seed.
    seeds = Open, Kind::Own("a list of seeds");
    /// Independent runs of each point.
    replications = Default("1"), Kind::whole("the number of replications", 1, 100_000);
    /// A point ends when half its 95 % interval is this share of its mean latency [default: 0.01, if
    /// neither messages nor cycles are given].
    precision = Open, Kind::within("the precision", "0.01", (1e-6, 0.999), "of the mean");
    /// A point ends when this many messages have been counted; with a precision, at the latest.
    messages = Open, Kind::Whole { called: "the number of messages", limits: (1, u64::MAX) };
    /// A point ends after this many cycles (circuits: units of time); with one of the two above, at the
    /// latest.
    cycles = Open, Kind::Whole { called: "the number of cycles", limits: (1, u64::MAX) };
    /// Cycles (circuits: units of time) that are left out [default: found from the data].
    warm_up = Open, Kind::Whole { called: "the warm-up", limits: (0, u64::MAX / 2) };
);

words! {
    /// Loads.
    enum Loads {
        /// At equal distances.
        Range {
            /// The first.
            from: f64 = Example("0.02"), Kind::positive("the first load", "0.02", 1e6);
            /// The last.
            to: f64 = Example("0.3"), Kind::positive("the last load", "0.3", 1e6);
            /// How many.
            points: u32 = Example("9"), Kind::whole("the number of points", 2, 1000);
        },
        /// Found in rounds.
        Auto,
    }
}

/// Loads as shares of that at which the network saturates.
const OF_SATURATION: Value = Value {
    name: "OfSaturation",
    help: "Shares of the load at which the network saturates.",
    contents: Contents::One(SHARES, Kind::Own("a list of shares")),
};
const SHARES: &str = "OfSaturation([0.5, 0.9])";
/// How well saturation is known where a study does not say it.
const BRACKET: f64 = 0.02;
/// The highest share of saturation.
const SHARE_MAX: f64 = 10.0;

/// A field and a value of it, and where they stand.
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

    /// A problem of a point, where it stands in the study.
    pub fn located(mut problem: Problem, settings: &[&Self], reader: &Reader<'_>) -> Problem {
        let Some(setting) = settings.iter().find(|it| it.label() == problem.source) else {
            return problem;
        };
        let mut at = setting.at;
        if let Some(place) = problem.place.as_mut().filter(|place| place.line == 1) {
            let path = setting.path.chars().count();
            if place.column <= path {
                at = setting.key;
                // Behind its quote.
                place.column += 1;
            } else {
                place.column -= path + 1;
            }
        }
        reader.moved(&mut problem, at, 0);
        problem
    }
}

/// The values along an axis, each of one field or of several.
pub(super) type Axis<'a> = Vec<Vec<Setting<'a>>>;

pub(super) struct Draft<'a> {
    pub set: Vec<Setting<'a>>,
    pub axes: Vec<Axis<'a>>,
    /// The loads; where they are searched, some load.
    pub loads: Axis<'a>,
    pub seeds: Axis<'a>,
    pub aim: Aim,
    pub plan: Plan,
}

impl<'a> Draft<'a> {
    /// Reads what stands in the fields of a study beside its scenario.
    pub fn read(reader: &mut Reader<'a>, all: &Checked<'a>) -> Option<Self> {
        let node = |name| all.fields.get(name).map(|field| field.value);
        let mut set = node("set").map_or(Some(Vec::new()), |at| settings(reader, at));
        if let (Some(set), Some(seed), Some(field)) =
            (&mut set, all.given::<u64>("seed"), all.fields.get("seed"))
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
        let mut others = set.iter().chain(axes.iter().flatten().flatten());
        if let (Some(at), true) = (node("seeds"), others.any(|it| it.path == SEED)) {
            let what = "a seed is given besides the seeds";
            return reader.refuse(at, what, "remove one of the two");
        }
        if let (Aim::Given, Some(at)) = (&aim, node("bracket")) {
            let what = "saturation is not searched here, so that it has no bracket";
            return reader.refuse(at, what, "write `loads: Auto`, or remove it");
        }
        let lists = axes.iter().chain([&loads, &seeds]);
        let points = lists.map(Vec::len).fold(1, usize::saturating_mul);
        if points > POINTS_MAX {
            let what = format!("these are {points} points, and a study may have {POINTS_MAX}");
            let at = node("vary").or(node("loads"))?;
            return reader.refuse(at, what, "make several studies of it");
        }
        let plan = Plan {
            end: End::new(all.given("precision"), all.given("messages"), all.given("cycles")),
            warm_up: all.given("warm_up").map_or(WarmUp::Automatic, WarmUp::Cycles),
            replications: all.get("replications")?,
        };
        Some(Self { set, axes, loads, seeds, aim, plan })
    }
}

/// Fields with a value each.
fn settings<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Vec<Setting<'a>>> {
    entries(reader, node, r#"write `{"routing.escape": Dateline}`"#)?
        .into_iter()
        .map(|(path, key, at)| Some(Setting { path, value: at.text.into(), key, at }))
        .collect()
}

/// Fields with lists of values.
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
            let what = format!("these fields take {} values in parentheses", paths.len());
            return reader.refuse(value, what, "write one for each field, in their order");
        }
        let setting = |(path, at): (&&str, Node<'a>)| {
            let (path, value) = ((*path).to_owned(), at.text.to_owned());
            Setting { path, value, key, at }
        };
        Some(paths.iter().zip(parts).map(setting).collect())
    })
}

/// The entries of a map with texts for keys, none twice.
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

/// A list of loads, a range, or how they are searched.
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
                // Without the digits that the division left.
                setting(format!("{}", (load * 1e9).round() / 1e9), node)
            };
            Some(((0..points).map(load).collect(), Aim::Given))
        }
    }
}

/// A list of seeds, none twice.
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

/// The numbers of a list, all of them above 0 and none twice.
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
