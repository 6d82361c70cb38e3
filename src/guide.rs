//! The user guide: one file per topic, also printed by `flitscope guide TOPIC`.

/// A topic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Topic {
    /// Name on the command line.
    pub name: &'static str,
    /// Text in Markdown, headed by its title.
    pub text: &'static str,
}

impl Topic {
    /// Title of the topic, in one line.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }
}

/// Declares the topics: a page of the documentation and an entry of [`TOPICS`] each.
macro_rules! topics {
    ($($name:ident),*) => {
        /// All topics, in reading order for a new user.
        pub const TOPICS: &[Topic] = &[$(Topic {
            name: stringify!($name),
            text: include_str!(concat!("guide/", stringify!($name), ".md")),
        }),*];

        $(#[doc = include_str!(concat!("guide/", stringify!($name), ".md"))] pub mod $name {})*
    };
}

topics![
    tour,
    screen,
    scenarios,
    networks,
    traffic,
    simulate,
    theory,
    studies,
    papers,
    scripting,
    compatibility,
    recording
];
