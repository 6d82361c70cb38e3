//! File formats of films.

use std::path::Path;

/// The file format of a film.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Cast,
    /// An animated SVG document with the script's markers as captions.
    Svg,
}

impl Form {
    /// Returns the format for a file name's ending; `None` for unsupported video and image formats.
    pub fn of(name: &str) -> Option<Self> {
        let ending = Path::new(name).extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("svg") => Some(Self::Svg),
            Some("gif" | "png" | "apng" | "webp" | "mp4" | "mov" | "mkv" | "avi" | "webm") => None,
            _ => Some(Self::Cast),
        }
    }
}
