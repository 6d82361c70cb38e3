//! Composes help about the present screen: symbols, glossary, panes, and keys by task.

use super::{App, Dialog};
use crate::live::CONDITIONS;
use crate::routing::VcUse;
use crate::tui::action::Answer;
use crate::tui::bindings::{BINDINGS, Group};
use crate::tui::grid::frame::BOXES;
use crate::tui::grid::heat::class_line;
use crate::tui::help::{Entry, Help, Page};
use crate::tui::names::vc_use_name;
use crate::tui::states;
use crate::tui::view::{Pane, ROUTED, View};

/// Help entries grouped under headings.
#[derive(Default)]
struct Entries(Vec<Entry>);

impl Entries {
    fn heading(&mut self, text: impl Into<String>) {
        self.0.extend((!self.0.is_empty()).then_some(Entry::Gap));
        self.0.push(Entry::Heading(text.into()));
    }

    fn row(&mut self, key: impl Into<String>, text: impl Into<String>) {
        self.0.push(Entry::Row(key.into(), text.into()));
    }
}

/// Joins characters with spaces.
fn spaced(signs: &[char]) -> String {
    signs.iter().map(char::to_string).collect::<Vec<_>>().join(" ")
}

impl App {
    pub(super) fn open_help(&mut self) {
        let mut now = Entries::default();
        self.signs(&mut now);
        self.glossary(&mut now);
        self.parts(&mut now);
        let now = Page { name: "here", entries: now.0 };
        let keys = Page { name: "keys", entries: self.keys_by_task().0 };
        self.dialog = Some(Dialog::Help(Help::new([now, keys])));
    }

    pub(super) fn update_help(&mut self, mut help: Help, answer: Answer) {
        help.answer(answer, help.text_size(self.size));
        self.dialog = Some(Dialog::Help(help));
    }

    /// Explains the symbols of the network at the present zoom.
    fn signs(&self, out: &mut Entries) {
        let (glyphs, shown, graph) = (&self.glyphs, self.shown(), self.plane.is_graph());
        let zoom = shown.shown_frame().filter(|_| !graph).map_or(2, |frame| frame.zoom);
        let digit = self.map.view.digit();
        let named = self.words().views[usize::from(digit) - 1];
        let name = named.unwrap_or(self.map.view.name());
        out.heading(format!("The network: view {digit}, {name}"));
        if zoom == 0 {
            out.row(spaced(&glyphs.shade[1..]), "routers as pixels, by the hottest link into each");
        } else if zoom == BOXES && !graph {
            out.row("boxes", "routers; on each side the buffers of the link that comes in there");
            out.row(spaced(&glyphs.fill), "a buffer: free, held and empty, then fuller and fuller");
        } else if zoom < BOXES {
            let sign = |state: usize| glyphs.node[state].to_string();
            let what = if graph { "switch" } else { "router with its node" };
            out.row(sign(0), format!("a {what} without waiting messages"));
            if graph || self.map.view != View::Worms {
                out.row(sign(1), "flits are in its buffers");
            }
            out.row(sign(2), "messages wait there to go in: its source queue is not empty");
        }
        if zoom > 0 && zoom <= BOXES && !graph {
            let idle = if zoom == 1 {
                glyphs.across[0].to_string()
            } else {
                spaced(&[glyphs.across[0], glyphs.along[0]])
            };
            let lanes = if zoom == BOXES { "; its two lanes keep to the right" } else { "" };
            out.row(idle, format!("a link where nothing is{lanes}"));
        }
        if graph {
            out.row(
                spaced(&glyphs.host),
                "a host beside its switch: idle, or with messages that wait",
            );
        } else if self.network().is_hypercube() && zoom > 1 {
            out.row(
                "0 1",
                "in the margins: a node's number is that of its column plus that of its row",
            );
            let text = "beside two nodes: a worm or circuit on a link between them that leaves the \
                        plane; at the cursor with the digit of its dimension";
            out.row("a A", text);
        } else if self.plane.slices > 1 {
            out.row("{ }", "the slice before, after; all are drawn where there is room");
            out.row(spaced(&glyphs.slices), "links to the slice above, and below");
        }
        if self.network().wraps() && zoom > 0 && !graph {
            out.row("edges", "links out of the picture come in again on the other side: rings");
        }
        self.signs_of_view(zoom == 0, out);
        out.row("[ ]", "the cursor: panes describe what is there; h j k l or arrows move it");
    }

    /// Explains the symbols of the present view.
    fn signs_of_view(&self, pixels: bool, out: &mut Entries) {
        let (glyphs, shown) = (&self.glyphs, self.shown());
        let [body, _] = glyphs.body;
        match self.map.view {
            View::Worms if shown.shows_states() => out.0.extend(states::ALL.map(|state| {
                let line = glyphs.circuit_across[state as usize];
                let sign = format!("{line}{line}{}", states::sign(&self.glyphs, state));
                let text = format!("a circuit that {}, and its links", states::name(state));
                Entry::Row(sign, text)
            })),
            View::Worms if !pixels => {
                let [thin, _] = glyphs.thin;
                let text = "worm A, its head goes on; all its flits follow the head";
                out.row(format!("{body}{}A", glyphs.arrow[0]), text);
                let text = "worm A is blocked here; n jumps to the next blocked worm";
                out.row(format!("{body}{}A", glyphs.blocked), text);
                let signs = spaced(&[glyphs.arrow[0], glyphs.blocked]);
                let text = "no space for the letter; move the cursor there to see it";
                out.row(signs, text);
                let text = "the tail of worm A (no dash: still leaving its source)";
                out.row(format!("a{}{body}", glyphs.tail[0]), text);
                let text = "a worm that has two letters, since one-letter names are all given";
                out.row(format!("{thin}{}AB", glyphs.arrow[0]), text);
            }
            View::Classes if !pixels => {
                let relation = &self.system().relation;
                let mut known: Vec<VcUse> = Vec::new();
                for vc in (0..relation.virtual_channels()).map(|vc| relation.vc_use(vc)) {
                    if !known.contains(&vc) {
                        known.push(vc);
                        let line = glyphs.class_across[class_line(vc)];
                        out.row(
                            format!("{line}{line}"),
                            format!("a virtual channel is held: {}", vc_use_name(vc)),
                        );
                    }
                }
            }
            View::Waits if !pixels => {
                let edge = format!("{}{}{}", glyphs.blocked, glyphs.tail[0], glyphs.arrow[0]);
                out.row(edge, "a head stands and wants this link; reversed: in a deadlock");
            }
            View::Difference => {
                let [more, less] = [spaced(&glyphs.above), spaced(&glyphs.below)];
                out.row(more, "a link is used more than the model says: a little, much");
                out.row(less, "and less");
            }
            View::Occupancy
            | View::Utilisation
            | View::Worms
            | View::Classes
            | View::Waits
            | View::Routed => {
                let words = self.words();
                let share = match self.map.view {
                    View::Utilisation => words.utilisation,
                    View::Occupancy => words.occupancy,
                    View::Routed => ROUTED,
                    View::Worms | View::Classes | View::Waits | View::Difference => "share in use",
                };
                out.row(
                    spaced(&glyphs.across[1..]),
                    format!("{share}: below a quarter, below a half, more"),
                );
            }
        }
    }

    /// Explains the terms used on the screen.
    fn glossary(&self, out: &mut Entries) {
        let (system, network) = (self.system(), self.network());
        out.heading("Words");
        let link = self.cursor_router().and_then(|at| network.outputs(at).first().copied());
        let link = link.map(|link| network.channel_name(link).replace('→', self.glyphs.to));
        if self.has_circuits() {
            out.row("circuit", "links held one behind the other, from a source to a destination");
            out.row("T", "the unit of time: the mean time that the data of a message take");
            out.row("controller", "what grants the links of a node, one request after the other");
            out.row("abort", "an attempt given up: the links go back, and it is tried again");
        } else {
            let vcs = system.switching.virtual_channels();
            let depth = system.switching.buffer_flits();
            out.row("flit", "the piece of a message that a link carries in one cycle");
            out.row("worm", "a message on its way: its head asks for channels, the rest follows");
            let text = "one of several queues that share a link: here";
            out.row(
                "VC",
                format!("virtual channel, {text} {vcs}, each with {depth} flits of room"),
            );
            if let Some(link) = &link {
                let text = "of the link that leaves this router that way (or to that one)";
                out.row(format!("{link} VC 0"), format!("virtual channel 0 {text}"));
            }
            self.uses(out);
            out.row("blocked", "a head that found all channels it may take held by others");
            out.row("chain", "blocked worms one behind the other; the first does not wait");
            let text =
                "its head has arrived, and its flits leave the network: it frees what it holds";
            out.row("drains", text);
            out.row("deadlock", "a circle of worms that wait for each other, for ever");
        }
        out.row("load", "what each node sends, in flits per cycle (or share of the time)");
        out.row("accepted", "what comes out; below the load, queues grow: saturated");
        out.row("latency", "from the generation of a message to the arrival of its last flit");
        out.row("p50 p95 p99", "50, 95, 99 % of the messages took this long at most");
        out.row("warming up", "the run has not settled: what is counted so far may change");
        let sure = format!("{} 0.6", self.glyphs.plus_minus);
        out.row(sure, "the true mean is in this interval in 95 of 100 such runs; ?: too short");
        out.row("model", "what queueing theory says without simulating, where it applies");
        let node = network.node_name(crate::ids::NodeId(0));
        out.row(format!("{node}#7"), format!("message 7 of node {node}, counted from 0"));
    }

    /// Explains the use of virtual channels by the routing relation.
    fn uses(&self, out: &mut Entries) {
        let relation = &self.system().relation;
        let has = |is: fn(VcUse) -> bool| {
            (0..relation.virtual_channels()).any(|vc| is(relation.vc_use(vc)))
        };
        if has(|vc| matches!(vc, VcUse::Class(_))) {
            let text = "two sets of VCs: a worm changes over where its ring would close a circle";
            out.row("class 0, 1", text);
        }
        if has(|vc| matches!(vc, VcUse::Escape(_))) {
            let text = "VCs by which a worm can always get on: they keep adaptive ones safe";
            out.row("escape", text);
        }
        if has(|vc| vc == VcUse::Adaptive) {
            out.row("adaptive", "VCs that a worm may take on any shortest way");
        }
        if has(|vc| matches!(vc, VcUse::Hop(_))) {
            out.row("hop", "VCs in order: with every hop a worm goes on to the next");
        }
    }

    /// Lists the visible panes and the edges of the screen.
    fn parts(&self, out: &mut Entries) {
        out.heading("The panes beside the network (Tab goes through them, e enlarges one)");
        let shown = self.shown();
        for (pane, _) in self.arrangement().panes {
            if pane != Pane::Grid {
                let title = pane.title(&shown);
                let name = title.split([':', ',', '(']).next().unwrap_or_default();
                let name = name.split(self.glyphs.dot.trim()).next().unwrap_or_default();
                out.row(name.trim(), pane.about());
            }
        }
        let names: Vec<&str> = Pane::ALL.iter().map(|pane| pane.name()).collect();
        out.row(":pane", format!("with a name shows a pane: {}", names.join(", ")));
        out.heading("The edges");
        out.row("top line", "whether it runs, the cycle, the scenario, its load and its rules");
        let [mark, step, live] = [self.glyphs.bookmark, self.glyphs.checkpoint, self.glyphs.live];
        let load = self.glyphs.lambda;
        let [failed, repaired, rerouted] =
            [self.glyphs.failed, self.glyphs.repaired, self.glyphs.rerouted];
        let text = format!(
            "accepted load over the run; {step} checkpoints, {mark} bookmarks, {load} another load, \
             ! a deadlock, {live} the newest cycle, {failed} a failure, {repaired} a repair, \
             {rerouted} other routes"
        );
        out.row("timeline", text);
        out.row("bottom line", "the keys that matter most, or what a key did");
    }

    fn keys_by_task(&self) -> Entries {
        let mut out = Entries::default();
        for &group in Group::ALL {
            out.heading(group.title());
            let most = if group == Group::Dialog { 2 } else { 3 };
            for binding in BINDINGS.iter().filter(|binding| binding.group == group) {
                let keys = self.keys.names(binding, most);
                if !keys.is_empty() {
                    out.row(keys, binding.help);
                }
            }
        }
        out.heading("Where b stops the run, and at every deadlock");
        for (word, example, text) in CONDITIONS {
            out.row(format!("{word} {example}"), text);
        }
        out.heading("The mouse, once M has turned it on");
        out.row("click", "a node or pane; twice: inspect; the wheel zooms or scrolls");
        out.row("drag", "pans the network; in other panes selects text, which is copied");
        out.row("Shift-drag", "in most terminals selects text without flitscope");
        out
    }
}
