//! The constants that theory does not give. None has a unit.

/// Constants that are fitted to simulations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Constants {
    /// How fast the probability that a message finds the tail of the one before of its stream grows with the
    /// stream's load.
    pub tails: f64,
    /// Tails that messages wait for where all of several VCs are held, in parts of one per VC.
    pub tails_several: f64,
    /// Exponent of e in the factor of waits for one VC: at all loads, and by 1/B.
    pub one_vc: [f64; 2],
    /// Exponent of e in the factor of waits for one of several VCs: by the part of the time for which a VC is
    /// held, 1/n, 1/B, and L/h, the part of a hold that flits take.
    pub several_vcs: [f64; 4],
    /// Length of the longest wait, in units of E\[w²\]/E\[w\].
    pub longest: f64,
    /// Part of the waits further on for which a VC is held longer: messages that follow each other wait for
    /// the same others.
    pub felt: f64,
    /// Covariance of lengths with waits and sharing further on, in parts of c²L for each cycle of these.
    pub lengths: f64,
    /// Growth of the others that a message meets on a shared channel because those follow each other on many
    /// VCs.
    pub following: f64,
    /// VCs at which that growth begins.
    pub following_from: f64,
    /// Part of the messages of other classes that arrive over the same channel with whom a message shares the
    /// next one: they have had their turns there already, but for flits that were delayed since.
    pub alongside: f64,
    /// Decrease of sharing with the others that are met.
    pub fewer: f64,
    /// Increase of sharing with a buffer of one flit, for a channel that others use all the time.
    pub gaps: f64,
    /// Decrease of sharing with the lag of a message, in messages: flits of others fit in between its own.
    pub between: f64,
    /// Decrease of bursts behind what is busy.
    pub smoothing: f64,
    /// Exponent with which bursts of others make waits longer the more VCs there are.
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
