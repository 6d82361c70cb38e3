//! Fitted dimensionless constants, not derived from theory.

/// Constants fitted to simulations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Constants {
    /// Growth, with the load of a stream, of the probability that a message finds the tail of the
    /// stream's previous message.
    pub tails: f64,
    /// Tails waited for if all of several VCs are occupied, in units of one per VC.
    pub tails_several: f64,
    /// Exponent of e in the factor of waits for one VC: constant, and by 1/B.
    pub one_vc: [f64; 2],
    /// Exponent of e in the factor of waits for one of several VCs: by the fraction of time a VC is
    /// occupied, 1/n, 1/B, and L/h, the fraction of a hold used by flits.
    pub several_vcs: [f64; 4],
    /// Length of the longest wait, in units of E\[w²\]/E\[w\].
    pub longest: f64,
    /// Fraction of the downstream waits by which a hold becomes longer; successive messages wait
    /// for the same blockers.
    pub felt: f64,
    /// Covariance of lengths with downstream waits and sharing, in units of c²L per cycle of
    /// waiting and sharing.
    pub lengths: f64,
    /// Growth of the number of competitors on a shared channel, because successive messages use
    /// many VCs.
    pub following: f64,
    /// Number of VCs at which this growth begins.
    pub following_from: f64,
    /// Fraction of the messages of other classes from the same channel that compete again on the
    /// next channel. They have already taken their turns on the first channel, except for flits
    /// delayed since.
    pub alongside: f64,
    /// Decrease of sharing with the number of competitors.
    pub fewer: f64,
    /// Increase of sharing with a buffer of one flit, on a channel always used by others.
    pub gaps: f64,
    /// Decrease of sharing with the lag of a message, in messages: flits of others fit between its
    /// own.
    pub between: f64,
    /// Decrease of bursts behind a busy server.
    pub smoothing: f64,
    /// Exponent of the growth, with the number of VCs, of the effect of others' bursts on waits.
    pub bursts_vcs: f64,
}

/// The constants of the model.
pub const FITTED: Constants = Constants {
    tails: 4.5,
    tails_several: 2.0,
    one_vc: [0.03, 0.11],
    several_vcs: [0.7, -2.0, -0.32, 0.98],
    longest: 2.5,
    felt: 0.663,
    lengths: 3.35,
    following: 3.0,
    following_from: 1.48,
    alongside: 0.23,
    fewer: 0.29,
    gaps: 0.67,
    between: 0.143,
    smoothing: 2.35,
    bursts_vcs: 1.25,
};
