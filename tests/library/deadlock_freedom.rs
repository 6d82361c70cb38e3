//! Routing and the proofs about it: every rule on every small network, the known table of
//! dependency graphs, and rules that are found unsafe *and* seen to deadlock.

mod detours;
mod everything;
mod nodes;
mod routes;
mod seen;
mod shapes;
mod shared_buffers;
mod table;
