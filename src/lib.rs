//! flitscope: an interconnection network, one flit at a time, with theory beside it.
//!
//! (The architecture in prose stands here once the layers are filled.)
#![deny(unsafe_code)]

pub mod engine;
pub mod ids;
pub mod live;
pub mod model;
pub mod random;
pub mod routing;
pub mod scenario;
pub mod session;
pub mod stats;
pub mod switching;
pub mod system;
pub mod topology;
pub mod traffic;
pub mod tui;
pub mod units;
