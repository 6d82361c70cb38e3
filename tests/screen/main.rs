//! The screen over real runs: the pictures in `screenshots/` and the documents.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

mod documentation;
mod films;
mod pictures;
