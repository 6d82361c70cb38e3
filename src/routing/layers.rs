//! Choice of the orders of channels for layers of virtual channels.

use super::layer_order::{Order, Way};
use super::reach::Reach;
use crate::ids::RouterId;
use crate::topology::Network;

/// Roots considered for an order.
const ROOTS: usize = 6;
/// Layers with an order of their own; further layers repeat these.
const OWN_MAX: usize = 4;
/// Source routers of a trial.
const TRIAL_SOURCES: usize = 48;

/// Chooses the orders of a number of layers, so that routes are short. The last layer, or with
/// one-way links the last two, lead from every router to every other.
pub(super) fn orders(network: &Network, layers: usize) -> Vec<Order> {
    let two_way = network.is_two_way();
    let roots = central(network);
    let root = roots[0];
    let order = |root, outward, flipped| Order::of(network, root, Way { outward, flipped });
    let mut last = vec![order(root, false, false)];
    let mut any = Vec::new();
    if two_way {
        last.push(Order::by_hosts(network));
    }
    for &root in &roots {
        any.extend([order(root, false, false), order(root, false, true)]);
        if !two_way {
            any.push(order(root, true, false));
        }
        last.push(any[any.len() - if two_way { 2 } else { 3 }].clone());
    }
    any.extend(last.iter().cloned());
    let sources = sample(network);
    let hops = |orders: &[Order]| {
        let mut reach = Reach::new(network, orders);
        sources.iter().map(|&source| reach.hops_from(source)).sum::<u64>()
    };
    let best = |choices: &[Order], with: &dyn Fn(&Order) -> Vec<Order>| {
        choices.iter().min_by_key(|choice| hops(&with(choice))).cloned().unwrap_or(last[0].clone())
    };
    let end = match (two_way, layers) {
        (true, _) => vec![best(&last, &|order| vec![order.clone()])],
        (false, 1) => vec![best(&any, &|order| vec![order.clone()])],
        (false, _) => vec![order(root, false, false), order(root, true, false)],
    };
    let mut chosen = end;
    while chosen.len() < layers {
        let own = chosen.len() < OWN_MAX;
        let next = if own {
            best(&any, &|order| std::iter::once(order).chain(&chosen).cloned().collect())
        } else {
            chosen[OWN_MAX - 1].clone()
        };
        chosen.insert(0, next);
    }
    chosen
}

/// Routers with short distances to all others, nearest first and not beside each other.
fn central(network: &Network) -> Vec<RouterId> {
    let total = |&at: &RouterId| {
        let distances = network.distances_from(&[at]);
        let far = distances.iter().map(|&hops| u64::from(hops)).sum::<u64>();
        (far, usize::MAX - network.outputs(at).len())
    };
    let mut routers: Vec<RouterId> = (0..network.routers()).map(RouterId::new).collect();
    routers.sort_by_cached_key(|at| (total(at), *at));
    let mut chosen: Vec<RouterId> = Vec::new();
    for &at in &routers {
        let apart = chosen.iter().all(|&other| network.neighbours(other).all(|it| it != at));
        if apart && chosen.len() < ROOTS {
            chosen.push(at);
        }
    }
    chosen
}

/// Some routers with hosts, spread over the numbers.
fn sample(network: &Network) -> Vec<RouterId> {
    let with_hosts: Vec<RouterId> = (0..network.routers())
        .map(RouterId::new)
        .filter(|&at| network.terminals_at(at) > 0)
        .collect();
    let step = with_hosts.len().div_ceil(TRIAL_SOURCES).max(1);
    with_hosts.into_iter().step_by(step).collect()
}
