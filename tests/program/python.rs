//! The Python module with the program under test; it needs nothing but `python3`.

use std::path::Path;
use std::process::Command;

#[expect(clippy::print_stdout, reason = "why the test was skipped")]
#[test]
fn the_python_module_runs_the_program_and_raises_its_errors() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tried = Command::new("python3")
        .args(["-m", "unittest", "discover", "-s", "tests/python"])
        .current_dir(root)
        .env("FLITSCOPE_CONFIG", "")
        .env("FLITSCOPE_PROGRAM", env!("CARGO_BIN_EXE_flitscope"))
        .env("PYTHONPATH", root.join("src/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&tried.stderr);
    assert!(tried.status.success(), "{said}");
    assert!(said.contains("OK"), "{said}");
}
