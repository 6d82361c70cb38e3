//! Gathers a frame and hands it on in one piece, between the marks of synchronised output.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Begin and end of a synchronised update (DEC private mode 2026).
const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

/// A writer that keeps everything until [`Self::commit`]. Clones share their storage.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameWriter(Rc<RefCell<Vec<u8>>>);

impl FrameWriter {
    /// Hands what was gathered to `take`, in one piece; nothing if there is nothing.
    pub(super) fn commit(&self, take: impl FnOnce(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut frame = self.0.borrow_mut();
        if frame.is_empty() {
            return Ok(());
        }
        frame.extend_from_slice(END);
        let taken = take(&frame);
        frame.clear();
        taken
    }
}

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut frame = self.0.borrow_mut();
        if frame.is_empty() {
            frame.extend_from_slice(BEGIN);
        }
        frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
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
}
