//! How the screen keeps up: frames per second, the time one takes, frames that came too late.

use std::time::Duration;

/// Over how long frames are counted.
const SPAN: Duration = Duration::from_secs(1);

/// Measures the painting of frames.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Perf {
    /// Frames and time since they are counted, and the frame time of them together.
    frames: u32,
    span: Duration,
    painting: Duration,
    /// Of the last span: frames per second, milliseconds per frame.
    shown: Option<(f64, f64)>,
    /// Frames that were due and left out, since measuring began.
    dropped: u64,
}

impl Perf {
    /// Takes note of a frame: the time since the one before, how long painting it took, and how long
    /// after it was due it began, where frames are `frame` apart.
    pub fn painted(&mut self, since: Duration, took: Duration, late: Duration, frame: Duration) {
        self.dropped += (late.as_nanos() / frame.as_nanos().max(1)) as u64;
        // A rest, in which nothing changed, is no slow frame.
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

    /// In few words: `30 fps, 4.1 ms, 0 dropped`.
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
