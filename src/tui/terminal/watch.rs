//! A folder of a study that is looked at from a thread of its own, and whose missing points are run on
//! others, at low priority, when they are wanted.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use tempfile::TempDir;

use crate::experiment::points::{Running, THREAD_NAME};
use crate::experiment::sweep::{Folder, Models, Watched, curve_of, finish, write_all};
use crate::files;
use crate::scenario::Scenario;
use crate::text;
use crate::tui::study::{News, Work};

/// The time between two looks.
const PERIOD: Duration = Duration::from_millis(500);
/// The lowest priority.
#[cfg(target_os = "linux")]
const NICE: i32 = 19;

/// What the thread is told.
enum Order {
    /// Run what is missing, or stop that.
    Work(bool),
    Quit,
}

/// A handle on the thread; dropping it gives back what runs, and ends it.
#[derive(Debug)]
pub(super) struct Watch {
    orders: Sender<Order>,
    news: Arc<Mutex<Option<News>>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Watches the folder of a study; models stand beside its curves.
    pub fn of(watched: Watched) -> io::Result<Self> {
        let path = watched.path().to_path_buf();
        let place = Place { watched, path, threads: None, lasts: true, _own: None };
        Self::start(false, move || Ok(place))
    }

    /// Sweeps the loads of a scenario, run with this seed, in a folder that lasts as long as the handle.
    pub fn sweep(scenario: Arc<Scenario>, seed: u64) -> io::Result<Self> {
        Self::start(true, move || {
            let own = tempfile::Builder::new().prefix("flitscope-").tempdir();
            let own = own.map_err(said)?;
            let path = own.path().join("sweep");
            files::make_folder(&path).map_err(said)?;
            let folder = curve_of(&scenario, seed, &path).map_err(said)?;
            // One thread: the run is to keep its speed.
            let (watched, threads) = (Watched::new(folder), Some(1));
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
                let (standing, work, trouble) = (None, Work::Rests, Some(trouble));
                put(&post, News { standing, work, trouble });
            }
        })?;
        Ok(Self { orders, news, thread: Some(thread) })
    }

    /// Has what is missing run, or stops that.
    pub fn work(&self, goes: bool) {
        let _ = self.orders.send(Order::Work(goes));
    }

    /// The newest news, if there are any that were not taken yet.
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

/// What went wrong, in one line.
fn said(error: impl std::fmt::Display) -> String {
    text::line(&error.to_string())
}

fn put(post: &Mutex<Option<News>>, news: News) {
    *post.lock().unwrap_or_else(PoisonError::into_inner) = Some(news);
}

/// A folder, and how its points are run here.
struct Place {
    watched: Watched,
    path: PathBuf,
    /// Runs at a time; `None`: one per core.
    threads: Option<usize>,
    /// True if the folder is a person's: then tables and figures are written at the end.
    lasts: bool,
    /// Removed in the end, if it is not.
    _own: Option<TempDir>,
}

/// Runs that are made.
struct Runner {
    stop: Arc<AtomicBool>,
    /// What has come of the runs; then what has come of tables and figures.
    ended: Receiver<Result<(), String>>,
    /// True if all points are given back.
    rests: bool,
}

struct Watcher {
    place: Place,
    inbox: Receiver<Order>,
    post: Arc<Mutex<Option<News>>>,
    /// Models on their way.
    models: Option<Receiver<Models>>,
    runner: Option<Runner>,
    /// True if what is missing is to be run.
    wanted: bool,
    /// Why points could not be run.
    trouble: Option<String>,
    /// Why the folder cannot be looked at.
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
            self.obey_wishes();
            let now = (self.work(), self.blind.clone().or_else(|| self.trouble.clone()));
            news |= told.as_ref() != Some(&now);
            if news {
                let (work, trouble) = now.clone();
                let standing = Some(self.place.watched.standing());
                put(&self.post, News { standing, work, trouble });
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

    /// Looks at the folder and at the models; says whether there is anything new.
    fn look(&mut self) -> bool {
        if let Some(models) = self.models.as_ref().and_then(|models| models.try_recv().ok()) {
            self.place.watched.compare(models);
            self.models = None;
        }
        let looked = self.place.watched.look().map_err(said);
        self.blind = looked.as_ref().err().cloned();
        looked.unwrap_or(false)
    }

    /// Begins or stops runs, and hears what has come of them.
    fn obey_wishes(&mut self) {
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
                    // Stopped, it may be wanted again by now; else it has done all.
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

    /// Runs what is missing on threads of the lowest priority.
    fn run(&self) -> Runner {
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, ended) = channel();
        let (path, threads, lasts) =
            (self.place.path.clone(), self.place.threads, self.place.lasts);
        let told_to = Arc::clone(&stop);
        let failed = tell.clone();
        let thread = Builder::new().name(THREAD_NAME.to_owned()).spawn(move || {
            #[cfg(target_os = "linux")]
            // Of this thread alone, and of those that it starts.
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
                Err(error) => return drop(tell.send(Err(said(error)))),
            };
            let done = finish(&mut folder, &running).map_err(said);
            let whole = done.is_ok() && !told_to.load(Ordering::Relaxed) && lasts;
            let _ = tell.send(done);
            if whole {
                let _ = tell.send(write_all(&folder, threads).map_err(said));
            }
        });
        if let Err(error) = thread {
            let _ = failed.send(Err(said(error)));
        }
        Runner { stop, ended, rests: false }
    }

    /// Waits until what runs is given back; not for tables, which are written whole or not at all.
    fn quit(self) {
        if let Some(runner) = &self.runner {
            runner.stop.store(true, Ordering::Relaxed);
            if !runner.rests {
                let _ = runner.ended.recv();
            }
        }
    }
}

/// Works out the models of a study's curves on a thread that nobody waits for.
fn models(watched: &Watched) -> Receiver<Models> {
    let (tell, models) = channel();
    let wanted = watched.models();
    // Without the thread there are no models.
    let _ = Builder::new().name("theory".to_owned()).spawn(move || {
        let _ = tell.send(wanted.prepared());
    });
    models
}
