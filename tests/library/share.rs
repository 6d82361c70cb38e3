//! How much of a long test is run: a share each time, everything in `.ci/long`.

/// Every `each`-th of these; all of them where `FLITSCOPE_ALL` is set.
pub(crate) fn share<T>(all: Vec<T>, each: usize) -> Vec<T> {
    let each = if std::env::var_os("FLITSCOPE_ALL").is_some() { 1 } else { each };
    all.into_iter().step_by(each).collect()
}
