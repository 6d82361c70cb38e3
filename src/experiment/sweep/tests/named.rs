//! Studies that name files: the folder of a study needs no others.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::experiment::sweep::{Folder, Study};

#[test]
fn a_folder_has_copies_of_all_named_files() {
    let place = TempDir::new().unwrap();
    let file = |name: &str| place.path().join(name);
    fs::write(file("one.csv"), "from,to\na,b\nb,c\n").unwrap();
    fs::write(file("two.csv"), "from,to\na,b\nb,c\nc,a\n").unwrap();
    let base = "Scenario(network: File(\"one.csv\"), routing: UpDown(), switching: Wormhole(terminals: \
                Channels, ejection: PerWorm), traffic: (arrivals: Poisson(load: 0.1), destinations: \
                Uniform, lengths: Fixed(4)))";
    fs::write(file("base.ron"), base).unwrap();
    let text = "Study(scenario: \"base.ron\", vary: {\"network\": [File(\"one.csv\"), \
                File(\"two.csv\")]}, loads: [0.1], cycles: 500)";
    let study = Study::read("s.ron", text, place.path(), &[]).unwrap();
    Folder::begin(&file("out"), &study, false).unwrap();
    for name in ["one.csv", "two.csv", "base.ron"] {
        fs::remove_file(file(name)).unwrap();
    }
    let moved = file("moved");
    fs::rename(file("out"), &moved).unwrap();
    let opened = Folder::open(Path::new(&moved)).unwrap();
    assert_eq!(opened.study.curves, study.curves);
    assert_eq!(opened.study.points.len(), 2);
}
