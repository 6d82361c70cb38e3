use super::*;
use crate::scenario::parse;

#[test]
fn a_proof_notes_the_share_that_is_done() {
    let text = "Scenario(
        network: Mesh(radix: [4, 4]),
        switching: Wormhole(virtual_channels: 4),
        routing: NegativeHop(),
        traffic: (arrivals: Poisson(rate: 0.001), destinations: Uniform, lengths: Fixed(12)),
    )";
    let system = parse("test", text, &[]).unwrap().system;
    let share = Arc::new(AtomicU32::new(0));
    let proof = shared(&share, || system.proof());
    // The last of 16 destinations was begun.
    assert_eq!(share.load(Ordering::Relaxed), WHOLE * 15 / 16);
    assert_eq!(proof, system.proof(), "nothing else changes");
}
