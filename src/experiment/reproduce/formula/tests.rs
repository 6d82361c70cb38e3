//! What is a formula and what is not.

use super::*;

#[test]
fn what_is_no_formula_is_told() {
    let read = |text: &str| Formula::try_from(text);
    for (text, why) in [
        ("1 +", "does not go on with ``"),
        ("a b", "does not go on with ` b`"),
        ("f(1", "does not go on with ``"),
        ("1.2.3", "`1.2.3` is no number"),
        ("'open", "a quote is not closed"),
        ("'{x'", "a quote is not closed"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
    assert!(Text::try_from("{x").is_err());
    assert!(Text::try_from("{x:.2f}").is_err());
    let nested = read("if(a == 'b', '{x:.1} of {if(c, 'd', 'e')}')").unwrap();
    assert!(matches!(nested, Formula::Call(name, all) if name == "if" && all.len() == 2));
}
