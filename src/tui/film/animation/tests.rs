//! Tests that the style sheet shows the right screen at any time.

use std::collections::BTreeMap;

use ratatui::style::Color;
use roxmltree::{Document, Node};

use super::*;
use crate::tui::picture::DARK;

/// Period, and duration or delay of each class of groups, in seconds.
struct Rules {
    period: f64,
    lasting: BTreeMap<String, f64>,
    delays: BTreeMap<String, f64>,
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split_once(after).unwrap().0
}

impl Rules {
    fn read(sheet: &str) -> Self {
        let period: f64 = between(sheet, "animation:", "s ").parse().unwrap();
        let (mut lasting, mut delays) = (BTreeMap::new(), BTreeMap::new());
        for line in sheet.lines() {
            if let Some(rule) = line.strip_prefix("@keyframes ") {
                let share: f64 = between(rule, "visible}", "%").parse().unwrap();
                let name = rule.split('{').next().unwrap().to_owned();
                assert!(rule.ends_with(&format!(".{name}{{animation-name:{name}}}")));
                lasting.insert(name, share / 100.0 * period);
            } else if line.starts_with(".s") {
                let delay: f64 = between(line, "delay:-", "s}").parse().unwrap();
                delays.insert(between(line, ".", "{").to_owned(), delay);
            }
        }
        Self { period, lasting, delays }
    }

    /// True if a browser shows the element at time `at`.
    fn shows(&self, node: Node<'_, '_>, at: f64) -> bool {
        let Some(group) = node.ancestors().find(|node| node.has_tag_name("g")) else { return true };
        let mut classes = group.attribute("class").unwrap().split(' ');
        let lasts = self.lasting[classes.next().unwrap()];
        let phase = (at + self.delays[classes.next().unwrap()]) % self.period;
        phase < lasts
    }

    /// The visible characters at time `at`, without shapes.
    fn text(&self, document: &Document<'_>, size: (usize, usize), at: f64) -> Vec<String> {
        let mut rows = vec![vec![' '; size.0]; size.1];
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        for node in texts.filter(|&node| self.shows(node, at)) {
            let list = |name: &str| -> Vec<f64> {
                let values = node.attribute(name).unwrap().split(' ');
                values.map(|value| value.parse().unwrap()).collect()
            };
            let (columns, lines) = (list("x"), list("y"));
            for (nth, letter) in node.text().unwrap().chars().enumerate() {
                let y = lines.get(nth).or(lines.last()).unwrap();
                let place = &mut rows[((y - BASE) / CELL.1).round() as usize]
                    [(columns[nth] / CELL.0).round() as usize];
                assert_eq!(*place, ' ', "two characters in one place");
                *place = letter;
            }
        }
        rows.into_iter().map(|row| String::from_iter(row).trim_end().to_owned()).collect()
    }
}

const SCREENS: [[&str; 2]; 4] = [
    ["a<b & c   ", "──────────"],
    ["a<b & d   ", "──────────"],
    ["a<b & d  e", "──▶───────"],
    ["a<b & c  e", "──────────"],
];

fn film() -> String {
    let mut animation = Animation::new(DARK, "a < b".to_owned(), 1);
    for (at, screen) in (0..).zip(SCREENS) {
        if at == 2 {
            animation.set_caption("it moves");
        }
        animation.frame(at * 500_000, Buffer::with_lines(screen));
    }
    animation.end(2_000_000)
}

#[test]
fn at_each_time_the_screen_of_that_time_is_seen() {
    let text = film();
    assert_eq!(text, film());
    let document = Document::parse(&text).unwrap();
    let sheet = document.descendants().find(|node| node.has_tag_name("style")).unwrap();
    let rules = Rules::read(sheet.text().unwrap());
    // The film is followed by the frame at the end.
    assert!((rules.period - 4.0).abs() < 1e-9);
    for round in [0.0, 4.0] {
        for (nth, screen) in SCREENS.iter().enumerate() {
            let seen = rules.text(&document, (10, 3), round + nth as f64 * 0.5 + 0.01);
            assert_eq!(seen[0], screen[0].trim_end(), "screen {nth}");
            assert_eq!(seen[1].contains('▶'), nth == 2);
            assert_eq!(seen[2].trim(), if nth < 2 { "" } else { "it moves" });
        }
        let end = |node: &Node<'_, '_>| node.text() == Some("flitscope");
        let named = document.descendants().find(|it| it.has_tag_name("text") && end(it)).unwrap();
        let shown = [1.9, 2.01, 3.9].map(|at| rules.shows(named, round + at));
        assert_eq!(shown, [false, true, true]);
    }
    // No script, and constant cells are drawn once outside any group.
    assert!(!text.contains("<script") && text.matches("a&lt;b").count() == 1);
    let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
    assert_eq!(title.text(), Some("a < b"));
}

#[test]
fn on_paper_the_last_picture_is_seen() {
    let text = film();
    let document = Document::parse(&text).unwrap();
    let groups = document.descendants().filter(|node| node.has_tag_name("g"));
    let marked = groups.filter(|node| node.attribute("class").unwrap().ends_with(" p"));
    let texts = marked.flat_map(|node| node.descendants()).filter(|node| node.has_tag_name("text"));
    let seen: String = texts.filter_map(|node| node.text()).collect();
    let letters = |text: &str| -> Vec<char> {
        let mut letters: Vec<char> = text.chars().filter(|it| !it.is_whitespace()).collect();
        letters.sort_unstable();
        letters
    };
    assert_eq!(letters(&seen), letters("c e it moves"));
}

#[test]
fn frames_that_come_faster_are_passed_over_and_grounds_are_below() {
    let mut animation = Animation::new(DARK, String::new(), 0);
    for at in 0..60 {
        let mut screen = Buffer::with_lines([format!("{at:02}")]);
        screen[(0, 0)].bg = Color::Rgb(1, 2, 3);
        animation.frame(at * 33_333, screen);
    }
    let text = animation.end(2_000_000);
    let groups = text.matches("<g class").count();
    assert!((17..=23).contains(&groups), "sixteen ones, six tens, one ground, one end: {text}");
    assert!(text.find("<path").unwrap() < text.find("<text").unwrap());
}

#[test]
fn a_caption_is_whole_at_every_width_or_refused() {
    let told =
        "Worms of flits on a ring with one virtual channel. The network is shown flit by flit.";
    for width in 1..120 {
        let Some(Caption { lines, scale }) = Caption::new(told, width) else {
            assert!(width < 34, "{width}");
            continue;
        };
        assert!(lines.len() <= 3 && lines.join(" ") == told, "{width}: {lines:?}");
        assert_eq!(scale, if width < 62 { 1 } else { 2 }, "{width}");
        let rows = lines.len() as u16 * scale;
        let mut animation = Animation::new(DARK, String::new(), rows);
        animation.frame(0, Buffer::empty(Rect::new(0, 0, width, 1)));
        animation.set_caption(told);
        animation.frame(1_000_000, Buffer::empty(Rect::new(0, 0, width, 1)));
        let film = animation.end(2_000_000);
        let document = Document::parse(&film).unwrap();
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        let captions = texts.filter(|node| node.text() != Some("flitscope"));
        let seen: String = captions.clone().filter_map(|node| node.text()).collect();
        assert_eq!(seen.replace(' ', ""), told.replace(' ', ""), "{width}");
        let bottom = document.root_element().attribute("viewBox").unwrap();
        let bottom: f64 = bottom.rsplit(' ').next().unwrap().parse().unwrap();
        let below = |node: Node<'_, '_>| node.attribute("y").unwrap().parse::<f64>().unwrap();
        assert!(captions.map(below).all(|y| y > CELL.1 && y < bottom), "{width}");
    }
    let empty = Caption::new("", 80).unwrap();
    assert!(empty.lines == [""] && empty.line_at(0).is_none());
}
