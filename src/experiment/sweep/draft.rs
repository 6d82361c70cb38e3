//! What a study says, as its file or the command line has it: fields with their values and places.

use crate::experiment::{End, Plan};
use crate::scenario::Problem;
use crate::scenario::checked::Checked;
use crate::scenario::node::{Node, list, map, tuple};
use crate::scenario::reader::Reader;
use crate::stats::WarmUp;
use crate::words::Need::{Default, Example, Open};
use crate::words::{Field, Kind, Words, words};

/// The most points of a study.
const POINTS_MAX: usize = 10_000;
/// The field that loads are values of.
const LOAD: &str = "traffic.arrivals.load";

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
    /// of time): a list, or `Range(from: 0.02, to: 0.3, points: 9)`. Left out: that of the scenario.
    loads = Open, Kind::Own("a list of loads, or a range");
    /// The seed of all points [default: the scenario's].
    seed = Open, Kind::Whole { called: "the seed", limits: (0, u64::MAX) };
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
    }
}

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
    pub loads: Axis<'a>,
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
            let (path, value) = ("seed".to_owned(), seed.to_string());
            set.push(Setting { path, value, key: field.key, at: field.value });
        }
        let axes = node("vary").map_or(Some(Vec::new()), |at| axes(reader, at));
        let loads = node("loads").map_or(Some(vec![Vec::new()]), |at| loads(reader, at));
        let (set, axes, loads) = (set?, axes?, loads?);
        let points = axes.iter().map(Vec::len).fold(loads.len(), usize::saturating_mul);
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
        Some(Self { set, axes, loads, plan })
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

/// A list of loads, or a range.
fn loads<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Axis<'a>> {
    let setting = |value: String, at| vec![Setting { path: LOAD.into(), value, key: at, at }];
    let Some(parts) = list(node) else {
        let (Loads::Range { from, to, points }, fields) =
            reader.term("loads", node, &[Loads::VALUES])?;
        if to <= from {
            let at = fields.and_then(|fields| fields.get("to")).map_or(node, |to| to.value);
            let what = format!("the last load must be above the first, {from}");
            return reader.refuse(at, what, "write the lower one first");
        }
        let load = |at: u32| {
            let load = from + (to - from) * f64::from(at) / f64::from(points - 1);
            // Without the digits that the division left.
            setting(format!("{}", (load * 1e9).round() / 1e9), node)
        };
        return Some((0..points).map(load).collect());
    };
    if parts.is_empty() {
        return reader.refuse(node, "there are no loads", "write some, such as `[0.1, 0.2]`");
    }
    let mut seen: Vec<f64> = Vec::new();
    reader.each(&parts, |reader, part| {
        let load = reader.positive(part, "a load", "0.1")?;
        if seen.contains(&load) {
            return reader.refuse(part, "this load is given twice", "remove one of the two");
        }
        seen.push(load);
        Some(setting(part.text.to_owned(), part))
    })
}
