//! Tests of the guide's pages and of the search.

use super::*;

/// Columns and rows of text on a screen of 80x24.
const SIZE: (usize, usize) = (73, 18);

fn help() -> Help {
    Help::new([Page {
        name: "own",
        entries: vec![Entry::Row("n".into(), "next blocked worm".into()), Entry::Gap],
    }])
}

#[test]
fn the_guide_is_there_whole() {
    let help = help();
    let names: Vec<&str> = help.pages.iter().map(|page| page.name).collect();
    let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    assert_eq!(names, [&["own"], &topics[..]].concat());
    for (page, topic) in help.pages[1..].iter().zip(TOPICS) {
        assert_eq!(page.entries[0], Entry::Heading(topic.title().to_owned()), "{}", topic.name);
        // Every word of the text is on the page, except marks and table rules.
        let all: String = page.entries.iter().map(|entry| entry.text() + " ").collect();
        let letters = |text: &str| text.chars().filter(|it| it.is_alphanumeric()).count();
        let links: usize = topic.text.matches("](").count();
        let missing = letters(topic.text) - letters(&all);
        let fences = topic.text.lines().filter(|line| line.trim().starts_with("```"));
        let fences: usize = fences.map(letters).sum();
        assert!(missing <= fences + 60 * links, "{}: {missing} letters missing", topic.name);
        assert!(!all.contains("**") && !all.contains("|---"), "{}", topic.name);
    }
}

#[test]
fn stars_are_marks_but_where_they_stand_alone_or_in_code() {
    assert_eq!(
        plain("* of **all** (*predict*): 2 * 3, `torus-*`"),
        "* of all (predict): 2 * 3, torus-*"
    );
}

#[test]
fn all_words_are_found_wherever_they_stand() {
    let mut help = help();
    help.answer(Answer::Complete, SIZE);
    "WORM blocked".chars().for_each(|letter| help.answer(Answer::typed(letter), SIZE));
    let found = help.found();
    assert_eq!(found[0], (0, 0));
    assert!(found.len() > 1 && found[1].0 > 0, "{found:?}");
    help.answer(Answer::Down, SIZE);
    help.answer(Answer::Accept, SIZE);
    assert_eq!((help.page, help.from, help.search.is_none()), (found[1].0, (found[1].1, 0), true));
    // An empty search has no results.
    help.answer(Answer::Complete, SIZE);
    assert!(help.found().is_empty());
    help.answer(Answer::Accept, SIZE);
    assert!(help.search.is_some());
}

#[test]
fn pages_turn_round_and_scrolling_ends() {
    let mut help = help();
    help.answer(Answer::ChoosePrevious, SIZE);
    assert_eq!(help.page, TOPICS.len());
    (0..2_000).for_each(|_| help.answer(Answer::Down, SIZE));
    let end = help.from;
    assert_eq!(shown(&help).last(), all(&help).last());
    help.answer(Answer::Down, SIZE);
    assert_eq!(help.from, end);
    help.answer(Answer::ChooseNext, SIZE);
    assert_eq!((help.page, help.from), (0, (0, 0)));
    // A page shorter than the screen does not scroll.
    help.answer(Answer::Down, SIZE);
    assert_eq!(help.from, (0, 0));
}

/// All lines of the page.
fn all(help: &Help) -> Vec<(String, String)> {
    help.pages[help.page].entries.iter().flat_map(|it| it.lines(SIZE.0)).collect()
}

fn shown(help: &Help) -> Vec<(String, String)> {
    let (entry, line) = help.from;
    let entries = &help.pages[help.page].entries[entry..];
    let lines = entries.iter().flat_map(|it| it.lines(SIZE.0)).skip(line);
    lines.take(SIZE.1).collect()
}

#[test]
fn every_line_of_every_page_can_be_read() {
    let mut help = help();
    assert_eq!(help.text_size((80, 24)), SIZE);
    for page in 0..help.pages.len() {
        (help.page, help.from) = (page, (0, 0));
        let (all, mut read) = (all(&help), 0);
        loop {
            let now = shown(&help);
            let at = (0..=read).rev().find(|&at| all[at..].starts_with(&now));
            let at =
                at.unwrap_or_else(|| panic!("lines of {} are passed over", help.pages[page].name));
            read = read.max(at + now.len());
            let before = help.from;
            help.answer(Answer::Down, SIZE);
            if help.from == before {
                break;
            }
        }
        assert_eq!(read, all.len(), "{}", help.pages[page].name);
        while help.from != (0, 0) {
            let before = help.from;
            help.answer(Answer::Up, SIZE);
            assert!(help.from < before, "{}", help.pages[page].name);
        }
    }
}

#[test]
fn items_of_lists_stand_by_themselves_and_what_goes_on_with_them_does_not() {
    let topic = Topic {
        name: "lists",
        text: "1. *One* goes\n   on.\n12. Twelve\n- a mark\n* a star\nand text.\n3.5 is a number.",
    };
    let entries: Vec<String> = guide(&topic).entries.iter().map(Entry::text).collect();
    let expected =
        ["1. One goes on.", "12. Twelve", "- a mark", "* a star and text. 3.5 is a number."];
    assert_eq!(entries, expected);
}
