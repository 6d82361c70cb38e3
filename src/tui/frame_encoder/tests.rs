//! Tests of writing a frame in one piece.

use super::*;

#[test]
fn a_frame_is_one_piece_between_marks() {
    let mut writer = FrameWriter::default();
    writer.write_all(b"one ").unwrap();
    writer.flush().unwrap();
    writer.clone().write_all(b"two").unwrap();
    let mut out = Vec::new();
    let mut take = |frame: &[u8]| {
        out.push(frame.to_vec());
        Ok(())
    };
    writer.commit(&mut take).unwrap();
    writer.commit(&mut take).unwrap();
    assert_eq!(out, [b"\x1b[?2026hone two\x1b[?2026l"]);
}
