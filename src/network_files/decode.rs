//! The text of a file from its bytes: encodings and the limit of the size.

use std::borrow::Cow;

use super::mistake::Mistake;

/// Maximum size of a network file, in bytes: 64 MiB.
pub const FILE_MAX: usize = 64 << 20;

/// Decodes a file: UTF-8, UTF-16 with a byte order mark, or the Latin-1 or ASCII that an XML
/// declaration states. A byte order mark is dropped; more than `most` bytes are refused.
pub(super) fn text(bytes: &[u8], most: usize) -> Result<Cow<'_, str>, Mistake> {
    if bytes.len() > most {
        let what = format!("the file has {} bytes; the limit is {most}", bytes.len());
        return Err(Mistake::whole(what, "leave out attributes that describe no link"));
    }
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, Mistake> {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(error) => error.valid_up_to(),
    };
    if is_latin(bytes) {
        return Ok(Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()));
    }
    let before = String::from_utf8_lossy(&bytes[..valid]);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let nul = bytes.iter().take(64).any(|&byte| byte == 0);
    let help = if nul {
        "save the file as text in UTF-8"
    } else {
        "save the file as UTF-8, or state `encoding=\"ISO-8859-1\"` in its XML declaration"
    };
    Err(Mistake {
        line: 1 + before.matches('\n').count(),
        column: 1 + before[line_start..].chars().count(),
        ..Mistake::whole(format!("byte {:#04x} is not UTF-8 text", bytes[valid]), help)
    })
}

/// True if an XML declaration states Latin-1.
fn is_latin(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_lowercase();
    let declaration = start.split("?>").next().unwrap_or_default();
    declaration.trim_start().starts_with("<?xml")
        && ["iso-8859-1", "latin-1", "latin1"].iter().any(|name| declaration.contains(name))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'static, str>, Mistake> {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    let text = String::from_utf16(&units).ok().filter(|_| bytes.len().is_multiple_of(2));
    text.map(Cow::Owned).ok_or_else(|| {
        Mistake::whole("the file begins as UTF-16 and is not", "save the file as UTF-8")
    })
}
