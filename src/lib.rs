//! flitscope: an interconnection network, one flit at a time, with theory beside it.
//!
//! People watch, stop and measure a network of routers, or of switches with hosts, whose messages
//! travel as worms of flits or over circuits; what queueing theory predicts stands beside what the
//! simulation shows. The program is this library with a small `main`: everything it does can be done
//! from here. The [`guide`] is for users; this page is for readers of the source.
//!
//! # Layers
//!
//! A module uses only what is below it, and no module of its own layer (`tests/architecture` reads
//! the source and checks this).
//!
//! | layer | modules | what they are |
//! |---|---|---|
//! | command line | [`cli`] | arguments, formats, exit statuses |
//! | screen | [`tui`] | keys, panes, the terminal |
//! | reports | [`report`] | figures of a live run as a file |
//! | drivers | [`live`], [`experiment`], [`recording`] | runs on a thread beside the screen; runs to a stated end; films |
//! | files | [`files`] | texts are read, and files written whole or not at all |
//! | a run | [`session`] | engine and statistics together, forward and back in time |
//! | scenarios | [`scenario`] | a text, checked into something that can run |
//! | three views of a system | [`engine`], [`stats`], [`model`] | simulate, measure, predict; none knows the others |
//! | before any run | [`flows`], then [`capacity`] | what crosses each channel; the load that no run exceeds |
//! | the system | [`system`] | network, routing, switching and traffic that fit together |
//! | policies | [`routing`], [`switching`], [`traffic`] | where heads may go, how flits move, what is sent |
//! | the network as data | [`topology`] | terminals, routers, directed channels |
//! | basics | [`ids`], [`units`], [`random`], [`memory`], [`text`], [`words`], [`guide`] | dense ids, cycles and loads, random streams, what memory there is, printable text, fields and values as a scenario writes them, the guide |
//!
//! Nothing below `files` reads files, prints, sleeps, looks at a clock or starts a thread. Only `tui`
//! uses the terminal libraries, and only `cli` parses arguments.
//!
//! # The life of a flit
//!
//! This is the default wormhole machine; [`switching`] describes the others.
//!
//! 1. When a node's next arrival is due in the calendar of [`traffic::sources::Sources`], they
//!    [generate](traffic::sources::Sources::generate) a message: its time, its destination and
//!    its length are drawn from streams that no other choice can disturb ([`random::Streams`]); its
//!    private random bits are a hash of seed, source and serial number ([`random::route_bits`]).
//! 2. The message requests its first virtual channel. [`routing::Relation::candidates`] is a pure
//!    relation: the head's position and the message's header go in, candidate VCs in order of
//!    preference come out. The oldest message at a router is served first. A head whose candidates
//!    are all taken costs nothing until a VC is freed at its router.
//! 3. A VC is granted to a worm from head to tail. In every cycle each physical channel picks one of
//!    its VCs that has a flit upstream and room downstream, round robin, and that flit moves: one
//!    flit-hop. A worm that shares nothing with another is moved as a whole ([`engine::wormhole`]).
//! 4. Where the head arrives, step 2 begins again. When the tail has left a buffer, its VC can be
//!    granted again from the next cycle on. Worms that wait for each other for ever are found in the
//!    wait-for graph and reported as an [`engine::Deadlock`].
//! 5. Flits are consumed as they reach the destination. With the tail the message becomes an
//!    [`engine::Delivery`], which a [`session::Session`] hands to [`stats::Statistics`]: warm-up,
//!    histogram, intervals, loads, the verdict on saturation.
//! 6. A [`model::Model`] predicts the latency of the same [`system::System`] term by term, or says why
//!    it cannot.
//!
//! Under circuit switching no flits are on the way: a message reserves its links one by one, sends
//! over all of them at once and gives them back ([`engine::circuit`]). Sources, deliveries and
//! statistics are the same.
//!
//! The same scenario and seed give the same run, bit for bit, however it is sliced, watched or copied.
//! That is why a run can go back in time ([`session::tape::Tape`]): from a checkpoint it repeats the
//! same cycles, with the journal of what was changed in them.
//!
//! # Where it stands
//!
//! | question | file under `src` |
//! |---|---|
//! | Which VC does a head get? | `engine/wormhole/grant.rs`, `choose`; heads take turns in `engine/wormhole/allocate.rs` |
//! | When is a VC free again? | `engine/wormhole/moves.rs`, `tail_leaves`; for [`switching::Release::Sent`] `engine/wormhole/flights.rs` |
//! | What does the seed feed? | `random.rs`, `traffic/sources/random.rs` |
//! | What does a closed link do? | `engine/wormhole/closed.rs`, `engine/circuit/releases.rs` |
//! | When is a run called saturated? | `stats/saturation.rs` |
//! | What does a key do? | `tui/action.rs`, then `tui/app/program.rs` |
//! | Who runs which point of a study? | `experiment/leases.rs`; in which order and on which thread `experiment/points.rs` |
//! | How does a study come to the screen? | `experiment/sweep/watched.rs`, on the thread of `tui/terminal/watch.rs` |
//! | What does a checkpoint hold? | `session/checkpoints.rs` |
//! | Where is a number on the screen from? | its pane in `tui/panes.rs`, a field of [`live::Update`], filled in `live/monitor.rs` |
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
