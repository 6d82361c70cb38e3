//! Tests of editing at the cursor, and of the shown part of a long line.

use super::*;

fn edited(text: &str, edits: &[Edit]) -> EditLine {
    let mut line = EditLine::from(text);
    for &edit in edits {
        line.edit(edit);
    }
    line
}

#[test]
fn a_typing_error_is_mended_where_it_is() {
    use Edit::{End, Erase, EraseNext, EraseWord, Left, Right, Start, Type};
    let mended =
        edited("set laod 0.2", &[Left, Left, Left, Left, Left, Left, Erase, Right, Type('a')]);
    assert_eq!(&*mended, "set load 0.2");
    assert_eq!(&*edited("oto 5", &[Start, Type('g')]), "goto 5");
    assert_eq!(&*edited("ggoto 5", &[Start, EraseNext, End, Type('0')]), "goto 50");
    assert_eq!(&*edited("theme light", &[EraseWord]), "theme ");
    assert_eq!(&*edited("añb", &[Left, Left, Erase, Right, Erase]), "b");
    assert_eq!(edited(&"x".repeat(LONGEST), &[Type('y')]).len(), LONGEST);
}

#[test]
fn the_cursor_is_in_sight_wherever_it_is() {
    let line = "abcdefghij";
    for left in 0..=line.len() {
        let line = edited(line, &vec![Edit::Left; left]);
        for room in 3..=12 {
            let Visible { text, cursor, is_cut } = line.visible(room);
            let width = text.chars().count();
            assert!(width <= room + 1, "{text}");
            match cursor {
                None => assert!(left == 0 && text.ends_with("j_") && is_cut == (room < 10)),
                Some(at) => {
                    let expected = line.chars().nth(line.len() - left);
                    assert_eq!(text.chars().nth(at), expected, "{text} {at}");
                    assert_eq!(is_cut, !text.starts_with('a'));
                }
            }
        }
    }
}
