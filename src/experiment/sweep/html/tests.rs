//! Tests of the page: complete, self-contained and well formed.

use tempfile::TempDir;

use super::*;
use crate::experiment::sweep::tests::{run, study};
use crate::experiment::sweep::{Folder, Part};

#[test]
fn a_page_stands_by_itself_and_says_where_its_figures_are_from() {
    let text = "Study(scenario: \"papers/adaptive-torus-4x4\", loads: [0.1, 0.2, 0.9], \
                seeds: [3, 5], messages: 5000, /* <none> & all */)";
    let place = TempDir::new().unwrap();
    let folder = Folder::begin(place.path(), &study(text), false).unwrap();
    run(&folder, &"0-3".parse::<Part>().unwrap(), 2);
    let results = Results::of(&folder, true);
    results.write_report(&folder).unwrap();
    let page = std::fs::read_to_string(place.path().join("report.html")).unwrap();
    // Well formed even for a strict parser.
    let strict = page.replace("<!DOCTYPE html>", "").replace("<meta charset=\"utf-8\">", "");
    let strict = strict.replace("<meta name=\"viewport\" content=\"width=device-width\">", "");
    let document = roxmltree::Document::parse(strict.trim()).unwrap();
    let count = |tag: &str| document.descendants().filter(|it| it.has_tag_name(tag)).count();
    assert_eq!(count("figure"), 5);
    assert_eq!(count("table"), 2);
    for foreign in ["<script", "<link", "src=", "http:", "https:", "url("] {
        let found = page.matches(foreign).count();
        let names = page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(found, if foreign == "http:" { names } else { 0 }, "{foreign}");
    }
    assert!(page.contains("PARTIAL: 4 of 6 points have been run"));
    assert!(page.contains(concat!("flitscope ", env!("CARGO_PKG_VERSION"))));
    assert!(page.contains("<th>seeds</th><td>3, 5</td>"));
    assert!(page.contains("Scenario(\n    title: \"Adaptive worms in a 4x4 torus\""));
    assert_eq!(escaped("a<b> & c"), "a&lt;b&gt; &amp; c");
}
