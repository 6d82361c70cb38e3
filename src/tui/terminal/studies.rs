//! The study that is shown, and the sweep of a live run's loads.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::watch::Watch;
use crate::experiment::sweep::{Folder, Watched};
use crate::scenario::Scenario;
use crate::tui::app::App;
use crate::tui::study::StudyView;

/// What is watched beside the run.
pub(super) struct Studies {
    shown: Option<Watch>,
    /// Of which scenario the loads are swept.
    swept: Option<(Arc<Scenario>, Watch)>,
}

impl Studies {
    /// Watches the folder of the study to show, if there is one.
    pub fn of(shown: Option<Watched>) -> io::Result<Self> {
        Ok(Self { shown: shown.map(Watch::of).transpose()?, swept: None })
    }

    /// Watches another folder; what is run in the one before is given back first.
    pub fn open(&mut self, folder: &Path, app: &mut App) {
        self.shown = None;
        app.study = None;
        let begun = Folder::open(folder).and_then(Watched::begin).map_err(io::Error::other);
        let watched = begun.and_then(|watched| {
            let standing = watched.standing();
            Ok((standing, Watch::of(watched)?))
        });
        match watched {
            Ok((standing, watch)) => {
                self.shown = Some(watch);
                app.open_study(StudyView::new(standing));
            }
            Err(error) => app.say(&format!("the study cannot be shown: {error}")),
        }
    }

    /// Takes what is new; says whether there is anything.
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

    /// Runs what is missing of the study, or stops that.
    pub fn work(&self, goes: bool) {
        self.shown.iter().for_each(|watch| watch.work(goes));
    }

    /// Sweeps the loads of a scenario, or goes on with that.
    pub fn sweep(&mut self, scenario: Arc<Scenario>, seed: u64) -> io::Result<()> {
        match &self.swept {
            Some((of, watch)) if Arc::ptr_eq(of, &scenario) => watch.work(true),
            Some(_) | None => {
                // What the one before has running is given back first.
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
