//! Machines of CAMINOS as scenarios.

/// The scenario of a machine such as `mesh 8x8; 1 VC; 4 flits; buffers 8+0; Uniform`, at an offered
/// load. Input and output buffers are joined to one buffer.
pub fn scenario(machine: &str, load: f64) -> String {
    let mut parts = machine.split("; ");
    let mut next = || parts.next().unwrap();
    let number = |text: &str| -> u32 { text.split(' ').next().unwrap().parse().unwrap() };
    let (network, vcs, length) = (next(), number(next()), number(next()));
    let (family, radix) = network.split_once(' ').unwrap();
    let family = if family == "torus" { "Torus" } else { "Mesh" };
    let radix = radix.replace('x', ", ");
    let buffers = next().trim_start_matches("buffers ");
    let buffers: u32 = buffers.split('+').map(|flits| flits.parse::<u32>().unwrap()).sum();
    let destinations = next();
    let bubble = if machine.ends_with("bubble") { ", forwarding: Bubble" } else { "" };
    format!(
        "Scenario(
            network: {family}(radix: [{radix}]),
            routing: DimensionOrder(classes: None),
            switching: Wormhole(
                preset: Caminos, virtual_channels: {vcs}, buffer_flits: {buffers}{bubble}
            ),
            traffic: (
                arrivals: Geometric(rate: {}),
                destinations: {destinations},
                lengths: Fixed({length}),
            ),
        )",
        load / f64::from(length),
    )
}
