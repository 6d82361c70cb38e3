//! Options of recordings.

use clap::Args;

use super::options::words;
use crate::recording::Format;

/// What recordings are like.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = "Recording")]
pub(super) struct Casting {
    /// The version of the asciicast format
    #[arg(long = "record-format", value_enum, value_name = "VERSION", default_value_t)]
    pub(super) format: Format,
    /// Players shorten longer rests to this many seconds
    #[arg(long = "record-idle-limit", value_name = "SECONDS", value_parser = seconds)]
    pub(super) idle_limit: Option<f64>,
    /// Replace the recording, if it exists; without this it is left as it is, and the status is 2
    #[arg(long)]
    pub(super) force: bool,
}

words! {
    Format {
        V3 = "v3", "For asciinema 3 and its player";
        V2 = "v2", "For older players";
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("this must be a number of seconds above 0, up to 3600, as in 2.5".to_owned()),
    }
}
