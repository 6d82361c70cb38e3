//! Options of recordings.

use clap::{Args, ValueEnum};

use crate::recording;

/// What recordings are like.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = "Recording")]
pub(super) struct Casting {
    /// The version of the asciicast format
    #[arg(long = "record-format", value_enum, value_name = "VERSION", default_value_t)]
    format: Version,
    /// Players shorten longer rests to this many seconds
    #[arg(long = "record-idle-limit", value_name = "SECONDS", value_parser = seconds)]
    pub(super) idle_limit: Option<f64>,
    /// Replace the recording, if it exists; without this it is left as it is, and the status is 2
    #[arg(long)]
    pub(super) force: bool,
}

impl Casting {
    /// The format.
    pub(super) fn format(self) -> recording::Format {
        match self.format {
            Version::V3 => recording::Format::V3,
            Version::V2 => recording::Format::V2,
        }
    }
}

/// A version of the format.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum Version {
    /// For asciinema 3 and its player
    #[default]
    V3,
    /// For older players
    V2,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("this must be a number of seconds above 0, up to 3600, as in 2.5".to_owned()),
    }
}
