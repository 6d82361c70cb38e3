//! Tests of single messages on the screen.
//!
//! Search, following, pins, histories, and the table of messages are tested.

mod pipeline;

use std::sync::Arc;

use super::{DARK_THEME, MONO, screen};
use crate::engine::messages::MessageState;
use crate::engine::{Change, HeadState};
use crate::ids::{MessageId, NodeId, RouterId};
use crate::live::{ClockedRun, Command, Options, Update};
use crate::scenario::{Scenario, builtin, parse};
use crate::tui::action::{Action, Answer, Grid, Key, Pointer};
use crate::tui::app::{App, Effect};
use crate::tui::fake::{self, TORUS};
use crate::tui::names::capital;
use crate::tui::rows::MessageOrder;
use crate::tui::view::{Pane, View};
use crate::units::Rate;

/// A screen with its run, without a thread.
struct Bench {
    app: App,
    run: ClockedRun,
}

impl Bench {
    fn new(scenario: Arc<Scenario>, size: (u16, u16), ascii: bool) -> Self {
        let run = ClockedRun::new(
            Arc::clone(&scenario),
            Options { running: false, ..Options::default() },
        );
        let theme = if ascii { MONO } else { DARK_THEME };
        let update = Box::new(Update::empty(scenario));
        let mut bench = Self { app: fake::app(update, theme, ascii, size), run };
        bench.show();
        bench
    }

    /// A torus after some cycles, at a load with waiting worms.
    fn torus(size: (u16, u16), cycles: u64) -> Self {
        let mut bench = Self::new(fake::scenario(TORUS, &[8, 8], 2), size, false);
        bench.tell(Command::Change(Change::Rate(Rate(0.02))));
        bench.tell(Command::Step(cycles));
        bench
    }

    fn circuits(size: (u16, u16)) -> Self {
        let name = "papers/circuit-torus-hold-8x8";
        let scenario = parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
        let mut bench = Self::new(Arc::new(scenario), size, false);
        bench.tell(Command::Change(Change::Rate(Rate(0.2))));
        bench.tell(Command::Step(30_000));
        bench
    }

    /// A screen of worms and a screen of circuits.
    fn both(size: (u16, u16), cycles: u64) -> impl Iterator<Item = Self> {
        let make =
            move |worms| if worms { Self::torus(size, cycles) } else { Self::circuits(size) };
        [true, false].into_iter().map(make)
    }

    fn tell(&mut self, command: Command) {
        self.run.execute(command);
        // A long step takes some time.
        self.run.elapse(std::time::Duration::from_millis(1));
        self.show();
    }

    fn show(&mut self) {
        loop {
            let mut update = Box::new(Update::empty(Arc::clone(&self.app.update.scenario)));
            self.run.draw(&mut update);
            self.app.receive(update);
            let effects = self.app.effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                let Effect::Send(errand) = effect else { panic!("{effect:?}") };
                self.run.execute(errand);
            }
        }
    }

    fn press(&mut self, key: Key) {
        let action = self.app.action_of(key).expect("the key does something");
        self.act(action);
    }

    fn act(&mut self, action: Action) {
        for effect in self.app.update(action) {
            if let Effect::Send(command) = effect {
                self.run.execute(command);
            }
        }
        let note = self.app.note.clone();
        self.show();
        // A message stays on the screen until replaced.
        self.app.note = self.app.note.take().or(note);
    }

    fn find(&mut self, text: &str) -> String {
        self.press(Key::Char('/'));
        text.chars().for_each(|letter| self.act(Action::Answer(Answer::typed(letter))));
        self.act(Action::Answer(Answer::Accept));
        self.note()
    }

    fn note(&self) -> String {
        self.app.note.clone().unwrap_or_default()
    }

    fn picture(&self) -> String {
        screen(&self.app)
    }

    /// A blocked message in the network.
    fn blocked(&self) -> MessageId {
        let worms = &self.app.update.snapshot.worms;
        let stands = worms.iter().find(|worm| matches!(worm.head, HeadState::Blocked(_)));
        stands.expect("somebody stands").name()
    }

    fn head_of(&self, name: MessageId) -> Option<RouterId> {
        let snapshot = &self.app.update.snapshot;
        snapshot.worms.iter().find(|worm| worm.name() == name).map(|worm| worm.head_at)
    }
}

fn named(bench: &Bench, name: MessageId) -> String {
    bench.app.update.scenario.system.network.message_name(name)
}

#[test]
fn the_cursor_goes_with_the_message_that_is_followed() {
    for mut bench in Bench::both((120, 40), 400) {
        let name = bench.blocked();
        let called = named(&bench, name);
        bench.find(&called);
        assert_eq!(bench.app.cursor_router(), bench.head_of(name));
        bench.press(Key::Char('f'));
        assert!(bench.note().starts_with("following "), "{}", bench.note());
        assert!(bench.picture().contains("following "), "{}", bench.picture());
        let mut places = 0;
        let mut last = bench.app.cursor_router();
        let done = loop {
            bench.press(Key::Char('.'));
            match bench.head_of(name) {
                Some(head) => assert_eq!(bench.app.cursor_router(), Some(head)),
                None if bench.note().contains("delivered at") => break bench.note(),
                None => {}
            }
            places += u32::from(bench.app.cursor_router() != last);
            last = bench.app.cursor_router();
        };
        assert!(places > 0 || bench.app.has_circuits(), "its head goes on");
        let delivery = bench.app.update.single_messages.followed.unwrap().delivery.unwrap();
        let latency = bench.app.times().with_unit(delivery.latency());
        assert!(done.contains(&called) && done.contains(&latency), "{done}");
        assert!(bench.picture().contains(", delivered"), "{}", bench.picture());
        // At an earlier cycle the message is in the network again.
        bench.tell(Command::Seek(crate::units::Cycle(delivery.born.0 + 1)));
        assert!(!bench.picture().contains(", delivered"));
        bench.press(Key::Esc);
        assert_eq!(bench.app.tracking.followed, None);
        assert!(bench.app.update.single_messages.followed.is_none());
    }
}

#[test]
fn following_is_stopped_by_the_same_key_and_goes_over_to_another() {
    let mut bench = Bench::torus((120, 40), 400);
    bench.press(Key::Char('n'));
    bench.press(Key::Char('f'));
    let first = bench.app.tracking.followed.unwrap();
    bench.press(Key::Char('f'));
    assert_eq!(bench.app.tracking.followed, None);
    bench.press(Key::Char('f'));
    bench.press(Key::Char('n'));
    bench.press(Key::Char('f'));
    let second = bench.app.tracking.followed.unwrap();
    assert_ne!(first, second);
    bench.tell(Command::Reseed(5));
    assert_eq!(bench.app.tracking.followed, None, "another run has other messages");
}

#[test]
fn a_message_is_found_wherever_it_is() {
    let mut bench = Bench::torus((120, 40), 3_000);
    let network = Arc::clone(&bench.app.update.scenario.system.network);
    let source = NodeId(19);
    let say = |serial: u64| format!("19#{serial}");
    assert!(bench.find(&say(900)).contains("not generated yet"), "{}", bench.note());
    assert_eq!(bench.app.cursor_router(), Some(network.router_of(source)));
    let told = bench.find(&say(2));
    assert!(told.contains("(3,2)#2 was delivered at cycle "), "{told}");
    assert!(told.contains("cycles after its generation"), "{told}");
    assert_eq!(bench.run_traces(), None, "the replay is over");
    // Beyond saturation most messages wait at their sources.
    bench.tell(Command::Change(Change::Rate(Rate(0.08))));
    bench.tell(Command::Step(3_000));
    let queued = bench.app.update.snapshot.queues[source.index()];
    assert!(queued > 1);
    let generated = {
        bench.find(&say(9_999));
        let note = bench.note();
        let count = note.split('(').next_back().unwrap().split(' ').next().unwrap();
        count.parse::<u64>().unwrap()
    };
    let told = bench.find(&say(generated - 1));
    assert!(told.contains("waits at its source"), "{told}");
    assert_eq!(bench.app.cursor_router(), Some(network.router_of(source)));
    let under_way = bench.app.update.snapshot.worms[0].name();
    assert!(bench.find(&named(&bench, under_way)).contains("(f follows"));
    assert_eq!(bench.app.cursor_router(), bench.head_of(under_way));
    // An invalid name keeps the prompt open.
    bench.find("19#x");
    assert!(bench.picture().contains("write its number, as 19#4"), "{}", bench.picture());
}

impl Bench {
    fn run_traces(&self) -> Option<MessageId> {
        self.app.update.single_messages.traced.as_ref().map(|traced| traced.trace.name)
    }
}

#[test]
fn a_pinned_message_is_marked_and_stands_first() {
    for mut bench in Bench::both((200, 60), 400) {
        let name = bench.blocked();
        let called = named(&bench, name);
        bench.find(&called);
        bench.press(Key::Char('p'));
        let letter = bench.app.letter_of(name).unwrap();
        let mark = format!("{}*", capital(letter));
        let note = format!("{} {called} is pinned", capital(letter));
        assert!(bench.note().contains(&note), "{}", bench.note());
        let inner = bench.app.arrangement().inside(Pane::Worms).unwrap();
        let first = |bench: &Bench| {
            let line = bench.picture().lines().nth(usize::from(inner.y)).unwrap().to_owned();
            line.chars()
                .skip(usize::from(inner.x))
                .take(usize::from(inner.width))
                .collect::<String>()
        };
        assert!(first(&bench).contains(&mark), "{}", bench.picture());
        let chains = bench.app.arrangement().inside(Pane::Chains).unwrap();
        let chain = bench.picture().lines().nth(usize::from(chains.y)).unwrap().to_owned();
        assert!(chain.contains(&format!("{mark} {called}")), "{chain}");
        while bench.head_of(name).is_some() {
            assert_eq!(bench.app.letter_of(name), Some(letter));
            bench.tell(Command::Step(2_000));
        }
        assert!(first(&bench).contains("is not in the network"), "{}", bench.picture());
        assert_eq!(bench.app.letter_of(name), None);
        // A delivered message can still be found and unpinned.
        bench.find(&called);
        bench.press(Key::Char('p'));
        assert!(bench.note().contains("no longer pinned"), "{}", bench.note());
        assert!(!first(&bench).contains("is not in the network"), "{}", bench.picture());
    }
}

#[test]
fn the_history_of_a_message_stands_beside_the_grid_at_every_size() {
    for (size, ascii) in [
        ((60, 16), false),
        ((80, 24), true),
        ((120, 40), false),
        ((200, 60), false),
        ((30, 8), false),
    ] {
        let mut bench = Bench::new(fake::scenario(TORUS, &[8, 8], 2), size, ascii);
        bench.tell(Command::Change(Change::Rate(Rate(0.02))));
        bench.tell(Command::Step(3_000));
        bench.find("19#2");
        bench.press(Key::Char('i'));
        assert_eq!(bench.app.panes.focus, Pane::History);
        let picture = bench.picture();
        assert!(!ascii || picture.is_ascii(), "{picture}");
        if size.0 < 60 {
            continue;
        }
        assert!(picture.contains("history of "), "{picture}");
        let trace = bench.app.shown().traced().unwrap().trace.clone();
        assert_eq!(trace.state, MessageState::Gone);
        bench.press(Key::Char('e'));
        let picture = bench.picture();
        for words in ["generated", "left its source", "delivered, latency "] {
            assert!(picture.contains(words) || size.1 < 20, "{words}\n{picture}");
        }
        let network = &bench.app.update.scenario.system.network;
        for hop in &trace.hops {
            let place = format!("at {}", network.router_name(hop.at));
            assert!(picture.contains(&place) || size.1 < 20, "{place}\n{picture}");
        }
        bench.press(Key::Char('i'));
        assert!(bench.app.panes.focus == Pane::Grid && bench.app.tracking.history.is_none());
        assert!(bench.app.update.single_messages.traced.is_none(), "the replay is given up");
    }
}

#[test]
fn a_history_names_those_who_were_in_the_way() {
    let mut bench = Bench::torus((200, 60), 400);
    let name = bench.blocked();
    let called = named(&bench, name);
    bench.find(&called);
    bench.press(Key::Char('i'));
    let trace = bench.app.shown().traced().unwrap().trace.clone();
    let hop = trace.hops.last().unwrap();
    assert!(hop.granted.is_none() && !hop.waits.is_empty(), "{trace:?}");
    let picture = bench.picture();
    let whom = format!("for {}", bench.app.full_name(hop.waits[0].by));
    assert!(picture.contains(&whom) && picture.contains("waits "), "{whom}\n{picture}");
    // The history continues with the run.
    bench.press(Key::Char('.'));
    assert_eq!(bench.app.shown().traced().unwrap().trace.until, trace.until + 1);
    bench.press(Key::Esc);
    assert_eq!(bench.app.tracking.history, None);
}

#[test]
fn the_table_of_messages_sorts_chooses_and_acts() {
    let mut bench = Bench::torus((120, 40), 2_000);
    bench.press(Key::Char('T'));
    bench.press(Key::Char('T'));
    assert_eq!(
        (bench.app.panes.table, bench.app.panes.focus),
        (Some(Pane::Messages), Pane::Messages)
    );
    let listed = bench.app.update.single_messages.listed.len();
    assert!(listed > 10 && bench.app.messages.rows.len() == listed);
    for _ in MessageOrder::ALL {
        bench.press(Key::Char('a'));
        let order = bench.app.messages.order;
        let rows: Vec<_> =
            (0..listed).map(|row| *bench.app.shown().message_at(row).unwrap()).collect();
        let sorted = match order {
            MessageOrder::Age => rows.is_sorted_by_key(|view| view.born),
            MessageOrder::BlockedTime => rows.is_sorted_by_key(|view| {
                view.activity.blocked_since().map_or(u64::MAX, |since| since.0)
            }),
            MessageOrder::Hops => rows.is_sorted_by_key(|view| std::cmp::Reverse(view.hops)),
            MessageOrder::Length => rows.is_sorted_by_key(|view| std::cmp::Reverse(view.length)),
            MessageOrder::State => {
                let stands = |view: &&crate::engine::messages::MessageView| {
                    view.activity.blocked_since().is_some()
                };
                rows.iter().take_while(|view| stands(view)).count()
                    == rows.iter().filter(stands).count()
            }
            MessageOrder::Destination => rows.is_sorted_by_key(|view| view.destination),
            MessageOrder::Name => rows.is_sorted_by_key(|view| view.name),
        };
        assert!(sorted, "{order:?}");
        assert!(bench.picture().contains(&format!("by {}", order.name())), "{}", bench.picture());
    }
    bench.app.messages.order = MessageOrder::Hops;
    bench.show();
    bench.press(Key::Char('j'));
    bench.press(Key::PageDown);
    let chosen = *bench.app.shown().message_at(9).unwrap();
    assert_eq!(bench.app.messages.chosen, Some(chosen.name));
    assert_eq!(bench.app.cursor_router(), Some(chosen.at));
    bench.press(Key::Char('f'));
    assert_eq!(bench.app.tracking.followed, Some(chosen.name));
    bench.press(Key::Char('p'));
    assert!(bench.app.pins.contains(&chosen.name));
    bench.press(Key::Char('p'));
    assert!(bench.app.pins.is_empty());
    bench.press(Key::Char('i'));
    assert_eq!(bench.app.tracking.history, Some(chosen.name));
    bench.press(Key::Char('i'));
    assert_eq!(bench.app.panes.focus, Pane::Messages, "back to the table");
    bench.press(Key::Char('T'));
    assert_eq!((bench.app.panes.table, bench.app.panes.focus), (None, Pane::Grid));
    assert!(bench.app.update.single_messages.listed.is_empty(), "nobody looks at them");
}

#[test]
fn a_click_chooses_a_message_and_the_table_is_read_at_every_size() {
    for (size, ascii) in
        [((60, 16), false), ((80, 24), true), ((120, 40), false), ((200, 60), false)]
    {
        for circuits in [false, true] {
            let mut bench =
                if circuits { Bench::circuits(size) } else { Bench::torus(size, 2_000) };
            if ascii {
                bench.app.glyphs = crate::tui::glyphs::Glyphs::new(true);
            }
            bench.press(Key::Char('T'));
            bench.press(Key::Char('T'));
            let picture = bench.picture();
            assert!(!ascii || picture.is_ascii(), "{picture}");
            assert!(picture.contains("messages") && picture.contains("does"), "{picture}");
            let inner = bench.app.arrangement().inside(Pane::Messages).unwrap();
            bench.act(Action::Pointer(Pointer::Click(inner.x + 4, inner.y + 2 + 2)));
            let third = bench.app.shown().message_at(2).unwrap().name;
            assert_eq!(bench.app.messages.chosen, Some(third));
            let row = bench.picture().lines().nth(usize::from(inner.y) + 4).unwrap().to_owned();
            assert!(row.contains(&named(&bench, third)), "{row}");
        }
    }
}

#[test]
fn next_leads_on_in_every_view() {
    for mut bench in Bench::both((120, 40), 600) {
        let mut empty = 0;
        for view in [
            View::Worms,
            View::Occupancy,
            View::Classes,
            View::Utilisation,
            View::Waits,
            View::Difference,
        ] {
            bench.act(Action::Grid(Grid::View(view)));
            bench.app.note = None;
            bench.press(Key::Char('n'));
            let first = (bench.note(), bench.app.map.cursor);
            if !first.0.contains(" of ") {
                // All controllers may be idle, and all links may agree with the model.
                let none = ["nothing is hot", "no link is off the model"];
                assert!(none.contains(&first.0.as_str()), "{view:?}: {}", first.0);
                empty += 1;
                continue;
            }
            bench.press(Key::Char('n'));
            assert!(bench.note() != first.0 || first.0.ends_with("1 of 1"), "{}", bench.note());
            bench.press(Key::Char('N'));
            assert_eq!((bench.note(), bench.app.map.cursor), first);
            // After the next snapshot, the jump continues from the new position of its goal.
            bench.tell(Command::Step(1));
            bench.press(Key::Char('n'));
            assert!(!bench.note().is_empty());
        }
        assert!(empty <= 2, "{empty}");
    }
}
