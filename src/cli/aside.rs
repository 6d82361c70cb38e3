//! Work that cannot be told to stop, on a thread of its own, so that signals are still heard.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

/// How often the one who waits looks whether to go on.
const LOOK: Duration = Duration::from_millis(20);
/// How long an answer may take once a signal came.
const GRACE: Duration = Duration::from_millis(100);

/// Work under way. What nobody waits for ends with the program.
pub(super) struct Aside<T> {
    answer: Receiver<T>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Aside<T> {
    /// Begins.
    pub(super) fn begin(work: impl FnOnce() -> T + Send + 'static) -> Self {
        let (sender, answer) = channel();
        // Nobody may be listening any more.
        let thread = spawn(move || drop(sender.send(work())));
        Self { answer, thread: Some(thread) }
    }

    /// What came out of it, once; `None` where that takes longer than `patience`, or longer than a
    /// moment after `stop` was set. A panic goes on here.
    pub(super) fn wait(&mut self, patience: Duration, stop: &AtomicBool) -> Option<T> {
        let begun = Instant::now();
        loop {
            match self.answer.recv_timeout(LOOK) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
                        resume_unwind(panic);
                    }
                    return None;
                }
            }
            let allowed = if stop.load(Ordering::Relaxed) { GRACE } else { patience };
            if begun.elapsed() >= allowed {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests;
