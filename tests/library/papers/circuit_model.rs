//! The models of circuit switching against figures worked out for them, and against limits that
//! they must reach.

use flitscope::model::circuit::{
    DataTime, Equations, NoSolution, Reading, Routes, Shape, Solution,
};
use flitscope::switching::Circuit;
use flitscope::switching::circuit::Conflict;

use super::tables::{Row, number, study_rows};

fn rows() -> Vec<Row> {
    let rows = study_rows("circuits.csv");
    assert_eq!(rows.len(), 213);
    rows
}

fn machine(conflict: Conflict, service: f64) -> Circuit {
    let (verify, connect, release, acknowledge) = (service, service, service, service);
    Circuit { verify, connect, release, acknowledge, ..Circuit::new(conflict) }
}

fn cube(dimensions: u32) -> Shape {
    Shape::Cube { dimensions, full_duplex: false }
}

/// The paper's uniform law, from 0.1 to 1.9.
const UNIFORM: DataTime = DataTime::Uniform { min: 0.1, max: 1.9 };

fn equations(row: &Row, reading: Reading) -> Equations {
    let mean: f64 = number(row, "data_mean");
    let conflict = match row["conflict"].as_str() {
        "hold" => Conflict::Hold,
        "drop" => Conflict::Drop { back_off: number(row, "back_off") },
        _ => Conflict::Adaptive { back_off: number(row, "back_off") },
    };
    let shape = match row["network"].as_str() {
        "hypercube" => cube(number(row, "size")),
        _ => Shape::OneWayTorus { radix: number(row, "size") },
    };
    Equations {
        shape,
        routes: Routes::uniform(shape),
        machine: machine(conflict, number(row, "service")),
        data: match row["law"].as_str() {
            "constant" => DataTime::Fixed(mean),
            "uniform" => DataTime::Uniform { min: 0.1 * mean, max: 1.9 * mean },
            _ => DataTime::Exponential { mean },
        },
        reading,
    }
}

/// Half a unit of the fourth digit of `printed`.
fn half_unit(printed: f64) -> f64 {
    0.5 * 10f64.powf(printed.log10().floor() - 3.0)
}

/// Holds what `of` a solution to the column's print: to within a share of it, or to a number of
/// half units of its last digit, whichever is more.
fn holds(
    row: &Row,
    column: &str,
    reading: Reading,
    (relative, half_units): (f64, f64),
    of: fn(&Solution) -> f64,
) {
    if row[column].is_empty() {
        return;
    }
    let solved = equations(row, reading).solve(number(row, "rate"));
    if row[column] == "sat" {
        assert_eq!(solved, Err(NoSolution::Saturated), "{row:?}");
        return;
    }
    let printed: f64 = number(row, column);
    let found = of(&solved.unwrap_or_else(|why| panic!("{row:?} {column}: {why:?}")));
    let allowed = (half_unit(printed) * half_units * 1.001).max(relative * printed);
    assert!((found - printed).abs() <= allowed, "{row:?} {column}: {found}");
}

fn latency(solution: &Solution) -> f64 {
    solution.latency()
}

fn aborts(solution: &Solution) -> f64 {
    solution.aborts
}

#[test]
fn the_text_equations_give_their_figures() {
    for row in rows() {
        holds(&row, "text_latency", Reading::Text, (0.0, 1.0), latency);
        holds(&row, "text_printed_latency", Reading::TextPrinted, (0.0, 1.0), latency);
        holds(&row, "text_aborts", Reading::Text, (0.0, 1.0), aborts);
    }
}

#[test]
fn the_refined_equations_give_their_figures() {
    for row in rows() {
        // Repeated conflicts are followed on a grid of time: another grid is as good an answer. They
        // are most of drop, and of adaptive only the last hop.
        let (relative, half_units) = match row["conflict"].as_str() {
            "hold" => (0.0, 1.0),
            "drop" => (0.015, 1.0),
            _ => (0.0, 1.5),
        };
        holds(&row, "refined_latency", Reading::Refined, (relative, half_units), latency);
        holds(&row, "refined_aborts", Reading::Refined, (relative, half_units), aborts);
    }
}

#[test]
fn refined_latencies_are_close_to_simulation() {
    let mut compared = 0;
    let solved = |row: &&Row| !row["independent"].is_empty() && row["refined_latency"] != "sat";
    for row in rows().iter().filter(solved) {
        let rate: f64 = number(row, "rate");
        let equations = equations(row, Reading::Refined);
        let hold = row["conflict"] == "hold";
        let torus = row["network"] != "hypercube";
        // Rows for reporting only: close to saturation, where deadlocks are frequent, and where the
        // controllers decide.
        let reported = (hold && rate > 0.94 * equations.saturation_rate())
            || (torus && number::<f64>(row, "independent_aborts") > 0.04)
            || number::<f64>(row, "service") > 0.01;
        if reported {
            continue;
        }
        let solution = equations.solve(rate).expect("a solution below saturation");
        let (simulated, half): (f64, f64) =
            (number(row, "independent"), number(row, "independent_half"));
        let off = (latency(&solution) - simulated).abs();
        assert!(off <= (0.05 * simulated).max(half), "{row:?}: {}", latency(&solution));
        compared += 1;
        if hold || row["independent_aborts"].is_empty() {
            continue;
        }
        let (simulated, half): (f64, f64) =
            (number(row, "independent_aborts"), number(row, "independent_aborts_half"));
        let back_off: f64 = number(row, "back_off");
        let allowed = match row["conflict"].as_str() {
            "adaptive" if back_off < 1.0 => 0.07,
            "adaptive" => 0.05,
            _ => 0.065,
        };
        let off = (solution.aborts - simulated).abs();
        assert!(off <= (allowed * simulated).max(half), "{row:?}: {}", solution.aborts);
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn saturation_rates_are_those_worked_out() {
    let sat = |shape, conflict, service, reading| {
        let (machine, routes) = (machine(conflict, service), Routes::uniform(shape));
        Equations { shape, routes, machine, data: UNIFORM, reading }.saturation_rate()
    };
    let hold = |shape, service, reading| sat(shape, Conflict::Hold, service, reading);
    let adaptive = sat(cube(8), Conflict::Adaptive { back_off: 1.5 }, 0.001, Reading::Refined);
    for (found, expected) in [
        (hold(cube(8), 0.001, Reading::Refined), 0.266),
        (hold(cube(8), 0.01, Reading::Refined), 0.251),
        (hold(cube(8), 0.001, Reading::Text), 0.196),
        (hold(cube(8), 0.01, Reading::Text), 0.184),
        (hold(cube(6), 0.001, Reading::Refined), 0.328),
        (hold(cube(10), 0.001, Reading::Refined), 0.224),
        (hold(cube(12), 0.001, Reading::Refined), 0.193),
        (adaptive, 0.699),
        (hold(Shape::OneWayTorus { radix: 4 }, 0.001, Reading::Refined), 0.190),
        (hold(Shape::OneWayTorus { radix: 8 }, 0.001, Reading::Refined), 0.070),
        (hold(Shape::OneWayTorus { radix: 16 }, 0.001, Reading::Refined), 0.030),
        (hold(Shape::OneWayTorus { radix: 8 }, 0.001, Reading::Text), 0.032),
    ] {
        assert!((found - expected).abs() < 0.0006, "{found}, {expected}");
    }
    let drop = sat(cube(8), Conflict::Drop { back_off: 1.5 }, 0.001, Reading::Refined);
    assert!(drop > 0.6, "{drop}");
}

/// Every strategy and reading in a d-cube.
fn every_reading(shape: Shape, service: f64) -> impl Iterator<Item = Equations> {
    [Conflict::Hold, Conflict::Drop { back_off: 1.5 }, Conflict::Adaptive { back_off: 1.5 }]
        .into_iter()
        .filter(move |&conflict| Equations::cover(shape, conflict))
        .flat_map(move |conflict| {
            Reading::all(conflict).iter().map(move |&reading| Equations {
                shape,
                routes: Routes::uniform(shape),
                machine: Circuit { verify: 0.5 * service, ..machine(conflict, service) },
                data: UNIFORM,
                reading,
            })
        })
}

#[test]
fn an_empty_network_takes_its_services_and_the_data() {
    let shapes = (1..=12).map(cube).chain([
        Shape::Cube { dimensions: 7, full_duplex: true },
        Shape::OneWayTorus { radix: 3 },
        Shape::OneWayTorus { radix: 9 },
    ]);
    for shape in shapes {
        for equations in every_reading(shape, 0.02) {
            let solution = equations.solve(0.0).expect("an empty network");
            let links = shape.mean_links();
            let expected = links * (0.01 + 0.02) + 0.02 + 1.0 + links * 0.02;
            // (13) as printed makes messages meet circuits where there are none.
            if equations.reading == Reading::TextPrinted {
                continue;
            }
            assert!((latency(&solution) - expected).abs() < 1e-9, "{equations:?}: {solution:?}");
            assert!(solution.aborts.abs() < 1e-9 && solution.conflict.abs() < 1e-9);
            assert!(solution.controller_wait.abs() < 1e-15);
        }
    }
}

#[test]
fn one_link_with_one_sender_is_an_m_g_1_queue() {
    let shape = Shape::Cube { dimensions: 1, full_duplex: true };
    let hold = Equations {
        shape,
        routes: Routes::uniform(shape),
        machine: machine(Conflict::Hold, 0.0),
        data: DataTime::Exponential { mean: 1.0 },
        reading: Reading::Refined,
    };
    for rate in [0.1, 0.5, 0.9] {
        let found = hold.solve(rate).expect("a solution");
        assert!((latency(&found) - 1.0 / (1.0 - rate)).abs() < 1e-9, "{rate}: {found:?}");
        assert!((found.conflict - rate).abs() < 1e-12);
        assert!((found.utilisation[0] - rate).abs() < 1e-12);
    }
    assert!((hold.saturation_rate() - 1.0).abs() < 1e-5);
}

#[test]
fn more_load_takes_longer_and_its_parts_are_what_they_say() {
    let shapes = [
        cube(5),
        Shape::Cube { dimensions: 5, full_duplex: true },
        Shape::OneWayTorus { radix: 5 },
    ];
    for equations in shapes.into_iter().flat_map(|shape| every_reading(shape, 0.01)) {
        let saturation = equations.saturation_rate();
        let (mut before, mut waited) = (0.0, -1.0);
        for load in [0.0, 0.2, 0.5, 0.8, 0.99] {
            let solution = equations.solve(load * saturation).expect("a solution");
            assert!(latency(&solution) > before, "{equations:?} {load}");
            assert!(solution.controller_wait > waited);
            (before, waited) = (latency(&solution), solution.controller_wait);
            let links = equations.shape.mean_links();
            let after = 1.0 + links * (solution.controller_wait + 0.01);
            assert!((solution.set_up_time - (latency(&solution) - after)).abs() < 1e-9);
            let terms = &solution.terms;
            assert!(terms.iter().all(|it| it.cycles > -1e-12), "{equations:?}: {terms:?}");
            assert!((0.0..1.0).contains(&solution.conflict));
            assert!(solution.utilisation.iter().all(|busy| (0.0..1.0).contains(busy)));
        }
        assert_eq!(equations.solve(1.01 * saturation), Err(NoSolution::Saturated));
    }
}

#[test]
fn links_for_each_direction_carry_more() {
    let of = |full_duplex| every_reading(Shape::Cube { dimensions: 6, full_duplex }, 0.001);
    for (half, full) in of(false).zip(of(true)) {
        let (of_half, of_full) = (half.solve(0.1).unwrap(), full.solve(0.1).unwrap());
        assert!(latency(&of_full) < latency(&of_half), "{full:?}");
        assert!(full.saturation_rate() > 1.3 * half.saturation_rate(), "{full:?}");
    }
}
