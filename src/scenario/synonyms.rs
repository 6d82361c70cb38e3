//! Names from other simulators and papers, with the equivalent names of this program.

/// Names without capitals, `_` and `-`, with an equivalent; a name may have several.
const SYNONYMS: &[(&[&str], &str)] = &[
    // Networks.
    (
        &["torus2d", "torus3d", "2dtorus", "3dtorus", "ring", "knarycube", "karyncube", "kncube"],
        "Torus",
    ),
    (&["grid", "grid2d", "mesh2d", "mesh3d", "2dmesh", "3dmesh", "line", "array"], "Mesh"),
    (&["cube", "ncube", "binarycube", "binaryncube"], "Hypercube"),
    (&["graph", "irregular", "custom", "anynet"], "Switches"),
    (&["randomgraph", "jellyfish"], "RandomSwitches"),
    (&["karyntree", "foldedclos", "kntree"], "FatTree"),
    (&["clos", "spineleaf"], "LeafSpine"),
    (&["dragonflynew", "df"], "Dragonfly"),
    (&["flatfly", "fbfly", "flattenedbutterfly", "hamming"], "HyperX"),
    (&["fly", "karynfly", "omega", "multistage"], "Butterfly"),
    (&["full", "fullmesh", "clique", "alltoall"], "Complete"),
    // Switching.
    (&["wh", "packet", "packetswitching", "vct", "virtualcutthrough"], "Wormhole"),
    (&["circuitswitching", "circuits"], "Circuit"),
    (&["vct", "virtualcutthrough"], "CutThrough"),
    (&["saf", "sf"], "StoreAndForward"),
    // Routing.
    (
        &[
            "xy",
            "xyz",
            "dor",
            "ecube",
            "dimorder",
            "dimensionordered",
            "deterministic",
            "dimordermesh",
        ],
        "DimensionOrder",
    ),
    (&["duato", "adaptive", "minadapt", "fullyadaptive", "minadaptive"], "MinimalAdaptive"),
    (&["phop", "positivehops"], "PositiveHop"),
    (&["nhop", "negativehops"], "NegativeHop"),
    (&["oe", "oddeventurn"], "OddEven"),
    (&["xyyx"], "O1Turn"),
    (&["planar", "planaradapt", "par"], "PlanarAdaptive"),
    (&["westfirst", "negativefirst", "wf"], "TurnModel"),
    (&["dimensionreversal", "reversal", "staticdimensionreversal"], "StaticReversal"),
    (&["dynamicdimensionreversal"], "DynamicReversal"),
    (&["autonet", "updownstar"], "UpDown"),
    (&["nca", "lca", "upstardownstar"], "NearestCommonAncestor"),
    (&["lash", "dfsssp", "sssp"], "Layered"),
    (&["vlb", "val", "valiantloadbalancing"], "Valiant"),
    (&["ugall", "ugalg"], "Ugal"),
    // Routers.
    (&["separableinputfirst", "sif"], "Separable"),
    (&["age", "oldest", "agebased"], "OldestFirst"),
    (&["rr"], "RoundRobin"),
    (&["fcfs", "fifo"], "FirstComeFirstServed"),
    (&["stages", "routerstages"], "pipeline"),
    (&["routingdelay", "rc"], "route"),
    (&["vcallocdelay", "va"], "vc"),
    (&["swallocdelay", "sa"], "switch"),
    (&["stfinaldelay", "st", "crossbar"], "traverse"),
    (&["shortest", "min"], "ShortestPath"),
    // Arrivals.
    (&["exponential", "markov", "memoryless"], "Poisson"),
    (&["bernoulli", "binomial"], "Geometric"),
    (&["onoff", "mmpp", "bursty", "interruptedpoisson"], "Bursts"),
    (&["leakybucket"], "TokenBucket"),
    // Destinations.
    (&["random", "uniformrandom", "ur"], "Uniform"),
    (&["hotspots", "hot"], "Hotspot"),
    (&["complement", "bitcomp"], "BitComplement"),
    (&["reversal", "bitrev"], "BitReversal"),
    (&["perfectshuffle"], "Shuffle"),
    (&["neighbor", "nearestneighbour", "nearestneighbor"], "Neighbour"),
    (&["local"], "Sphere"),
    // Lengths.
    (&["constant", "const", "deterministic"], "Fixed"),
    // Fields.
    (&["topology", "topo"], "network"),
    (&["router", "flowcontrol"], "switching"),
    (&["routingfunction", "routingalgorithm", "algorithm"], "routing"),
    (&["randomseed"], "seed"),
    (&["size", "sizes", "dims", "dim", "shape", "extent", "extents", "k", "radices"], "radix"),
    (&["n", "dimension", "dims", "dim"], "dimensions"),
    (&["vcs", "numvcs", "vccount", "lanes", "vc"], "virtual_channels"),
    (
        &[
            "vcbufsize",
            "buffersize",
            "bufsize",
            "bufferdepth",
            "bufdepth",
            "buffer",
            "buffers",
            "depth",
        ],
        "buffer_flits",
    ),
    (&["linkdelay", "linklatency", "wiredelay", "hopdelay"], "channel_delay"),
    (&["creditlatency"], "credit_delay"),
    (&["injectionrate", "lambda"], "rate"),
    (&["offeredload", "offered"], "load"),
    (&["injection", "injectionprocess", "process", "generation"], "arrivals"),
    (&["pattern", "trafficpattern", "destination", "spatial"], "destinations"),
    (
        &["packetsize", "packetlength", "messagelength", "messagesize", "flits", "length", "size"],
        "lengths",
    ),
    (&["hotspots", "hotnodes", "node"], "nodes"),
    (&["percentage", "fraction", "share"], "percent"),
    (&["terminals", "nodes", "concentration", "cores"], "hosts"),
    (&["edges", "channels"], "links"),
];

/// A name without capitals, `_` and `-`.
pub(super) fn plain(name: &str) -> String {
    name.to_lowercase().replace(['_', '-'], "")
}

/// The known name equivalent to a foreign name.
pub(super) fn meant<'n>(name: &str, mut known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let plain = plain(name);
    let here: Vec<&str> = SYNONYMS
        .iter()
        .filter(|(all, _)| all.contains(&plain.as_str()))
        .map(|(_, here)| *here)
        .collect();
    known.find(|known| here.contains(known))
}

/// The value equivalent to a foreign name, for any field.
pub(super) fn value(name: &str) -> Option<&'static str> {
    let plain = plain(name);
    let is_value = |here: &&str| here.starts_with(|first: char| first.is_ascii_uppercase());
    let all = SYNONYMS.iter().filter(|(all, _)| all.contains(&plain.as_str()));
    all.map(|(_, here)| *here).find(is_value)
}

#[cfg(test)]
mod tests;
