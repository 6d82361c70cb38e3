//! The questions that are asked in a line.

/// A line that asks for something.
#[derive(Clone, Debug)]
pub struct Prompt {
    pub question: Question,
    /// What was typed.
    pub text: String,
    /// Why it was not accepted.
    pub error: Option<String>,
}

/// What a prompt asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// A number of cycles, or of units of time.
    Cycles,
    /// A node or a worm.
    Place,
    /// When to stop.
    Break,
    /// A number of cycles to go back.
    CyclesBack,
    /// A cycle to go to.
    Cycle,
    /// A bookmark to go to.
    Mark,
    /// A dimension of a hypercube.
    Dimension,
    /// Which events to stop at.
    Events,
    /// A file for the session.
    File,
    /// A file for a recording.
    Recording,
    /// A file for a picture.
    Picture,
    /// A file for a copy of the scenario, to be edited.
    Copy,
}
