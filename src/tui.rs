//! The screen: the network large, measurements and theory beside it, every key in one table.
//!
//! [`app`] holds the state and knows no terminal; [`draw`] turns it into a buffer; [`terminal`]
//! connects both with a terminal and the simulation thread. Only this module names the terminal
//! libraries.
#![expect(
    clippy::cast_possible_wrap,
    reason = "screens and networks are far smaller than half of an integer's range"
)]

pub mod action;
pub mod app;
pub mod bindings;
mod carrier;
pub mod chooser;
mod desk;
pub mod draw;
pub mod film;
pub mod glyphs;
pub mod grid;
pub mod header;
pub mod keybar;
pub mod layout;
pub mod library;
pub mod names;
pub mod overlay;
mod painter;
pub mod palette;
pub mod panes;
pub mod pen;
pub mod perf;
pub mod picture;
pub mod question;
pub mod states;
pub mod strip;
pub mod terminal;
#[cfg(test)]
mod tests;
pub mod theme;
pub mod timeline;
pub mod times;
pub mod view;

#[cfg(test)]
pub(crate) use tests::fake;

pub use library::{Entry, Library, Shelf};
pub use terminal::{ColorChoice, ExitReason, Options, Origin, Recording, ThemeChoice, run};
