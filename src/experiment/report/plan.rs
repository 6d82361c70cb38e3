//! The comparison of a fabric with its plan, as a row and for people.

use super::check::CheckRow;
use super::row;
use crate::experiment::sheet::{Sheet, Table, fixed};
use crate::network_files::comparison::{Comparison, Difference, Inventory, Kind};
use crate::text::count;

/// The most differences of a kind that are listed for people.
const LISTED: usize = 20;

row! {
    /// A difference between a fabric and its plan. Of a miswired cable, `other` is the end found and
    /// `planned_other` the end planned; of crossed cables, `router` and `other` are joined, and `planned_router`
    /// and `planned_other`, in place of `router` and `planned_other`, and `planned_router` and `other`.
    DifferenceRow {
        /// The kind, as in `missing link`.
        kind: &'static str,
        /// The difference in words.
        what: String,
        /// A host.
        host: Option<String>,
        /// The router, or the first end of a link, or the router of a host.
        router: Option<String>,
        /// The other end of a link.
        other: Option<String>,
        /// The router of a host in the plan, or the router that was replaced.
        planned_router: Option<String>,
        /// The other end of a link in the plan.
        planned_other: Option<String>,
        /// True for links from `router` to `other` only.
        one_way: Option<bool>,
        /// The number of cables or hosts in the plan.
        planned: Option<u32>,
        /// The number of cables or hosts in the fabric.
        found: Option<u32>,
        /// Cycles for which a link of the plan sends one flit.
        planned_rate: Option<u8>,
        /// Cycles for which the link found sends one flit.
        found_rate: Option<u8>,
        /// The delay of a link of the plan in cycles; 0 for that of the machine.
        planned_delay: Option<u16>,
        /// The delay of the link found.
        found_delay: Option<u16>,
    }
}

row! {
    /// The results of `check --plan` for a fabric.
    PlanRow {
        /// The file or scenario of the fabric.
        fabric: String,
        /// The file or scenario of the plan.
        plan: String,
        /// True if nothing differs.
        agrees: bool,
        /// All differences by kind, in the order of the plan.
        differences: Vec<DifferenceRow>,
        /// Limits of the comparison, in sentences.
        notes: Vec<String>,
        /// Pairs of a source and a destination among the hosts of the fabric.
        host_pairs: u64,
        /// Those without a path.
        unreachable_pairs: u64,
        /// Pairs of a source and a destination among the hosts of the plan.
        plan_host_pairs: u64,
        /// Those without a path.
        plan_unreachable_pairs: u64,
        /// The routing rule in the fabric; `None`, as all that follows of the fabric, if some router has no
        /// path to another.
        routing: Option<&'static str>,
        /// The routing rule in the plan.
        plan_routing: Option<&'static str>,
        /// The proof of the routing in the fabric, as that of `check`.
        deadlock_free: Option<bool>,
        /// The proof of the routing in the plan.
        plan_deadlock_free: Option<bool>,
        /// Maximum load of the fabric, as that of `check`.
        capacity_load: Option<f64>,
        /// Maximum load of the plan.
        plan_capacity_load: Option<f64>,
        /// The cause of the limit in the fabric.
        capacity_channel: Option<String>,
        /// The cause of the limit in the plan.
        plan_capacity_channel: Option<String>,
        /// The load that the fabric carries by even choices, if heads choose.
        capacity_estimate_load: Option<f64>,
        /// The load that the plan carries by even choices.
        plan_capacity_estimate_load: Option<f64>,
        /// Mean links of a route in the fabric.
        route_links_mean: Option<f64>,
        /// Mean links of a route in the plan.
        plan_route_links_mean: Option<f64>,
    }
}

impl DifferenceRow {
    /// The row of a difference.
    fn of(difference: &Difference) -> Self {
        let some = |name: &String| Some(name.clone());
        let row = Self {
            kind: difference.kind().words()[0],
            what: difference.words(),
            ..Self::default()
        };
        match difference {
            Difference::ReplacedRouter { planned, found } => {
                Self { router: some(found), planned_router: some(planned), ..row }
            }
            Difference::MissingRouter { name, .. } | Difference::UnplannedRouter { name, .. } => {
                Self { router: some(name), ..row }
            }
            Difference::MovedHost { name, planned, found } => {
                let (host, router, planned_router) = (some(name), some(found), some(planned));
                Self { host, router, planned_router, ..row }
            }
            Difference::MissingHost { name, router }
            | Difference::UnplannedHost { name, router } => {
                Self { host: some(name), router: some(router), ..row }
            }
            Difference::HostNumber { router, planned, found } => {
                Self { router: some(router), planned: Some(*planned), found: Some(*found), ..row }
            }
            Difference::Miswired { router, planned, found, cables, one_way } => Self {
                router: some(router),
                other: some(found),
                planned_other: some(planned),
                one_way: Some(*one_way),
                planned: Some(*cables),
                found: Some(*cables),
                ..row
            },
            Difference::Crossed { planned: _, found: [one, other], cables } => Self {
                router: some(&one.from),
                other: some(&one.to),
                planned_router: some(&other.from),
                planned_other: some(&other.to),
                one_way: Some(one.one_way),
                planned: Some(*cables),
                found: Some(*cables),
                ..row
            },
            Difference::Links { ends, planned, found } => Self {
                router: some(&ends.from),
                other: some(&ends.to),
                one_way: Some(ends.one_way),
                planned: Some(*planned),
                found: Some(*found),
                ..row
            },
            Difference::LinkPace { ends, cables, planned, found } => Self {
                router: some(&ends.from),
                other: some(&ends.to),
                one_way: Some(ends.one_way),
                planned: Some(*cables),
                found: Some(*cables),
                planned_rate: Some(planned.rate),
                found_rate: Some(found.rate),
                planned_delay: Some(planned.delay),
                found_delay: Some(found.delay),
                ..row
            },
        }
    }
}

impl PlanRow {
    /// The row of a comparison, with the checks of both networks, if they are connected.
    pub fn new(
        [fabric, plan]: [&str; 2],
        comparison: &Comparison,
        inventories: [&Inventory; 2],
        checks: [Option<&CheckRow>; 2],
    ) -> Self {
        let none = CheckRow::default();
        let [own, planned] = checks.map(|check| check.unwrap_or(&none));
        let [pairs, planned_pairs] = inventories.map(Inventory::pairs);
        Self {
            fabric: fabric.to_owned(),
            plan: plan.to_owned(),
            agrees: comparison.differences.is_empty(),
            differences: comparison.differences.iter().map(DifferenceRow::of).collect(),
            notes: comparison.notes.clone(),
            host_pairs: pairs.all,
            unreachable_pairs: pairs.unreachable,
            plan_host_pairs: planned_pairs.all,
            plan_unreachable_pairs: planned_pairs.unreachable,
            routing: own.routing,
            plan_routing: planned.routing,
            deadlock_free: own.deadlock_free,
            plan_deadlock_free: planned.deadlock_free,
            capacity_load: own.capacity_load,
            plan_capacity_load: planned.capacity_load,
            capacity_channel: own.capacity_channel.clone(),
            plan_capacity_channel: planned.capacity_channel.clone(),
            capacity_estimate_load: own.capacity_estimate_load,
            plan_capacity_estimate_load: planned.capacity_estimate_load,
            route_links_mean: own.route_links_mean,
            plan_route_links_mean: planned.route_links_mean,
        }
    }
}

/// The differences and their effect, for people.
pub fn plan_table(row: &PlanRow) -> String {
    let mut lines = Sheet::default();
    let verdict = match row.differences.len() {
        0 => "as planned in".to_owned(),
        number => format!("{} from", count(number, "difference", "differences")),
    };
    lines.line(&format!("{}: {verdict} {}", row.fabric, row.plan));
    for kind in Kind::ALL {
        let [one, many] = kind.words();
        let all: Vec<&DifferenceRow> = row.differences.iter().filter(|it| it.kind == one).collect();
        let mut heading = if all.len() == 1 { one } else { many };
        for difference in all.iter().take(LISTED) {
            lines.entry(std::mem::take(&mut heading), &difference.what);
        }
        if all.len() > LISTED {
            lines.entry("", &format!("and {} more", all.len() - LISTED));
        }
    }
    for note in &row.notes {
        lines.line(note);
    }
    let proof = |routing: Option<&str>, free: Option<bool>| match (routing, free) {
        (None, _) => "-",
        (_, Some(true)) => "none can occur",
        (_, Some(false)) => "one can occur",
        (_, None) => "not proven impossible",
    };
    let word = |text: Option<&str>| text.unwrap_or("-").to_owned();
    let pairs = |all: u64, unreachable: u64| format!("{} of {all}", all - unreachable);
    let mut rows = vec![
        [
            "connected pairs".to_owned(),
            pairs(row.host_pairs, row.unreachable_pairs),
            pairs(row.plan_host_pairs, row.plan_unreachable_pairs),
        ],
        ["routing".to_owned(), word(row.routing), word(row.plan_routing)],
        [
            "deadlock".to_owned(),
            proof(row.routing, row.deadlock_free).to_owned(),
            proof(row.plan_routing, row.plan_deadlock_free).to_owned(),
        ],
    ];
    for (name, own, planned, decimals) in [
        ("capacity, at most", row.capacity_load, row.plan_capacity_load, 4),
        ("by even choices", row.capacity_estimate_load, row.plan_capacity_estimate_load, 4),
        ("mean links of a route", row.route_links_mean, row.plan_route_links_mean, 2),
    ] {
        if own.or(planned).is_some() {
            rows.push([name.to_owned(), fixed(own, decimals), fixed(planned, decimals)]);
        }
    }
    let rows = rows.into_iter().map(Vec::from).collect();
    lines.table(Table::new(&["", "fabric", "plan"], rows));
    lines.text()
}
