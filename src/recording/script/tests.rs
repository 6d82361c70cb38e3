//! Tests of every command of a script, and of every mistake with its position.

use super::*;

fn parse(text: &str) -> Result<Script<String>, Vec<Problem>> {
    let known = ["Space", "Enter", ".", "#", "]"];
    Script::parse("a.keys", text, |name| {
        let found = known.iter().find(|key| key.eq_ignore_ascii_case(name));
        found.map(|key| (*key).to_owned()).ok_or_else(|| "a key has a name".to_owned())
    })
}

fn commands(text: &str) -> Vec<Command<String>> {
    parse(text).unwrap().lines.into_iter().map(|line| line.command).collect()
}

#[test]
fn every_command_is_read() {
    let text = "# A film.\nscenario ring-deadlock # the ring\nsize 120x40\nfps 12\n\n  wait 2s\n\
                wait 300ms\nkey space\nkey . x10\nkey ] x3 every 0.5s # faster\nkey #\n\
                type \"a \\\"b\\\\ # c\\n\"\nmarker \"there\"\nuntil cycle 4_000\n\
                until state deadlocked\nclick 40 12\nclick 0 999 x2\ndrag 1 2 3 4\n\
                wheel down 5 6\nresize 1x1000\nshot a/b.svg\n";
    let script = parse(text).unwrap();
    assert_eq!(script.scenario.as_deref(), Some("ring-deadlock"));
    assert_eq!((script.size, script.fps), (Some((120, 40)), Some(12)));
    let key = |key: &str, times, every| Command::Key { key: key.to_owned(), times, every };
    assert_eq!(
        commands(text),
        [
            Command::Wait(2_000_000),
            Command::Wait(300_000),
            key("Space", 1, EVERY),
            key(".", 10, EVERY),
            key("]", 3, 500_000),
            key("#", 1, EVERY),
            Command::Type("a \"b\\ # c\n".to_owned()),
            Command::Marker("there".to_owned()),
            Command::Until(Until::Cycle(4000)),
            Command::Until(Until::Deadlocked),
            Command::Click { at: (40, 12), double: false },
            Command::Click { at: (0, 999), double: true },
            Command::Drag { from: (1, 2), to: (3, 4) },
            Command::Wheel { up: false, at: (5, 6) },
            Command::Resize((1, 1000)),
            Command::Shot("a/b.svg".to_owned()),
        ]
    );
    assert_eq!(script.lines[0].place.line, 6);
    assert_eq!((script.lines[0].place.column, script.lines[0].place.length), (3, 7));
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_all_at_once() {
    let problem = |text: &str| {
        let problems = parse(text).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        let place = problems[0].place.clone().unwrap();
        let help = problems[0].help.clone().unwrap_or_default();
        (problems[0].what.clone(), place.column, place.length, help)
    };
    let cases = [
        ("wiat 2s", "there is no command `wiat`", 1, 4, "did you mean `wait`?"),
        ("fly", "there is no command `fly`", 1, 3, "commands are wait, key, type"),
        ("wait", "expected a time", 5, 1, ""),
        ("wait 2", "`2` is not a time", 6, 1, "write 2s"),
        ("wait 2h", "`2h` is not a time", 6, 2, "write 2s"),
        ("wait -2s", "`-2s` is not a time", 6, 3, "write 2s"),
        ("wait 4000s", "`4000s` is not a time", 6, 5, "write 2s"),
        ("wait ..s", "`..s` is not a time", 6, 3, "write 2s"),
        ("key spcae", "there is no key `spcae`", 5, 5, "a key has a name"),
        ("key", "expected a key", 4, 1, ""),
        ("key . x0", "a key can be pressed x1 to x1000", 7, 2, ""),
        ("key . ten", "unexpected `ten`", 7, 3, "one command"),
        ("key . every", "expected a time", 12, 1, ""),
        ("type hello", "expected a text in double quotes", 5, 1, ""),
        ("type \"hello", "this text is not closed", 6, 6, "close it"),
        ("type \"ä\\q\"", "this is not a valid escape", 8, 2, "the escapes of a text"),
        ("marker \"a\" b", "unexpected `b`", 12, 1, ""),
        ("until noon", "`noon` cannot be waited for", 7, 4, "until cycle"),
        ("until cycle x", "a cycle is a whole number", 13, 1, ""),
        ("until state puased", "there is no state `puased`", 13, 6, "did you mean `paused`?"),
        ("shot a.gif", "`a.gif` is not a picture file", 6, 5, "the name must end in .svg"),
        ("shot a\u{1b}.svg", "`a\u{1b}.svg` has a control character", 6, 6, "letters, digits"),
        ("shot .svg", "`.svg` is not a picture file", 6, 4, ""),
        ("size 0x10", "a size is columns and rows", 6, 4, "write 120x40"),
        ("fps 0", "this must be frames per second, from 1 to 240", 5, 1, "write 15"),
        ("size 80", "a size is columns and rows", 6, 2, "write 120x40"),
        ("resize 80x0", "a size is columns and rows", 8, 4, "write 120x40"),
        ("click 4", "expected a row, from 0 to 999", 8, 1, ""),
        ("click 1000 4", "a column is from 0 to 999", 7, 4, ""),
        ("click 1 4 x3", "a click is single or double", 11, 2, "write x2"),
        ("drag 1 4 5", "expected a row", 11, 1, ""),
        ("wheel in 1 4", "a wheel turns up or down", 7, 2, "write `wheel up"),
        ("wait 1s\nsize 80x24", "`size` must precede all other commands", 1, 4, "to the top"),
    ];
    for (text, what, column, length, help) in cases {
        let found = problem(text);
        assert!(found.0.starts_with(what), "{text}: {}", found.0);
        assert_eq!((found.1, found.2), (column, length), "{text}");
        assert!(found.3.contains(help), "{text}: {}", found.3);
    }
    for nothing in ["", "\n# a\n", "size 80x24\n"] {
        assert_eq!(parse(nothing).unwrap_err()[0].what, "this script has no commands");
    }
    let problems = parse("wait\nkey space\nkey spcae\nwait").unwrap_err();
    let lines: Vec<usize> = problems.iter().map(|it| it.place.as_ref().unwrap().line).collect();
    assert_eq!(lines, [1, 3, 4]);
    assert!(parse(&"wait 1s\n".repeat(LINES_MAX + 5)).unwrap_err().len() == 1);
}

proptest::proptest! {
    #[test]
    fn no_text_is_too_strange(text in "(wait|key|type|until|shot|size|[ \\n\"\\\\#xsä0-9.])*") {
        let _ = parse(&text);
    }
}
