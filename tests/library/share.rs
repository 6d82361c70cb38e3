//! Shares of long tests: a part of the cases each time, everything in `.ci/long`.

/// True if everything is run: with `FLITSCOPE_ALL`.
pub(crate) fn is_all() -> bool {
    std::env::var_os("FLITSCOPE_ALL").is_some()
}

/// Every `each`-th of these, or all of them.
pub(crate) fn share<T>(all: Vec<T>, each: usize) -> Vec<T> {
    let each = if is_all() { 1 } else { each };
    all.into_iter().step_by(each).collect()
}
