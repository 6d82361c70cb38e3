//! Measures available memory, and ends the program before memory runs out.

use std::fs::read_to_string;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, sleep};
use std::time::Duration;

use rustix::process::{Resource, Signal, getpid, getrlimit, kill_process};

/// Address space of libraries and threads besides the tables of a run, in bytes: the allocator
/// reserves 64 MiB for each thread.
const RESERVED: u64 = 256 << 20;

/// The minimum of the memory left by the address space limit, the control group and the machine, in
/// bytes, as far as the system reports these.
pub(super) fn available() -> Option<u64> {
    let space = space().map(|left| left.saturating_sub(RESERVED));
    [space, shared()].into_iter().flatten().min()
}

/// Memory left below the address space limit of this process.
fn space() -> Option<u64> {
    let taken = kilobytes("/proc/self/status", "VmSize:")?;
    Some(getrlimit(Resource::As).current?.saturating_sub(taken))
}

/// Memory left in the control group and on the machine, shared with other processes.
fn shared() -> Option<u64> {
    let machine = kilobytes("/proc/meminfo", "MemAvailable:");
    [control_group(), machine].into_iter().flatten().min()
}

/// Polling interval for the remaining memory.
const LOOK: Duration = Duration::from_millis(100);
/// The fraction of allocated memory (one in this many) that a single allocation may need: growing
/// tables double.
const AT_ONCE: u64 = 4;

static RAN_OUT: AtomicBool = AtomicBool::new(false);

/// True if the program was asked to end for lack of memory.
pub(super) fn ran_out() -> bool {
    RAN_OUT.load(Ordering::Relaxed)
}

/// Starts a thread sending SIGTERM to this process before an allocation fails, so the program ends
/// with its partial results: the backlog of an overloaded network can exceed the initial estimate
/// by far.
pub(super) fn watch() {
    let Some(room) = available() else { return };
    // Without the thread, the program continues unprotected.
    let _ = Builder::new().spawn(move || {
        let is_short = || {
            let taken = kilobytes("/proc/self/status", "VmRSS:").unwrap_or(0);
            let is_short = |left: Option<u64>| left.is_some_and(|left| left < taken / AT_ONCE);
            // If other processes exhaust the machine's memory, this program need not end.
            is_short(space()) || (taken > room / 2 && is_short(shared()))
        };
        while !is_short() {
            sleep(LOOK);
        }
        RAN_OUT.store(true, Ordering::Relaxed);
        let _ = kill_process(getpid(), Signal::TERM);
    });
}

/// Memory left in this process's control group: the limit minus the memory in use that cannot be
/// reclaimed.
fn control_group() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().filter_map(left_in_group).min()
}

/// Memory left in one group, given as a line of `/proc/self/cgroup`; lines of version 2 name no
/// controllers.
fn left_in_group(line: &str) -> Option<u64> {
    let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
    let (root, limit, used) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max", "anon "),
        "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "total_rss "),
        _ => return None,
    };
    // Inside a container the listed path is the outer path, and the root folder belongs to the
    // group.
    [format!("{root}{path}"), root.to_owned()].into_iter().find_map(|folder| {
        let limit: u64 = read_to_string(format!("{folder}/{limit}")).ok()?.trim().parse().ok()?;
        let used = number(&format!("{folder}/memory.stat"), used).unwrap_or(0);
        Some(limit.saturating_sub(used))
    })
}

fn kilobytes(path: &str, field: &str) -> Option<u64> {
    number(path, field).map(|number| number << 10)
}

/// The number after a name at the beginning of a line.
fn number(path: &str, name: &str) -> Option<u64> {
    let text = read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
