//! Random graphs are connected and keep to their degree; drawn switches stand apart.

use super::*;

#[test]
fn no_two_switches_stand_on_each_other_and_links_are_short() {
    // A ring of 9 with a tail of 3.
    let mut links: Vec<(u32, u32)> = (0..9).map(|s| (s, (s + 1) % 9)).collect();
    links.extend([(0, 9), (9, 10), (10, 11)]);
    let network = Switches::network(12, &links, &[0, 1], None);
    let places = Layout::of(&network).places;
    let squared = |a: Place, b: Place| {
        let (x, y) = (f64::from(a.x - b.x), f64::from(a.y - b.y));
        x * x + y * y
    };
    let mut widest = 0.0f64;
    for (a, &here) in places.iter().enumerate() {
        for (b, &there) in places.iter().enumerate().skip(a + 1) {
            assert!(squared(here, there).sqrt() > 300.0, "{a} {b}");
            widest = widest.max(squared(here, there).sqrt());
        }
        for b in network.neighbours(RouterId::new(a)) {
            assert!(squared(here, places[b.index()]).sqrt() < widest / 2.0);
        }
    }
    assert_eq!(places, Layout::of(&network).places);
}

#[test]
fn graphs_are_connected_and_keep_to_their_degree() {
    for switches in [1u32, 2, 3, 7, 24, 60] {
        for degree in [2, 3, 4, 8] {
            for seed in 0..20 {
                let all = switches * switches.saturating_sub(1) / 2;
                let asked = (switches * degree / 2).min(all) as usize;
                let found = random::links(switches, asked, degree, seed);
                assert_eq!(flaws(switches as usize, &found), []);
                assert!(found.len() <= asked.max(switches as usize - 1));
                assert!(found.len() >= switches as usize - 1);
                for switch in 0..switches {
                    let ends = found.iter().filter(|&&(a, b)| a == switch || b == switch);
                    assert!(ends.count() as u32 <= degree, "{switches} {degree} {seed}");
                }
            }
        }
    }
}

#[test]
fn seeds_give_graphs_of_their_own_and_always_the_same() {
    let one = random::links(24, 48, 4, 1);
    assert_eq!(one, random::links(24, 48, 4, 1));
    assert_ne!(one, random::links(24, 48, 4, 2));
    // Written down once: the same on every machine.
    assert_eq!(one.len(), 48);
}

#[test]
fn several_switches_are_pointed_at_as_such() {
    let random = Switches::random(3, &[(0, 1), (1, 2)], &[0, 1, 2]);
    assert_eq!(random.pointed_at(), "these 3 random switches, 3 hosts");
    let grid = Switches::grid(Family::Mesh, &[3, 2], &[0, 1]);
    assert!(grid.pointed_at().starts_with("this 3x2 mesh of switches"));
}
