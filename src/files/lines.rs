//! A file that grows by whole lines under its final name.

use std::fs::File;
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};

/// A growing file. After a failed write, as on a full disk, the incomplete line is cut off and
/// further writes fail.
#[derive(Debug)]
pub struct Lines {
    file: File,
    /// The length of the file.
    end: u64,
    /// The length up to the last whole line.
    whole: u64,
    /// True after a failed write.
    failed: bool,
}

impl Lines {
    /// Appends to a file from its present end.
    pub(super) fn new(mut file: File) -> io::Result<Self> {
        let end = if file.metadata()?.is_file() { file.seek(SeekFrom::End(0))? } else { 0 };
        Ok(Self { file, end, whole: end, failed: false })
    }

    /// Cuts off the incomplete line. Output to a device cannot be withdrawn.
    fn cut(&mut self) {
        self.failed = true;
        if self.whole < self.end && self.file.set_len(self.whole).is_ok() {
            self.end = self.whole;
        }
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed {
            return Err(io::Error::other("an earlier line could not be written"));
        }
        match self.file.write(bytes) {
            Ok(0) if !bytes.is_empty() => {
                self.cut();
                Err(ErrorKind::WriteZero.into())
            }
            Ok(count) => {
                if let Some(last) = bytes[..count].iter().rposition(|&byte| byte == b'\n') {
                    self.whole = self.end + last as u64 + 1;
                }
                self.end += count as u64;
                Ok(count)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.cut();
                Err(error)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use signal_hook::consts::SIGXFSZ;

    use super::*;

    /// A limit on the file's size simulates a full disk in the middle of a line; only this test
    /// writes so large a file.
    #[test]
    fn a_file_that_cannot_grow_ends_with_a_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.cast");
        let mut lines = Lines::new(File::create(&path).unwrap()).unwrap();
        let line = format!("[{}]\n", "1, ".repeat(100_000));
        // Without a handler, the signal ends the program.
        signal_hook::flag::register(SIGXFSZ, Arc::default()).unwrap();
        let before = getrlimit(Resource::Fsize);
        let (most, maximum) = (64 << 20, before.maximum);
        setrlimit(Resource::Fsize, Rlimit { current: Some(most), maximum }).unwrap();
        let failed = (0..most).find_map(|_| lines.write_all(line.as_bytes()).err());
        setrlimit(Resource::Fsize, before).unwrap();
        assert_eq!(failed.unwrap().kind(), ErrorKind::FileTooLarge);
        let length = fs::metadata(&path).unwrap().len();
        assert_eq!(length, most / line.len() as u64 * line.len() as u64);
        assert!(lines.write_all(b"more\n").is_err(), "nothing follows");
        assert_eq!(fs::metadata(&path).unwrap().len(), length);
    }
}
