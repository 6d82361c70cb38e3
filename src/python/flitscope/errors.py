"""The exception for everything that the program refuses, with the positions of the mistakes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional

_PLACE = re.compile(r"^ *--> (.*?)(?::(\d+):(\d+))?$")
_HELP = re.compile(r"^ *= help: (.*)$")


@dataclass(frozen=True)
class Problem:
    """A single mistake in a scenario, a study or the options."""

    message: str
    """What is wrong."""
    file: Optional[str] = None
    """The file, ``standard input`` for dicts and texts, or the option that is wrong."""
    line: Optional[int] = None
    """The line, from 1; ``None`` for a mistake of an option or of no single place."""
    column: Optional[int] = None
    """The column in characters, from 1."""
    help: Optional[str] = None
    """The smallest change that would put it right."""


class FlitscopeError(Exception):
    """The program ended with a failure; ``str(error)`` is its whole message.

    The attributes ``message``, ``file``, ``line``, ``column`` and ``help`` are those of the first of
    ``problems``. ``rows`` holds the rows that were printed before the failure.
    """

    def __init__(self, text: str, status: int, rows: Optional[list[dict[str, Any]]] = None) -> None:
        super().__init__(text.strip() or f"flitscope ended with status {status}")
        self.status = status
        """The exit status of the program; negative for the number of a signal."""
        self.rows = rows or []
        self.problems = parse(text) or [Problem(str(self))]
        first = self.problems[0]
        self.message, self.file, self.help = first.message, first.file, first.help
        self.line, self.column = first.line, first.column

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross process boundaries, as in ``multiprocessing``."""
        return type(self), (str(self), self.status, self.rows)


def parse(text: str) -> list[Problem]:
    """Reads the problems that the program has rendered on standard error."""
    problems: list[Problem] = []
    for block in re.split(r"^(?=error: )", text, flags=re.MULTILINE):
        if not block.startswith("error: "):
            continue
        message, place, help = [], None, None
        for line in block[len("error: ") :].splitlines():
            if place is None and help is None:
                place, help = _PLACE.match(line), _HELP.match(line)
                if place is None and help is None:
                    message.append(line)
            else:
                help = help or _HELP.match(line)
        file, row, column = place.groups() if place else (None, None, None)
        problems.append(
            Problem(
                "\n".join(message).strip(),
                file,
                int(row) if row else None,
                int(column) if column else None,
                help[1] if help else None,
            )
        )
    return problems
