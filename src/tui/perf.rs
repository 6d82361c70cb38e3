//! Frame statistics: frames per second, time per frame, dropped frames.

use std::time::Duration;

/// Averaging period.
const SPAN: Duration = Duration::from_secs(1);

/// Measures the painting of frames.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Perf {
    /// Frames, elapsed time and painting time in the current period.
    frames: u32,
    span: Duration,
    painting: Duration,
    /// Frames per second and milliseconds per frame in the last period.
    shown: Option<(f64, f64)>,
    /// Dropped frames since the start of measuring.
    dropped: u64,
}

impl Perf {
    /// Records a frame: time since the previous frame, painting time, delay after the due time, and
    /// frame period.
    pub fn painted(&mut self, since: Duration, took: Duration, late: Duration, frame: Duration) {
        self.dropped += (late.as_nanos() / frame.as_nanos().max(1)) as u64;
        // A pause without changes is no slow frame.
        if since > SPAN && late < frame {
            (self.frames, self.span, self.painting) = (0, Duration::ZERO, Duration::ZERO);
            return;
        }
        self.frames += 1;
        self.span += since;
        self.painting += took;
        if self.span >= SPAN || self.shown.is_none() {
            let frames = f64::from(self.frames);
            let per_second = frames / self.span.as_secs_f64().max(1e-9);
            self.shown = Some((per_second, self.painting.as_secs_f64() * 1e3 / frames));
            (self.frames, self.span, self.painting) = (0, Duration::ZERO, Duration::ZERO);
        }
    }

    /// Summary, for example `30 fps, 4.1 ms, 0 dropped`.
    pub fn words(&self) -> String {
        match self.shown {
            Some((per_second, each)) => {
                format!("{per_second:.0} fps, {each:.1} ms, {} dropped", self.dropped)
            }
            None => "fps: none yet".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
