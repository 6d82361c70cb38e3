"""Simulate interconnection networks flit by flit.

Every function runs the program ``flitscope`` once and returns the rows that it prints: a list of
dicts with the keys of ``flitscope guide scripting``. A scenario is the path of a file, the name of a
built-in scenario, a dict as :func:`scenario` returns it, or the text of a file.

>>> import flitscope
>>> run = flitscope.simulate("mesh-8x8", load=0.2, precision=0.05)[-1]
>>> run["latency_mean"], run["latency_half_width"]  # doctest: +SKIP
(22.9, 1.1)
"""

from .commands import check, predict, reproduce, scenario, simulate, sweep
from .errors import FlitscopeError, Problem
from .program import Rows, find_program

__all__ = [
    "FlitscopeError",
    "Problem",
    "Rows",
    "check",
    "find_program",
    "predict",
    "reproduce",
    "scenario",
    "simulate",
    "sweep",
]
