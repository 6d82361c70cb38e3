//! Files that a scenario names, in the folder of the scenario.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::bytes;
use crate::network_files::{FILE_MAX, Store};
use crate::scenario::Files;

/// The files of a folder.
#[derive(Clone, Debug)]
pub struct Folder(pub(super) PathBuf);

impl Files for Folder {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        bytes(&self.0.join(name), FILE_MAX)
    }

    fn open(&self, name: &str, size: u64) -> Result<Option<Arc<dyn Store>>, String> {
        let path = self.0.join(name);
        let told = |error: std::io::Error| error.to_string();
        let metadata = fs::metadata(&path).map_err(told)?;
        if !metadata.is_file() || metadata.len() <= size {
            return Ok(None);
        }
        let file = Mutex::new(File::open(&path).map_err(told)?);
        let name = fs::canonicalize(&path).map_err(told)?.display().to_string();
        Ok(Some(Arc::new(LargeFile { name, file })))
    }
}

/// An open file.
#[derive(Debug)]
struct LargeFile {
    name: String,
    file: Mutex<File>,
}

impl Store for LargeFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn read(&self, from: u64, bytes: &mut [u8]) -> Result<usize, String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut filled = 0;
        let mut read = || {
            file.seek(SeekFrom::Start(from))?;
            while filled < bytes.len() {
                match file.read(&mut bytes[filled..])? {
                    0 => break,
                    more => filled += more,
                }
            }
            Ok(filled)
        };
        read().map_err(|error: std::io::Error| error.to_string())
    }
}

#[cfg(test)]
mod tests;
