//! Recordings of the screen, and the scripts of keys from which films are made.
//!
//! [`cast`] turns frames into asciicasts, the text format that asciinema and its players read;
//! [`recorder`] writes them on a thread of its own, so that no disk holds a screen up; [`script`]
//! reads what is to be pressed, and when, and [`demos`] are the scripts that come with the program.

pub mod cast;
pub mod demos;
pub mod recorder;
pub mod script;

pub use cast::{Cast, Format, Header, Palette, Summary, title};
pub use recorder::Recorder;
pub use script::{PICTURES, Script, Until};
