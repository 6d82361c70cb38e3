//! The memory that a run may take on this machine, and its end before there is none left.

use std::fs::read_to_string;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, sleep};
use std::time::Duration;

use rustix::process::{Resource, Signal, getpid, getrlimit, kill_process};

/// Address space that libraries and threads take besides the tables of a run, in bytes: the allocator
/// reserves 64 MiB for each thread.
const RESERVED: u64 = 256 << 20;

/// The least of what the limit of address space, the control group and the machine leave, in bytes, as
/// far as the system tells.
pub(super) fn available() -> Option<u64> {
    let space = space().map(|left| left.saturating_sub(RESERVED));
    [space, shared()].into_iter().flatten().min()
}

/// What the limit of address space, which is this program's own, leaves.
fn space() -> Option<u64> {
    let taken = kilobytes("/proc/self/status", "VmSize:")?;
    Some(getrlimit(Resource::As).current?.saturating_sub(taken))
}

/// What the control group and the machine leave, which others take from too.
fn shared() -> Option<u64> {
    let machine = kilobytes("/proc/meminfo", "MemAvailable:");
    [control_group(), machine].into_iter().flatten().min()
}

/// How often one looks whether there is memory left.
const LOOK: Duration = Duration::from_millis(100);
/// The part of what a run has taken that may be asked for at once: a table that grows is doubled.
const AT_ONCE: u64 = 4;

static RAN_OUT: AtomicBool = AtomicBool::new(false);

/// Whether the program was told to end for want of memory.
pub(super) fn ran_out() -> bool {
    RAN_OUT.load(Ordering::Relaxed)
}

/// From now on the program gets SIGTERM before an allocation fails, and so ends with what it has: what
/// waits in a network that is offered too much may take far more than was estimated at its beginning.
pub(super) fn watch() {
    let Some(room) = available() else { return };
    // Without it, it goes on as well as it can.
    let _ = Builder::new().spawn(move || {
        let is_short = || {
            let taken = kilobytes("/proc/self/status", "VmRSS:").unwrap_or(0);
            let is_short = |left: Option<u64>| left.is_some_and(|left| left < taken / AT_ONCE);
            // Where others take the memory of the machine, this program need not end.
            is_short(space()) || (taken > room / 2 && is_short(shared()))
        };
        while !is_short() {
            sleep(LOOK);
        }
        RAN_OUT.store(true, Ordering::Relaxed);
        let _ = kill_process(getpid(), Signal::TERM);
    });
}

/// What the group of this process leaves: its limit less what is in use and cannot be given up.
fn control_group() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().filter_map(left_in_group).min()
}

/// What a group, a line of `/proc/self/cgroup`, leaves: version 2 has no controllers in its line.
fn left_in_group(line: &str) -> Option<u64> {
    let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
    let (root, limit, used) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max", "anon "),
        "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "total_rss "),
        _ => return None,
    };
    // In a container the path is that outside, and the folder itself is the group's.
    [format!("{root}{path}"), root.to_owned()].into_iter().find_map(|folder| {
        let limit: u64 = read_to_string(format!("{folder}/{limit}")).ok()?.trim().parse().ok()?;
        let used = number(&format!("{folder}/memory.stat"), used).unwrap_or(0);
        Some(limit.saturating_sub(used))
    })
}

fn kilobytes(path: &str, field: &str) -> Option<u64> {
    number(path, field).map(|number| number << 10)
}

/// The number behind a name at the beginning of a line.
fn number(path: &str, name: &str) -> Option<u64> {
    let text = read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
