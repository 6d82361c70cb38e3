//! What theory does not say: constants that were fitted to simulations. None has a unit. Five more, for heads that
//! choose, are beside what they bound, in `output` and `solve/choose`.
//!
//! All but the following are, together, those with which latencies at 25, 50, 75 and 90 % of the simulated
//! saturation, their parts, how long VCs are held, and the saturation itself come out best over 372 drawn systems
//! with fixed routes (190 of them the guide's); `BETWEEN` and `LOST` over these and 89 of the guide's where heads
//! choose; `MET`, `POOLED`, `ALONGSIDE` and those that end in `CHOSEN` over all 110 of these and 93 further ones, but
//! for some 70 that take longest, `ALONGSIDE` over the guide's 245 with fixed routes, too. `SHARED_SQUARE`, `UNEVEN`,
//! `TOGETHER` and `HOLDS_SPREAD` were then fitted to percentiles, `EXIT` and `FELT_ALONE` by themselves.

/// How fast the probability that a message finds the tail of the one before of its stream grows with the
/// stream's load.
pub const TAILS: f64 = 4.5;

/// How many tails messages wait for where all of several VCs are held, in parts of one per VC.
pub const TAILS_SEVERAL: f64 = 2.0;

/// What e is raised to for how much longer than their queue has it messages wait for one VC: at all loads, by
/// the part of the time for which a VC is held, 1/n, 1/B, and L/h, the part of a hold that flits take.
pub const ONE_VC: [f64; 5] = [0.03, 0.0, 0.0, 0.11, 0.0];

/// The same for one of several VCs.
pub const SEVERAL_VCS: [f64; 5] = [0.0, 0.7, -2.0, -0.32, 0.98];

/// The longest a wait lasts, in units of E\[w²\]/E\[w\].
pub const LONGEST: f64 = 2.5;

/// The part of the waits further on for which a VC is held longer: messages that follow each other wait for
/// the same others.
pub const FELT: f64 = 0.663;

/// The same part of the waits for which an injection channel before links with one VC is held: fitted to the
/// machine of Greenberg and Guan.
pub const FELT_ALONE: f64 = 0.9;

/// The same part of the sharing further on.
pub const FELT_SHARED: f64 = 1.24;

/// The same where heads choose.
pub const FELT_SHARED_CHOSEN: f64 = 1.05;

/// The same part of the sharing of the channel itself.
pub const FELT_HERE: f64 = 0.72;

/// The same part of the lag with which messages come.
pub const LAG: f64 = 0.83;

/// The part of its lag that a message has caught up with when its head, which waited, gets a VC.
pub const RELIEF: f64 = 0.74;

/// The covariance of lengths with waits and sharing further on, in parts of c²L for each cycle of these.
pub const LENGTHS: f64 = 3.35;

/// How much longer a message holds the VC by which it leaves its source than it is behind the others' flits, where
/// the source has nothing else to send and its heads have no choice.
pub const BEHIND: f64 = 1.16;

/// By how much more a message meets others with whom it shares a channel because those follow each other on
/// many VCs.
pub const FOLLOWING: f64 = 3.0;

/// The VCs at which that begins.
pub const FOLLOWING_FROM: f64 = 1.48;

/// The part of the messages of other classes that come over the same channel with whom a message shares the next
/// one: they have had their turns there already, but for flits that were held up since.
pub const ALONGSIDE: f64 = 0.23;

/// How sharing falls with the others that are met.
pub const FEWER: f64 = 0.29;

/// By how much sharing takes longer with a buffer of one flit, for a channel that others use all the time.
pub const GAPS: f64 = 0.67;

/// How fast what a message shares falls with its lag, in messages: others' flits fit in between its own.
pub const BETWEEN: f64 = 0.143;

/// The turns that a message loses on its first channel for each cycle that its source sends older messages elsewhere.
pub const LOST: f64 = 0.63;

/// The variance of the times for which channels are shared, by their mean, in messages. Times that are spread
/// evenly over up to a message have 2/3.
pub const SHARED_SQUARE: f64 = 0.5;

/// How much more they vary at an injection channel, where messages that follow each other meet the same others.
pub const UNEVEN: f64 = 3.0;

/// The part of the sharing at an exit that is felt, since worms come slowed down already.
pub const EXIT: f64 = 0.7;

/// How fast bursts are smoothed out by what is busy.
pub const SMOOTHING: f64 = 2.35;

/// By how much others' bursts add to sharing, for each unit of their excess.
pub const BURSTS_SHARE: f64 = 0.069;

/// The exponent with which others' bursts make waits longer the more VCs there are.
pub const BURSTS_VCS: f64 = 1.25;

/// How many times as much others' bursts make waits longer where heads choose.
pub const BURSTS_CHOSEN: f64 = 2.88;

/// The power, per further VC, of the probability that another message of the stream is at the source.
pub const ALIKE: f64 = 0.72;

/// By how much waits of one message depend on each other: what that adds to their variance, as a part of it,
/// where there is nothing but waits in the network.
pub const TOGETHER: f64 = 0.25;

/// What the spread of holds adds to that of the wait at a source for a VC, in parts of what it adds in a queue:
/// messages that follow each other meet the same others.
pub const HOLDS_SPREAD: f64 = 2.0;

/// The power of the probability that candidates are blocked with which heads find them so: where one is blocked, the
/// others are more often than by chance.
pub const MET: f64 = 0.64;

/// What e is raised to for how much longer waits are where heads choose: those that come while others wait go
/// elsewhere.
pub const CHOSEN: f64 = -0.10;

/// The part of the sharing of a channel that is left where a head may take VCs of several classes on it.
pub const POOLED: f64 = 0.96;
