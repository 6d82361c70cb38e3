//! When messages are generated. (to be written)

/// The arrival process of every node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Process {
    /// Exponential gaps, floored to cycles.
    Poisson,
    /// A message per cycle with probability `rate` (Bernoulli trials; geometric gaps).
    Geometric,
}
