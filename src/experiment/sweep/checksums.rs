//! Checksums of a study's input files: the study itself and copies of scenarios and tables.
//!
//! Folders without this file were begun by an earlier version, or contain a copied study: their
//! files are read unverified.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::seal;
use crate::files;
use crate::scenario::Problem;

/// The name of the file.
const FILE: &str = "checksums.json";

/// The content of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checksums {
    /// The checksum of each file, by its path in the folder.
    files: BTreeMap<String, String>,
}

/// The sealed text of the checksums of these files, given by path.
fn text_of(contents: &[(String, String)]) -> io::Result<Vec<u8>> {
    let each = contents.iter();
    let files = each.map(|(name, text)| (name.clone(), seal::checksum(text.as_bytes()))).collect();
    let mut text = serde_json::to_string(&Checksums { files })?;
    text.pop();
    Ok(seal::with_checksum(in_ascii(&text).as_bytes()))
}

/// Escapes all non-ASCII characters of a JSON text: names may contain any character.
fn in_ascii(text: &str) -> String {
    let mut units = [0; 2];
    text.chars().fold(String::with_capacity(text.len()), |mut all, letter| {
        if letter.is_ascii() {
            all.push(letter);
        } else {
            let escaped =
                letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}"));
            all.extend(escaped);
        }
        all
    })
}

/// Removes the checksums of a folder unless they match these files, so that until [`write`] no file
/// is compared with another study's checksum.
pub(super) fn clear(folder: &Path, contents: &[(String, String)]) -> io::Result<()> {
    let path = folder.join(FILE);
    match fs::read(&path) {
        Ok(known) if known != text_of(contents)? => files::remove(&path),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Writes the checksums of these files, unless up to date.
pub(super) fn write(folder: &Path, contents: &[(String, String)]) -> io::Result<()> {
    let (path, text) = (folder.join(FILE), text_of(contents)?);
    if fs::read(&path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    files::write(path, text, true)
}

/// Verifies the files of a folder against their checksums, and reports every file that differs.
pub(super) fn verify(folder: &Path) -> Result<(), Vec<Problem>> {
    let path = folder.join(FILE);
    let problem = |file: &Path, what: String, help: String| Problem {
        source: file.display().to_string(),
        place: None,
        what,
        help: Some(help),
    };
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let help = "make it readable".to_owned();
            return Err(vec![problem(&path, format!("this cannot be read: {error}"), help)]);
        }
    };
    let known: Checksums = seal::opened(&text).map_err(|damage| {
        let what = format!("this file is damaged: {damage}");
        let help = "look through the study and its scenarios, then remove this file".to_owned();
        vec![problem(&path, what, help)]
    })?;
    let differs = |(name, sum): (&String, &String)| {
        let file = folder.join(name);
        let what = match fs::read(&file) {
            Ok(content) if seal::checksum(&content) == *sum => return None,
            Ok(_) => {
                format!("this is not the text that was written here: {FILE} has another checksum")
            }
            Err(error) => format!("this cannot be read: {error}"),
        };
        let help = format!("restore it, or remove {FILE} if it was changed on purpose");
        Some(problem(&file, what, help))
    };
    let problems: Vec<Problem> = known.files.iter().filter_map(differs).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
