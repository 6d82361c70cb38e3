//! Sealed files: JSON objects ending with a checksum, to detect damage.
//!
//! The last key of a sealed object is `checksum`, a hash of every byte before that key. Each step
//! of the hash is a bijection, so a change of any single byte changes the checksum.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::experiment::report::{Row, SimulateRow};
use crate::random::mix;

/// Text between the content of an object and the digits of its checksum.
const BEFORE: &[u8] = b",\"checksum\":\"";
/// Text after the digits.
const BEHIND: &[u8] = b"\"}\n";
/// Hexadecimal digits of a checksum.
const DIGITS: usize = 16;

/// Damage to a sealed file.
#[derive(Debug, thiserror::Error)]
pub(super) enum Damage {
    /// Nothing was written, or nothing reached the disk.
    #[error("it is empty")]
    Empty,
    /// The end is cut off, or the file was never sealed.
    #[error("it does not end with a checksum: it is torn, or an earlier version wrote it")]
    Unsealed,
    /// The content differs from the sealed content.
    #[error("its checksum is not that of its content")]
    Changed,
    /// The content is sealed, but has unexpected fields.
    #[error("it has other fields than this version writes ({0})")]
    Fields(#[from] serde_json::Error),
}

/// The checksum of a file's content, in hexadecimal digits.
pub(super) fn checksum(content: &[u8]) -> String {
    format!("{:0DIGITS$x}", content.iter().copied().map(u64::from).fold(0, mix))
}

/// The text of an object with at least one field, sealed.
pub(super) fn sealed(object: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(object)?;
    text.pop();
    Ok(with_checksum(&text))
}

/// Appends the checksum and the end of the object to `content`.
pub(super) fn with_checksum(content: &[u8]) -> Vec<u8> {
    let digits = checksum(content);
    [content, BEFORE, digits.as_bytes(), BEHIND].concat()
}

/// Parses a sealed text.
pub(super) fn opened<T: DeserializeOwned>(text: &[u8]) -> Result<T, Damage> {
    if text.is_empty() {
        return Err(Damage::Empty);
    }
    let parts = text.strip_suffix(BEHIND).and_then(|rest| {
        let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
        Some((rest.strip_suffix(BEFORE)?, digits))
    });
    let (content, digits) = parts.ok_or(Damage::Unsealed)?;
    if checksum(content).as_bytes() != digits {
        return Err(Damage::Changed);
    }
    Ok(serde_json::from_slice(&[content, b"}"].concat())?)
}

/// The first difference between the columns of a stored row and this version's columns, if any:
/// `lacks seed`.
pub(super) fn misfit(row: &Map<String, Value>) -> Option<String> {
    let columns = SimulateRow::COLUMNS;
    let lacking = columns.iter().find(|column| !row.contains_key(**column));
    let unknown = || row.keys().find(|key| !columns.contains(&key.as_str()));
    match lacking {
        Some(column) => Some(format!("a row lacks `{column}`")),
        None => unknown().map(|column| format!("a row has `{}`", column.escape_debug())),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Object {
        name: String,
        number: f64,
    }

    #[derive(Serialize)]
    struct Longer {
        name: String,
        number: f64,
        more: bool,
    }

    #[test]
    fn whatever_bit_is_flipped_the_file_is_not_taken_for_whole() {
        let object = Object { name: "\"checksum\":\"0\"}".to_owned(), number: 0.1 };
        let text = sealed(&object).unwrap();
        assert_eq!(opened::<Object>(&text).unwrap(), object);
        let known: Value = serde_json::from_slice(&text).unwrap();
        assert!(known["checksum"].is_string() && known["number"] == 0.1);
        for bit in 0..text.len() * 8 {
            let mut flipped = text.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(opened::<Object>(&flipped).is_err(), "bit {bit}");
        }
        for length in 0..text.len() {
            assert!(opened::<Object>(&text[..length]).is_err(), "{length} bytes");
        }
        assert!(opened::<Object>(&vec![0; text.len()]).is_err());
    }

    #[test]
    fn other_fields_are_refused_even_when_they_are_sealed() {
        let longer = Longer { name: String::new(), number: 1.0, more: true };
        let damage = opened::<Object>(&sealed(&longer).unwrap()).unwrap_err();
        assert!(damage.to_string().contains("unknown field `more`"), "{damage}");
        let damage = opened::<Longer2>(&sealed(&longer).unwrap()).unwrap_err();
        assert!(damage.to_string().contains("missing field `other`"), "{damage}");
    }

    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "only its fields' names matter")]
    struct Longer2 {
        other: bool,
    }
}
