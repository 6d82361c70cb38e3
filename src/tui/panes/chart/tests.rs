//! Tests of the positions and the continuity of curves.

use super::*;

/// The dots of each column, from top to bottom.
fn columns(dots: &Dots) -> Vec<Vec<i32>> {
    let is_set = |x: i32, y: i32| {
        let cell = dots.cells[(y / 4 * dots.columns + x / 2) as usize];
        cell & BRAILLE[(x % 2) as usize][(y % 4) as usize] > 0
    };
    (0..2 * dots.columns).map(|x| (0..4 * dots.rows).filter(|&y| is_set(x, y)).collect()).collect()
}

#[test]
fn a_curve_has_a_dot_in_every_column_and_its_steps_meet() {
    let mut dots = Dots::new(30, 8);
    // A queueing curve: slow growth, then steep.
    dots.curve(0, |_| true, |x| Some(0.1 / (1.0 - x / 30.0)));
    let columns = columns(&dots);
    let drawn: Vec<&Vec<i32>> = columns.iter().take_while(|column| !column.is_empty()).collect();
    assert!(drawn.len() > 50, "{}", drawn.len());
    for pair in drawn.windows(2) {
        let [last, first] = [pair[0][0], *pair[1].last().unwrap()];
        assert!((last - first).abs() <= 1, "{pair:?}");
        assert!(pair[1][0] <= pair[0][0], "it climbs: {pair:?}");
    }
    assert_eq!(drawn.last().unwrap()[0], 0, "and leaves at the top");
}

#[test]
fn shares_are_the_middles_of_rows_and_gaps_are_left() {
    let mut dots = Dots::new(6, 5);
    dots.curve(0, |x| x % 3 != 0, |_| Some(0.5));
    for (x, column) in columns(&dots).into_iter().enumerate() {
        let expected = if (x / 2) % 3 == 0 { vec![] } else { vec![10] };
        assert_eq!(column, expected, "column {x}");
    }
    let mut dots = Dots::new(2, 5);
    dots.rise(1, 0.5);
    assert_eq!(columns(&dots)[2], [0, 2, 4, 6, 8]);
}

#[test]
fn ticks_are_round_and_on_whole_rows() {
    for rows in 3..40 {
        for top in [0.013, 0.7, 1.0, 5.3, 59.0, 62.0, 70.0, 340.0, 999.0, 12_345.0] {
            let (end, step) = rounded((top, 0.95), rows - 1);
            assert!((0.949 * top..2.6 * top).contains(&end), "{top} {rows}: {end}");
            let rows_each = step.size / end * f64::from(rows - 1);
            assert!((rows_each - rows_each.round()).abs() < 1e-6, "{top} {rows}: {rows_each}");
            assert!(rows < 5 || step.up_to(end).count() >= 2, "{top} {rows}");
            let first = step.figure(step.size);
            assert!(first.starts_with(['0', '1', '2', '5']), "{first}");
            assert!(
                (first.parse::<f64>().unwrap() - step.size).abs() < 1e-9 * step.size,
                "{first}"
            );
        }
    }
}
