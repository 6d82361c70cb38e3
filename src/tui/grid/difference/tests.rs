//! Tests of the steps of the scale of differences.

use super::*;
use crate::live::LinkUse;
use crate::tui::fake;
use std::sync::Arc;

#[test]
fn steps_are_symmetric_and_the_scale_takes_the_largest() {
    assert_eq!(
        [-0.2, -0.011, -0.009, 0.0, 0.009, 0.011, 0.2].map(|it| step(it, 0.1)),
        [-5, -1, 0, 0, 0, 1, 5]
    );
    let scenario = fake::scenario(fake::TORUS, &[8, 8], 4);
    let mut update = fake::update(&scenario, 3);
    let mut differences = Differences::default();
    differences.update(&update);
    // Shares range from 0.09 to 0.17; the model predicts 0.12.
    assert_eq!(differences.end(), Some(0.05));
    let steps: Vec<i8> =
        (0..256).map(|channel| differences.channel(ChannelId::new(channel))).collect();
    assert!(steps.contains(&5) && steps.contains(&-3), "{steps:?}");
    for (channel, &step) in steps.iter().enumerate() {
        let off = f64::from(update.usage.shares[channel]) - 0.12;
        assert!((off / 0.01 - f64::from(step)).abs() <= 0.5 + 1e-5, "{channel} {off} {step}");
    }
    // Predictions per link, equal to the measurement, leave no difference.
    let mut theory = update.theory.as_deref().unwrap().clone();
    let uses = update.usage.shares.iter().map(|&share| f64::from(share)).collect();
    theory.utilisation = Some(Arc::new(LinkUse::Channels(uses)));
    update.theory = Some(Arc::new(theory));
    differences.update(&update);
    assert!((0..256).all(|channel| differences.channel(ChannelId::new(channel)) == 0));
    update.theory = None;
    differences.update(&update);
    assert_eq!(differences.end(), None);
}
