//! How an audit names the law that is broken.

/// Fails with a law's name and numbers.
macro_rules! law {
    ($holds:expr, $($law:tt)+) => {
        if !$holds {
            return Err(format!($($law)+));
        }
    };
}

pub(super) use law;
