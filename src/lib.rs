//! flitscope: an interconnection network, one flit at a time, with theory beside it.
//!
//! People watch, stop and measure a network of routers (or of switches with hosts) whose messages
//! travel as worms of flits; what queueing theory predicts stands beside what the simulation shows.
//! The program is this library with a small `main`; everything it can do can be done from here.
//!
//! # Layers
//!
//! A module uses only what stands below it; siblings do not see each other
//! (`tests/architecture.rs` reads the source and keeps these walls).
//!
//! | layer | modules | what they are |
//! |---|---|---|
//! | drivers and screen | `cli`, `tui`, `live`, `recording`, `experiment` | arguments, keys, threads |
//! | files | [`files`] | texts read, and the one door through which files are written |
//! | composition | [`session`], [`scenario`] | a run as a value; a text checked into something runnable |
//! | three ways to know it | [`engine`], [`stats`], [`model`] | simulate, measure, predict: blind to each other |
//! | the system | [`system`] | network, routing, switching and traffic that fit together |
//! | policies | [`routing`], [`switching`], [`traffic`] | where heads may go, how flits move, what is sent |
//! | the network as data | [`topology`] | terminals, routers, directed channels |
//! | words | [`ids`], [`units`], [`random`], [`text`] | dense names, cycles and loads, streams, what can be shown |
//!
//! Only the drivers and `files` read files; only the drivers print, sleep or know threads. Only the
//! screen knows a terminal.
//!
//! # The life of a flit
//!
//! 1. A node's next arrival comes up in the calendar of [`traffic::sources::Sources`], which
//!    [generates](traffic::sources::Sources::generate) a message: destination, length and the
//!    message's private random bits, from streams that no other choice can disturb
//!    ([`random::Streams`]).
//! 2. The message asks for its first virtual channel. [`routing::Relation::candidates`] is a pure
//!    relation: where the head stands and what its header says in, candidate VCs in order of
//!    preference out. The oldest message at a router is served first; what is not free is waited
//!    for, and nothing is spent on waiting.
//! 3. A VC is granted to the worm from head to tail. In every cycle each physical channel picks
//!    one of its VCs that has a flit upstream and room in front, round robin, and that flit moves:
//!    one flit-hop. Worms that meet nobody are moved whole ([`engine::wormhole`]).
//! 4. Where the head arrives, step 2 begins again; where the tail has left a buffer, its VC can be
//!    granted anew from the next cycle on. Worms that wait for each other for ever are found in the
//!    wait-for graph and reported as an [`engine::Deadlock`].
//! 5. At the destination flits are consumed as they come. With the tail the message is an
//!    [`engine::Delivery`], and a [`session::Session`] hands it to [`stats::Statistics`]: warm-up,
//!    histogram, intervals, loads, the verdict on saturation.
//! 6. Beside it stands what a [`model::Model`] predicts for the same [`system::System`], term by
//!    term, or why it has nothing to say.
//!
//! Under circuit switching there are no flits on the way: a message reserves its links one by one,
//! sends over all of them and gives them back ([`engine::circuit`]); its sources, its deliveries and
//! what is made of them are the same.
//!
//! Same scenario and seed: same run, bit for bit, however it is sliced, watched or copied. That is
//! why a run can be wound back ([`session::tape::Tape`]): a checkpoint, the journal of what was
//! done, and the same cycles again.
#![deny(unsafe_code)]

pub mod cli;
pub mod engine;
pub mod experiment;
pub mod files;
pub mod ids;
pub mod live;
pub mod model;
pub mod random;
pub mod recording;
pub mod routing;
pub mod scenario;
pub mod session;
pub mod stats;
pub mod switching;
pub mod system;
pub mod text;
pub mod topology;
pub mod traffic;
pub mod tui;
pub mod units;
pub mod words;
