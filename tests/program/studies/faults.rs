//! A disk that is full, a folder that may only be read: a clear message, and nothing is lost.
#![cfg(target_os = "linux")]

use super::*;

/// A file system in memory, of this many bytes.
struct Disk(PathBuf);

impl Disk {
    /// `None` where one may not mount.
    fn mount(name: &str, size: &str) -> Option<Self> {
        let place = folder(name);
        fs::create_dir_all(&place).unwrap();
        let disk = Self(place);
        if disk.says(&["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]) {
            return Some(disk);
        }
        println!("skipped: mounting a tmpfs is not allowed here");
        None
    }

    fn says(&self, options: &[&str]) -> bool {
        let done = Command::new("mount").args(options).arg(&self.0).output();
        done.is_ok_and(|done| done.status.success())
    }

    fn remount(&self, options: &str) {
        assert!(self.says(&["-o", &format!("remount,{options}")]), "{options}");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn on_a_full_disk_what_is_finished_stays_and_the_rest_is_run_later() {
    let Some(disk) = Disk::mount("faults-full", "64k") else { return };
    let expected = undisturbed("faults-undisturbed", 12, 3000);
    let path = disk.0.join("study");
    let out = begin_there(&path, 12, 3000);
    let full = program(&["run", &out, "--jobs", "2"]).output().unwrap();
    let error = status(&full, 74);
    assert!(error.contains("No space left on device") && error.contains("study/"), "{error}");
    let done = finished(&path);
    assert!((1..24).contains(&done), "{done}");
    let named = said(&["status", &out]);
    assert!(
        named.contains(&format!("done      {done}\n")) && !named.contains("refused"),
        "{named}"
    );
    assert!(!named.contains("at work"), "{named}");
    disk.remount("size=10m");
    said(&["run", &out, "--quiet"]);
    assert_eq!(tables(&path), expected);
}

#[test]
fn a_folder_that_may_only_be_read_is_named_and_can_be_looked_at() {
    let Some(disk) = Disk::mount("faults-read-only", "10m") else { return };
    let path = disk.0.join("study");
    let out = begin_there(&path, 2, 3000);
    said(&["run", &out, "--point", "1", "--quiet"]);
    disk.remount("ro");
    let refused = program(&["run", &out]).output().unwrap();
    let error = status(&refused, 74);
    assert!(error.contains("Read-only file system") && error.contains("study/claims"), "{error}");
    assert_eq!(said(&["missing", &out]), "0,2-3\n");
    assert!(said(&["status", &out]).contains("done      1\n"));
    disk.remount("rw");
    said(&["run", &out, "--quiet"]);
    assert_eq!(finished(&path), 4);
}
