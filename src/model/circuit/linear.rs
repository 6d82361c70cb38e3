//! Small dense systems of linear equations.

/// Solves `matrix` · x = `right`, by elimination with the largest pivot of each column; the rows of
/// `matrix` follow each other. Both are used up, and x is left in `right`. `None` where no single x
/// exists.
pub(super) fn solve(matrix: &mut [f64], right: &mut [f64]) -> Option<()> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| {
            let at = |row: usize| matrix[row * size + column].abs();
            at(a).total_cmp(&at(b))
        })?;
        let value = matrix[pivot * size + column];
        if value == 0.0 || !value.is_finite() {
            return None;
        }
        if pivot != column {
            let (above, below) = matrix.split_at_mut(pivot * size);
            above[column * size..(column + 1) * size].swap_with_slice(&mut below[..size]);
            right.swap(pivot, column);
        }
        for row in column + 1..size {
            let (above, below) = matrix.split_at_mut(row * size);
            let factor = below[column] / value;
            if factor == 0.0 {
                continue;
            }
            let source = &above[column * size..(column + 1) * size];
            for (entry, from) in below[column..size].iter_mut().zip(&source[column..]) {
                *entry -= factor * from;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|c| matrix[row * size + c] * right[c]).sum();
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_solves() {
        // The first pivot is zero.
        let matrix = [0.0, 2.0, 1.0, 1.0, -1.0, 3.0, 4.0, 0.5, -2.0];
        let right = [3.0, -1.0, 7.0];
        let mut found = right;
        solve(&mut matrix.clone(), &mut found).unwrap();
        for row in 0..3 {
            let sum: f64 = (0..3).map(|column| matrix[row * 3 + column] * found[column]).sum();
            assert!((sum - right[row]).abs() < 1e-12, "{row}: {sum}");
        }
    }

    #[test]
    fn equations_that_contradict_each_other_have_none() {
        assert_eq!(solve(&mut [1.0, 2.0, 2.0, 4.0], &mut [1.0, 3.0]), None);
    }
}
