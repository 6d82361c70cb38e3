//! The models and the simulations of the papers, against the figures in `tests/papers`.

mod accuracy;
mod adaptive_torus_model;
mod adaptive_torus_simulation;
mod bufferless;
mod channel_flow_accuracy;
mod circuit_model;
mod circuit_switching_simulation;
mod delays_of_links;
mod finite_buffers_model;
mod finite_buffers_simulation;
mod mesh_torus_model;
mod mesh_torus_simulation;
mod tables;
