//! Tests of complete, malformed and truncated sequences.

use super::*;

/// Decodes bytes followed by a pause.
fn heard(bytes: &[u8]) -> Vec<Input> {
    let (mut decoder, now, mut heard) = (Decoder::default(), Instant::now(), Vec::new());
    decoder.feed(bytes, now, &mut heard);
    decoder.expire(now + PASTING, &mut heard);
    assert!(decoder.bytes.is_empty() && decoder.patience(now).is_none());
    heard
}

fn keys(bytes: &[u8]) -> Vec<Key> {
    let of = |input| {
        let Input::Key(key) = input else { panic!("{input:?} of {bytes:?}") };
        key
    };
    heard(bytes).into_iter().map(of).collect()
}

#[test]
fn keys_are_decoded() {
    for (bytes, key) in [
        ("a", Key::Char('a')),
        ("ä", Key::Char('ä')),
        ("€", Key::Char('€')),
        ("🌐", Key::Char('🌐')),
        (" ", Key::Char(' ')),
        ("\r", Key::Enter),
        ("\n", Key::Ctrl('j')),
        ("\t", Key::Tab),
        ("\x7f", Key::Backspace),
        ("\x03", Key::Ctrl('c')),
        ("\x1a", Key::Ctrl('z')),
        ("\0", Key::Ctrl(' ')),
        ("\x1f", Key::Ctrl('7')),
        ("\x1b", Key::Esc),
        ("\x1b[A", Key::Up),
        ("\x1bOB", Key::Down),
        ("\x1b[1;5C", Key::Right),
        ("\x1b[1;2:1D", Key::Left),
        ("\x1b[H", Key::Home),
        ("\x1b[4~", Key::End),
        ("\x1b[5~", Key::PageUp),
        ("\x1b[6;5~", Key::PageDown),
        ("\x1b[3~", Key::Delete),
        ("\x1b[Z", Key::BackTab),
        ("\x1bOP", Key::F(1)),
        ("\x1b[[E", Key::F(5)),
        ("\x1b[15~", Key::F(5)),
        ("\x1b[17~", Key::F(6)),
        ("\x1b[24~", Key::F(12)),
        ("\x1bx", Key::Char('x')),
        ("\x1bä", Key::Char('ä')),
        ("\x1b[97;5u", Key::Ctrl('a')),
        ("\x1b[97;2u", Key::Char('A')),
        ("\x1b[27;5;99~", Key::Ctrl('c')),
        ("\x1b[9;2u", Key::BackTab),
    ] {
        assert_eq!(keys(bytes.as_bytes()), [key], "{bytes:?}");
    }
    assert_eq!(keys(b"\x1b\x1b[A"), [Key::Esc, Key::Up]);
    assert_eq!(keys(b"ab\x1b[Bc"), [Key::Char('a'), Key::Char('b'), Key::Down, Key::Char('c')]);
}

#[test]
fn the_rest_is_decoded() {
    for (bytes, input) in [
        ("\x1b[<0;3;5M", Input::Mouse(Gesture::Press, 2, 4)),
        ("\x1b[<16;3;5M", Input::Mouse(Gesture::Press, 2, 4)),
        ("\x1b[<32;300;5M", Input::Mouse(Gesture::Drag, 299, 4)),
        ("\x1b[<0;3;5m", Input::Mouse(Gesture::Release, 2, 4)),
        ("\x1b[<64;1;1M", Input::Mouse(Gesture::WheelUp, 0, 0)),
        ("\x1b[<65;1;1M", Input::Mouse(Gesture::WheelDown, 0, 0)),
        ("\x1b[M #%", Input::Mouse(Gesture::Press, 2, 4)),
        ("\x1b[M##%", Input::Mouse(Gesture::Release, 2, 4)),
        ("\x1b[M`#%", Input::Mouse(Gesture::WheelUp, 2, 4)),
        ("\x1b[I", Input::Focus),
        ("\x1b[200~q\x1b[A\nü\x1b[201~", Input::Paste("q\x1b[A\nü".to_owned())),
        ("\x1b]11;rgb:0/0/0\x1b\\", Input::Answer("]11;rgb:0/0/0".to_owned())),
        ("\x1b]11;rgb:0/0/0\x07", Input::Answer("]11;rgb:0/0/0".to_owned())),
        ("\x1bP1$r0m\x1b\\", Input::Answer("P1$r0m".to_owned())),
    ] {
        assert_eq!(heard(bytes.as_bytes()), [input], "{bytes:?}");
    }
}

#[test]
fn what_is_broken_or_means_nothing_is_no_key_and_what_follows_is() {
    for bytes in [
        &b""[..],
        b"\x1b[",
        b"\x1b[1",
        b"\x1b[?2026;2$y",
        b"\x1b[?62;c",
        b"\x1b[?1u",
        b"\x1b[4;600;800t",
        b"\x1b[12;40R",
        b"\x1b[O",
        b"\x1b[97;1:3u",
        b"\x1b[57441u",
        b"\x1b[<0;0;5M",
        b"\x1b[<2;3;5M",
        b"\x1b[<0;99999;5M",
        b"\x1b[<35;3;5M",
        b"\x1b[999999999999~",
        b"\xff",
        b"\xc3\xc3",
        b"\x1b]x",
        b"\x1b_Gi=1;OK\x1b",
    ] {
        let mut cut = bytes.to_vec();
        // A letter completes an unterminated sequence.
        let whole = !matches!(bytes.last(), None | Some(b'[' | b'1' | b'x' | 0x1b | 0xc3));
        assert!(heard(bytes).iter().all(|input| matches!(input, Input::Answer(_))), "{bytes:?}");
        cut.push(CTRL_C);
        assert_eq!(heard(&cut), [Input::Key(Key::Ctrl('c'))], "{bytes:?}");
        cut.pop();
        cut.extend(b"q");
        if whole {
            assert_eq!(keys(&cut), [Key::Char('q')], "{bytes:?}");
        }
    }
}

#[test]
fn bytes_may_come_one_by_one() {
    let text = "aä\x1b[A\x1b[<0;3;5M\x1b[200~x\x1b[201~\x1b]11;rgb:0/0/0\x1b\\€\x1b[M #%q";
    let (mut decoder, mut now, mut slowly) = (Decoder::default(), Instant::now(), Vec::new());
    for byte in text.as_bytes() {
        now += PATIENCE / 2;
        decoder.expire(now, &mut slowly);
        decoder.feed(&[*byte], now, &mut slowly);
    }
    assert_eq!(slowly, heard(text.as_bytes()));
    assert_eq!(slowly.len(), 9);
}

#[test]
fn an_incomplete_sequence_lasts_for_a_moment_only() {
    let just = Duration::from_nanos(1);
    for (bytes, patience, key) in [
        (&b"\x1b"[..], PATIENCE, true),
        (b"\x1b[", PATIENCE, false),
        (b"\x1b[?62;", PATIENCE, false),
        (b"\x1b[<0;3", PATIENCE, false),
        (b"\xc3", PATIENCE, false),
        (b"\x1b[200~", PATIENCE, false),
        (b"\x1b[200~some text", PASTING, false),
        (b"\x1b]11;rgb", PATIENCE, false),
        (b"\x1bO", PATIENCE, false),
    ] {
        let (mut decoder, now, mut heard) = (Decoder::default(), Instant::now(), Vec::new());
        decoder.feed(bytes, now, &mut heard);
        assert_eq!(decoder.patience(now), Some(patience), "{bytes:?}");
        decoder.expire(now + patience.saturating_sub(just), &mut heard);
        assert!(heard.is_empty() && !decoder.bytes.is_empty(), "{bytes:?}");
        decoder.expire(now + patience, &mut heard);
        let kept: Vec<Input> = key.then_some(Input::Key(Key::Esc)).into_iter().collect();
        assert_eq!(heard, kept, "{bytes:?}");
        heard.clear();
        decoder.feed(b"q", now + patience, &mut heard);
        assert_eq!(heard, [Input::Key(Key::Char('q'))], "{bytes:?}");
    }
}

#[test]
fn a_text_without_an_end_takes_no_memory_without_end() {
    let (mut decoder, now, mut heard) = (Decoder::default(), Instant::now(), Vec::new());
    for beginning in [PASTE, b"\x1b]"] {
        decoder.feed(beginning, now, &mut heard);
        for _ in 0..200 {
            decoder.feed(&[b'7'; 1024], now, &mut heard);
        }
        assert!(decoder.bytes.len() <= MOST + TAIL && heard.is_empty());
        decoder.feed(if beginning == PASTE { PASTE_END } else { b"\x07" }, now, &mut heard);
        assert_eq!((heard.drain(..).count(), decoder.bytes.len()), (1, 0));
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_end_and_ctrl_c_is_heard(bytes: Vec<u8>) {
        let bytes: Vec<u8> = bytes.into_iter().map(|byte| match byte {
            // Bytes frequent in sequences.
            200.. => b"\x1b[O]P<;~M0"[usize::from(byte) % 10],
            byte => byte,
        }).collect();
        let mut stopped = bytes.clone();
        stopped.push(CTRL_C);
        let all = heard(&stopped);
        proptest::prop_assert!(all.contains(&Input::Key(Key::Ctrl('c'))), "{:?}", stopped);
    }
}
