//! Networks and routing of configurations.

use super::Values;
use crate::network_files::mistake::quoted;

/// The networks that are converted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Topology {
    Mesh,
    Torus,
    ConcentratedMesh,
    FatTree,
    FlattenedButterfly,
    Dragonfly,
    AnyNet,
}

const TOPOLOGIES: &[(&str, Topology)] = &[
    ("mesh", Topology::Mesh),
    ("torus", Topology::Torus),
    ("cmesh", Topology::ConcentratedMesh),
    ("fattree", Topology::FatTree),
    ("flatfly", Topology::FlattenedButterfly),
    ("dragonflynew", Topology::Dragonfly),
    ("anynet", Topology::AnyNet),
];

/// A routing function.
#[derive(Clone, Copy)]
pub(super) struct Function {
    name: &'static str,
    /// The routing of the scenario.
    pub routing: &'static str,
    /// True if the routing divides its VCs into classes.
    pub has_classes: bool,
    /// The fewest VCs of the configuration, and the VCs of the scenario, if not as many.
    pub vcs: Option<[u64; 2]>,
    /// The approximation and its effect, if any.
    effect: Option<&'static str>,
}

impl Function {
    const fn new(name: &'static str, routing: &'static str) -> Self {
        Self { name, routing, has_classes: false, vcs: None, effect: None }
    }

    const fn with_classes(name: &'static str, routing: &'static str) -> Self {
        Self { has_classes: true, ..Self::new(name, routing) }
    }

    const fn approximated(self, effect: &'static str) -> Self {
        Self { effect: Some(effect), ..self }
    }
}

const VALIANT: &str = "a message that passes its destination on the way to the middle of its route has arrived; \
     measured: latencies 5 to 8 % lower up to 70 % of saturation";
const UGAL: &str = "channels have four VCs instead of three, since the part of a detour before its middle changes \
     class at the global link, and queues are those of the VCs of a route";

const THREE_VCS: &str = "channels of nodes also have only the three VCs that BookSim2 uses of each link, and of two \
     equally long ways, either is taken; adaptive VCs lead in all shortest directions, of which BookSim2 keeps \
     the first";
/// An `OutputSet` of BookSim2 keeps one range of VCs for each priority.
const ONE_DIRECTION: &str =
    "heads may choose between the directions, of which BookSim2 keeps the first";
const ADAPTIVE: &str = "MinimalAdaptive(escape: Destination, leave_escape: false)";

impl Topology {
    /// The routing functions that are converted.
    fn functions(self) -> &'static [Function] {
        const MESH: &[Function] = &[
            Function::new("dor", "DimensionOrder(classes: None)"),
            Function::new("dim_order", "DimensionOrder(classes: None)"),
            Function::with_classes("xy_yx", "O1Turn()"),
            Function::with_classes("planar_adapt", "PlanarAdaptive()").approximated(ONE_DIRECTION),
            Function::with_classes("min_adapt", ADAPTIVE).approximated(ONE_DIRECTION),
            Function::with_classes("valiant", "Valiant(of: DimensionOrder(classes: None))")
                .approximated(VALIANT),
        ];
        // The class of a dimension depends on the wrap-around channel alone.
        const TORUS: &[Function] = &[
            Function::with_classes("dim_order", "DimensionOrder(classes: Static)"),
            // Two escape VCs and the fourth VC.
            Function { vcs: Some([4, 3]), ..Function::with_classes("min_adapt", ADAPTIVE) }
                .approximated(THREE_VCS),
            Function::with_classes("valiant", "Valiant(of: DimensionOrder(classes: Static))")
                .approximated(VALIANT),
        ];
        const CONCENTRATED_MESH: &[Function] =
            &[Function::new("dor_no_express", "DimensionOrder(classes: None)")];
        const FAT_TREE: &[Function] = &[Function::new("nca", "NearestCommonAncestor(up: Random)")];
        const FLATTENED_BUTTERFLY: &[Function] =
            &[Function::new("ran_min", "DimensionOrder(classes: None)")];
        const DRAGONFLY: &[Function] = &[
            Function::with_classes("min", "Hierarchical()"),
            Function {
                vcs: Some([3, 4]),
                ..Function::with_classes("ugal", "Ugal(of: Hierarchical(), threshold: 30)")
            }
            .approximated(UGAL),
        ];
        const ANY_NET: &[Function] =
            &[Function::new("min", "ShortestPath(paths: First, by: Delay)")];
        match self {
            Self::Mesh => MESH,
            Self::Torus => TORUS,
            Self::ConcentratedMesh => CONCENTRATED_MESH,
            Self::FatTree => FAT_TREE,
            Self::FlattenedButterfly => FLATTENED_BUTTERFLY,
            Self::Dragonfly => DRAGONFLY,
            Self::AnyNet => ANY_NET,
        }
    }

    /// True if the links of a chip's layout are two routers long.
    pub(super) fn has_long_links(self) -> bool {
        match self {
            Self::Torus | Self::ConcentratedMesh => true,
            Self::Mesh
            | Self::FatTree
            | Self::FlattenedButterfly
            | Self::Dragonfly
            | Self::AnyNet => false,
        }
    }
}

impl Values<'_> {
    pub(super) fn topology(&mut self) -> Option<Topology> {
        self.word("topology", TOPOLOGIES)
    }

    pub(super) fn network(&mut self, topology: Topology) -> Option<String> {
        match topology {
            Topology::Mesh => self.cube("Mesh"),
            Topology::Torus => self.cube("Torus"),
            Topology::ConcentratedMesh => {
                let radix = self.tiles()?;
                Some(format!("Mesh(radix: [{radix}, {radix}], hosts: 4)"))
            }
            Topology::FatTree => {
                let arity = self.whole("k", [2, 64]);
                let levels = self.whole("n", [1, 12])?;
                Some(format!("FatTree(arity: {}, levels: {levels})", arity?))
            }
            Topology::FlattenedButterfly => {
                let radix = self.tiles()?;
                let delay = if self.flag("use_noc_latency")? { ", wire_delay: 2" } else { "" };
                Some(format!("HyperX(radix: [{radix}, {radix}], hosts: 4{delay})"))
            }
            Topology::Dragonfly => {
                let n = self.whole("n", [1, 1]);
                let hosts = self.whole("k", [1, 32])?;
                n?;
                Some(format!(
                    "Dragonfly(group: {}, hosts: {hosts}, global: {hosts}, local_delay: 10, global_delay: 100)",
                    2 * hosts
                ))
            }
            Topology::AnyNet => {
                let (file, at) = self.value("network_file");
                if file.is_empty() {
                    let what = "`topology = anynet` needs a `network_file`";
                    self.report.add(&at, what, "write `network_file = FILE;`");
                    return None;
                }
                self.notes.push(format!(
                    "the network is read from {}, relative to the folder of the scenario",
                    quoted(file)
                ));
                Some(format!("File({file:?})"))
            }
        }
    }

    fn cube(&mut self, name: &str) -> Option<String> {
        let hosts = self.whole("c", [1, 1]);
        let (radix, dimensions) = (self.whole("k", [2, 1024])?, self.whole("n", [1, 12])?);
        hosts?;
        let radix = vec![radix.to_string(); dimensions as usize].join(", ");
        Some(format!("{name}(radix: [{radix}])"))
    }

    /// The radix of two dimensions with two by two hosts at every router.
    fn tiles(&mut self) -> Option<u64> {
        let radix = self.whole("k", [2, 512])?;
        let rest = [("n", 2), ("c", 4), ("x", radix), ("y", radix), ("xr", 2), ("yr", 2)];
        let given = rest.map(|(name, needed)| self.whole(name, [needed, needed]));
        given.iter().all(Option::is_some).then_some(radix)
    }

    pub(super) fn routing(&mut self, topology: Topology) -> Option<Function> {
        let (value, _) = self.value("routing_function");
        let known: Vec<(&str, Function)> =
            topology.functions().iter().map(|it| (it.name, *it)).collect();
        let function = self.word("routing_function", &known)?;
        if let Some(effect) = function.effect {
            self.notes.push(format!("`routing_function = {value}` is approximated: {effect}"));
        }
        Some(function)
    }
}
