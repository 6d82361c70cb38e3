"""The module as a script meets it. FLITSCOPE_PROGRAM names the program where it is not installed."""

import doctest
import importlib.util
import pickle
import tempfile
import unittest
from pathlib import Path

import flitscope
import flitscope.commands

BROKEN = Path(__file__).parent.parent / "broken"


class Scenarios(unittest.TestCase):
    def test_name_path_dict_and_text_give_the_same_run(self):
        fields = flitscope.scenario("mesh-8x8")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "mesh (8x8).json")
            path.write_text(flitscope.commands._source(fields)[1])
            forms = ["mesh-8x8", path, str(path), fields, path.read_text()]
            runs = [flitscope.simulate(form, cycles=2000) for form in forms]
        self.assertEqual({run[0]["fingerprint"] for run in runs}, {runs[0][0]["fingerprint"]})
        self.assertEqual({len(run) for run in runs}, {1})

    def test_options_are_those_of_the_command_line(self):
        run = flitscope.simulate(
            "mesh-8x8", load=0.1, replications=2, messages=1000, set={"switching.buffer_flits": 8}
        )
        self.assertEqual([row["replication"] for row in run], [0, 1, None])
        self.assertIn("switching.buffer_flits=8", run[0]["overrides"])
        ranked = flitscope.simulate(
            "mesh-8x8", rank="routing=DimensionOrder,OddEven", replications=2, messages=500
        )
        self.assertEqual([row["rank"] for row in ranked], [1, 2])

    def test_rows_become_a_frame_where_pandas_is_installed(self):
        run = flitscope.simulate("mesh-8x8", cycles=1000)
        if importlib.util.find_spec("pandas") is None:
            self.assertRaises(ModuleNotFoundError, run.frame)
        else:
            self.assertEqual(list(run.frame()["cycles"]), [1000])

    def test_the_examples_of_the_documentation_are_true(self):
        for module in [flitscope, flitscope.commands]:
            failed, tried = doctest.testmod(module)
            self.assertEqual(failed, 0)
            self.assertGreater(tried, 0)


class Answers(unittest.TestCase):
    def test_a_proof_is_found_and_so_is_a_cycle(self):
        self.assertIs(flitscope.check("mesh-8x8")[0]["deadlock_free"], True)
        cyclic = flitscope.check("ring-deadlock")
        self.assertIs(cyclic[0]["deadlock_free"], False)
        self.assertEqual((cyclic.status, len(cyclic[0]["cycle"])), (1, 8))

    def test_a_deadlock_is_a_result(self):
        run = flitscope.simulate("ring-deadlock", cycles=50_000)
        self.assertEqual((run.status, run[0]["deadlock"]), (3, True))

    def test_predictions_begin_with_the_capacity(self):
        rows = flitscope.predict("mesh-8x8", load=0.1)
        self.assertGreater(rows[0]["capacity_load"], 0.4)
        self.assertTrue(any(row["latency_mean"] for row in rows))

    def test_a_sweep_of_a_scenario_and_of_a_study_have_the_same_rows(self):
        vary = {"routing": ["DimensionOrder", "OddEven"]}
        swept = flitscope.sweep("mesh-8x8", loads=[0.05, 0.1], vary=vary, cycles=1000)
        study = {"scenario": "mesh-8x8", "loads": [0.05, 0.1], "vary": vary, "cycles": 1000}
        prints = [[row["fingerprint"] for row in rows] for rows in [swept, flitscope.sweep(study)]]
        self.assertEqual(prints[0], prints[1])
        self.assertEqual(len(set(prints[0])), 4)
        fields = flitscope.scenario("mesh-8x8")
        of_dict = flitscope.sweep(fields, loads=[0.05, 0.1], cycles=1000)
        self.assertEqual([row["fingerprint"] for row in of_dict], prints[0][:2])
        of_study = flitscope.sweep({"scenario": fields, "loads": [0.05, 0.1], "cycles": 1000})
        self.assertEqual([row["fingerprint"] for row in of_study], prints[0][:2])

    def test_fields_are_set_and_varied_as_dicts_too(self):
        adaptive = {"MinimalAdaptive": {"escape": "Destination"}}
        in_ron = "MinimalAdaptive(escape: Destination)"
        hot = {"Hotspot": {"nodes": [[3, 3]], "percent": 4}}
        for field, as_dict, as_text in [
            ("routing", adaptive, in_ron),
            ("traffic.destinations", hot, "Hotspot(nodes: [(3, 3)], percent: 4)"),
        ]:
            values = [as_dict, as_text]
            runs = [flitscope.simulate("mesh-8x8", cycles=1000, set={field: it}) for it in values]
            self.assertEqual(*[run[0]["fingerprint"] for run in runs])
        swept = [
            flitscope.sweep("mesh-8x8", loads=[0.1], cycles=1000, vary={"routing": ["OddEven", one]})
            for one in (adaptive, in_ron)
        ]
        self.assertEqual(*[[row["fingerprint"] for row in rows] for rows in swept])

    def test_a_folder_keeps_the_points_of_a_sweep(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "kept")
            rows = flitscope.sweep("mesh-8x8", loads=[0.1], cycles=1000, out=out)
            again = flitscope.sweep("mesh-8x8", loads=[0.1], cycles=1000, out=out)
            self.assertEqual(rows, again)
            self.assertTrue((out / "table.csv").exists())


class Errors(unittest.TestCase):
    def test_every_broken_scenario_is_an_exception_with_its_place(self):
        files = sorted(BROKEN.glob("*.ron"))
        self.assertGreater(len(files), 100)
        for file in files:
            with self.subTest(file.name), self.assertRaises(flitscope.FlitscopeError) as caught:
                flitscope.check(file)
            error = caught.exception
            self.assertEqual((error.status, error.file), (2, str(file)), file)
            self.assertGreaterEqual(error.line, 1)
            self.assertGreaterEqual(error.column, 1)
            lines = file.read_text(encoding="utf-8").split("\n")
            self.assertLessEqual(error.line, len(lines))
            self.assertLessEqual(error.column, len(lines[error.line - 1]) + 1, file)
            self.assertTrue(error.message, file)
            self.assertNotIn("\n", error.message)

    def test_all_problems_of_a_file_are_told(self):
        with self.assertRaises(flitscope.FlitscopeError) as caught:
            flitscope.simulate(BROKEN / "several.ron")
        places = [(problem.line, problem.column) for problem in caught.exception.problems]
        self.assertEqual(len(places), 8)
        self.assertEqual(places, sorted(places))
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((copy.problems, copy.status), (caught.exception.problems, 2))

    def test_a_wrong_dict_has_a_place_in_its_text(self):
        fields = flitscope.scenario("mesh-8x8")
        fields["routing"] = "DimensionOder"
        with self.assertRaises(flitscope.FlitscopeError) as caught:
            flitscope.simulate(fields)
        error = caught.exception
        self.assertEqual(error.file, "standard input")
        self.assertIn("DimensionOder", str(error))
        self.assertEqual(error.help, "did you mean `DimensionOrder`?")

    def test_a_wrong_option_is_named(self):
        with self.assertRaises(flitscope.FlitscopeError) as caught:
            flitscope.simulate("mesh-8x8", load=2)
        self.assertEqual((caught.exception.file, caught.exception.line), ("--load 2", None))
        for options in [{"frobnicate": 1}, {"messages": 0}]:
            with self.assertRaises(flitscope.FlitscopeError) as caught:
                flitscope.simulate("mesh-8x8", **options)
            self.assertIn("--" + next(iter(options)), caught.exception.message)
        with self.assertRaises(flitscope.FlitscopeError) as caught:
            flitscope.simulate("mesh-8x9")
        self.assertEqual(caught.exception.status, 2)


if __name__ == "__main__":
    unittest.main()
