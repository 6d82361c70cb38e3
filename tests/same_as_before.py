#!/usr/bin/env python3
"""Compares two binaries: same fingerprints, keys of JSON and exit statuses, on all built-in scenarios
and on random ones. For the time of the redesign.

    tests/same_as_before.py OLD NEW [VALID RANDOM SCENARIOS]
"""
import json, random, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

OLD, NEW = sys.argv[1:3]
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 200
SKIP = {"wall_seconds", "version"}
# The bound that was added, and that there was no model where it now stands alone.
ADDED = {"zero load and M/D/1 at the source", None}
D = random.Random(13)

def run(binary, args, text=None):
    done = subprocess.run([binary, *args], input=text, capture_output=True, text=True)
    rows = []
    for line in done.stdout.splitlines():
        try:
            row = json.loads(line)
            if row.get("model", "") not in ADDED:
                rows.append({k: v for k, v in row.items() if k not in SKIP})
        except ValueError:
            rows.append(line)
    return done.returncode, rows, done.stderr if done.returncode == 2 else ""

def network():
    kind = D.randrange(5)
    radix = [D.randrange(3, 7) for _ in range(D.randrange(1, 4))]
    if kind == 0:
        return f"Torus(radix: {radix})", "torus", radix
    if kind == 1:
        return f"Torus(radix: {radix}, links: Unidirectional)", "oneway", radix
    if kind == 2:
        return f"Mesh(radix: {radix})", "mesh", radix
    if kind == 3:
        n = D.randrange(2, 6)
        return f"Hypercube(dimensions: {n})", "cube", [2] * n
    return f"RandomSwitches(switches: {2 * D.randrange(3, 7)}, degree: 3, hosts: 2, seed: {D.randrange(99)})", "switches", []

def routing(kind, radix):
    if kind == "switches":
        return D.choice(["UpDown()", "ShortestPath()", "UpDown(root: 1)"])
    of = ["DimensionOrder()", "DimensionOrder(classes: Dateline)", "DimensionOrder(classes: None)",
          "MinimalAdaptive(escape: Dateline)", "MinimalAdaptive(escape: None)", "MinimalAdaptive()",
          "NegativeHop()", "PositiveHop()", "NorthLast()", "WestFirst()", "NegativeFirst()", "OddEven()"]
    return D.choice(of)

def scenario():
    net, kind, radix = network()
    vcs = D.choice([1, 2, 2, 3, 4, 6, 8, 12])
    buffer = D.choice([1, 2, 2, 4, 9, 20])
    fields = [f"virtual_channels: {vcs}", f"buffer_flits: {buffer}"]
    options = {
        "channel_delay": ["1", "2", "5"], "credit_delay": ["0", "1", "2", "7"],
        "bandwidth": ["OnDemand", "Fixed"], "release": ["Drained", "Sent"],
        "injection": ["OneFlitPerCycle", "OneMessage", "Independent()"],
        "ejection": ["Unlimited", "PerWorm", "Shared", "OneFlitPerCycle"],
        "terminals": ["Direct", "Channels"], "allocation": ["OldestFirst", "FirstComeFirstServed"],
        "selection": ["Preference", "Random"], "forwarding": ["Wormhole", "CutThrough", "StoreAndForward"],
        "on_deadlock": ["Stop", "Abort", "Continue"],
    }
    for name, values in options.items():
        if D.random() < 0.25:
            fields.append(f"{name}: {D.choice(values)}")
    length = D.choice([1, 4, 8, 16])
    lengths = D.choice([f"Fixed({length})", f"Geometric(mean: {length + 1})", f"Uniform(min: 1, max: {2 * length})"])
    to = D.choice(["Uniform", "Uniform", "Uniform", "Hotspot(nodes: [0], percent: 8)", "Transpose", "Tornado", "BitReversal"])
    load = D.choice([0.05, 0.15, 0.3, 0.6])
    arrivals = D.choice(["Poisson", "Geometric"])
    return f"""#![enable(implicit_some)]
Scenario(
    network: {net},
    switching: Wormhole({", ".join(fields)}),
    routing: {routing(kind, radix)},
    traffic: (arrivals: {arrivals}(rate: {load / length:.5f}), destinations: {to}, lengths: {lengths}),
    seed: {D.randrange(10**9)},
)
"""

names = [line.split()[0] for line in subprocess.run([OLD, "scenarios"], capture_output=True, text=True).stdout.splitlines() if line.strip()]
jobs = []
for name in names:
    jobs.append((["simulate", name, "--messages", "3000", "--cycles", "200000", "--format", "json"], None))
    jobs.append((["simulate", name, "--replications", "2", "--messages", "300", "--cycles", "20000", "--format", "json"], None))
    jobs.append((["check", name, "--format", "json"], None))
    jobs.append((["predict", name, "--format", "json"], None))
valid = 0
while valid < COUNT:
    text = scenario()
    valid += run(OLD, ["simulate", "-", "--cycles", "1", "--format", "json"], text)[0] == 0
    jobs.append((["simulate", "-", "--cycles", "4000", "--format", "json"], text))
    if D.random() < 0.3:
        jobs.append((["check", "-", "--format", "json"], text))

def compare(job):
    args, text = job
    old, new = run(OLD, args, text), run(NEW, args, text)
    return old[0], None if old == new else (args, text, old, new)

statuses, wrong = {}, 0
with ThreadPoolExecutor(2) as pool:
    for status, differs in pool.map(compare, jobs):
        statuses[status] = statuses.get(status, 0) + 1
        if differs:
            wrong += 1
            args, text, old, new = differs
            print("DIFFERS", " ".join(args), text or "", "\n  old", str(old)[:1500], "\n  new", str(new)[:1500])
print(f"{len(jobs)} runs, exit statuses {statuses}, {wrong} differ")
sys.exit(wrong > 0)
