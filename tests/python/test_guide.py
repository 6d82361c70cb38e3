"""The Python of the guide, executed as it is written."""

import contextlib
import importlib.util
import io
import json
import os
import re
import tempfile
import time
import unittest
from pathlib import Path

import flitscope.program

GUIDE = Path(__file__).parents[2] / "src/guide/scripting.md"


class Guide(unittest.TestCase):
    def test_the_examples_run_in_their_order(self):
        os.environ.setdefault("MPLBACKEND", "Agg")
        blocks = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(blocks), 5)
        names, back = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for block in blocks:
                    draws = "matplotlib" in block
                    if draws and importlib.util.find_spec("matplotlib") is None:
                        continue
                    begun, said = time.monotonic(), io.StringIO()
                    with contextlib.redirect_stdout(said):
                        exec(compile(block, "scripting.md", "exec"), names)
                    if draws:
                        self.assertIn("<svg", Path("curve.svg").read_text())
                        print(f"a curve: {time.monotonic() - begun:.1f} s")
                    else:
                        self.assertGreaterEqual(len(said.getvalue().splitlines()), 1)
            finally:
                os.chdir(back)

    def test_the_keys_are_those_of_the_tables(self):
        with tempfile.TemporaryDirectory() as place:
            folder = str(Path(place, "study"))
            flitscope.sweep("mesh-8x8", loads=[0.1], cycles=1000, out=folder)
            for command, words in {
                "`sweep status`": ["sweep", "status", folder],
                "`sweep missing`": ["sweep", "missing", folder],
                "`sweep plan`": ["sweep", "plan", folder],
                "`sweep slurm`": ["sweep", "slurm", folder],
                "`reproduce --list`": ["reproduce", "--list"],
                "`scenarios`": ["scenarios"],
            }.items():
                row = rf"^\| {command} \|[^|]*\|(.*)\|$"
                [cell] = re.findall(row, GUIDE.read_text(), re.MULTILINE)
                text = flitscope.program.execute([*words, "--format=json"])[1]
                self.assertEqual(re.findall("`(.*?)`", cell), list(json.loads(text.splitlines()[0])))


if __name__ == "__main__":
    unittest.main()
