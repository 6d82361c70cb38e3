//! Virtual channels per link of fully adaptive schemes on k-ary n-cubes, as the paper counts them.

/// The dimensions compared.
const DIMENSIONS: std::ops::RangeInclusive<u32> = 2..=6;

/// Positive-hop: one more than the longest path has hops.
pub fn positive_hop(k: u32, n: u32) -> u32 {
    n * (k / 2) + 1
}

/// Negative-hop, for even radices: one more than the longest path has negative hops.
pub fn negative_hop(k: u32, n: u32) -> u32 {
    (n * (k / 2)).div_ceil(2) + 1
}

/// Linder and Harden: (n + 1) 2^(n - 1).
pub fn linder(n: u32) -> u32 {
    (n + 1) << (n - 1)
}

/// Berman et al.: 10 (n - 1) + 6.
pub fn berman(n: u32) -> u32 {
    10 * (n - 1) + 6
}

/// The greatest even radix below (n + 1) / n 2^(n + 1), the paper's condition for fewer VCs than
/// Linder and Harden.
pub fn linder_radix(n: u32) -> u32 {
    ((n + 1) << (n + 1)).div_ceil(n).saturating_sub(1) / 2 * 2
}

/// VCs of negative-hop beyond those of another scheme; negative if there are fewer.
pub fn over(other: fn(u32) -> u32, k: u32, n: u32) -> f64 {
    f64::from(negative_hop(k, n)) - f64::from(other(n))
}

/// The most VCs of negative-hop beyond those of another scheme, at a radix for each dimension.
pub fn most_over(other: fn(u32) -> u32, radix: fn(u32) -> u32) -> Option<f64> {
    DIMENSIONS.map(|n| over(other, radix(n), n)).reduce(f64::max)
}

/// The greatest even radix with fewer VCs than another scheme, for each dimension.
pub fn radices(other: fn(u32) -> u32) -> String {
    let greatest =
        |n| (1..1000).map(|half| 2 * half).take_while(|&k| over(other, k, n) < 0.0).last();
    let texts = DIMENSIONS.map(|n| format!("{} (n = {n})", greatest(n).unwrap_or(0)));
    texts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
