//! Killed at random moments, two processes in one folder, and gone on with: nothing is lost, doubled or
//! half written.

use std::thread::sleep;

use super::*;

/// Numbers that look random (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// `FLITSCOPE_KILLS` is how many; a hundred take a minute.
#[test]
fn killed_at_any_moment_the_merged_table_is_that_of_an_undisturbed_run() {
    const LOADS: usize = 12;
    const CYCLES: u64 = 60_000;
    let kills = asked("FLITSCOPE_KILLS", 12);
    let begun = Instant::now();
    let expected = undisturbed("kills-undisturbed", LOADS, CYCLES);
    // From the start of the program until after its end.
    let longest = begun.elapsed().as_millis() as u64 / 3 + 50;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let path = folder("kills");
    let mut out = begin(&path, LOADS, CYCLES);
    let (mut killed, mut folders, mut together) = (0, 1, 0);
    while killed < kills {
        let start = || program(&["run", &out, "--quiet", "--jobs", "1"]).spawn().unwrap();
        let mut all = vec![start()];
        if random.below(3) == 0 {
            all.push(start());
            together += 1;
        }
        for child in &mut all {
            sleep(Duration::from_millis(random.below(longest)));
            // One that came to its end before was not killed.
            killed += usize::from(child.try_wait().unwrap().is_none());
            let _ = child.kill();
            child.wait().unwrap();
        }
        let status = said(&["status", &out]);
        assert!(!status.contains("refused") && !status.contains("left "), "{status}");
        if said(&["missing", &out]).is_empty() {
            assert_eq!(tables(&path), expected);
            out = begin(&path, LOADS, CYCLES);
            folders += 1;
        }
    }
    said(&["run", &out, "--quiet"]);
    assert_eq!(tables(&path), expected);
    assert!(!path.join("claims").exists());
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{killed} kills, {together} times of two processes, {folders} folders, {seconds:.1} s"
    );
}
