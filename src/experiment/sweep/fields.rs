//! The fields of a study file and their values.

use crate::scenario;
use crate::words::Need::{Default, Example, Open};
use crate::words::{Contents, Field, Kind, Structure, Value, Words, words};

use super::standard_figure::StandardFigure;

/// The first word of a study's text.
pub(super) use crate::scenario::STUDY as NAME;

/// The fields of a study.
pub const FIELDS: &[Field] = words!(@fields
    /// The scenario: a file, by its path from the study's own, or one that is built in. With `cases` it may
    /// have names of values in braces.
    scenario = Example("\"mesh-8x8\""), Kind::Text("the scenario's name");
    /// Fields that are set in it: `{"routing.escape": Dateline}`. With `cases` a value in quotes is a text with
    /// names of values in braces: `{"traffic.lengths": "Fixed({length})"}`.
    set = Open, Kind::Own("a map from fields to values", Structure::Settings(scenario::FIELDS));
    /// Fields that are varied, each with its values: `{"routing": [DimensionOrder(), WestFirst()]}`; of
    /// several, every value with every one. Fields that go together stand in one key, their values in
    /// parentheses: `{"routing, switching.virtual_channels": [(DimensionOrder(), 2), (WestFirst(), 4)]}`.
    vary = Open, Kind::Own("a map from fields to lists of values", Structure::Axes(scenario::FIELDS));
    /// Offered loads, in flits per node and cycle (over circuits in transmission times per node and unit
    /// of time): a list, or `Range(from: 0.02, to: 0.3, points: 9)`. `Auto` searches saturation, and chooses
    /// loads so that a straight line between two points errs by less than their intervals;
    /// `OfSaturation([0.5, 0.9])` searches saturation, and then runs these shares of it. Left out: the load
    /// of the scenario.
    loads = Open, LOADS;
    /// The precision of a search for saturation: the distance of the loads around it, as a share of them
    /// [default: 0.02].
    bracket = Open, Kind::within("the width of the bracket", "0.02", (0.001, 0.5), "of the load");
    /// True to search saturation also from above, with runs that begin congested. A network that stays
    /// congested carries less than one that never was [default: `false`].
    from_above = Open, Kind::Own("`true` or `false`", Structure::Truth);
    /// The seed of all points [default: the scenario's].
    seed = Open, Kind::Whole { called: "the seed", limits: (0, u64::MAX) };
    /// Several seeds: every load is run with each of them, as a point of its own, and the results are those
    /// of all together. Differences of curves are then means over pairs of the same seed.
    seeds = Open, Kind::list("a list of seeds", &SEED);
    /// Independent runs of each point.
    replications = Default("1"), Kind::whole("the number of replications", 1, 100_000);
    /// A point ends when half its 95 % interval is this share of its mean latency [default: 0.01, if
    /// neither messages nor cycles are given].
    precision = Open, Kind::within("the precision", "0.01", (1e-6, 0.999), "of the mean");
    /// A point ends when this many messages have been counted; with a precision, at the latest. With `cases`
    /// this and the two below may be names of values in quotes.
    messages = Open, Kind::Whole { called: "the number of messages", limits: (1, u64::MAX) };
    /// A point ends after this many cycles (circuits: units of time); with one of the two above, at the
    /// latest.
    cycles = Open, Kind::Whole { called: "the number of cycles", limits: (1, u64::MAX) };
    /// Cycles (circuits: units of time) that are left out [default: found from the data].
    warm_up = Open, Kind::Whole { called: "the warm-up", limits: (0, u64::MAX / 2) };
    /// The models that are computed and drawn: `["mesh", "adaptive torus: calibrated"]`, each by the beginning of
    /// its name, and behind a colon its reading. As a map `{"theory": ["mesh", "one-way torus"]}`: the first of
    /// these that there is, under a name. Left out: the first whose assumptions the scenario keeps, `model`.
    models = Open, MODELS;
    /// The figures drawn: of `Latency`, `LatencyByAccepted`, `Accepted`, `Quantiles`, `Utilisation`,
    /// `Differences` and `RoundTrips`, and figures of the study's own, in parentheses. Left out: all of the former.
    figures = Open, FIGURES;
    /// Cases in the place of `vary` and `loads`: groups of `values`, a `table`, and `axes`.
    cases = Open, Kind::list("a list of groups", &GROUP);
    /// The field, with `cases`, that the models' equations do not need: the load or rate [default:
    /// `traffic.arrivals.rate`].
    axis = Open, Kind::Text("the field of the rate");
    /// The common property of the points of a curve, for claims [default: all but the load].
    curve = Open, Kind::Own("a text with names in braces", TEXT);
    /// The position of a point on its curve, for claims [default: the load offered].
    x = Open, Kind::Own("the name of a figure", TEXT);
    /// Tables that put figures known from elsewhere beside those found.
    tables = Open, Kind::list("a list of tables", &TABLE);
    /// The paper whose claims are judged, with the figures that they need: `"hops"`.
    claims = Open, Kind::Own("the name of a paper", TEXT);
    /// The study's name.
    name = Open, Kind::Text("the study's name");
    /// The source of its figures and claims.
    paper = Open, Kind::Text("the paper");
    /// Its subject, in a line.
    about = Open, Kind::Text("what it is about");
    /// True to run fewer points and shorter runs, where the study defines them [default: `false`].
    quick = Open, Kind::Own("`true` or `false`", Structure::Truth);
);

/// Loads as shares of the saturation load.
pub(super) const OF_SATURATION: Value = Value {
    name: "OfSaturation",
    help: "Shares of the load at which the network saturates.",
    contents: Contents::One(SHARES, SHARES_KIND),
};
const SHARES_KIND: Kind =
    Kind::list("a list of shares", &Kind::positive("a share", "0.5", SHARE_MAX));
pub(super) const SHARES: &str = "OfSaturation([0.5, 0.9])";
/// The highest share of saturation.
pub(super) const SHARE_MAX: f64 = 10.0;

const TEXT: Structure = Structure::Either(&[Kind::Text("a text")]);
const SEED: Kind = Kind::Whole { called: "a seed", limits: (0, u64::MAX) };
const LOADS: Kind = Kind::Own(
    "a list of loads, a range, `Auto` or `OfSaturation([...])`",
    Structure::Either(&[
        Kind::list("a list of loads", &Kind::positive("a load", "0.1", f64::INFINITY)),
        Kind::Choice(&[Loads::VALUES, &[OF_SATURATION]]),
    ]),
);
const TEXTS: Kind = Kind::list("a list of texts", &Kind::Text("a text"));
const MODELS: Kind = Kind::Own(
    "a list of models, or a map from names to such lists",
    Structure::Either(&[TEXTS, Kind::Own("models by name", Structure::Map(&TEXTS))]),
);
const TEXTS_BY_PATH: Kind =
    Kind::Own("a map from fields to texts", Structure::Map(&Kind::Text("a text")));
const VALUES: Kind =
    Kind::Own("a map from names to values", Structure::Map(&Kind::Text("a value")));
const FIGURES: Kind = Kind::list(
    "a list of figures",
    &Kind::Own("a figure", Structure::Either(&[StandardFigure::KIND, FIGURE])),
);
/// A word of an enum, read by `serde`.
const WORD: Kind = Kind::Choice(&[]);
const AXES: Kind = Kind::list("a list of axes", &PLAIN);
const PLAIN: Kind = Kind::Own("an axis", Structure::Plain(&[]));
const GROUP: Kind = Kind::Own(
    "a group",
    Structure::Plain(&[
        ("values", VALUES),
        ("axes", AXES),
        ("set", TEXTS_BY_PATH),
        ("only", SELECTION),
    ]),
);
const TABLE: Kind = Kind::Own(
    "a table",
    Structure::Plain(&[("beside", WORD), ("lines", Kind::list("a list of lines", &LINE))]),
);
const LINE: Kind = Kind::Own("a line", Structure::Plain(&[("axes", AXES), ("of", SELECTION)]));
const FIGURE: Kind =
    Kind::Own("a figure", Structure::Plain(&[("curves", CURVES), ("of", SELECTION)]));
/// Values by name, or lists of values.
const SELECTION: Kind = Kind::Own("values by name", Structure::Map(&PLAIN));
const CURVES: Kind =
    Kind::list("a list of curves", &Kind::Own("a curve", Structure::Plain(&[("origin", WORD)])));
/// The fields with special parsing beyond their descriptors.
pub(super) const APART: [&str; 8] =
    ["scenario", "set", "vary", "loads", "seeds", "messages", "cycles", "warm_up"];

words! {
    /// Loads.
    pub(super) enum Loads {
        /// Equidistant loads.
        Range {
            /// The first.
            from: f64 = Example("0.02"), Kind::positive("the first load", "0.02", 1e6);
            /// The last.
            to: f64 = Example("0.3"), Kind::positive("the last load", "0.3", 1e6);
            /// The number of loads.
            points: u32 = Example("9"), Kind::whole("the number of points", 2, 1000);
        },
        /// Found in rounds.
        Auto,
    }
}
