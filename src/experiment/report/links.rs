//! The uses of a run's channels, as rows.

use super::row;
use crate::experiment::Outcome;
use crate::ids::ChannelId;
use crate::session::uses::Uses;
use crate::topology::Role;

row! {
    /// Uses of a channel in a run, or of one of the virtual channels. Over all replications together flits,
    /// cycles and looks are added up.
    LinkRow from (outcome: &Outcome, uses: &Uses, channel: ChannelId, vc: Option<usize>) {
        let system = &outcome.scenario.system;
        let network = &system.network;
        let ends = network.channel(channel);
        let terminal = network.terminal_of(channel).map(|node| network.node_name(node));
        let [from, to] = [ends.from, ends.to].map(|router| network.router_name(router));
        let (from, to, kind) = match ends.role {
            Role::Link => (from, to, "link"),
            Role::Injection => (terminal.unwrap_or_default(), to, "injection"),
            Role::Ejection => (from, terminal.unwrap_or_default(), "ejection"),
        };
        let worms = system.wormhole().is_some();
        let vcs = uses.vcs_of(channel);
        let all = uses.flits.get(channel.index()).copied().unwrap_or_default();
        let moved = vc.map_or(all, |vc| vcs[vc].flits);
        let waited = match vc {
            Some(vc) => Some(vcs[vc].waited),
            None => (!vcs.is_empty()).then(|| vcs.iter().map(|vc| vc.waited).sum()),
        };
        let census = &uses.census;
        let first = channel.index() * census.virtual_channels;
        let share = |sums: &[u64]| {
            if let Some(vc) = vc {
                return census.mean(*sums.get(first + vc)?);
            }
            let vcs = census.virtual_channels as f64;
            census.share_of(sums, channel).map(|sum| sum / vcs)
        };
        let capacity = outcome.scenario.capacity().filter(|_| vc.is_none());
        let gamma = capacity.and_then(|it| it.gamma.get(channel.index()).copied());
        let routed = gamma.map(|gamma| gamma * outcome.summary.offered);
        let unit = system.time_unit();
        let group = |at| network.group_of(at).map(|group| network.group_name(group));
        let buffers = worms && ends.role != Role::Ejection;
    } {
        /// The scenario's name.
        scenario: String = outcome.scenario.name.clone(),
        /// The seed.
        seed: u64 = outcome.seed,
        /// The replication, from 0; `None` for all together.
        replication: Option<u32> = outcome.replication,
        /// The channel's name, as on the screen.
        channel: String = network.channel_name(channel),
        /// `link`, `injection` or `ejection`.
        kind: &'static str = kind,
        /// The router or host at which it begins.
        from: String = from,
        /// The one at which it ends.
        to: String = to,
        /// The group of the router at which it begins, or of the host's router; `None` without groups.
        from_group: Option<String> = group(ends.from),
        /// The same of the one at which it ends.
        to_group: Option<String> = group(ends.to),
        /// The level of the router at which it begins, from the bottom; `None` without levels.
        from_level: Option<u32> = network.level_of(ends.from),
        /// The same of the one at which it ends.
        to_level: Option<u32> = network.level_of(ends.to),
        /// The index of the VC; `None` for the channel as a whole.
        vc: Option<usize> = vc,
        /// Flits that crossed; `None` of circuits.
        flits: Option<u64> = worms.then_some(moved),
        /// Cycles over which all is counted: since the warm-up ended, or since the beginning where it did
        /// not; of circuits, whole units of time.
        cycles: u64 = uses.cycles / unit.cycles,
        /// Flits per cycle; of circuits, the share of the time for which the link was held.
        utilisation: f64 = moved as f64 / uses.cycles.max(1) as f64,
        /// The share of looks at which a message held the VC; of the channel, the mean of its VCs.
        held: Option<f64> = share(&census.held),
        /// The same of looks at which its buffer was full, flits on their way included; `None` where flits
        /// are consumed, and of circuits.
        full: Option<f64> = share(&census.full).filter(|_| buffers),
        /// Cycles for which heads in the network had waited to be granted it, counted when they were.
        waited_cycles: Option<u64> = waited,
        /// Mean number of heads found waiting for the channel, behind others in its buffer included; at an
        /// injection channel with the messages of its host's queue.
        waiting_heads: Option<f64> = census.heads(channel).filter(|_| vc.is_none()),
        /// Flits per cycle that routing alone would load the channel with at the load that is offered, whatever
        /// the network carries; where heads choose, by even choices. `None` where that was not worked out.
        routed_utilisation: Option<f64> = routed,
        /// Looks.
        looks: u64 = census.samples,
        /// `true` in a run that was stopped before its end; only there it is written.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool = outcome.ended == crate::experiment::Ended::Stopped,
    }
}

/// The rows of all channels of a run with counted uses: each channel, followed by its virtual
/// channels.
pub fn link_rows(outcome: &Outcome) -> impl Iterator<Item = LinkRow> {
    let channels = 0..outcome.uses.as_ref().map_or(0, |uses| uses.flits.len());
    channels.map(ChannelId::new).flat_map(move |channel| {
        let uses = outcome.uses.iter();
        uses.flat_map(move |uses| {
            let vcs = (0..uses.vcs_of(channel).len()).map(Some);
            let vcs = std::iter::once(None).chain(vcs);
            vcs.map(move |vc| LinkRow::new(outcome, uses, channel, vc))
        })
    })
}
