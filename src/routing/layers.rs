//! Choice of the orders of channels for layers of virtual channels.

use super::layer_order::{Order, Way};
use super::reach::Reach;
use super::root_choice;
use crate::ids::RouterId;
use crate::topology::Network;

/// Roots considered for an order.
const ROOTS: usize = 6;
/// Layers with an order of their own; further layers repeat these.
const OWN_MAX: usize = 4;
/// Source routers of a trial.
const TRIAL_SOURCES: usize = 48;

/// Chooses the orders of a number of layers, so that routes are short and no link is much busier than
/// others. The last layer, or with one-way links the last two, lead from every router to every other.
pub(super) fn orders(network: &Network, layers: usize) -> Vec<Order> {
    let is_two_way = network.is_two_way();
    let mut chosen = Vec::new();
    if is_two_way {
        chosen.push(root_choice::best(network));
        if layers == 1 {
            return chosen;
        }
    }
    let roots = central(network);
    let order = |root, outward, flipped| Order::of(network, root, Way { outward, flipped });
    let inwards = roots.iter().map(|&root| order(root, false, false));
    let flipped = roots.iter().map(|&root| order(root, false, true));
    // Of orders with equally short routes, the first is the best: the one that carries the most.
    let mut any: Vec<Order> = chosen.iter().cloned().chain(inwards).chain(flipped).collect();
    if !is_two_way {
        any.extend(roots.iter().map(|&root| order(root, true, false)));
        chosen = match layers {
            1 => vec![best(network, &any, &[])],
            _ => vec![order(roots[0], false, false), order(roots[0], true, false)],
        };
    }
    while chosen.len() < layers {
        let next = if chosen.len() < OWN_MAX {
            best(network, &any, &chosen)
        } else {
            chosen[OWN_MAX - 1].clone()
        };
        chosen.insert(0, next);
    }
    chosen
}

/// The order with the shortest routes, as a layer before `others`.
fn best(network: &Network, choices: &[Order], others: &[Order]) -> Order {
    let sources = sample(network);
    let hops = |choice: &&Order| {
        let orders: Vec<Order> = std::iter::once(*choice).chain(others).cloned().collect();
        let mut reach = Reach::new(network, &orders);
        sources.iter().map(|&source| reach.hops_from(source)).sum::<u64>()
    };
    choices.iter().min_by_key(hops).expect("a network has a router").clone()
}

/// Routers with short distances to all others, nearest first and not beside each other.
pub(super) fn central(network: &Network) -> Vec<RouterId> {
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
    let with_hosts: Vec<RouterId> = network.host_routers().collect();
    let step = with_hosts.len().div_ceil(TRIAL_SOURCES).max(1);
    with_hosts.into_iter().step_by(step).collect()
}
