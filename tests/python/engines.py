"""A study of 40 points on engines that run anything, each with a worker killed: equal tables.

    python tests/python/engines.py [slurm] [dask] [snakemake] [hyperqueue] [hand]
        [slurm_apart] [snakemake_apart] [hyperqueue_apart]

It needs Slurm, as root, and the packages `dask[distributed]`, `snakemake` and `hyperqueue`;
FLITSCOPE_PROGRAM names the program where it is not installed. Dask, the three folders by hand and
the engines `apart` share no files: each task has a folder of its own, and these are merged.
"""

import contextlib
import csv
import io
import json
import logging
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from flitscope import find_program

STUDY = ["mesh-8x8", "--vary", "routing=[DimensionOrder, OddEven]", "--messages", "20000"]
LOADS = ["--loads", "0.01:0.2:20"]


def say(*words, **options):
    """Runs a command of `sweep` to its end."""
    done = subprocess.run(
        [find_program(), "sweep", *map(str, words)], check=True, capture_output=True, text=True, **options
    )
    return done.stdout


def begin(folder):
    say(*STUDY, *LOADS, "--no-run", "--out", folder)
    return folder


def table(folder, *others):
    """The merged table, without what differs from machine to machine."""
    text = say("merge", folder, *others, "--format", "csv", "--quiet")
    rows = list(csv.DictReader(io.StringIO(text)))
    left_out = ("machine", "wall_seconds")
    return "".join(
        ",".join(value for name, value in row.items() if name not in left_out) + "\n" for row in rows
    )


def status(folder):
    return json.loads(say("status", folder, "--format", "json"))


def at_work(state):
    return [worker for worker in state["at_work"] if not worker["lost"]]


def kill_one(folder, first=3):
    """Kills a program that is at work in a folder, once some points are done."""
    for _ in range(6000):
        state = {"done": 0, "at_work": []}
        # Until the folder is begun there is no status.
        with contextlib.suppress(subprocess.CalledProcessError):
            state = status(folder)
        for worker in at_work(state) if state["done"] >= first else []:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker["process"], signal.SIGSTOP)
                # What it has finished meanwhile would not have to be run again.
                now = status(folder)
                held = [it["points"] for it in at_work(now) if it["process"] == worker["process"]]
                if held and set(held[0]) & set(now["missing"]):
                    os.kill(worker["process"], signal.SIGKILL)
                    return
                os.kill(worker["process"], signal.SIGCONT)
        time.sleep(0.01)
    raise AssertionError(f"nothing at work was found in {folder}")


def run_point(study, point):
    """A point on a worker with a file system of its own: the files of its results."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "study")
        subprocess.run(study + ["--no-run", "--out", folder], check=True, capture_output=True)
        run = [study[0], "sweep", "run", folder, "--point", str(point), "--quiet"]
        subprocess.run(run, check=True, capture_output=True)
        return {file.name: file.read_bytes() for file in (folder / "points").glob("*.json")}


@contextlib.contextmanager
def cluster(place):
    """A Slurm of this machine."""
    script = Path(__file__).parents[1] / "slurm/one-machine"
    os.environ["SLURM_CONF"] = str(place / "slurm.conf")
    os.environ["FLITSCOPE_SLURM_PORT"] = str(20_000 + os.getpid() % 6000 * 2)
    # Daemons keep what they inherit open.
    closed = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.DEVNULL)
    try:
        subprocess.run([script, "up", place], check=True, **closed)
        yield
    finally:
        subprocess.run([script, "down", place], **closed)


def has_slurm():
    return os.getuid() == 0 and shutil.which("slurmctld", path="/usr/sbin:/usr/bin")


def slurm(folder):
    """An array; the job behind it hands over again what is missing."""
    if not has_slurm():
        return None
    with cluster(folder.with_name("cluster")):
        begin(folder)
        say("slurm", folder, "--per-task", "2", "--submit")
        kill_one(folder)
        for _ in range(600):
            if "no job is queued or running" in say("status", folder):
                break
            time.sleep(0.5)
        # An array and the job behind it, at least twice.
        jobs = (folder / "slurm/jobs").read_text().splitlines()
        assert len(jobs) >= 4, jobs
        return table(folder)


PARTS = 4
PART = """\
#!/bin/sh
# Part $1 of the study, in a folder of its own, in which it goes on if it was begun before.
{study} --no-run --out {folder}-$1 && exec {program} sweep run {folder}-$1 --jobs 1 --quiet --index $1 --of {parts}
"""


class Apart:
    """A script that runs a part of the study without the files of the others."""

    def __init__(self, folder):
        self.folder, self.script = folder, folder.with_suffix(".sh")
        self.folders = [folder.with_name(f"{folder.name}-{part}") for part in range(PARTS)]
        program = shlex.quote(find_program())
        study = f"{program} sweep {shlex.join([*STUDY, *LOADS])}"
        self.script.write_text(PART.format(study=study, folder=folder, program=program, parts=PARTS))
        self.script.chmod(0o755)

    def left(self):
        """The parts with points of their own that are missing."""
        own = [set(range(part, 40, PARTS)) for part in range(PARTS)]
        return [part for part in range(PARTS) if own[part] & set(status(self.folders[part])["missing"])]

    def kill_one(self):
        kill_one(self.folders[1], first=1)

    def table(self):
        return table(self.folder, *self.folders)


def slurm_apart(folder):
    """An array of parts; that of the killed task is handed over again."""
    if not has_slurm():
        return None
    apart = Apart(folder)
    with cluster(folder.with_name("cluster-apart")):

        def submit(parts):
            array = f"--array={','.join(map(str, parts))}"
            run = f"exec {apart.script} $SLURM_ARRAY_TASK_ID"
            words = ["sbatch", "--wait", "--output=/dev/null", array, "--wrap", run]
            return subprocess.Popen(words, stdout=subprocess.DEVNULL, cwd=folder.parent)

        first = submit(range(PARTS))
        apart.kill_one()
        assert first.wait() != 0
        assert apart.left() == [1]
        assert submit([1]).wait() == 0
    return apart.table()


def dask(folder):
    from distributed import Client, LocalCluster, as_completed

    begin(folder)
    study = [find_program(), "sweep", *STUDY, *LOADS]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            killed = False
            for future in as_completed([client.submit(run_point, study, at) for at in range(40)]):
                for name, text in future.result().items():
                    (folder / "points" / name).write_bytes(text)
                if not killed:
                    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
                    killed = True
    return table(folder)


SNAKEFILE = """\
rule all:
    input: expand("{folder}.done/{{task}}", task=range({tasks}))

rule task:
    output: touch("{folder}.done/{{task}}")
    shell: "{command} {{wildcards.task}}"
"""


def in_snakemake(folder, command, tasks, kill):
    """Runs a command with each number; a killed one is tried again."""
    file = folder.with_suffix(".snakefile")
    file.write_text(SNAKEFILE.format(folder=folder, command=command, tasks=tasks))
    words = ["-m", "snakemake", "--snakefile", file, "--cores", "2", "--retries", "2", "--quiet", "all"]
    with open(folder.with_suffix(".log"), "w") as log:
        running = subprocess.Popen([sys.executable, *words], stdout=log, stderr=log, cwd=folder.parent)
        kill()
        assert running.wait() == 0, Path(log.name).read_text()


def snakemake(folder):
    begin(folder)
    run = f"{find_program()} sweep run {folder} --jobs 1 --quiet --point"
    in_snakemake(folder, run, 40, lambda: kill_one(folder))
    return table(folder)


def snakemake_apart(folder):
    apart = Apart(folder)
    in_snakemake(folder, apart.script, PARTS, apart.kill_one)
    return apart.table()


def in_hyperqueue(folder, run, tasks, kill, left):
    """Runs a command with each number; what is left is handed over again."""
    from hyperqueue import Job, LocalCluster
    from hyperqueue.cluster import WorkerConfig

    with LocalCluster(worker_config=WorkerConfig(cores=2)) as cluster:
        client = cluster.client()

        def submit(tasks):
            job = Job(default_workdir=folder.parent)
            for task in tasks:
                job.program([str(word) for word in [*run, task]])
            return client.submit(job)

        first = submit(tasks)
        kill()
        assert not client.wait_for_jobs([first], raise_on_error=False)
        client.wait_for_jobs([submit(left())])


def hyperqueue(folder):
    begin(folder)
    run = [find_program(), "sweep", "run", folder, "--jobs", "1", "--quiet", "--point"]
    in_hyperqueue(folder, run, range(40), lambda: kill_one(folder), lambda: status(folder)["missing"])
    return table(folder)


def hyperqueue_apart(folder):
    apart = Apart(folder)
    in_hyperqueue(folder, [apart.script], range(PARTS), apart.kill_one, apart.left)
    return apart.table()


def hand(folder):
    """Three folders as on three machines, of which one is stopped and goes on."""
    folders = [begin(folder.with_name(f"hand-{at}")) for at in range(3)]

    def start(at):
        return subprocess.Popen(
            [find_program(), "sweep", "run", folders[at], "--shard", f"{at + 1}/3", "--jobs", "1", "--quiet"]
        )

    running = [start(at) for at in range(3)]
    kill_one(folders[0])
    assert running[0].wait() == -signal.SIGKILL
    running[0] = start(0)
    assert [one.wait() for one in running] == [0, 0, 0]
    return table(folder, *folders)


ENGINES = {
    engine.__name__: engine
    for engine in (slurm, dask, snakemake, hyperqueue, hand, slurm_apart, snakemake_apart, hyperqueue_apart)
}


def main(names):
    logging.disable(logging.INFO)
    with tempfile.TemporaryDirectory() as place:
        whole = begin(Path(place, "whole"))
        say("run", whole, "--quiet")
        expected = table(whole)
        assert expected.count("\n") == 40
        for name in names or ENGINES:
            begun = time.monotonic()
            found = ENGINES[name](Path(place, name))
            if found is None:
                print(f"{name}: skipped, it needs root and the packages slurm-wlm and munge", flush=True)
                continue
            assert found == expected, f"{name}:\n{found}\ninstead of\n{expected}"
            print(f"{name}: 40 points, one worker killed, {time.monotonic() - begun:.1f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
