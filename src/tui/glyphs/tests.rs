//! Tests of the character sets.

use super::*;

#[test]
fn the_ascii_set_is_ascii() {
    let all = format!("{ASCII:?}");
    assert!(all.is_ascii(), "{all}");
}

/// The symbols in a picture of worms, circuits, classes or differences, each with its meaning.
fn pictures(set: &Glyphs) -> [Vec<(char, &'static str)>; 4] {
    let common = |signs: &mut Vec<(char, &'static str)>| {
        signs.extend(set.node.into_iter().zip(["idle node", "passing node", "waiting queue"]));
        signs.push((set.hot, "hot spot"));
        signs.extend([(set.across[0], "idle link"), (set.along[0], "idle link")]);
        signs.extend([(set.seam, "seam"), (set.slices[0], "above"), (set.slices[1], "below")]);
        signs.extend([('[', "cursor"), (']', "cursor")]);
        signs.extend(('A'..='Z').filter(|it| !"OVX".contains(*it)).map(|it| (it, "letter")));
    };
    let mut pictures: [Vec<(char, &'static str)>; 4] = Default::default();
    pictures.iter_mut().for_each(common);
    let [mut worms, mut circuits, mut classes, mut differences] = pictures;
    let (small, turns) = ("abcdefghijklmnpqrstuwyz".chars(), set.corner);
    worms.extend(small.map(|it| (it, "tail's letter")));
    worms.extend(set.arrow.map(|it| (it, "moves")));
    worms.extend(set.body.map(|it| (it, "body")));
    worms.extend(set.thin.map(|it| (it, "body without a letter")));
    worms.extend(set.tail.map(|it| (it, "tail")));
    worms.extend(turns.map(|it| (it, "turn")));
    worms.extend(set.host.into_iter().zip(["host", "host that waits"]));
    worms.push((set.blocked, "stands"));
    let names = ["sets up", "waits", "sends", "releases", "gives up", "backs off"];
    circuits.extend(set.circuit.into_iter().zip(names));
    circuits.extend(set.circuit_across.into_iter().zip(["1", "2", "3", "4", "5", "6"]));
    circuits.extend(turns.map(|it| (it, "turn")));
    circuits.extend(('0'..='9').map(|it| (it, "jobs")));
    classes.extend(set.class_across.into_iter().zip(["class 0", "class 1", "adaptive"]));
    classes.extend(set.class_along.into_iter().zip(["class 0", "class 1", "adaptive"]));
    differences.extend(set.above.map(|it| (it, "more")));
    differences.extend(set.below.map(|it| (it, "less")));
    differences.extend(set.even.map(|it| (it, "as much")));
    [worms, circuits, classes, differences]
}

#[test]
fn no_sign_of_a_picture_has_two_meanings() {
    for set in [UNICODE, ASCII] {
        for picture in pictures(&set) {
            for (at, &(sign, meaning)) in picture.iter().enumerate() {
                let other = picture[..at].iter().find(|it| it.0 == sign && it.1 != meaning);
                assert_eq!(other.filter(|_| sign != ' '), None, "{sign} is {meaning} too");
            }
        }
    }
}
