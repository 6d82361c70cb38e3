//! Tests of `heat`.

use std::sync::Arc;

use super::*;
use crate::live::{ClockedRun, Command, Options};
use crate::scenario;

/// In storage used for earlier updates, only channels with flits have levels above 0.
#[test]
fn channels_cool_when_their_worms_have_left() {
    let text = include_str!("../../../../scenarios/torus-8x8.ron");
    let torus = Arc::new(scenario::parse("torus-8x8", text, &[]).unwrap());
    let mut run = ClockedRun::new(Arc::clone(&torus), Options::default());
    let (mut update, mut heat) = (Update::empty(Arc::clone(&torus)), Heat::default());
    let channels = || (0..torus.system.network.channels().len()).map(ChannelId::new);
    let mut cooled = 0;
    for _ in 0..40 {
        run.execute(Command::Step(7));
        run.draw(&mut update);
        let before: Vec<u8> = channels().map(|channel| heat.channel(channel.index())).collect();
        heat.update(&update, View::Worms, Filter::default(), 1.0);
        for channel in channels() {
            let has_flits = update.snapshot.vcs_of(channel).iter().any(|vc| vc.flits > 0);
            let level = heat.channel(channel.index());
            assert_eq!(level > 0, has_flits, "{channel:?}");
            cooled += u32::from(level == 0 && before[channel.index()] > 0);
        }
    }
    assert!(cooled > 100, "{cooled}");
}

#[test]
fn the_scale_of_utilisation_follows_its_highest_value() {
    let text = include_str!("../../../../scenarios/torus-8x8.ron");
    let torus = Arc::new(scenario::parse("torus-8x8", text, &[]).unwrap());
    let (mut update, mut heat) = (Update::empty(torus), Heat::default());
    let view = View::Utilisation;
    let mut top = |share: f32, view: View| {
        Arc::make_mut(&mut update.usage).recent = vec![0.0, share];
        let top = heat.top(&update, view);
        heat.update(&update, view, Filter::default(), top);
        top
    };
    // The scale is raised at once, and lowered below nine tenths of the next lower one.
    let expected = [(0.2, 0.25), (0.26, 0.5), (0.24, 0.5), (0.22, 0.25), (0.7, 1.0), (0.0, 0.125)];
    for (share, scale) in expected {
        assert!((top(share, view) - scale).abs() < 1e-6, "{share}");
    }
    assert!((top(0.1, View::Occupancy) - 1.0).abs() < 1e-6);
}
