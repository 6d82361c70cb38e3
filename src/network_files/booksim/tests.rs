//! Conversions of configurations, and mistakes with their places.

use std::num::NonZeroU16;

use super::*;
use crate::ids::ChannelId;
use crate::scenario::parse;
use crate::switching::{Allocator, Release, Stages};

const MESH: &str = "// A mesh.\ntopology = mesh; k = 4;\nn = 2;\nrouting_function = dor;\n\
    num_vcs = 2; vc_buf_size = 4;\nrouting_delay = 0;\nspeculative = 1;\ninput_speedup = 2;\n\
    output_speedup = 3; internal_speedup = 2.0;\n\
    credit_delay = 2;\nwait_for_tail_credit = 1; st_prepare_delay = 1;\npacket_size = 3;\n\
    injection_rate = 0.1; injection_rate_uses_flits = 1;\nsample_period = 500;\nseed = 7;\n";

#[test]
fn a_configuration_becomes_a_scenario() {
    let Configuration { scenario, notes } = read_configuration(MESH).unwrap();
    assert_eq!(notes, ["without effect on the network: sample_period"]);
    let parsed = parse("test", &scenario, &[]).unwrap_or_else(|found| panic!("{found:?}"));
    let machine = parsed.system.wormhole().unwrap();
    let stages = machine.pipeline.stages().unwrap();
    let expected = Stages {
        traverse: 2,
        speculative: true,
        input_speedup: 2,
        output_speedup: 3,
        internal_speedup: 2,
        ..Stages::after(0)
    };
    assert_eq!(stages, expected);
    assert_eq!((machine.virtual_channels, machine.buffer_flits), (2, 4));
    assert_eq!((machine.release, machine.credit_delay), (Release::Credit, 2));
    assert_eq!(parsed.seed, 7);
    assert!((parsed.system.load().0 - 0.1).abs() < 1e-12);
    assert!(parsed.system.traffic.to_itself);
    let torus = "routing_function = dim_order; traffic = tornado; injection_rate = 0.01;\n\
        packet_size = 12; vc_allocator = wavefront; routing_delay = 2;";
    let Configuration { scenario, notes } = read_configuration(torus).unwrap();
    let parsed = parse("test", &scenario, &[]).unwrap_or_else(|found| panic!("{found:?}"));
    let machine = parsed.system.wormhole().unwrap();
    // 16 VCs by default, and links of two cycles on a folded torus.
    assert_eq!((machine.virtual_channels, machine.channel_delay), (16, 2));
    assert!((parsed.system.traffic.rate.0 - 0.01).abs() < 1e-12);
    assert_eq!(notes.len(), 3);
    assert_eq!(machine.pipeline.stages().unwrap().allocator, Allocator::Islip { iterations: 1 });
}

#[test]
fn allocators_are_converted_or_approximated() {
    let rest = "topology = mesh; k = 4; n = 2; routing_function = dor;";
    let both = |name: &str| format!("vc_allocator = {name}; sw_allocator = {name};");
    let islip = |iterations| Allocator::Islip { iterations };
    for (keys, expected, notes) in [
        ("alloc_iters = 3;".to_owned(), islip(1), 0),
        (both("islip(3)"), islip(3), 0),
        ("sw_allocator = islip(2);".to_owned(), islip(2), 1),
        (both("islip(99)"), islip(1), 2),
        (both("separable_input_first"), Allocator::Separable, 0),
        (both("wavefront"), Allocator::Wavefront, 0),
        ("sw_allocator = wavefront;".to_owned(), Allocator::Wavefront, 1),
        ("vc_allocator = wavefront;".to_owned(), islip(1), 1),
        (both("select"), islip(1), 2),
    ] {
        let found = read_configuration(&format!("{rest}{keys}")).unwrap();
        let parsed = parse("test", &found.scenario, &[]).unwrap_or_else(|why| panic!("{why:?}"));
        let stages = parsed.system.wormhole().unwrap().pipeline.stages().unwrap();
        assert_eq!((stages.allocator, found.notes.len()), (expected, notes), "{keys}");
    }
}

#[test]
fn every_routing_and_pattern_that_is_converted_makes_a_scenario() {
    for topology in ["mesh", "torus"] {
        for routing in ["dor", "dim_order", "dim_order_bal", "xy_yx", "valiant"] {
            for traffic in
                ["uniform", "transpose", "bitcomp", "bitrev", "shuffle", "tornado", "neighbor"]
            {
                let text = format!(
                    "topology = {topology}; routing_function = {routing}; traffic = {traffic};"
                );
                match read_configuration(&text) {
                    Ok(found) => {
                        let parsed = parse("test", &found.scenario, &[]);
                        parsed.unwrap_or_else(|why| panic!("{text}: {why:?}"));
                    }
                    Err(why) => assert!(why[0].what.contains("routing_function"), "{why:?}"),
                }
            }
        }
    }
}

#[test]
fn concentrated_meshes_and_fat_trees_are_converted() {
    let rest = "vc_buf_size = 8; packet_size = 4; injection_rate = 0.1;";
    let read = |text: &str| {
        read_configuration(&format!("{text} num_vcs = 2; {rest}")).map(|found| {
            parse("test", &found.scenario, &[]).unwrap_or_else(|why| panic!("{why:?}")).system
        })
    };
    let mesh = "topology = cmesh; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2; \
        routing_function = dor_no_express;";
    let found = read(mesh).unwrap();
    let sizes = (found.network.nodes(), found.network.routers());
    assert_eq!((sizes, found.wormhole().unwrap().channel_delay), ((64, 16), 2));
    let wrong = read(&mesh.replace("c = 4", "c = 2")).unwrap_err();
    assert!(wrong[0].what.contains('c'), "{wrong:?}");
    let tree = read("topology = fattree; k = 4; n = 3; routing_function = nca;").unwrap();
    assert_eq!((tree.network.nodes(), tree.wormhole().unwrap().channel_delay), (64, 1));
    assert!(read("topology = fattree; routing_function = dor;").is_err());
}

#[test]
fn butterflies_and_dragonflies_have_links_as_long_as_their_wires() {
    let system = |text: &str| {
        let text = format!("{text} vc_buf_size = 64; packet_size = 4; injection_rate = 0.1;");
        let found = read_configuration(&text).unwrap_or_else(|found| panic!("{found:?}"));
        parse("test", &found.scenario, &[]).unwrap_or_else(|found| panic!("{found:?}")).system
    };
    let delays = |system: &crate::system::System| {
        let network = &system.network;
        let of = |link: usize| network.channel(ChannelId(link as u32)).attributes.delay;
        let mut delays: Vec<u16> =
            (0..network.links()).map(|link| of(link).map_or(0, NonZeroU16::get)).collect();
        delays.sort_unstable();
        delays.dedup();
        delays
    };
    let flat = "topology = flatfly; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2; \
        routing_function = ran_min; num_vcs = 2;";
    let found = system(flat);
    assert_eq!((found.network.nodes(), delays(&found)), (64, vec![2, 4, 6]));
    assert_eq!(delays(&system(&format!("{flat} use_noc_latency = 0;"))), [0]);
    let dragonfly = "topology = dragonflynew; k = 2; n = 1; num_vcs = 3;";
    for (routing, vcs) in [("min", 3), ("ugal", 4)] {
        let found = system(&format!("{dragonfly} routing_function = {routing};"));
        assert_eq!((found.network.nodes(), delays(&found)), (72, vec![10, 100]));
        assert_eq!(found.switching.virtual_channels(), vcs);
    }
    let torus = "topology = torus; k = 4; n = 2; routing_function = min_adapt; num_vcs = 4;";
    assert_eq!(system(torus).switching.virtual_channels(), 3);
}

#[test]
fn reads_and_writes_are_message_classes_with_ranges_of_vcs() {
    let text = "topology = mesh; k = 4; n = 2; routing_function = dor; num_vcs = 16; use_read_write = 1;\n\
        read_request_size = 1; read_reply_size = 5; write_request_size = 5; write_reply_size = 1;\n\
        write_fraction = 0.25; injection_rate = 0.01;";
    let found = read_configuration(text).unwrap();
    let parsed = parse("test", &found.scenario, &[]).unwrap_or_else(|found| panic!("{found:?}"));
    let relation = &parsed.system.relation;
    let vcs = [0, 1, 2, 3].map(|class| relation.vcs_of_message_class(class));
    assert_eq!(vcs, [0x3f, 0xfc, 0x3f00, 0xfc00]);
    // 0.01 requests, each of 6 flits with its reply.
    assert!((parsed.system.load().0 - 0.06).abs() < 1e-12, "{}", parsed.system.load().0);
    let in_flits = format!("{text} injection_rate_uses_flits = 1;");
    let found = read_configuration(&in_flits).unwrap();
    let parsed = parse("test", &found.scenario, &[]).unwrap();
    assert!((parsed.system.load().0 - 0.01).abs() < 1e-12);
    // Only writes: two classes.
    let writes = text.replace("write_fraction = 0.25", "write_fraction = 1");
    let found = read_configuration(&writes).unwrap();
    let parsed = parse("test", &found.scenario, &[]).unwrap();
    assert_eq!(parsed.system.traffic.classes.count(), 2);
    let torus = text.replace("mesh", "torus").replace("dor", "dim_order");
    let mistakes = read_configuration(&torus).unwrap_err();
    assert!(mistakes[0].what.contains("overlap"), "{mistakes:?}");
    let short = format!("{text} write_reply_end_vc = 9;");
    let mistakes = read_configuration(&short).unwrap_err();
    assert!(mistakes[0].what.contains("end before they begin"), "{mistakes:?}");
    let beyond = format!("{text} num_vcs = 8;");
    assert!(read_configuration(&beyond).is_err());
}

#[test]
fn mistakes_have_their_places() {
    let found = |text: &str| {
        let mistakes = read_configuration(text).unwrap_err();
        let told = |it: &Mistake| format!("{}:{}: {}; {}", it.line, it.column, it.what, it.help);
        mistakes.iter().map(told).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(found(
        "topology = mesh;\nnum_vc = 4;\nrouting_function = romm;\nk = x;\n  output_speedup = 5; internal_speedup = 1.5;\n\
         injection_rate = 3;\nn = 2\nsilly;\npriority = age;\ntraffic = bitcmp;\n"
    ));
}

#[test]
fn machines_of_all_kinds_of_networks_are_converted() {
    let rest = "sample_period = 1000; sim_type = latency;";
    for (text, nodes, notes) in [
        (
            "topology = mesh; k = 8; n = 2; routing_function = dor; num_vcs = 8; input_speedup = 2;",
            64,
            1,
        ),
        (
            "topology = torus; k = 8; n = 2; routing_function = dim_order; num_vcs = 2; speculative = 1; \
             traffic = tornado; alloc_iters = 2;",
            64,
            2,
        ),
        (
            "topology = cmesh; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2; \
             routing_function = dor_no_express; num_vcs = 4;",
            64,
            1,
        ),
        (
            "topology = fattree; k = 4; n = 3; routing_function = nca; num_vcs = 1; \
             sw_allocator = select;",
            64,
            2,
        ),
        (
            "topology = flatfly; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2; \
             routing_function = ran_min; num_vcs = 8; wait_for_tail_credit = 1;",
            64,
            1,
        ),
        (
            "topology = dragonflynew; k = 2; n = 1; routing_function = min; num_vcs = 2; \
             vc_buf_size = 256; internal_speedup = 2.0; output_buffer_size = 4;",
            72,
            2,
        ),
        // A single router with eight nodes, and messages to oneself.
        (
            "topology = anynet; network_file = one.anynet; routing_function = min; num_vcs = 4;",
            0,
            2,
        ),
    ] {
        let found = read_configuration(&format!("{text}\n{rest}"));
        let found = found.unwrap_or_else(|found| panic!("{text}: {found:?}"));
        assert_eq!(found.notes.len(), notes, "{text}: {:?}", found.notes);
        if nodes > 0 {
            let parsed = parse("test", &found.scenario, &[]);
            let parsed = parsed.unwrap_or_else(|found| panic!("{text}: {found:?}"));
            assert_eq!(parsed.system.network.nodes(), nodes, "{text}");
        }
    }
    let left_out = |keys: &str| {
        let text = format!("topology = mesh; k = 4; n = 2; routing_function = dor; {keys}");
        read_configuration(&text).unwrap_err().len()
    };
    assert_eq!(left_out("priority = hop_count; subnets = 2; noq = 1; link_failures = 1;"), 4);
}
