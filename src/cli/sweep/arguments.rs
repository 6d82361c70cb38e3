//! Arguments shared by the commands of studies: the folder, the format and limits of working time.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::cli::options::{Words, given};
use crate::cli::{Failure, output};
use crate::experiment::leases::TIMEOUT;
use crate::experiment::report::Format;
use crate::experiment::sweep::Folder;

#[derive(Args, Debug)]
pub(super) struct FolderArgument {
    /// The folder of a study
    pub(super) folder: PathBuf,
}

impl FolderArgument {
    /// The folder, opened.
    pub(super) fn open(&self) -> Result<Folder, Failure> {
        Ok(Folder::open(&self.folder)?)
    }
}

/// The format of a command that prints one result.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct OneObject {
    /// The form of what is printed
    #[arg(long, value_parser = given(FORMATS), default_value = "table")]
    format: Format,
}

const FORMATS: Words<Format> =
    &[("table", "For people", Format::Table), ("json", "One JSON object", Format::Json)];

impl OneObject {
    /// Prints a value as a line of JSON, or the text for people.
    pub(super) fn print(self, value: &impl Serialize, text: String) -> Result<(), Failure> {
        output::print(&match self.format {
            Format::Json => serde_json::to_string(value).map_err(std::io::Error::from)? + "\n",
            Format::Table | Format::Csv => text,
        })
    }
}

/// The length of runs.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Begin no point after this time, give back what runs then, and end with status 75 if points are
    /// missing still: `30m`, `1h30m`
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Runs")]
    pub(super) budget: Option<Duration>,
    /// Seconds after which a point is taken from a program that does not renew its lease
    #[arg(long, value_name = "N", hide = true, default_value_t = TIMEOUT.as_secs())]
    pub(super) lease_seconds: u64,
}

/// Parses hours, minutes and seconds: `1h30m`.
fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "this must be a time above 0, as in `30m`, `90s` or `1h30m`".to_owned();
    let mut seconds = 0_u64;
    let mut rest = text.trim();
    for (unit, length) in [('h', 3600), ('m', 60), ('s', 1)] {
        if let Some((number, behind)) = rest.split_once(unit) {
            let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let number = number.parse::<u32>().ok().filter(|_| digits).ok_or_else(wrong)?;
            seconds += u64::from(number) * length;
            rest = behind;
        }
    }
    if rest.is_empty() && seconds > 0 { Ok(Duration::from_secs(seconds)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_of_hours_minutes_and_seconds() {
        let known = [("30m", 1800), ("90s", 90), ("1h30m", 5400), ("2h0m1s", 7201)];
        for (text, seconds) in known {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "30", "m", "0s", "1m1h", "1.5h", "-1m", "1h30", "+3m", "99999999999s"] {
            assert!(time(text).is_err(), "{text:?}");
        }
    }
}
