//! Tests of `usage`.

use super::*;

#[test]
fn after_a_jump_the_average_is_of_what_was_seen_since() {
    let (mut utilisation, mut averages) = (Utilisation::default(), Vec::new());
    utilisation.look(100, &[50, 0], 64, &mut averages);
    assert_eq!(averages, [0.5, 0.0]);
    utilisation.restart(40, &[10, 10]);
    utilisation.look(60, &[30, 15], 64, &mut averages);
    assert_eq!(averages, [1.0, 0.25]);
}
