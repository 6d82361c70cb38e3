//! Rounds of a study with searched loads or undecided verdicts.
//!
//! A round is a list of points in the study's folder, so that point numbers never change.
//!
//! The first round follows from the study alone. Each later round was planned from the results of
//! all earlier rounds, and is stored in a separate file, named by a hash of the study, the
//! program's version and its engine.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::seal;
use super::study::{Chosen, Study};
use crate::files;
use crate::random::mix;
use crate::scenario::Problem;

/// The subfolder of the rounds.
pub(super) const FOLDER: &str = "rounds";

/// A round, as stored in its file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Round {
    /// The round's number, from 1.
    round: usize,
    points: Vec<Chosen>,
}

/// The path of a round. Fingerprints of the first points distinguish versions of the program.
fn place(folder: &Path, study: &Study, round: usize) -> PathBuf {
    let (text, first) = (study.text(&study.scenario), &study.points[..study.first_round()]);
    let texts = first.iter().map(|point| &point.task.fingerprint).chain([&text]);
    let hash = texts.flat_map(|text| text.bytes().map(u64::from).chain([1 << 8])).fold(0, mix);
    folder.join(FOLDER).join(format!("{hash:016x}-{round}.json"))
}

/// Adds the points of all stored rounds. A damaged file ends the list, as if missing: its name and
/// damage are returned, and [`write`] replaces the file.
pub(super) fn restore(folder: &Path, study: &mut Study) -> Result<Option<String>, Vec<Problem>> {
    if !study.has_rounds() {
        return Ok(None);
    }
    loop {
        let path = place(folder, study, study.rounds() + 1);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(vec![refused(&path, &error)]),
        };
        let round: Round = match seal::opened(&text) {
            Ok(round) => round,
            Err(damage) => {
                return Ok(Some(format!("{}: this round is damaged: {damage}", path.display())));
            }
        };
        if !study.may_have(&round.points) || round.round != study.rounds() + 1 {
            return Err(vec![refused(&path, &"it is of another study")]);
        }
        study
            .add(&round.points)
            .map_err(|_| vec![refused(&path, &"its loads cannot be offered")])?;
    }
}

/// Writes the next round. Every program plans the same round.
pub(super) fn write(folder: &Path, study: &Study, points: &[Chosen]) -> std::io::Result<()> {
    files::make_folder(&folder.join(FOLDER))?;
    let round = study.rounds() + 1;
    let path = place(folder, study, round);
    let text = seal::sealed(&Round { round, points: points.to_vec() })?;
    let damaged = fs::read(&path).is_ok_and(|text| seal::opened::<Round>(&text).is_err());
    match files::write(path, text, damaged) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}

fn refused(path: &Path, why: &dyn std::fmt::Display) -> Problem {
    Problem {
        source: path.display().to_string(),
        place: None,
        what: format!("this is no round of the study: {why}"),
        help: Some("move it away, and `flitscope sweep plan` makes it again".to_owned()),
    }
}
