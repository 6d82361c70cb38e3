//! Words for the stages of pipelined routers.

use strum::VariantArray;

use crate::engine::HeadStage;
use crate::switching::Stages;

/// The abbreviation of a stage in the field.
pub(super) fn short(stage: HeadStage) -> &'static str {
    match stage {
        HeadStage::Route => "RC",
        HeadStage::Vc => "VA",
        HeadStage::Switch => "SA",
        HeadStage::Traverse => "ST",
        HeadStage::Channel => "link",
    }
}

/// The activity of a head that waits for nothing, before `at` and the router.
pub(super) fn activity(stage: Option<HeadStage>) -> &'static str {
    match stage {
        Some(HeadStage::Route) => "is routed",
        Some(HeadStage::Vc) => "requests a VC",
        Some(HeadStage::Switch) => "requests the crossbar",
        Some(HeadStage::Traverse) => "crosses the router",
        Some(HeadStage::Channel) | None => "goes on",
    }
}

/// The cycles of a stage in a router, such as `1`, or `1/2` with two internal cycles in a cycle; `None`
/// for the channel.
pub(super) fn cycles(stages: Stages, stage: HeadStage) -> Option<String> {
    let internal = match stage {
        HeadStage::Route => stages.route,
        HeadStage::Vc => stages.vc,
        HeadStage::Switch => stages.switch,
        HeadStage::Traverse => stages.traverse,
        HeadStage::Channel => return None,
    };
    Some(match (internal, stages.internal_speedup) {
        (_, 1) | (0, _) => internal.to_string(),
        (_, speedup) => format!("{internal}/{speedup}"),
    })
}

/// The cycles in which a head waited, from its cycles in each stage.
pub(super) fn waited(stages: Stages, in_stages: &[u64; HeadStage::VARIANTS.len()]) -> u64 {
    let allocation = in_stages[HeadStage::Vc as usize] + in_stages[HeadStage::Switch as usize];
    allocation.saturating_sub(u64::from(stages.allocation() / stages.internal_speedup))
}
