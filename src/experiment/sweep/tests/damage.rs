//! Tests of damaged study files: all damage is detected.

use super::*;
use crate::experiment::sweep::finish;
use crate::random::mix;

/// A study with searched loads, and therefore rounds, and with a copied scenario.
const SEARCHED: &str = r#"Study(
    scenario: "mine.ron",
    loads: Auto,
    bracket: 0.4,
    precision: 0.2,
    messages: 40000,
    warm_up: 500,
    models: [],
)"#;

fn finished(folder: &mut Folder) {
    let running = Running {
        threads: Some(2),
        stop: &AtomicBool::new(false),
        until: None,
        planned: &|_| {},
        waiting: &|_| {},
        progress: &|_| {},
    };
    finish(folder, &running).unwrap();
}

/// A finished study in the folder `out` below this one, with its tables and figures.
fn finished_study(place: &TempDir) -> Folder {
    let scenario = crate::scenario::builtin::find("papers/adaptive-torus-4x4").unwrap().text;
    fs::write(place.path().join("mine.ron"), scenario).unwrap();
    let own = Study::read("study.ron", SEARCHED, place.path(), &[]).unwrap();
    let mut folder = Folder::begin(&place.path().join("out"), &own, false).unwrap();
    finished(&mut folder);
    write_all(&folder, Some(2)).unwrap();
    folder
}

/// All files below a folder, by relative path.
fn files_below(folder: &Path) -> Vec<String> {
    let mut open = vec![folder.to_path_buf()];
    let mut files = Vec::new();
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                open.push(entry);
            } else {
                files.push(entry.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    files.sort();
    files
}

/// The rows of a folder's results without values that vary from run to run.
fn rows(folder: &Folder) -> Vec<String> {
    let rows = Results::of(folder, false).rows();
    rows.iter().map(|row| row.text("fingerprint").to_owned()).collect()
}

/// 100 flips of single bits, at least one in every file: a flip in a defining file is an error with
/// the file's name, a flip in a result or round is reported and repaired, and tables and figures
/// are rewritten.
#[test]
fn of_a_hundred_flipped_bits_none_is_accepted_silently() {
    let place = TempDir::new().unwrap();
    let folder = finished_study(&place);
    let (path, known) = (folder.path().to_path_buf(), rows(&folder));
    let files = files_below(&path);
    for part in ["study.ron", "scenario/mine.ron", "checksums.json", "points/", "rounds/", ".csv"] {
        assert!(files.iter().any(|file| file.contains(part)), "{part} in {files:?}");
    }
    for flip in 0..100 {
        let name = &files[flip % files.len()];
        let file = path.join(name);
        let whole = fs::read(&file).unwrap();
        let bit = (mix(7, flip as u64) % (whole.len() as u64 * 8)) as usize;
        let mut text = whole.clone();
        text[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, &text).unwrap();
        let opened = Folder::open(&path);
        let what = format!("bit {bit} of {name}");
        if name == "study.ron" || name == "checksums.json" || name.starts_with("scenario/") {
            let refused = opened.unwrap_err().to_string();
            assert!(refused.contains(name.as_str()), "{what}: {refused}");
            fs::write(&file, &whole).unwrap();
            continue;
        }
        let mut opened = opened.unwrap();
        if name.starts_with("points/") {
            let results = Results::of(&opened, false);
            let damaged: Vec<usize> = results.damaged().map(|(point, _)| point).collect();
            assert_eq!(damaged.len(), 1, "{what}");
            assert_eq!(results.missing().collect::<Vec<usize>>(), damaged, "{what}");
            assert!(results.text().contains("damaged"), "{what}");
        } else if name.starts_with("rounds/") {
            assert!(opened.damaged_round.as_ref().unwrap().contains(name.as_str()), "{what}");
        } else {
            write_all(&opened, Some(2)).unwrap();
        }
        finished(&mut opened);
        assert_eq!(rows(&opened), known, "{what}");
        let mended = fs::read(&file).unwrap();
        // A result includes its wall time and therefore has another checksum.
        assert!(mended == whole || name.starts_with("points/") && mended != text, "{what}");
        fs::write(&file, &whole).unwrap();
    }
}

/// Files left empty or truncated by a power cut, and a file without checksum from an earlier
/// version.
#[test]
fn empty_torn_and_unsealed_results_are_run_again() {
    let place = TempDir::new().unwrap();
    let folder =
        Folder::begin(place.path(), &study(&TEXT.replace("20000", "2000")), false).unwrap();
    run(&folder, &Part::All, 2);
    let known = rows(&folder);
    let file = |at: usize| {
        place.path().join("points").join(format!("{}.json", fingerprints(&folder.study)[at]))
    };
    let whole = fs::read_to_string(file(0)).unwrap();
    let (unsealed, _) = whole.rsplit_once(",\"checksum\"").unwrap();
    fs::write(file(0), "").unwrap();
    fs::write(file(1), &whole[..whole.len() / 2]).unwrap();
    fs::write(file(2), format!("{unsealed}}}\n")).unwrap();
    fs::write(file(3), vec![0; whole.len()]).unwrap();
    fs::write(file(4), resealed(&file(4), "\"hops_mean\":", "\"hop_mean\":")).unwrap();
    let results = Results::of(&folder, false);
    assert_eq!(Part::list(results.missing()), "0-4");
    let damage: Vec<&str> = results.damaged().map(|(_, why)| why).collect();
    let parts = ["is empty", "torn", "earlier version", "torn", "lacks `hops_mean`"];
    for (damage, part) in damage.iter().zip(parts) {
        assert!(damage.contains(part) && damage.contains(".json: "), "{damage}");
    }
    assert_eq!(results.refused().count(), 0);
    assert_eq!(run(&folder, &Part::All, 2), 5);
    assert_eq!(rows(&folder), known);
}

/// Intentional edits of a study in its folder get an explanation; a study copied alone, or begun
/// before the introduction of checksums, is read unverified.
#[test]
fn a_changed_study_is_refused_until_its_checksums_are_removed() {
    let place = TempDir::new().unwrap();
    drop(Folder::begin(place.path(), &study(TEXT), false).unwrap());
    let file = place.path().join(STUDY);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("20000", "20001")).unwrap();
    let refused = Folder::open(place.path()).unwrap_err().to_string();
    assert!(
        refused.contains("study.ron") && refused.contains("remove checksums.json"),
        "{refused}"
    );
    fs::remove_file(place.path().join("checksums.json")).unwrap();
    assert_eq!(Folder::open(place.path()).unwrap().study.points.len(), 6);
    // Beginning a study writes its checksums.
    Folder::begin(place.path(), &study(TEXT), true).unwrap();
    assert!(place.path().join("checksums.json").exists());
}
