//! flitscope: an interconnection network, one flit at a time, with theory beside it.
//!
//! (The architecture in prose stands here once the layers are filled.)
#![deny(unsafe_code)]

pub mod cli;
pub mod engine;
pub mod experiment;
pub mod files;
pub mod ids;
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
pub mod units;
