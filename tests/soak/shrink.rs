//! Makes what fails small: parts are left out for as long as it still fails.

/// The fewest of `parts` that still fail, as far as `tries` trials lead.
pub fn shrink<T: Clone>(parts: &[T], tries: u32, mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = parts.to_vec();
    let mut left = tries;
    let mut piece = kept.len().div_ceil(2);
    while piece > 0 && left > 0 {
        let before = kept.len();
        let mut at = 0;
        while at < kept.len() && left > 0 {
            let end = (at + piece).min(kept.len());
            let fewer = [&kept[..at], &kept[end..]].concat();
            left -= 1;
            if fails(&fewer) {
                kept = fewer;
            } else {
                at = end;
            }
        }
        // Leaving out one part may make another one needless.
        let again = piece == 1 && kept.len() < before;
        piece = if again { 1 } else { piece / 2 };
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_all_that_is_left() {
        let all: Vec<u32> = (0..100).collect();
        let matters = |parts: &[u32]| [3, 40, 41, 97].iter().all(|it| parts.contains(it));
        assert_eq!(shrink(&all, 1000, matters), [3, 40, 41, 97]);
        assert!(matters(&shrink(&all, 9, matters)), "with few tries it still fails");
        assert!(shrink(&all, 1000, |_| true).is_empty());
    }
}
