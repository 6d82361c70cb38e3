//! What is refused for want of memory, and that nothing is begun that ends for want of it.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

/// Runs the program with this much address space, in KiB.
fn within(kibibytes: u32, arguments: &[&str]) -> Output {
    let script = format!("ulimit -v {kibibytes}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_flitscope")]).args(arguments);
    command.env("FLITSCOPE_CONFIG", "").output().unwrap()
}

/// Large systems of every kind, and a run far beyond what its network carries.
const LARGE: [&[&str]; 8] = [
    &["torus-8x8", "--set=network=Torus(radix: [192, 192])"],
    &["torus-8x8", "--set=network=Torus(radix: [64, 64])", "--set=switching.virtual_channels=32"],
    &["torus-8x8", "--set=network=Torus(radix: [4, 4, 4, 4, 4, 4])"],
    &["torus-8x8", "--set=network=Torus(radix: [4, 4, 4, 4, 4, 4, 4])"],
    &["torus-8x8", "--set=network=Torus(radix: [160, 160])", "--load=0.9"],
    &["papers/circuit-torus-hold-8x8", "--set=network=Torus(radix: [256, 256])"],
    &[
        "torus-8x8",
        "--set=network=Torus(radix: [64, 64])",
        "--set=switching=Wormhole(preset: FiniteBuffers1997, virtual_channels: 16)",
    ],
    &["switches-campus", "--set=network=RandomSwitches(switches: 128, degree: 8, hosts: 64)"],
];

#[test]
fn however_little_memory_there_is_it_is_refused_or_enough() {
    let (mut refused, mut enough, mut ended) = (0, 0, 0);
    for system in LARGE {
        for command in [&["simulate", "--cycles=40", "--quiet"][..], &["check", "--quiet"]] {
            // Up to the least that is enough.
            for kibibytes in [260_000, 320_000, 400_000, 520_000, 700_000] {
                let done = within(kibibytes, &[command, system].concat());
                let said = String::from_utf8_lossy(&done.stderr);
                match done.status.code() {
                    Some(0) => {
                        enough += 1;
                        break;
                    }
                    // A check without the memory for its proof.
                    Some(1) if said.contains("freedom of deadlock is not proven") => {
                        enough += 1;
                        break;
                    }
                    Some(2) if said.contains("this machine has 0.") => refused += 1,
                    // Once it runs, what waits outside may grow beyond any estimate.
                    Some(143) if said.contains("has no more memory") => ended += 1,
                    _ => {
                        panic!("{command:?} {system:?} in {kibibytes} KiB: {} {said}", done.status)
                    }
                }
            }
        }
    }
    assert!(refused > 8 && enough == 16 && ended < 8, "{refused}, {enough}, {ended}");
}

#[test]
fn a_model_that_there_is_no_memory_for_gives_way_to_one_that_takes_none() {
    let first = |kibibytes, radix: &str| {
        let network = format!("--set=network=Torus(radix: [{radix}])");
        let done = within(kibibytes, &["predict", "torus-8x8", &network, "--format=json"]);
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{radix} in {kibibytes} KiB: {said}");
        let rows = String::from_utf8(done.stdout).unwrap();
        rows.lines().find(|row| !row.contains("\"capacity\",\"reading\"")).unwrap().to_owned()
    };
    assert!(first(500_000, "4, 4, 4").contains("channel flow"));
    assert!(first(500_000, "4, 4, 4, 4, 4, 4").contains("zero load"));
}

#[test]
fn a_run_whose_waiting_messages_fill_the_memory_ends_with_what_it_has() {
    let overloaded = [
        "simulate",
        "torus-8x8",
        "--set=network=Torus(radix: [128, 128])",
        "--load=0.9",
        "--cycles=1000000",
        "--quiet",
        "--format=json",
    ];
    let done = within(420_000, &overloaded);
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(143), "{said}");
    assert!(said.contains("this machine has no more memory for it"), "{said}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("\"partial\":true"), "{said}");
}
