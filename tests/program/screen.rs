//! The screen over real runs: the pictures in `screenshots/` and the documents.

mod documentation;
mod films;
mod pictures;
