//! Labels of routers: coordinates on any number of levels, such as x and y, or group and router.

use crate::ids::RouterId;

/// The name of the level of groups.
const GROUP: &str = "group";

/// The coordinates of every router.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    levels: Vec<Level>,
    /// `values[router × levels + level]`.
    values: Vec<u16>,
}

/// A level of coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Level {
    /// Its name for people, such as `x` or `group`.
    pub name: String,
    /// The number of its values: they are 0 to one less.
    pub size: u32,
}

impl Labels {
    /// Labels of no routers.
    pub(super) const NONE: Self = Self { levels: Vec::new(), values: Vec::new() };

    /// Labels of these levels; `values` holds the coordinates of router 0, then those of router 1, and so
    /// on.
    pub fn new(levels: Vec<Level>, values: Vec<u16>) -> Self {
        assert!(!levels.is_empty() && values.len().is_multiple_of(levels.len()));
        let fits = |row: &[u16]| {
            row.iter().zip(&levels).all(|(&value, level)| u32::from(value) < level.size)
        };
        debug_assert!(values.chunks(levels.len()).all(fits));
        Self { levels, values }
    }

    /// Labels of numbered groups: the group of every router, and its number within the group.
    pub fn of_groups(groups: &[u32]) -> Self {
        let mut sizes = vec![0; groups.iter().max().map_or(0, |&last| last as usize + 1)];
        let mut values = Vec::with_capacity(2 * groups.len());
        for &group in groups {
            let size = &mut sizes[group as usize];
            values.extend([group as u16, *size as u16]);
            *size += 1;
        }
        let largest = sizes.iter().copied().max().unwrap_or_default();
        let level = |name: &str, size: u32| Level { name: name.to_owned(), size };
        Self::new(vec![level(GROUP, sizes.len() as u32), level("router", largest)], values)
    }

    /// The group of a router, if its first label is one.
    pub(super) fn group_of(&self, router: RouterId) -> Option<u16> {
        (self.levels.first()?.name == GROUP).then(|| self.of(router)[0])
    }

    /// The levels, in the order of a router's coordinates.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The coordinates of a router, one for each level.
    #[inline]
    pub fn of(&self, router: RouterId) -> &[u16] {
        let levels = self.levels.len();
        &self.values[router.index() * levels..][..levels]
    }

    /// The first router with these coordinates.
    pub fn router_at(&self, coordinates: &[u32]) -> Option<RouterId> {
        let mut rows = self.values.chunks(self.levels.len());
        let is_there =
            |row: &[u16]| row.iter().map(|&value| u32::from(value)).eq(coordinates.iter().copied());
        rows.position(is_there).map(RouterId::new)
    }

    /// The name of a router by its coordinates, as `(4,2)`.
    pub fn name(&self, router: RouterId) -> String {
        let parts: Vec<String> = self.of(router).iter().map(ToString::to_string).collect();
        format!("({})", parts.join(","))
    }

    /// The number of routers.
    pub(super) fn routers(&self) -> usize {
        self.values.len() / self.levels.len()
    }
}
