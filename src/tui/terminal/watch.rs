//! Watches the folder of a study from a thread.
//!
//! On request, missing points are run on other threads at low priority.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use tempfile::TempDir;

use crate::experiment::points::{Running, THREAD_NAME};
use crate::experiment::sweep::{
    Folder, Models, WatchedFolder, begin_live_curve, finish, write_all,
};
use crate::files;
use crate::scenario::Scenario;
use crate::text;
use crate::tui::study::{News, Work};

const PERIOD: Duration = Duration::from_millis(500);
/// The lowest priority.
#[cfg(target_os = "linux")]
const NICE: i32 = 19;

enum Order {
    /// Start or stop running missing points.
    Work(bool),
    Quit,
}

/// A handle of the thread; dropping the handle returns running points and ends the thread.
#[derive(Debug)]
pub(super) struct Watch {
    orders: Sender<Order>,
    news: Arc<Mutex<Option<News>>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Watches the folder of a study and computes models of its curves.
    pub fn of(watched: WatchedFolder) -> io::Result<Self> {
        let path = watched.path().to_path_buf();
        let place = Place { watched, path, threads: None, lasts: true, _own: None };
        Self::start(false, move || Ok(place))
    }

    /// Sweeps the loads of a scenario with a seed, in a temporary folder removed with the handle.
    pub fn sweep(scenario: Arc<Scenario>, seed: u64) -> io::Result<Self> {
        Self::start(true, move || {
            let own = tempfile::Builder::new().prefix("flitscope-").tempdir();
            let own = own.map_err(in_one_line)?;
            let path = own.path().join("sweep");
            files::make_folder(&path).map_err(in_one_line)?;
            let folder = begin_live_curve(&scenario, seed, &path).map_err(in_one_line)?;
            // A single thread leaves the live run at full speed.
            let (watched, threads) = (WatchedFolder::new(folder), Some(1));
            Ok(Place { watched, path, threads, lasts: false, _own: Some(own) })
        })
    }

    fn start(
        wanted: bool,
        open: impl FnOnce() -> Result<Place, String> + Send + 'static,
    ) -> io::Result<Self> {
        let (orders, inbox) = channel();
        let news = Arc::new(Mutex::new(None));
        let post = Arc::clone(&news);
        let thread = Builder::new().name("study".to_owned()).spawn(move || match open() {
            Ok(place) => Watcher::new(place, inbox, post, wanted).attend(),
            Err(trouble) => {
                let (status, work, trouble) = (None, Work::Rests, Some(trouble));
                put(&post, News { status, work, trouble });
            }
        })?;
        Ok(Self { orders, news, thread: Some(thread) })
    }

    /// Starts or stops running missing points.
    pub fn work(&self, goes: bool) {
        let _ = self.orders.send(Order::Work(goes));
    }

    /// The latest news, if not yet taken.
    pub fn take(&self) -> Option<News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Formats an error in one line.
fn in_one_line(error: impl std::fmt::Display) -> String {
    text::line(&error.to_string())
}

fn put(post: &Mutex<Option<News>>, news: News) {
    *post.lock().unwrap_or_else(PoisonError::into_inner) = Some(news);
}

/// A folder, and settings for running its points.
struct Place {
    watched: WatchedFolder,
    path: PathBuf,
    /// Number of parallel runs; `None` means one per core.
    threads: Option<usize>,
    /// True for the user's own folder, completed with tables and figures after the last point.
    lasts: bool,
    /// The temporary folder, removed on drop.
    _own: Option<TempDir>,
}

struct Runner {
    stop: Arc<AtomicBool>,
    /// The result of the runs, followed by the result of tables and figures.
    ended: Receiver<Result<(), String>>,
    /// True after all points have been returned.
    rests: bool,
}

struct Watcher {
    place: Place,
    inbox: Receiver<Order>,
    post: Arc<Mutex<Option<News>>>,
    models: Option<Receiver<Models>>,
    runner: Option<Runner>,
    wanted: bool,
    /// The cause of a failure to run points.
    trouble: Option<String>,
    /// The cause of a failure to read the folder.
    blind: Option<String>,
}

impl Watcher {
    fn new(
        place: Place,
        inbox: Receiver<Order>,
        post: Arc<Mutex<Option<News>>>,
        wanted: bool,
    ) -> Self {
        Self { place, inbox, post, models: None, runner: None, wanted, trouble: None, blind: None }
    }

    fn attend(mut self) {
        if self.place.lasts {
            self.models = Some(models(&self.place.watched));
        }
        let mut told: Option<(Work, Option<String>)> = None;
        loop {
            let mut news = self.look();
            self.execute_requests();
            let now = (self.work(), self.blind.clone().or_else(|| self.trouble.clone()));
            news |= told.as_ref() != Some(&now);
            if news {
                let (work, trouble) = now.clone();
                let status = Some(self.place.watched.status());
                put(&self.post, News { status, work, trouble });
                told = Some(now);
            }
            match self.inbox.recv_timeout(PERIOD) {
                Ok(Order::Work(goes)) => self.wanted = goes,
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Order::Quit) | Err(RecvTimeoutError::Disconnected) => return self.quit(),
            }
        }
    }

    fn work(&self) -> Work {
        match (&self.runner, self.wanted) {
            (None, _) => Work::Rests,
            (Some(_), true) => Work::Goes,
            (Some(_), false) => Work::Ends,
        }
    }

    /// Reads the folder and finished models; returns true if anything changed.
    fn look(&mut self) -> bool {
        if let Some(models) = self.models.as_ref().and_then(|models| models.try_recv().ok()) {
            self.place.watched.compare(models);
            self.models = None;
        }
        let looked = self.place.watched.look().map_err(in_one_line);
        self.blind = looked.as_ref().err().cloned();
        looked.unwrap_or(false)
    }

    /// Starts or stops runs, and receives the results.
    fn execute_requests(&mut self) {
        if let Some(runner) = &mut self.runner {
            match runner.ended.try_recv() {
                Ok(done) => {
                    runner.rests = true;
                    self.trouble = done.err().or(self.trouble.take());
                    self.wanted &= self.trouble.is_none();
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    if !runner.rests {
                        self.trouble = Some("runs broke: a mistake of the program".to_owned());
                    }
                    // After a stop, runs may have been requested again; otherwise all points are
                    // done.
                    self.wanted &= runner.stop.load(Ordering::Relaxed);
                    self.runner = None;
                }
            }
        }
        match (&self.runner, self.wanted) {
            (Some(runner), false) => runner.stop.store(true, Ordering::Relaxed),
            (None, true) => {
                self.trouble = None;
                self.runner = Some(self.run());
            }
            (Some(_), true) | (None, false) => {}
        }
    }

    /// Runs missing points on threads of the lowest priority.
    fn run(&self) -> Runner {
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, ended) = channel();
        let (path, threads, lasts) =
            (self.place.path.clone(), self.place.threads, self.place.lasts);
        let told_to = Arc::clone(&stop);
        let failed = tell.clone();
        let thread = Builder::new().name(THREAD_NAME.to_owned()).spawn(move || {
            #[cfg(target_os = "linux")]
            // The priority of this thread and of its child threads only.
            let _ = rustix::process::setpriority_process(None, NICE);
            let running = Running {
                threads,
                stop: &told_to,
                until: None,
                planned: &|_| {},
                waiting: &|_| {},
                progress: &|_| {},
            };
            let mut folder = match Folder::open(&path) {
                Ok(folder) => folder,
                Err(error) => return drop(tell.send(Err(in_one_line(error)))),
            };
            let done = finish(&mut folder, &running).map_err(in_one_line);
            let whole = done.is_ok() && !told_to.load(Ordering::Relaxed) && lasts;
            let _ = tell.send(done);
            if whole {
                let _ = tell.send(write_all(&folder, threads).map_err(in_one_line));
            }
        });
        if let Err(error) = thread {
            let _ = failed.send(Err(in_one_line(error)));
        }
        Runner { stop, ended, rests: false }
    }

    /// Waits until all running points are returned, but not for tables: tables are written
    /// completely or not at all.
    fn quit(self) {
        if let Some(runner) = &self.runner {
            runner.stop.store(true, Ordering::Relaxed);
            if !runner.rests {
                let _ = runner.ended.recv();
            }
        }
    }
}

/// Computes the models of a study's curves on a detached thread.
fn models(watched: &WatchedFolder) -> Receiver<Models> {
    let (tell, models) = channel();
    let wanted = watched.models();
    // A failure to start the thread leaves the study without models.
    let _ = Builder::new().name("theory".to_owned()).spawn(move || {
        let _ = tell.send(wanted.prepared());
    });
    models
}
