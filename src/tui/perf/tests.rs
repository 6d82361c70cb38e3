//! Tests of frame rates and dropped frames.

use super::*;

#[test]
fn frames_are_counted_and_late_ones_told() {
    let ms = Duration::from_millis;
    let mut perf = Perf::default();
    assert_eq!(perf.words(), "fps: none yet");
    for _ in 0..60 {
        perf.painted(ms(33), ms(4), ms(1), ms(33));
    }
    assert_eq!(perf.words(), "30 fps, 4.0 ms, 0 dropped");
    // Three periods late: two dropped frames earlier, and one at the due time.
    perf.painted(ms(132), ms(4), ms(99), ms(33));
    assert!(perf.words().ends_with("3 dropped"), "{}", perf.words());
    // A pause of a minute drops no frames.
    let before = perf.words();
    assert!(before.contains(" fps, 4.0 ms"), "{before}");
    perf.painted(ms(60_000), ms(4), ms(0), ms(33));
    assert_eq!(perf.words(), before);
}
