//! flitscope: an interconnection network, one flit at a time, with predictions of queueing theory.
//!
//! Users watch, stop and measure a network of routers, or of switches with hosts. Messages travel
//! as worms of flits or over circuits, and the predictions of queueing theory are shown next to the
//! simulation. The program is this library with a small `main`, so that all its functions are
//! available to other programs. The [`guide`] is for users; this page is for readers of the source.
//!
//! # Layers
//!
//! A module uses only modules of lower layers, and no module of its own layer (`tests/architecture`
//! parses the source and checks the rule).
//!
//! | Layer | Modules | Contents |
//! |---|---|---|
//! | command line | [`cli`] | arguments, formats, exit statuses |
//! | screen | [`tui`] | keys, panes, the terminal |
//! | reports | [`report`] | figures of a live run as a file |
//! | drivers | [`live`], [`experiment`], [`recording`] | runs on a separate thread; runs to a given end; films |
//! | files | [`files`] | reading texts, and writing files atomically |
//! | a run | [`session`] | engine and statistics together, forward and back in time |
//! | scenarios | [`scenario`] | parsing and checking a text into a runnable system |
//! | three views of a system | [`engine`], [`stats`], [`model`] | simulation, measurement, prediction; all independent |
//! | before any run | [`flows`], then [`capacity`] | traffic over each channel; upper bound on the load |
//! | the system | [`system`] | matching network, routing, switching and traffic |
//! | networks in files | [`network_files`] | readers and writers of formats of other programs |
//! | policies | [`routing`], [`switching`], [`traffic`] | routes of heads, moves of flits, generated messages |
//! | the network as data | [`topology`] | terminals, routers, directed channels |
//! | basics | [`ids`], [`units`], [`random`], [`memory`], [`text`], [`words`], [`guide`] | dense ids, cycles and loads, random streams, available memory, printable text, fields and values of scenarios, the guide |
//!
//! Layers below `files` never read files, print, sleep, look at a clock or start a thread. Only
//! `tui` uses the terminal libraries, and only `cli` parses arguments.
//!
//! # The life of a flit
//!
//! This section describes the default wormhole machine; [`switching`] describes the others.
//!
//! 1. When a node's next arrival is due in the calendar of [`traffic::sources::Sources`], a message
//!    is [generated](traffic::sources::Sources::generate): its time, its destination and its length
//!    are drawn from streams unaffected by any other choice ([`random::Streams`]); its private
//!    random bits are a hash of seed, source and serial number ([`random::route_bits`]).
//! 2. The message requests its first virtual channel. [`routing::Relation::candidates`] is a pure
//!    relation from the head's position and the message's header to candidate VCs in order of
//!    preference. The oldest message at a router is served first. A head without a free candidate
//!    costs no time until a VC is freed at its router.
//! 3. A VC is granted to a worm from head to tail. In every cycle each physical channel picks,
//!    round robin, one of its VCs with a flit upstream and room downstream, and the flit moves: one
//!    flit-hop. A worm that shares no channel with another is moved as a whole
//!    ([`engine::wormhole`]).
//! 4. After the arrival of the head, step 2 is repeated. After the tail has left a buffer, its VC
//!    can be granted again from the next cycle on. Worms that wait for each other for ever are
//!    found in the wait-for graph and reported as an [`engine::Deadlock`].
//! 5. Flits are consumed on arrival at the destination. With the tail, the message becomes an
//!    [`engine::Delivery`]; a [`session::Session`] passes each delivery to [`stats::Statistics`]:
//!    warm-up, histogram, intervals, loads, the verdict on saturation.
//! 6. A [`model::Model`] predicts the latency of the same [`system::System`] term by term, or
//!    returns the reason for having no solution.
//!
//! Circuit switching has no single flits: a message reserves its links one by one, sends over all
//! of them at once and releases the links ([`engine::circuit`]). Sources, deliveries and statistics
//! are the same.
//!
//! The same scenario and seed give the same run, bit for bit, however sliced, watched or copied.
//! Therefore a run can be rewound ([`session::tape::Tape`]): from a checkpoint, the same cycles are
//! repeated with the recorded changes.
//!
//! # Finding the code
//!
//! | Topic | File under `src` |
//! |---|---|
//! | VC granted to a head | `engine/wormhole/grant.rs`, `choose`; the order of heads in `engine/wormhole/allocate.rs` |
//! | A new network, routing algorithm or file format | a file and a line in `topology/generators.rs`, `routing/algorithms.rs`, `network_files.rs` |
//! | Routes in a fat tree | `routing/source_routes.rs`; on any graph `routing/algorithms/minimal.rs` |
//! | Upper bound on the load | `capacity.rs`, from the traffic in `flows.rs` |
//! | Release of a VC | `engine/wormhole/moves.rs`, `tail_leaves`; for [`switching::Release::Sent`] `engine/wormhole/flights.rs` |
//! | Uses of the seed | `random.rs`, `traffic/sources/random.rs` |
//! | Effect of a closed link | `engine/wormhole/closed.rs`, `engine/circuit/closed.rs` |
//! | Verdict on saturation | `stats/saturation.rs` |
//! | Effect of a key | `tui/action.rs`, then `tui/app/program.rs` |
//! | Distribution of a study's points | `experiment/leases.rs`; order and threads in `experiment/points.rs` |
//! | Display of a study | `experiment/sweep/watched_folder.rs`, on the thread of `tui/terminal/watch.rs` |
//! | Contents of a checkpoint | `session/checkpoints.rs` |
//! | Source of a displayed number | its pane in `tui/panes.rs`, a field of [`live::Update`], filled in `live/monitor.rs` |
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]
#![deny(unsafe_code)]

pub mod capacity;
pub mod cli;
pub mod engine;
pub mod experiment;
pub mod files;
pub mod flows;
pub mod guide;
pub mod ids;
pub mod live;
pub mod memory;
pub mod model;
pub mod network_files;
pub mod random;
pub mod recording;
pub mod report;
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
