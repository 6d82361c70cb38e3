//! Tests of the conservation of flow.

use super::*;

#[test]
fn shares_are_one_and_all_flow_arrives() {
    for [columns, rows] in [[1, 1], [2, 2], [3, 1], [4, 4], [5, 16]] {
        let hops = [columns, rows];
        let quadrant = Quadrant { hops, length: 1.0, both_share: 1.0, single_share: [0.0; 2] };
        let mut flows = Swept::new(quadrant, Reading::Calibrated);
        flows.quadrant_rate = 0.25;
        let at = |row: usize, column: usize| row * (columns + 2) + column;
        for (busy_x, busy_y) in [(0.0, 0.0), (0.3, 0.1), (0.99, 0.98), (0.5, 0.0)] {
            flows.spread(&[busy_x, busy_y, 0.0, 0.0, 0.0, 0.0]);
            assert!((flows.share_east + flows.share_south - 1.0).abs() < 1e-12);
            let arriving =
                flows.flow_east[at(rows + 1, columns)] + flows.flow_south[at(rows, columns + 1)];
            assert!((arriving - 0.25).abs() < 1e-12, "{hops:?} hops: {arriving}");
            // Every diagonal is crossed by the whole flow.
            for diagonal in 2..=columns + rows + 1 {
                let crossing: f64 = (1..=rows + 1)
                    .filter(|row| (1..=columns + 1).contains(&diagonal.wrapping_sub(*row)))
                    .map(|row| {
                        let node = at(row, diagonal - row);
                        flows.flow_east[node] + flows.flow_south[node]
                    })
                    .sum();
                assert!((crossing - 0.25).abs() < 1e-12, "diagonal {diagonal}: {crossing}");
            }
        }
    }
}
