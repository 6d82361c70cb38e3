"""A study of 40 points on engines that run anything, each with a worker killed: equal tables.

    python tests/python/engines.py [slurm] [dask] [snakemake] [hyperqueue] [hand]

It needs Slurm, as root, and the packages `dask[distributed]`, `snakemake` and `hyperqueue`;
FLITSCOPE_PROGRAM names the program where it is not installed. Dask and the three folders by hand
share no files.
"""

import csv
import io
import logging
import os
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


def points(folder):
    """The missing points, one by one."""
    for part in filter(None, say("missing", folder).strip().split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def table(folder, *others):
    """The merged table, without what differs from machine to machine."""
    text = say("merge", folder, *others, "--format", "csv", "--quiet")
    rows = list(csv.DictReader(io.StringIO(text)))
    left_out = ("machine", "wall_seconds")
    return "".join(
        ",".join(value for name, value in row.items() if name not in left_out) + "\n" for row in rows
    )


def done(folder):
    return len(list((folder / "points").glob("*.json")))


def kill_one(folder, first=3):
    """Kills a program that is at work in a folder, once some points are done."""
    for _ in range(6000):
        if done(folder) >= first:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    words = Path("/proc", pid, "cmdline").read_text().split("\0")
                    place = Path(os.readlink(f"/proc/{pid}/cwd"), words[3]).resolve()
                    if words[1:3] == ["sweep", "run"] and place == folder.resolve():
                        os.kill(int(pid), signal.SIGKILL)
                        return
                except (OSError, IndexError, UnicodeDecodeError):
                    pass
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


def slurm(folder):
    """An array on a Slurm of this machine; the job behind it hands over again what is missing."""
    if os.getuid() != 0 or not shutil.which("slurmctld", path="/usr/sbin:/usr/bin"):
        return None
    place, script = folder.with_name("cluster"), Path(__file__).parents[1] / "slurm/one-machine"
    os.environ["SLURM_CONF"] = str(place / "slurm.conf")
    os.environ["FLITSCOPE_SLURM_PORT"] = str(20_000 + os.getpid() % 6000 * 2)
    # Daemons keep what they inherit open.
    closed = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.DEVNULL)
    try:
        subprocess.run([script, "up", place], check=True, **closed)
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
    finally:
        subprocess.run([script, "down", place], **closed)


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
    input: expand("{folder}.done/{{point}}", point=range(40))

rule point:
    output: touch("{folder}.done/{{point}}")
    shell: "{program} sweep run {folder} --jobs 1 --quiet --point {{wildcards.point}}"
"""


def snakemake(folder):
    begin(folder)
    file = folder.with_suffix(".snakefile")
    file.write_text(SNAKEFILE.format(folder=folder, program=find_program()))
    words = ["-m", "snakemake", "--snakefile", file, "--cores", "2", "--retries", "2", "--quiet", "all"]
    with open(folder.with_suffix(".log"), "w") as log:
        running = subprocess.Popen([sys.executable, *words], stdout=log, stderr=log, cwd=folder.parent)
        kill_one(folder)
        assert running.wait() == 0, Path(log.name).read_text()
    return table(folder)


def hyperqueue(folder):
    from hyperqueue import Job, LocalCluster
    from hyperqueue.cluster import WorkerConfig

    begin(folder)
    with LocalCluster(worker_config=WorkerConfig(cores=2)) as cluster:
        client = cluster.client()

        def submit():
            job = Job(default_workdir=folder.parent)
            for point in points(folder):
                run = [find_program(), "sweep", "run", folder, "--jobs", "1", "--quiet"]
                job.program([str(word) for word in [*run, "--point", point]])
            return client.submit(job)

        first = submit()
        kill_one(folder)
        assert not client.wait_for_jobs([first], raise_on_error=False)
        # What is missing is handed over again.
        client.wait_for_jobs([submit()])
    return table(folder)


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


ENGINES = {engine.__name__: engine for engine in (slurm, dask, snakemake, hyperqueue, hand)}


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
