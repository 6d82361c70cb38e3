//! The files that films are written as.

use std::path::Path;

/// What a film is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// An asciicast.
    Cast,
    /// An SVG document that moves, with the markers of the script as captions.
    Svg,
}

impl Form {
    /// The form that the ending of a file's name says.
    pub fn of(name: &str) -> Self {
        let svg = Path::new(name).extension().is_some_and(|ending| ending == "svg");
        if svg { Self::Svg } else { Self::Cast }
    }
}
