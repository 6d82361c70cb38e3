//! `guide`: prints a topic of the guide, or lists the topics.

use clap::Args;
use clap::builder::PossibleValue;

use super::Failure;
use super::output;
use crate::guide::{TOPICS, Topic};

/// The arguments of `guide`.
#[derive(Args, Debug)]
pub(super) struct Guide {
    /// The topic to print [default: the topics are listed]
    #[arg(value_parser = TOPICS.iter().map(value).collect::<Vec<_>>())]
    topic: Option<String>,
}

/// A topic as help and completions show it.
fn value(topic: &Topic) -> PossibleValue {
    PossibleValue::new(topic.name).help(topic.title())
}

impl Guide {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let wanted = self.topic.as_deref();
        let list = || TOPICS.iter().map(|topic| format!("{:<10} {}\n", topic.name, topic.title()));
        match TOPICS.iter().find(|topic| Some(topic.name) == wanted) {
            Some(topic) => output::print(topic.text),
            None => output::print(&list().collect::<String>()),
        }
    }
}
