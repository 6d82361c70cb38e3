//! Faults that end a run, and their causes.

use std::any::Any;

use crate::traffic::script::Unreadable;

/// The fault of a run that has panicked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The message.
    pub what: String,
    /// True if an input file changed during the run; otherwise the program has a bug.
    pub is_of_input: bool,
}

impl Fault {
    /// A violated invariant or another bug.
    pub fn bug(what: String) -> Self {
        Self { what, is_of_input: false }
    }

    /// The fault described by the payload of a panic.
    pub fn of(panic: &(dyn Any + Send)) -> Self {
        if let Some(Unreadable(what)) = panic.downcast_ref() {
            return Self { what: what.clone(), is_of_input: true };
        }
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Self::bug(text.unwrap_or("a panic without a message").to_owned())
    }
}
