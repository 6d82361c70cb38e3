//! Systems to try the engine on: drawn at random, or built by hand.

use std::num::NonZeroU16;
use std::sync::Arc;

use flitscope::ids::{NodeId, RouterId};
use flitscope::routing::algorithms::nearest_common_ancestor::UpLinks;
use flitscope::routing::{
    Classes, Detours, Distance, Escape, HalfWay, Layers, NorthLastClasses, Paths, PlanarClasses,
    ReversalClasses, Reversals, Rising, Roots, Routing, Threshold, Turns,
};
use flitscope::switching::circuit::{Circuit, Conflict, Duplex, Remedy};
use flitscope::switching::{
    Allocation, Allocator, Bandwidth, Ejection, Forwarding, Injection, LatencyTo, OnDeadlock,
    Pipeline, Release, Selection, Stages, Terminals, Wormhole,
};
use flitscope::system::System;
use flitscope::topology::Network;
use flitscope::topology::attributes::Attributes;
use flitscope::topology::cube::{Cube, Family};
use flitscope::topology::switches::{Cable, Switches, random};
use flitscope::traffic::destinations::{Form, Weight};
use flitscope::traffic::{
    Destinations, Lengths, Locality, Offset, Permutation, Process, Traffic, Weights,
};
use flitscope::units::Rate;
use proptest::prelude::*;
use strum::VariantArray;

/// The families with their radix lists, small enough to audit in every cycle.
fn shapes() -> impl Strategy<Value = (Family, Vec<u32>)> {
    let radix = prop::collection::vec(2u32..=5, 1..=3)
        .prop_filter("two to 64 nodes", |r| (2..=64).contains(&r.iter().product::<u32>()));
    prop_oneof![
        radix.clone().prop_map(|r| (Family::Torus { unidirectional: false }, r)),
        radix.clone().prop_map(|r| (Family::Torus { unidirectional: true }, r)),
        radix.prop_map(|r| (Family::Mesh, r)),
        (1usize..=5).prop_map(|d| (Family::Hypercube, vec![2; d])),
    ]
}

fn routings() -> impl Strategy<Value = Routing> {
    use Classes::{Dateline, Destination, Random, Static};
    use NorthLastClasses::{SeamsCrossed, SeparateDateline, TwoNetwork, TwoNetworkDateline};
    prop_oneof![
        prop::sample::select(vec![Destination, Dateline, Static, Random, Classes::None])
            .prop_map(Routing::dimension_order),
        prop::sample::select(vec![Escape::Destination, Escape::Dateline, Escape::None])
            .prop_map(Routing::minimal_adaptive),
        prop::sample::select(vec![TwoNetwork, TwoNetworkDateline, SeamsCrossed, SeparateDateline])
            .prop_map(|classes| Routing::NorthLast { classes }),
        prop::sample::select(vec![
            Routing::POSITIVE_HOP,
            Routing::NegativeHop,
            Routing::WestFirst,
            Routing::NegativeFirst,
            Routing::OddEven,
        ]),
    ]
}

/// Rules of planes, and rules with routes that are not shortest.
fn further_routings() -> impl Strategy<Value = Routing> {
    let planes = vec![PlanarClasses::ByDirection, PlanarClasses::SeamsCrossed];
    let planar =
        prop::sample::select(planes).prop_map(|classes| Routing::PlanarAdaptive { classes });
    prop_oneof![1 => planar.boxed(), 2 => with_detours().boxed()]
}

fn with_detours() -> impl Strategy<Value = Routing> {
    let turns = prop::sample::select(vec![
        Turns::WestFirst,
        Turns::NorthLast,
        Turns::NegativeFirst,
        Turns::Any,
    ]);
    let limits = (0u32..4, 0u32..4).prop_map(|(one, other)| (Reversals(one), Detours(other)));
    (turns, any::<bool>(), limits, 0u32..3).prop_map(
        |(turns, shares, (reversals, detours), rule)| {
            let shared =
                if shares { ReversalClasses::Shared } else { ReversalClasses::ByReversals };
            match rule {
                0 => Routing::TurnModel { turns, detours },
                1 => Routing::StaticReversal { classes: shared, reversals, detours },
                _ => Routing::DynamicReversal { reversals, detours },
            }
        },
    )
}

fn traffics() -> impl Strategy<Value = Traffic> {
    let bursts = Process::Bursts { burst: 4.0, peak: 10.0 };
    let shaped = Process::TokenBucket { burst: 3, tokens: 1.5 };
    let greedy = Process::GreedyBucket { burst: 3, spread: 0.5 };
    let processes = vec![Process::Poisson, Process::Geometric, bursts, shaped, greedy];
    let process = prop::sample::select(processes);
    let destinations = prop_oneof![
        Just(Destinations::Uniform),
        (0u32..2, 1.0f64..100.0).prop_map(|(node, percent)| Destinations::Hotspot {
            nodes: vec![NodeId(node)],
            percent,
        }),
        prop::sample::select(Permutation::VARIANTS).prop_map(Destinations::Permutation),
        (1u32..3, 1.0f64..100.0).prop_map(|(radius, percent)| Destinations::Local(
            Locality::Sphere { radius, percent }
        )),
        (0.1f64..1.0).prop_map(|ratio| Destinations::Local(Locality::Decreasing { ratio })),
        (-3i32..4).prop_map(|step| Destinations::Offset(Offset(vec![step]))),
        (0.2f64..5.0).prop_map(|weight| weighted(&[(0, 1, 1.0), (1, 0, weight)])),
    ];
    let senders = prop::sample::select(vec![None, None, None, Some(vec![NodeId(1)])]);
    let lengths = prop_oneof![
        (1u32..20).prop_map(Lengths::Fixed),
        (1.0f64..12.0).prop_map(|mean| Lengths::Geometric { mean }),
        (1.0f64..12.0).prop_map(|mean| Lengths::Exponential { mean }),
        (1u32..6, 0u32..15).prop_map(|(min, more)| Lengths::Uniform { min, max: min + more }),
    ];
    (process, destinations, senders, lengths, 0.01f64..1.0).prop_map(
        |(process, destinations, senders, lengths, load)| Traffic {
            senders,
            // One in five, by digits of no other importance.
            to_itself: ((load * 1e6) as u64).is_multiple_of(5) && destinations.include_source(),
            ..Traffic::random(process, Rate(load / lengths.mean()), destinations, lengths)
        },
    )
}

/// Weights of pairs of nodes.
pub fn weighted(pairs: &[(u32, u32, f64)]) -> Destinations {
    let weight = |&(source, destination, weight): &(u32, u32, f64)| Weight {
        source: NodeId(source),
        destination: NodeId(destination),
        weight,
    };
    Destinations::Weighted(Weights::new(Form::Pairs, pairs.iter().map(weight).collect()))
}

/// Traffic as drawn, changed where it is undefined on the network or more than a source can send.
fn fitting(traffic: Traffic, network: &Network) -> Traffic {
    let mut traffic = traffic;
    if traffic.destinations.check(network).is_err() {
        traffic.destinations = Destinations::Uniform;
    }
    if traffic.rates(network).senders() == 0 {
        traffic.senders = None;
    }
    let rate = Rate(traffic.rate.0 / traffic.rates(network).most());
    Traffic { rate, ..traffic }
}

/// Any machine whose rules fit each other; `whole` if its buffers hold whole messages.
fn machines(
    virtual_channels: u32,
    buffer_flits: u32,
    whole: bool,
) -> impl Strategy<Value = Wormhole> {
    let direct = prop_oneof![
        Just(Injection::OneFlitPerCycle),
        Just(Injection::OneMessage),
        (1u32..20).prop_map(|waiting_max| Injection::Independent { waiting_max }),
    ]
    .prop_map(|injection| (Terminals::Direct, injection, Ejection::Unlimited));
    let channels = (
        prop::sample::select(vec![Injection::OneFlitPerCycle, Injection::OneMessage]),
        prop::sample::select(vec![Ejection::PerWorm, Ejection::Shared, Ejection::OneFlitPerCycle]),
    )
        .prop_map(|(injection, ejection)| (Terminals::Channels, injection, ejection));
    let forwardings = if whole {
        vec![Forwarding::Wormhole, Forwarding::CutThrough, Forwarding::StoreAndForward]
    } else {
        vec![Forwarding::Wormhole]
    };
    // Mostly short delays, so that much happens; none in a third, so that the rest is tried alone.
    let channel_delays = prop_oneof![3 => Just(1u32), 5 => 2u32..=7, 1 => Just(64u32)];
    let credit_delays = prop_oneof![5 => 0u32..=1, 4 => 2u32..=7, 1 => Just(64u32)];
    let ends = prop_oneof![3 => Just(LatencyTo::Arrival), 1 => Just(LatencyTo::EndOfCycle)];
    (
        (channel_delays, credit_delays, ends),
        prop::sample::select(vec![Bandwidth::OnDemand, Bandwidth::Fixed]),
        prop::sample::select(vec![Release::Drained, Release::Sent]),
        prop_oneof![direct, channels],
        prop::sample::select(vec![
            Allocation::OldestFirst,
            Allocation::FirstComeFirstServed,
            Allocation::FirstAskedFirstServed,
        ]),
        prop::sample::select(vec![
            Selection::Preference,
            Selection::Random,
            Selection::LeastLoaded,
        ]),
        prop::sample::select(forwardings),
        prop::sample::select(vec![OnDeadlock::Stop, OnDeadlock::Abort, OnDeadlock::Continue]),
    )
        .prop_map(
            move |(
                (channel_delay, credit_delay, latency_to),
                bandwidth,
                release,
                ends,
                allocation,
                selection,
                forwarding,
                on_deadlock,
            )| {
                let (terminals, injection, ejection) = ends;
                Wormhole {
                    virtual_channels,
                    buffer_flits,
                    channel_delay,
                    credit_delay,
                    latency_to,
                    bandwidth,
                    release,
                    injection,
                    ejection,
                    terminals,
                    allocation,
                    selection,
                    forwarding,
                    on_deadlock,
                    message_classes: flitscope::switching::MessageVcs::Shared,
                    pipeline: Pipeline::Immediate,
                }
            },
        )
}

prop_compose! {
    /// Topology × routing × VCs × depth × traffic where flits move as in the default machine, in whatever
    /// order heads are served and whatever they take; saturated and unsafe ones too.
    pub fn default_system()(
        system in cube_system(),
    ) -> System {
        let Wormhole { virtual_channels, buffer_flits, allocation, selection, .. } =
            *system.wormhole().expect("a machine of worms");
        let switching =
            Wormhole { allocation, selection, ..Wormhole::new(virtual_channels, buffer_flits) };
        let cube = system.network.cube().expect("cubes are drawn");
        let family = match (cube.wraps(), cube.is_hypercube()) {
            (true, _) => Family::Torus { unidirectional: cube.is_one_way() },
            (false, true) => Family::Hypercube,
            (false, false) => Family::Mesh,
        };
        let network = Arc::new(Cube::network(family, cube.radix()));
        let rate = system.traffic.rate;
        let traffic = fitting(Traffic { to_itself: false, ..system.traffic }, &network);
        let traffic = Traffic { rate, ..traffic };
        System::new(network, system.relation.routing().clone(), switching, traffic)
    }
}

prop_compose! {
    /// Half of them default machines, half any.
    fn drawn_machines()(
        virtual_channels in 1u32..=8,
        buffer_flits in prop_oneof![3 => 1u32..9, 1 => 9u32..40],
        length in prop::option::of(1u32..9),
    )(
        machine in machines(virtual_channels, buffer_flits.max(length.unwrap_or(0)), length.is_some()),
        length in Just(length),
        default in prop::bool::weighted(0.3),
    ) -> (Wormhole, Option<u32>) {
        let Wormhole { virtual_channels, buffer_flits, .. } = machine;
        (if default { Wormhole::new(virtual_channels, buffer_flits) } else { machine }, length)
    }
}

/// Any system of worms: topology × routing × machine × traffic, saturated and unsafe ones too.
pub fn any_system() -> impl Strategy<Value = System> {
    // Boxed: trees of values are as large as all strategies together, on the stack of a test.
    let further = cube_system_of(further_routings().boxed());
    prop_oneof![
        4 => plain_system().boxed(),
        1 => switch_system(own_links().boxed()).boxed(),
        1 => further.boxed(),
    ]
}

/// The longest messages that buffers of drawn systems hold whole.
const WHOLE_MAX: u32 = 64;

prop_compose! {
    /// Any system of worms, in pipelined routers.
    pub fn router_system()(
        system in any_system(),
        [route, vc] in prop::array::uniform2(0u32..4),
        [switch, traverse] in prop::array::uniform2(0u32..3),
        (speculative, input_speedup) in (any::<bool>(), 1u32..4),
        injection in 1u32..4,
        iterations in 0u32..5,
        [output_speedup, internal_speedup] in prop::array::uniform2(prop_oneof![2 => 1u32..2, 1 => 2u32..4]),
        (channel_delay, credit_delay) in (1u32..4, 0u32..4),
        release in prop::sample::select(vec![Release::Sent, Release::Drained, Release::Credit]),
        on_deadlock in prop::sample::select(vec![OnDeadlock::Stop, OnDeadlock::Continue]),
        (whole, hold_for_packet, credit) in (0u32..4, any::<bool>(), 0u32..3),
        [stays, replies_first, oldest_first] in prop::array::uniform3(any::<bool>()),
    ) -> System {
        let machine = *system.wormhole().expect("a machine of worms");
        let routing = match system.relation.routing().clone() {
            Routing::MinimalAdaptive { escape, .. } if stays => Routing::final_escape(escape),
            routing => routing,
        };
        let longest = system.traffic.longest();
        let bubble = system.network.rings().iter().any(Option::is_some)
            && routing.on(&system.network).is_ok_and(|it| it.needs.needed == 1);
        let (forwarding, least) = match whole {
            0 if longest <= WHOLE_MAX => (Forwarding::CutThrough, longest),
            1 if longest <= WHOLE_MAX && bubble => (Forwarding::Bubble, 2 * longest),
            _ => (Forwarding::Wormhole, 1),
        };
        let allocator = match iterations {
            0 => Allocator::Separable,
            4 => Allocator::Wavefront,
            _ => Allocator::Islip { iterations },
        };
        let stages = Stages {
            route,
            vc,
            switch,
            traverse,
            speculative,
            allocator,
            input_speedup,
            output_speedup,
            internal_speedup,
            hold_for_packet,
            credit,
            injection,
        };
        let pipelined = Wormhole::pipelined(machine.virtual_channels, stages);
        let machine = Wormhole {
            buffer_flits: machine.buffer_flits.max(least),
            channel_delay,
            credit_delay,
            release,
            forwarding,
            on_deadlock,
            injection: if replies_first { Injection::RepliesFirst } else { pipelined.injection },
            allocation: if oldest_first { Allocation::OldestFirst } else { pipelined.allocation },
            ..pipelined
        };
        System::new(system.network, routing, machine, system.traffic)
            .with_half_way(system.relation.half_way())
    }
}

/// Any system of worms, one in four with pipelined routers.
pub fn any_router() -> impl Strategy<Value = System> {
    prop_oneof![3 => any_system().boxed(), 1 => router_system().boxed()]
}

/// Any system of worms whose links are as fast as its machine's channels.
pub fn plain_system() -> impl Strategy<Value = System> {
    let on_switches = switch_system(Just((None, false)).boxed());
    prop_oneof![4 => cube_system().boxed(), 1 => on_switches.boxed()]
}

/// Any system of worms on switches.
pub fn switch_systems() -> BoxedStrategy<System> {
    switch_system(own_links().boxed()).boxed()
}

/// Attributes and numbers of links side by side, and true for a further link that leads one way.
type OwnLinks = (Option<Vec<(Attributes, u32)>>, bool);

/// Links of which some are as the machine has them, some far or slow.
fn own_links() -> impl Strategy<Value = OwnLinks> {
    let delay = prop_oneof![Just(0u16), 1u16..20, 100u16..400];
    let cycles_per_flit = prop_oneof![2 => Just(1u8), 1 => 2u8..6];
    let attributes = (delay, cycles_per_flit).prop_map(|(delay, cycles_per_flit)| Attributes {
        delay: NonZeroU16::new(delay),
        cycles_per_flit,
        kind: 0,
    });
    let count = prop_oneof![3 => Just(1u32), 1 => Just(2u32)];
    let own = prop::collection::vec((attributes, count), 1..5).prop_map(Some);
    (own, prop::bool::weighted(0.3))
}

/// A rule for any network with enough virtual channels, in half of the cases.
fn other_rule() -> impl Strategy<Value = Option<Routing>> {
    let minimal = Routing::Minimal { classes: Rising::Hops };
    let of = Box::new(minimal.clone());
    let rules = vec![
        Routing::Layered { layers: Layers(1) },
        Routing::Layered { layers: Layers(2) },
        Routing::UpDown { roots: Roots::Hosts, paths: Paths::Split },
        Routing::NearestCommonAncestor { up: UpLinks::Free },
        Routing::NearestCommonAncestor { up: UpLinks::Destination },
        Routing::ShortestPath { paths: Paths::Host, by: Distance::Delay },
        Routing::Valiant { of: of.clone() },
        Routing::Ugal { of, threshold: Threshold(2) },
        minimal,
    ];
    prop::option::of(prop::sample::select(rules))
}

prop_compose! {
    /// A system of worms on any switch graph.
    fn switch_system(own: BoxedStrategy<OwnLinks>)(
        hosts in prop::collection::vec(0u32..3, 1..9)
            .prop_filter("two hosts or more", |hosts| hosts.iter().sum::<u32>() >= 2),
        (more_links, degree, seed) in (0usize..10, 2u32..6, any::<u64>()),
        (machine, length) in drawn_machines(),
        root in any::<u32>(),
        paths in prop::sample::select(vec![Paths::Split, Paths::Host, Paths::First]),
        up_down in prop::bool::weighted(0.7),
        other in other_rule(),
        ejection in prop::sample::select(vec![Ejection::PerWorm, Ejection::Shared]),
        traffic in traffics(),
        (own, one_way) in own,
    ) -> System {
        let switches = hosts.len() as u32;
        let links = random::links(switches, hosts.len() - 1 + more_links, degree, seed);
        let seats: Vec<u32> = (0..switches)
            .flat_map(|switch| std::iter::repeat_n(switch, hosts[switch as usize] as usize))
            .collect();
        let paced = own.is_some();
        let network = match own {
            None => Switches::random(hosts.len(), &links, &seats),
            Some(own) => {
                let mut cables: Vec<Cable> =
                    links.iter().zip(own.iter().cycle()).map(|(&ends, &(attributes, count))| {
                        Cable { attributes, count, ..Cable::from(ends) }
                    }).collect();
                if one_way && !up_down && switches > 1 {
                    let kind = 9;
                    let attributes = Attributes { kind, ..Attributes::default() };
                    cables.push(Cable { attributes, one_way, ..Cable::from((0, switches - 1)) });
                }
                Switches::network(hosts.len(), &cables, &seats, None)
            }
        };
        let network = Arc::new(network);
        let routing = if up_down {
            Routing::UpDown { roots: RouterId(root % switches).into(), paths }
        } else {
            Routing::shortest_path(paths)
        };
        let fits = |rule: &Routing| {
            let needed = rule.on(&network).map_or(u32::MAX, |placement| placement.needs.needed);
            needed <= machine.virtual_channels
        };
        let routing = other.filter(fits).unwrap_or(routing);
        // Several hosts at a switch have a channel each to go in and out by.
        let injection = match machine.injection {
            Injection::Independent { .. } => Injection::OneMessage,
            injection => injection,
        };
        let credit_delay = machine.credit_delay.max(u32::from(paced));
        let machine = Wormhole {
            terminals: Terminals::Channels,
            injection,
            ejection,
            credit_delay,
            ..machine
        };
        let lengths = length.map_or(traffic.lengths, Lengths::Fixed);
        let load = traffic.rate.to_load(traffic.lengths.mean());
        let rate = load.to_rate(lengths.mean());
        let traffic = Traffic { lengths, rate, ..traffic };
        let traffic = if paced || !matches!(traffic.destinations, Destinations::Weighted(_)) {
            Traffic { destinations: Destinations::Uniform, ..traffic }
        } else {
            traffic
        };
        let traffic = fitting(traffic, &network);
        System::new(network, routing, machine, traffic)
    }
}

prop_compose! {
    /// A system of circuits on any cube, at loads from light to beyond what it carries.
    pub fn circuit_system()(
        (family, radix) in shapes(),
        conflict in prop_oneof![
            Just(Conflict::Hold),
            (0.05f64..2.0).prop_map(|back_off| Conflict::Drop { back_off }),
            (0.05f64..2.0).prop_map(|back_off| Conflict::Adaptive { back_off }),
        ],
        remedy in prop::sample::select(vec![
            Remedy::Abort { back_off: 0.4 },
            Remedy::Stop,
            Remedy::Lanes,
        ]),
        duplex in prop::sample::select(vec![Duplex::Half, Duplex::Full]),
        services in prop::collection::vec(prop::sample::select(vec![0.0, 0.001, 0.02]), 4),
        lengths in prop_oneof![
            Just(Lengths::Fixed(10_000)),
            Just(Lengths::Exponential { mean: 10_000.0 }),
            Just(Lengths::Uniform { min: 1_000, max: 19_000 }),
        ],
        rate in 0.05f64..2.0,
    ) -> System {
        // Lanes are for circuits that hold, on rings, with a direction of the links to themselves.
        let rings = matches!(family, Family::Torus { .. });
        let (duplex, on_deadlock) = match (conflict, remedy) {
            (Conflict::Hold, Remedy::Lanes) if rings => (Duplex::Full, remedy),
            (_, Remedy::Lanes) => (duplex, Remedy::Stop),
            _ => (duplex, remedy),
        };
        let routing = match (conflict, on_deadlock) {
            (Conflict::Adaptive { .. }, _) => Routing::minimal_adaptive(Escape::None),
            (_, Remedy::Lanes) => Routing::dimension_order(Classes::Dateline),
            _ => Routing::dimension_order(Classes::None),
        };
        let machine = Circuit {
            duplex,
            on_deadlock,
            verify: services[0],
            connect: services[1],
            release: services[2],
            acknowledge: services[3],
            ..Circuit::new(conflict)
        };
        let traffic = Traffic::random(Process::Poisson, Rate(rate), Destinations::Uniform, lengths);
        System::new(Arc::new(Cube::network(family, &radix)), routing, machine, traffic)
    }
}

/// A system of circuits on any switch graph, by rules that find routes around failures.
pub fn switch_circuits() -> BoxedStrategy<System> {
    let worms = switch_system(Just((None, false)).boxed());
    let rules = prop::sample::select(vec![
        Routing::UpDown { roots: RouterId(0).into(), paths: Paths::Split },
        Routing::Layered { layers: Layers(1) },
        Routing::shortest_path(Paths::Host),
    ]);
    (worms, circuit_system(), rules)
        .prop_map(|(worms, circuits, routing)| {
            let circuit = *circuits.circuit().expect("the system has circuits");
            let conflict = match circuit.conflict {
                Conflict::Adaptive { back_off } => Conflict::Drop { back_off },
                conflict => conflict,
            };
            let on_deadlock = match circuit.on_deadlock {
                Remedy::Lanes => Remedy::Stop,
                remedy => remedy,
            };
            let machine = Circuit { conflict, on_deadlock, ..circuit };
            System::new(Arc::clone(&worms.network), routing, machine, circuits.traffic)
        })
        .boxed()
}

/// A system of worms on any cube.
fn cube_system() -> impl Strategy<Value = System> {
    cube_system_of(routings().boxed())
}

prop_compose! {
    /// A system of worms on any cube, with one of some rules where it is defined.
    fn cube_system_of(routings: BoxedStrategy<Routing>)(
        (family, radix) in shapes(),
        routing in routings,
        half_way in prop::sample::select(vec![HalfWay::Random, HalfWay::Positive, HalfWay::Adaptive]),
        more_vcs in 0u32..4,
        (machine, length) in drawn_machines(),
        traffic in traffics(),
    ) -> System {
        let network = Arc::new(Cube::network(family, &radix));
        // Where the drawn rule is not defined, another is tried.
        let routing = match routing.serves(&network) {
            Ok(_) => routing,
            Err(_) => Routing::dimension_order(Classes::Destination),
        };
        let half_way = match half_way {
            HalfWay::Adaptive if !routing.may_choose_ways() => HalfWay::Random,
            half_way => half_way,
        };
        let needed = routing.serves(&network).unwrap().needed;
        let switching = Wormhole { virtual_channels: needed + more_vcs, ..machine };
        let traffic = match length {
            Some(length) => {
                let load = traffic.rate.to_load(traffic.lengths.mean());
                let lengths = Lengths::Fixed(length);
                Traffic { lengths, rate: load.to_rate(lengths.mean()), ..traffic }
            }
            None => traffic,
        };
        let to_itself = traffic.to_itself && switching.terminals == Terminals::Channels;
        let traffic = fitting(Traffic { to_itself, ..traffic }, &network);
        System::new(network, routing, switching, traffic).with_half_way(half_way)
    }
}

/// Uniform Poisson traffic of fixed length.
pub fn uniform(rate: f64, length: u32) -> Traffic {
    Traffic::random(Process::Poisson, Rate(rate), Destinations::Uniform, Lengths::Fixed(length))
}

/// A bidirectional torus.
pub fn torus(
    radix: &[u32],
    routing: Routing,
    virtual_channels: u32,
    buffer_flits: u32,
    traffic: Traffic,
) -> System {
    let network = Arc::new(Cube::network(Family::Torus { unidirectional: false }, radix));
    System::new(network, routing, Wormhole::new(virtual_channels, buffer_flits), traffic)
}
