//! Reduces a deadlock in a thread beside the run.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::Builder;

use crate::experiment::shrink::shrink;
use crate::session::saved::Saved;
use crate::tui::app::{App, shrinking};
use crate::tui::shrinking::ShrinkNews;

/// A reduction under way; dropping the value ends it.
#[derive(Debug)]
pub(super) struct Reduction {
    of: Arc<Saved>,
    stop: Arc<AtomicBool>,
    news: Receiver<ShrinkNews>,
}

impl Reduction {
    pub fn begin(of: Arc<Saved>) -> io::Result<Self> {
        let (post, news) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (saved, asked) = (Arc::clone(&of), Arc::clone(&stop));
        Builder::new().name("reduction".to_owned()).spawn(move || {
            // The screen may be gone.
            let tell = |progress| drop(post.send(ShrinkNews::Progress(progress)));
            let result = shrink(&saved, saved.live, (&asked, &tell));
            drop(post.send(ShrinkNews::Done(Box::new(result))));
        })?;
        Ok(Self { of, stop, news })
    }

    /// Ends the search with the smallest deadlock so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Delivers the latest news to the screen; false without news.
    pub fn look(&self, app: &mut App) -> bool {
        let Some(latest) = self.news.try_iter().last() else { return false };
        shrinking::receive(app, &self.of, latest);
        true
    }
}

impl Drop for Reduction {
    fn drop(&mut self) {
        self.stop();
    }
}
