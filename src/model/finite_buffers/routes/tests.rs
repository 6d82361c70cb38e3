//! Tests of `routes`.

use super::*;

/// Two hosts on a switch each, a link each way: links 0 and 1, injection 2 and 3, ejection 4
/// and 5.
fn pair() -> Routes {
    let roles = [Role::Link, Role::Injection, Role::Ejection];
    let links = roles.iter().flat_map(|&role| [Link { role, delay: 10 }; 2]).collect();
    Routes::new(links)
}

#[test]
fn routes_that_end_alike_are_kept_together() {
    let mut routes = pair();
    let ids = |links: &[u32]| links.iter().map(|&link| ChannelId(link)).collect::<Vec<_>>();
    routes.add(&ids(&[2, 0, 5]), 0.5);
    routes.add(&ids(&[3, 5]), 0.25);
    routes.add(&ids(&[2, 0, 5]), 0.5);
    // 5 · 0,5 · 2,0,5 · 3,5.
    assert_eq!(routes.suffixes.len(), 4);
    assert_eq!(routes.flows(), [1.0, 0.0, 1.0, 0.25, 0.0, 1.25]);
    let expected = (30.0 + 0.25 * 20.0) / 1.25;
    assert!((routes.delay_mean() - expected).abs() < 1e-12);
}

#[test]
#[should_panic(expected = "injection")]
fn a_route_begins_at_a_host() {
    pair().add(&[ChannelId(0), ChannelId(5)], 1.0);
}
