//! Tests of headers, of frames as events, and of monotonic times without drift.

use super::*;

fn header(format: Format) -> Header {
    Header {
        format,
        size: (120, 40),
        title: "a \"ring\"".to_owned(),
        made: None,
        idle_limit: None,
        terminal: None,
        palette: None,
    }
}

fn text(written: Vec<u8>) -> Vec<String> {
    String::from_utf8(written).unwrap().lines().map(str::to_owned).collect()
}

fn lines(header: &Header, events: &[(u64, char, &str)]) -> Vec<String> {
    let mut cast = Cast::begin(Vec::new(), header).unwrap();
    for (at, code, data) in events {
        cast.write(*at, *code, data).unwrap();
    }
    text(cast.out)
}

#[test]
fn version_3_has_its_header_and_times_since_the_event_before() {
    let events = [
        (0, 'o', "\x1b[2J\"ä\\\r\n"),
        (33_333, 'm', "pause"),
        (66_666, 'r', "80x24"),
        (2_000_000, 'x', "0"),
    ];
    let found = lines(&header(Format::V3), &events);
    let wanted = [
        r#"{"version":3,"term":{"cols":120,"rows":40},"title":"a \"ring\""}"#,
        r#"[0.000, "o", "\u001b[2J\"ä\\\r\n"]"#,
        r#"[0.033, "m", "pause"]"#,
        r#"[0.034, "r", "80x24"]"#,
        r#"[1.933, "x", "0"]"#,
    ];
    assert_eq!(found, wanted);
}

#[test]
fn version_2_has_times_since_the_beginning_and_no_exit() {
    let events = [(33_333, 'o', "a"), (1_200_000, 'x', "0")];
    let mut header = header(Format::V2);
    header.made = Some(1_700_000_000);
    header.idle_limit = Some(2.5);
    header.terminal = Some("xterm-256color".to_owned());
    let wanted = [
        "{\"version\":2,\"width\":120,\"height\":40,\"timestamp\":1700000000,\
         \"idle_time_limit\":2.5,\"title\":\"a \\\"ring\\\"\",\
         \"env\":{\"TERM\":\"xterm-256color\"}}",
        r#"[0.033333, "o", "a"]"#,
    ];
    assert_eq!(lines(&header, &events), wanted);
}

#[test]
fn the_colours_go_into_the_theme() {
    let palette = Palette { ink: 0x00d4_d7dd, ground: 0x11, colours: [0x0000_ff00; 16] };
    for format in [Format::V3, Format::V2] {
        let header = Header { palette: Some(palette), ..header(format) };
        let line: serde_json::Value = serde_json::from_str(&lines(&header, &[]).remove(0)).unwrap();
        let theme = if format == Format::V3 { &line["term"]["theme"] } else { &line["theme"] };
        assert_eq!(theme["fg"], "#d4d7dd");
        assert_eq!(theme["bg"], "#000011");
        assert_eq!(theme["palette"].as_str().unwrap().split(':').count(), 16);
    }
}

#[test]
fn rounding_does_not_add_up() {
    // 30 frames a second for ten minutes: if rounded separately, times would end 6 s early.
    let frame = |number: u64| number * 1_000_000 / 30;
    let events: Vec<_> = (0..=18_000).map(|number| (frame(number), 'o', "x")).collect();
    let mut milliseconds = 0u64;
    for (line, (at, ..)) in lines(&header(Format::V3), &events)[1..].iter().zip(&events) {
        let time = line[1..].split(',').next().unwrap();
        let digits: String = time.chars().filter(char::is_ascii_digit).collect();
        milliseconds += digits.parse::<u64>().unwrap();
        assert!((milliseconds * 1000).abs_diff(*at) <= 500, "{line} at {at}");
    }
    assert_eq!(milliseconds, 600_000);
}

#[test]
fn time_does_not_go_back() {
    let events = [(5_000, 'm', "a"), (1_000, 'm', "b")];
    assert_eq!(
        lines(&header(Format::V3), &events)[1..],
        [r#"[0.005, "m", "a"]"#, r#"[0.000, "m", "b"]"#]
    );
}

#[test]
fn a_recording_enters_tells_sizes_first_and_leaves() {
    let mut cast = Cast::begin(Vec::new(), &header(Format::V3)).unwrap();
    cast.mark(700, "too early").unwrap();
    cast.frame(1_000, (120, 40), b"one").unwrap();
    cast.mark(2_000, "pause").unwrap();
    cast.frame(3_000, (90, 24), b"two").unwrap();
    cast.frame(4_000, (90, 24), b"three").unwrap();
    let (written, summary) = cast.end(5_000, 0).unwrap();
    assert_eq!(summary, Summary { events: 7, length: 4_000 });
    let output = |text: String| serde_json::to_string(&text).unwrap();
    let wanted = [
        format!("[0.000, \"o\", {}]", output(format!("{ENTER}one"))),
        "[0.001, \"m\", \"pause\"]".to_owned(),
        "[0.001, \"r\", \"90x24\"]".to_owned(),
        "[0.000, \"o\", \"two\"]".to_owned(),
        "[0.001, \"o\", \"three\"]".to_owned(),
        format!("[0.001, \"o\", {}]", output(LEAVE.to_owned())),
        "[0.000, \"x\", \"0\"]".to_owned(),
    ];
    assert_eq!(text(written)[1..], wanted);
}

#[test]
fn a_recording_that_begins_on_another_size_says_so() {
    let mut cast = Cast::begin(Vec::new(), &header(Format::V3)).unwrap();
    cast.frame(9, (100, 30), b"one").unwrap();
    assert_eq!(text(cast.end(9, 0).unwrap().0)[1], r#"[0.000, "r", "100x30"]"#);
}

#[test]
fn what_is_taken_is_given_back() {
    for mode in ["?1049", "?25", "?7"] {
        assert!(ENTER.contains(mode) && LEAVE.contains(mode), "{mode}");
    }
}
