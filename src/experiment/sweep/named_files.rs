//! Files named in a study, `File("x.csv")`: copied into the folder of the study, so that it needs no others.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::words::written;

/// The beginning of a named file.
const NAMED: &str = "File(\"";

/// Replaces the files named in a study by names of copies, and returns the text and the contents of the
/// copies by name. Names are relative to `base`. Without `taken`, the name of the scenario's copy, there are
/// no copies: files keep their places, by their full paths. So do a file with the name of another or of the
/// scenario, and one that is no text. A missing file remains as it is.
pub(super) fn copied(
    text: &str,
    base: &Path,
    taken: Option<&str>,
) -> (String, BTreeMap<String, String>) {
    let mut copies: BTreeMap<String, (std::path::PathBuf, String)> = BTreeMap::new();
    let mut parts = text.split(NAMED);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('"').unwrap_or((part, ""));
        let renamed = fs::canonicalize(base.join(name)).ok().filter(|path| path.is_file());
        let Some(path) = renamed else {
            out += NAMED;
            out += part;
            continue;
        };
        let short = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_copied = taken.is_some_and(|taken| taken != short)
            && match copies.get(&short) {
                Some((other, _)) => *other == path,
                None => match fs::read_to_string(&path) {
                    Ok(content) => {
                        copies.insert(short.clone(), (path.clone(), content));
                        true
                    }
                    Err(_) => false,
                },
            };
        let name = if is_copied { short } else { path.to_string_lossy().into_owned() };
        out += "File(";
        out += &written(&name);
        out += rest;
    }
    (out, copies.into_iter().map(|(name, (_, content))| (name, content)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_copied_once_and_others_of_the_same_name_keep_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(place.join("in")).unwrap();
        for (name, content) in [("a.csv", "1"), ("in/a.csv", "2"), ("b.csv", "3"), ("s.ron", "4")] {
            fs::write(place.join(name), content).unwrap();
        }
        let text = "[File(\"a.csv\"), File(\"in/a.csv\"), File(\"in/../b.csv\"), File(\"s.ron\"), \
                    File(\"none.csv\"), File(\"a.csv\")]";
        let (found, copies) = copied(text, &place, Some("s.ron"));
        let [other, scenario] = ["in/a.csv", "s.ron"].map(|name| place.join(name));
        let expected = format!(
            "[File(\"a.csv\"), File(\"{}\"), File(\"b.csv\"), File(\"{}\"), File(\"none.csv\"), File(\"a.csv\")]",
            other.display(),
            scenario.display()
        );
        assert_eq!(found, expected);
        let copies: Vec<(&str, &str)> = copies.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(copies, [("a.csv", "1"), ("b.csv", "3")]);
    }
}
