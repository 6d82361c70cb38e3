"""Finds the program, runs it with options, and reads the rows that it prints."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional

from .errors import FlitscopeError

if TYPE_CHECKING:
    import pandas

_ANSWERS = (0, 1, 3)
"""Statuses with an answer: done, a check that failed, a deadlock."""


class Rows(list[dict[str, Any]]):
    """The rows that the program printed, each a dict."""

    status: int = 0
    """The exit status: 0, 1 for a proof or verdict that failed, or 3 for a deadlock."""

    def frame(self) -> pandas.DataFrame:
        """The rows as a data frame of pandas, which must be installed."""
        import pandas

        return pandas.DataFrame(list(self))


def find_program() -> str:
    """The path of the program.

    It is the value of the environment variable ``FLITSCOPE_PROGRAM``, or else the script installed
    with this module, or else the program of the search path.
    """
    if given := os.environ.get("FLITSCOPE_PROGRAM"):
        return given
    user = sysconfig.get_preferred_scheme("user") if sys.version_info >= (3, 10) else "posix_user"
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", user)):
        if found := shutil.which("flitscope", path=folder):
            return found
    if found := shutil.which("flitscope"):
        return found
    raise FileNotFoundError(
        "the program flitscope is neither beside this Python nor on the search path; "
        "FLITSCOPE_PROGRAM names its file"
    )


def arguments(options: Mapping[str, Any]) -> list[str]:
    """The options of the command line: ``load=0.2`` becomes ``--load=0.2``.

    ``True`` sets a flag, ``None`` and ``False`` leave an option out, lists are joined with commas,
    and the items of a dict become ``--set=FIELD=VALUE`` each.
    """
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            words += [f"{option}={field}={_value(item)}" for field, item in value.items()]
        elif _is_list(value):
            words.append(f"{option}={','.join(_value(item) for item in value)}")
        else:
            words.append(f"{option}={_value(value)}")
    return words


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, os.PathLike))


def _has_dict(value: Any) -> bool:
    return isinstance(value, Mapping) or (_is_list(value) and any(map(_has_dict, value)))


def _value(value: Any) -> str:
    """A value of a field: JSON where dicts occur, else RON; texts alone are taken as they are."""
    if _has_dict(value):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, tuple):
        return f"({', '.join(_value(item) for item in value)})"
    if _is_list(value):
        return f"[{', '.join(_value(item) for item in value)}]"
    return str(value)


def execute(words: list[str], text: Optional[str] = None) -> tuple[int, str]:
    """Runs the program with ``text`` on its standard input; its status and standard output.

    :raises FlitscopeError: if it ends without an answer
    """
    process = subprocess.run(
        [find_program(), *words],
        input=text or "",
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if process.returncode not in _ANSWERS:
        raise FlitscopeError(process.stderr, process.returncode, _read(process.stdout))
    return process.returncode, process.stdout


def rows(words: list[str], text: Optional[str] = None) -> Rows:
    """Runs a command and reads its rows."""
    status, output = execute([*words, "--format=json", "--quiet"], text)
    found = Rows(_read(output))
    found.status = status
    return found


def _read(output: str) -> list[dict[str, Any]]:
    """The objects of complete lines."""
    lines = (line for line in output.splitlines(keepends=True) if line.endswith("\n"))
    return [json.loads(line) for line in lines if line.startswith("{") and line != "{\n"]
