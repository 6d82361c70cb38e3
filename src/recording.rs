//! Recordings of the screen, and key scripts for films.
//!
//! [`cast`] converts frames to asciicasts, the text format of asciinema and its players;
//! [`recorder`] writes the lines on a separate thread, so that a slow disk never blocks the screen;
//! [`script`] parses scripts of timed key presses; [`demos`] contains the built-in scripts.

pub mod cast;
pub mod demos;
pub mod recorder;
pub mod script;

pub use cast::{Cast, Format, Header, Palette, Summary, title};
pub use recorder::Recorder;
pub use script::{PICTURES, Script, Until};
