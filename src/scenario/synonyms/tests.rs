//! Tests of `synonyms`.

use super::*;
use crate::scenario::schema::FIELDS;
use crate::words::{Contents, Field, Kind};

/// The names of all fields and values.
fn names(fields: &[Field], found: &mut Vec<&'static str>) {
    for field in fields {
        found.push(field.name);
        if let Kind::Fields(groups) = field.kind {
            names(&groups.concat(), found);
        }
        let Kind::Choice(groups) = field.kind else { continue };
        for value in groups.iter().copied().flatten() {
            found.push(value.name);
            if let Contents::Fields(groups) = value.contents {
                names(&groups.concat(), found);
            }
        }
    }
}

#[test]
fn every_name_from_elsewhere_stands_for_one_that_exists_and_is_none_itself() {
    let mut known = Vec::new();
    names(FIELDS, &mut known);
    for (all, here) in SYNONYMS {
        assert!(known.contains(here), "{here}");
        for name in *all {
            assert_eq!(plain(name), *name);
            assert_ne!(plain(here), *name);
        }
    }
}

#[test]
fn a_name_stands_for_what_the_place_knows() {
    let known = |names: &[&'static str], name: &str| meant(name, names.iter().copied());
    assert_eq!(known(&["preset", "virtual_channels"], "VC_count"), Some("virtual_channels"));
    assert_eq!(known(&["arrivals", "lengths"], "size"), Some("lengths"));
    assert_eq!(known(&["radix", "links"], "size"), Some("radix"));
    assert_eq!(known(&["Destination", "Random"], "Random"), None);
    assert_eq!(value("e-cube"), Some("DimensionOrder"));
}
