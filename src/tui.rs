//! The terminal screen: the network, measurements, predictions and key bindings.
//!
//! [`app`] holds the state, independent of any terminal; [`draw`] renders the state into a buffer;
//! [`terminal`] connects both to a terminal and the simulation thread. No module outside `tui` uses
//! the terminal libraries.
#![expect(
    clippy::cast_possible_wrap,
    reason = "screens and networks are far smaller than half of an integer's range"
)]

pub mod action;
pub mod app;
pub mod bindings;
mod carrier;
mod chooser;
mod display;
pub mod draw;
pub mod film;
mod forest;
mod frame_encoder;
pub mod glyphs;
pub mod grid;
pub(crate) mod header;
mod help;
mod key;
mod keybar;
pub(crate) mod layout;
pub mod library;
mod line;
mod names;
mod overlay;
mod palette;
mod pane_frame;
mod panes;
pub(crate) mod pen;
mod perf;
pub mod picture;
mod planned;
mod rows;
mod run_view;
mod scene;
mod selection;
mod sentence;
mod shrinking;
mod stages;
mod states;
mod strip;
mod strokes;
pub mod study;
mod task;
pub mod terminal;
#[cfg(test)]
mod tests;
pub mod theme;
mod timeline;
pub(crate) mod times;
pub mod tour;
pub mod view;

#[cfg(test)]
pub(crate) use tests::fake;

pub use palette::commands;
pub use planned::Planned;

pub use library::{Entry, Library, Shelf};
pub use terminal::{ExitReason, Options, Origin, run};
