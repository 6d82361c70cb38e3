"""The commands of the program as functions."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional, Union

from .program import Rows, arguments, execute, rows

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A path, a name, a text, or the fields of a scenario."""


def _source(scenario: Scenario) -> tuple[str, Optional[str]]:
    """The argument that names a scenario, with what stands on standard input for it."""
    if isinstance(scenario, Mapping):
        return "-", json.dumps(scenario, indent=2, ensure_ascii=False) + "\n"
    name = os.fspath(scenario)
    is_text = isinstance(scenario, str) and any(letter in name for letter in "\n({")
    if is_text and not os.path.lexists(name):
        return "-", name
    return (f"./{name}" if name.startswith("-") else name), None


def _file(scenario: Scenario, folder: str) -> str:
    """The name of a scenario; fields and texts are written to a file, which a study can copy."""
    name, text = _source(scenario)
    if text is None:
        return name
    path = Path(folder, "scenario.json" if isinstance(scenario, Mapping) else "scenario.ron")
    path.write_text(text, encoding="utf-8")
    return str(path)


def scenario(name: str) -> dict[str, Any]:
    """The fields of a built-in scenario, to be changed and run.

    >>> mesh = scenario("mesh-8x8")
    >>> mesh["network"] = {"Mesh": {"radix": [4, 4]}}
    >>> simulate(mesh, cycles=1000)[0]["cycles"]
    1000
    """
    return dict(json.loads(execute(["scenarios", name, "--format=json"])[1]))


def simulate(scenario: Scenario, **options: Any) -> Rows:
    """Runs a scenario: a row for each run, and behind them one of all ``replications``.

    The options are those of ``flitscope simulate --help``: ``load``, ``seed``, ``precision``,
    ``messages``, ``cycles``, ``replications``, ``set={"switching.buffer_flits": 8}``,
    ``against_set``, ``rank="routing"`` and others. A deadlock is a result: see ``deadlock`` in the
    row, and ``status``.
    """
    name, text = _source(scenario)
    return rows(["simulate", *arguments(options), name], text)


def check(scenario: Scenario, **options: Any) -> Rows:
    """The proof that a scenario cannot deadlock, or a cycle of virtual channels.

    ``deadlock_free`` of the row is ``None`` where neither is known.
    """
    name, text = _source(scenario)
    return rows(["check", *arguments(options), name], text)


def predict(scenario: Scenario, **options: Any) -> Rows:
    """The predictions of the models: the capacity, then a row for each model."""
    name, text = _source(scenario)
    return rows(["predict", *arguments(options), name], text)


def sweep(scenario: Scenario, **options: Any) -> Rows:
    """Runs a scenario at many loads, or a study: a row for each point.

    The options are those of ``flitscope sweep --help``: ``loads=[0.1, 0.2]``, ``auto=True``,
    ``vary={"routing": ["DimensionOrder", "OddEven"]}`` and others. A study, as a file or as a
    dict with the key ``"scenario"``, says all of this itself. Results stay in the folder
    ``out``, where the same call goes on; without it they are kept nowhere.
    """
    with tempfile.TemporaryDirectory(prefix="flitscope-") as folder:
        if isinstance(scenario, Mapping) and "scenario" in scenario:
            study = {**scenario, "scenario": _file(scenario["scenario"], folder)}
            name, text = _source(study)
        else:
            name, text = _file(scenario, folder), None
        options.setdefault("out", os.path.join(folder, "sweep"))
        return rows(["sweep", *arguments(options), name], text)


def reproduce(*papers: str, **options: Any) -> Rows:
    """Runs the tables, figures and claims of papers again: a row for each verdict.

    ``quick=True`` makes fewer points and shorter runs. Without ``out`` results are kept nowhere.
    """
    with tempfile.TemporaryDirectory(prefix="flitscope-") as folder:
        options.setdefault("out", folder)
        return rows(["reproduce", *arguments(options), *papers])
