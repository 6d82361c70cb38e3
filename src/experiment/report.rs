//! Rows of results, as JSON lines, CSV or a table for people.
//!
//! The field names are the keys of the JSON objects and the columns of the CSV; names and order are
//! stable. Inapplicable values are `null` in JSON and empty in CSV.

mod bounds;
mod by_class;
mod capacity;
mod check;
mod check_failures;
mod comparison;
mod failures;
mod grants;
mod links;
mod paths;
mod plan;
mod predictions;
mod ranking;
mod route;
mod shrink;
mod simulation;
mod table;

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

pub use bounds::{BoundRow, bound_table};
pub use by_class::ClassRow;
pub use capacity::{capacity_lines, capacity_rows};
pub use check::{CheckRow, check_table};
pub use check_failures::FailureRow;
pub use comparison::{ComparisonRow, comparison_table};
pub use failures::PhaseRow;
pub use grants::GrantRow;
pub use links::{LinkRow, link_rows};
pub use paths::{PathRow, PathsOfRun, path_rows, path_table};
pub use plan::{DifferenceRow, PlanRow, plan_table};
pub use predictions::{
    ChannelRow, NO_MODEL, PredictRow, forecast_lines, forecasts_heading, short_run_lines,
};
pub use ranking::{RankRow, ranking_table};
pub use route::{RouteRow, route_table};
pub use shrink::{ShrinkRow, shrink_table};
pub use simulation::{SimulateRow, Time};
pub(crate) use table::load_word;
pub use table::outcomes_table;

/// An output format of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// A table for people.
    #[default]
    Table,
    /// Comma-separated values, with a line of column names.
    Csv,
    /// One JSON object per line.
    Json,
}

/// A serialisable row of results, with statically known columns.
pub trait Row: Serialize {
    /// The columns, in order, except `partial`.
    const COLUMNS: &'static [&'static str];
}

/// The columns common to every row.
pub(crate) const fn always(columns: &'static [&'static str]) -> &'static [&'static str] {
    match columns {
        [all @ .., last] if matches!(last.as_bytes(), b"partial") => all,
        _ => columns,
    }
}

/// Declares a row type: the columns in order, each with meaning, type and value, computed from the
/// sources after shared definitions.
macro_rules! row {
    ($(#[$about:meta])* $name:ident from ($($source:ident: $of:ty),*) {$($shared:stmt;)*} {
        $($(#[doc = $meaning:literal])* $(#[serde($how:meta)])? $field:ident: $kind:ty = $value:expr,)*
    }) => {
        $crate::experiment::report::row! {
            $(#[$about])*
            $name { $($(#[doc = $meaning])* $(#[serde($how)])? $field: $kind,)* }
        }

        impl $name {
            /// Creates a row from its sources.
            pub fn new($($source: $of),*) -> Self {
                $($shared)*
                Self { $($field: $value),* }
            }
        }
    };
    ($(#[$about:meta])* $name:ident {
        $($(#[doc = $meaning:literal])* $(#[serde($how:meta)])? $field:ident: $kind:ty,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Default, serde::Serialize, Debug)]
        pub struct $name {
            $($(#[doc = $meaning])* $(#[serde($how)])? pub $field: $kind,)*
        }

        impl $name {
            /// The meanings of the columns, in order, for the guide.
            pub const MEANINGS: &'static [&'static str] = &[$(concat!($($meaning),*)),*];
        }

        impl $crate::experiment::report::Row for $name {
            const COLUMNS: &'static [&'static str] =
                $crate::experiment::report::always(&[$(stringify!($field)),*]);
        }
    };
}

pub(crate) use row;

/// Writes one JSON object per line.
pub fn json_lines<R: Row>(rows: &[R], out: &mut impl Write) -> io::Result<()> {
    for row in rows {
        serde_json::to_writer(&mut *out, row)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Writes a line of column names, then one line per row. Columns of single rows beyond those of the
/// type come last, in alphabetical order.
pub fn csv<R: Row>(rows: &[R], out: &mut impl Write) -> io::Result<()> {
    let rows = rows.iter().map(fields).collect::<io::Result<Vec<_>>>()?;
    let extra = rows.iter().flat_map(Map::keys).map(String::as_str);
    let extra: BTreeSet<&str> = extra.filter(|key| !R::COLUMNS.contains(key)).collect();
    let columns: Vec<&str> = R::COLUMNS.iter().copied().chain(extra).collect();
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(&columns)?;
    for row in &rows {
        writer.write_record(
            columns.iter().map(|&column| row.get(column).map_or_else(String::new, cell)),
        )?;
    }
    writer.flush()
}

fn fields(row: &impl Row) -> io::Result<Map<String, Value>> {
    let Value::Object(fields) = serde_json::to_value(row)? else {
        unreachable!("a row is an object")
    };
    Ok(fields)
}

/// A value as a CSV field: lists as JSON.
fn cell(value: &Value) -> String {
    if value.is_null() {
        return String::new();
    }
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
