//! Completes reading: reports unused overrides and sorts all problems.

use super::names::{list_of, nearest_path, shown};
use super::reader::Reader;
use super::{PROBLEMS_MAX, Problem};

impl Reader<'_> {
    /// True if there are no problems so far.
    pub fn is_fine(&self) -> bool {
        self.problems.is_empty()
    }

    /// True if a field below this path is set from outside.
    pub fn is_set_below(&self, path: &str) -> bool {
        let mut rests = self.settings.iter().filter_map(|it| it.path.strip_prefix(path));
        rests.any(|rest| rest.starts_with('.'))
    }

    /// Reports unused overrides and returns all problems in order.
    pub fn finish(mut self) -> Vec<Problem> {
        if !self.known.is_empty() {
            self.unused();
        }
        self.problems.sort_by_key(|found| (found.source, found.start));
        let more = self.problems.len().saturating_sub(PROBLEMS_MAX) + self.uncounted;
        self.problems.truncate(PROBLEMS_MAX);
        let mut problems: Vec<Problem> =
            self.problems.iter().map(|found| found.place(&self.sources[found.source])).collect();
        problems.extend(super::more(self.sources[0].label, more));
        problems.extend(self.given.problems);
        problems
    }

    fn unused(&mut self) {
        let within = |path: &str, parent: &String| {
            path.strip_prefix(parent.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        let mut complaints = Vec::new();
        for setting in self.settings.iter().filter(|setting| !setting.used) {
            let path = setting.path;
            if self.abandoned.iter().any(|gone| within(path, gone)) {
                continue;
            }
            let what = format!("this scenario has no field `{}`", shown(path));
            let near = nearest_path(path, self.known.iter().map(String::as_str));
            let help =
                near.map_or_else(|| self.siblings(path), |near| format!("did you mean `{near}`?"));
            complaints.push((setting.path_node, what, help));
        }
        for (at, what, help) in complaints {
            self.problem(at, what, Some(help));
        }
    }

    /// The possible fields next to an unknown path.
    fn siblings(&self, path: &str) -> String {
        let mut parent = path;
        while let Some(dot) = parent.rfind('.') {
            parent = &parent[..dot];
            let whole = self.known.iter().any(|known| known == parent);
            let below = |known: &&String| {
                known.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'))
            };
            let known: Vec<&str> = self.known.iter().filter(below).map(String::as_str).collect();
            if !known.is_empty() {
                return format!("below `{parent}` it has {}", list_of(&known));
            }
            if whole {
                return format!("`{parent}` has no fields: set it as a whole");
            }
        }
        let top: Vec<&str> =
            self.known.iter().map(String::as_str).filter(|path| !path.contains('.')).collect();
        format!("it has {}, and the fields below them", list_of(&top))
    }
}
