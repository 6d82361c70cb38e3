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
    /// The form that the ending of a file's name says; `None` of those that films have elsewhere.
    pub fn of(name: &str) -> Option<Self> {
        let ending = Path::new(name).extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("svg") => Some(Self::Svg),
            Some("gif" | "png" | "apng" | "webp" | "mp4" | "mov" | "mkv" | "avi" | "webm") => None,
            _ => Some(Self::Cast),
        }
    }
}
