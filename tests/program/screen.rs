//! The screen over real runs: the pictures in `screenshots/` and the table of keys in the README.

mod documentation;
mod films;
mod pictures;
