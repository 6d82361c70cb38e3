//! Watches the study on the screen, and the sweep of a live run's loads.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::watch::Watch;
use crate::experiment::sweep::{Folder, WatchedFolder};
use crate::scenario::Scenario;
use crate::tui::app::App;
use crate::tui::study::StudyView;

/// The watchers of a session.
pub(super) struct Studies {
    shown: Option<Watch>,
    /// The scenario of the sweep with its watcher.
    swept: Option<(Arc<Scenario>, Watch)>,
}

impl Studies {
    /// Watches the folder of the study to show, if any.
    pub fn of(shown: Option<WatchedFolder>) -> io::Result<Self> {
        Ok(Self { shown: shown.map(Watch::of).transpose()?, swept: None })
    }

    /// Watches another folder, after returning the running points of the former.
    pub fn open(&mut self, folder: &Path, app: &mut App) {
        self.shown = None;
        app.study = None;
        let begun = Folder::open(folder).and_then(WatchedFolder::begin).map_err(io::Error::other);
        let watched = begun.and_then(|watched| {
            let status = watched.status();
            Ok((status, Watch::of(watched)?))
        });
        match watched {
            Ok((status, watch)) => {
                self.shown = Some(watch);
                app.open_study(StudyView::new(status));
            }
            Err(error) => app.notify(&format!("the study cannot be shown: {error}")),
        }
    }

    /// Delivers news to the screen; returns false without news.
    pub fn look(&mut self, app: &mut App) -> bool {
        let shown = self.shown.as_ref().and_then(Watch::take);
        let swept = self.swept.as_ref().and_then(|(of, watch)| Some((of, watch.take()?)));
        let news = shown.is_some() || swept.is_some();
        if let Some(news) = shown {
            app.receive_study(news);
        }
        if let Some((of, news)) = swept {
            app.receive_sweep(of, news);
        }
        news
    }

    /// Starts or stops running the study's missing points.
    pub fn work(&self, goes: bool) {
        self.shown.iter().for_each(|watch| watch.work(goes));
    }

    /// Starts or resumes the sweep of a scenario's loads.
    pub fn sweep(&mut self, scenario: Arc<Scenario>, seed: u64) -> io::Result<()> {
        match &self.swept {
            Some((of, watch)) if Arc::ptr_eq(of, &scenario) => watch.work(true),
            Some(_) | None => {
                // Points of the former sweep are returned first.
                self.swept = None;
                let watch = Watch::sweep(Arc::clone(&scenario), seed)?;
                self.swept = Some((scenario, watch));
            }
        }
        Ok(())
    }

    pub fn stop_sweep(&self) {
        self.swept.iter().for_each(|(_, watch)| watch.work(false));
    }
}
