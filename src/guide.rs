//! The guide for users: a file per topic, which is also what `flitscope guide TOPIC` prints.

/// A topic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Topic {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its text in Markdown, headed by its title.
    pub text: &'static str,
}

impl Topic {
    /// What it is about, in a line.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }
}

/// Declares the topics: a page of the documentation and an entry of [`TOPICS`] each.
macro_rules! topics {
    ($($name:ident),*) => {
        /// All topics, in the order in which a new user may read them.
        pub const TOPICS: &[Topic] = &[$(Topic {
            name: stringify!($name),
            text: include_str!(concat!("guide/", stringify!($name), ".md")),
        }),*];

        $(#[doc = include_str!(concat!("guide/", stringify!($name), ".md"))] pub mod $name {})*
    };
}

topics![tour, screen, scenarios, simulate, theory, studies, recording];
