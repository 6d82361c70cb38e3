//! Parses the text of a stop and reports all problems with their positions.

use std::sync::Arc;

use super::{Goal, Step, Stop, Task};
use crate::files;
use crate::recording::Script;
use crate::recording::script::Line;
use crate::scenario::checked::Checked;
use crate::scenario::node::Node;
use crate::scenario::reader::Reader;
use crate::scenario::{self, Problem, Scenario};
use crate::text;
use crate::tui::action::Key;
use crate::tui::bindings::key_named;
use crate::words::Need::{Default, Example, Open};
use crate::words::{Contents, Field, Kind, Structure, Value, Words, words};

const STOP: &[Field] = words!(@fields
    /// The title.
    title = Example("\"A deadlock\""), Kind::Text("the title");
    /// The scenario that runs, or its name in quotes.
    scenario = Example("\"ring-deadlock\""), Kind::Own("a scenario or its name", Structure::Plain(&[]));
    /// Cycles per second at first.
    pace = Open, Kind::positive("the pace", "4", 1_000_000.0);
    /// The steps.
    steps = Example("[Watch(text: ..., until: ...)]"), Kind::Own("a list of steps", Structure::Plain(&[]));
);

/// Maximum number of answers of a question: the number of answer keys.
const CHOICES_MAX: usize = 4;

const QUESTION: &[Field] = words!(@fields
    /// The question.
    text = Example("\"What will happen?\""), Kind::Own("a text", Structure::Plain(&[]));
    /// The answers.
    choices = Example("[\"this\", \"that\"]"), Kind::list("a list of texts", &Kind::Text("a text"));
    /// The number of the right answer, from 1.
    right = Example("1"), Kind::whole("the right answer", 1, CHOICES_MAX as u32);
);

const WHY: &[Field] = words!(@fields
    /// The reply to the right answer.
    why = Example("\"because ...\""), Kind::Own("a text", Structure::Plain(&[]));
    /// The reasons for which the other answers are wrong, in their order.
    wrong = Default("[]"), Kind::list("a list of texts", &Kind::Text("a text"));
);

const TASK: &[Field] = words!(@fields
    /// The instructions.
    text = Example("\"Press Space.\""), Kind::Own("a text", Structure::Plain(&[]));
    /// Conditions that end the step when all hold at the same time.
    until = Example("[Deadlock]"), Kind::Own("a list of states", Structure::Plain(&[]));
    /// Keys that lead there, as in a key script: a command each.
    keys = Default("[]"), Kind::list("a list of texts", &Kind::Text("a text"));
    /// The scenario that runs from this step on.
    scenario = Open, Kind::Own("a scenario or its name", Structure::Plain(&[]));
    /// The scenario compared with it from this step on.
    against = Open, Kind::Own("a scenario or its name", Structure::Plain(&[]));
);

const STEPS: &[Value] = &[
    Value { name: "Predict", help: "any answer is taken", contents: Contents::Fields(&[QUESTION]) },
    Value { name: "Watch", help: "a task", contents: Contents::Fields(&[TASK]) },
    Value { name: "Rewind", help: "a task", contents: Contents::Fields(&[TASK]) },
    Value {
        name: "Check",
        help: "only the right answer is taken",
        contents: Contents::Fields(&[QUESTION, WHY]),
    },
];

/// Parses a stop. `name` identifies the text in problems; all problems are returned at once.
pub fn parse(name: &str, text: &str) -> Result<Stop, Vec<Problem>> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::new(name, body, &[]);
    let Some(document) = reader.document() else { return Err(reader.finish()) };
    let given = reader.record("", "a stop of the tour", document, "Stop", STOP, &[]);
    let mut within = Vec::new();
    let mut read = Read { reader: &mut reader, name, within: &mut within };
    let scenario = read.scenario(&given, "scenario");
    let steps = read.steps(&given);
    let mut problems = reader.finish();
    problems.extend(within);
    match (given.given("title"), scenario, steps) {
        (Some(title), Some(scenario), Some(steps)) if problems.is_empty() => {
            let pace = given.given("pace");
            Ok(Stop { name: text::line(name), title, scenario, pace, steps })
        }
        _ => Err(problems),
    }
}

struct Read<'r, 'a> {
    reader: &'r mut Reader<'a>,
    /// The name of the text in problems.
    name: &'r str,
    within: &'r mut Vec<Problem>,
}

impl<'a> Read<'_, 'a> {
    fn steps(&mut self, given: &Checked<'a>) -> Option<Vec<Step>> {
        let parts = self.list(given, "steps")?;
        if parts.is_empty() {
            let at = given.fields.get("steps")?.value;
            return self.reader.refuse(at, "a stop has at least one step", "write `Watch(...)`");
        }
        let steps: Vec<Option<Step>> = parts.into_iter().map(|part| self.step(part)).collect();
        steps.into_iter().collect()
    }

    fn step(&mut self, node: Node<'a>) -> Option<Step> {
        let (choice, contents) = self.reader.pick("steps", node, &[STEPS])?;
        let given = self.reader.contents("steps", choice, contents)?;
        let text = self.text(&given, "text");
        let asks = ["Predict", "Check"].contains(&choice.is);
        let task = if asks { self.question(&given) } else { self.task(&given) };
        let scenario = self.scenario_if(&given, "scenario");
        let against = self.scenario_if(&given, "against");
        Some(Step {
            heading: choice.is,
            text: text?,
            scenario: scenario.ok()?,
            against: against.ok()?,
            task: task?,
        })
    }

    fn question(&mut self, given: &Checked<'a>) -> Option<Task> {
        let parts = self.list(given, "choices")?;
        let choices =
            self.reader.each(&parts, |reader, part| reader.line_of_text(part, "an answer"));
        let at = given.fields.get("choices")?.value;
        if !(2..=CHOICES_MAX).contains(&parts.len()) {
            let what = format!("a question has 2 to {CHOICES_MAX} answers, not {}", parts.len());
            return self.reader.refuse(at, what, "leave out or add some");
        }
        let why = match given.fields.get("why") {
            Some(_) => Some(self.text(given, "why")?),
            None => None,
        };
        let wrong = match given.fields.get("wrong") {
            Some(_) => self.reasons(given, parts.len() - 1),
            None => Some(Vec::new()),
        };
        let right: usize = given.given::<usize>("right")?;
        if right > parts.len() {
            let at = given.fields.get("right")?.value;
            let what = format!("there is no answer {right}: there are {}", parts.len());
            return self.reader.refuse(at, what, format!("write {} or less", parts.len()));
        }
        Some(Task::Choose { choices: choices?, right: right - 1, why, wrong: wrong? })
    }

    /// The explanations of `count` wrong answers.
    fn reasons(&mut self, given: &Checked<'a>, count: usize) -> Option<Vec<String>> {
        let parts = self.list(given, "wrong")?;
        if parts.len() != count {
            let at = given.fields.get("wrong")?.value;
            let reasons = text::count(parts.len(), "reason", "reasons");
            let answers = text::count(count, "wrong answer", "wrong answers");
            let what = format!("there are {reasons} for {answers}");
            return self.reader.refuse(at, what, "write one for each, in the order of the answers");
        }
        self.reader.each(&parts, |reader, part| {
            let said = ron::from_str::<String>(part.text).ok();
            let said = said.filter(|said| !said.trim().is_empty());
            let help = "write it between two `\"`";
            said.map(|said| text::lines(&said))
                .or_else(|| reader.refuse(part, "a reason must be a text in quotes", help))
        })
    }

    fn task(&mut self, given: &Checked<'a>) -> Option<Task> {
        let parts = self.list(given, "until")?;
        let goals = self.reader.each(&parts, |reader, part| {
            reader.term::<Goal>("until", part, &[Goal::VALUES]).map(|(goal, _)| goal)
        });
        if parts.is_empty() {
            let at = given.fields.get("until")?.value;
            return self.reader.refuse(at, "a task ends in some state", "write `[Cycle(1000)]`");
        }
        let keys = match given.fields.get("keys") {
            Some(_) => self.list(given, "keys")?,
            None => Vec::new(),
        };
        let keys = self.reader.each(&keys, line);
        Some(Task::Reach { goals: goals?, keys: keys?.into_iter().flatten().collect() })
    }

    fn list(&mut self, given: &Checked<'a>, name: &str) -> Option<Vec<Node<'a>>> {
        let field = given.fields.get(name)?;
        self.reader.list(field.value, &format!("`{name}`"), "write it between `[` and `]`")
    }

    /// Reads a text of one or more lines.
    fn text(&mut self, given: &Checked<'a>, name: &str) -> Option<String> {
        let node = given.fields.get(name)?.value;
        let said = ron::from_str::<String>(node.text).ok();
        let said = said.filter(|said| !said.trim().is_empty());
        if said.is_none() {
            let what = format!("`{name}` must be a text in quotes");
            self.reader.problem(node, what, Some("write it between two `\"`".into()));
        }
        said.map(|said| text::lines(&said))
    }

    fn scenario_if(
        &mut self,
        given: &Checked<'a>,
        name: &str,
    ) -> Result<Option<Arc<Scenario>>, ()> {
        if given.fields.get(name).is_none() {
            return Ok(None);
        }
        self.scenario(given, name).map(Some).ok_or(())
    }

    /// Reads a scenario, given in full or by name.
    fn scenario(&mut self, given: &Checked<'a>, name: &str) -> Option<Arc<Scenario>> {
        let node = given.fields.get(name)?.value;
        let found = match ron::from_str::<String>(node.text) {
            Ok(named) => match files::read(&named) {
                Ok((called, text)) => scenario::parse(&called, &text, &[]),
                Err(problem) => {
                    self.reader.problem(node, problem.what, problem.help);
                    return None;
                }
            },
            Err(_) => scenario::parse(self.name, node.text, &[]).map_err(|mut problems| {
                let own = problems.iter_mut().filter(|problem| problem.source == self.name);
                own.for_each(|problem| self.reader.moved(problem, node, 0));
                problems
            }),
        };
        found.map(Arc::new).map_err(|problems| self.within.extend(problems)).ok()
    }
}

fn line<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Vec<Line<Key>>> {
    let text = reader.line_of_text(node, "a command")?;
    match Script::parse("keys", &text, key_named) {
        Ok(script) => Some(script.lines),
        Err(problems) => {
            for problem in problems {
                reader.problem(node, problem.what, problem.help);
            }
            None
        }
    }
}
