"""Runs every benchmark at its smallest and checks what it wrote: smoke_test.py BUILD_FOLDER."""

import json
import os
import subprocess
import sys
import tempfile

SMALLEST = ["--runs", "1", "--jobs", "1000", "--seconds", "0.05"]
FIELDS = {"bench": str, "subject": str, "value": (int, float), "unit": str, "runs": int,
          "lowest": (int, float), "highest": (int, float)}
# At these sizes a pool makes a thousand threads, which says no more than ten.
SIZES = {"pool-workers": ["--n", "10"], "pool-limits": ["--n", "10"]}


def command(build, *words):
    bench = os.path.join(build, "bench", "workpool_bench")
    go = bench + "_go"
    return [bench, "--workpoold", os.path.join(build, "bin", "workpoold"),
            *(["--go", go] if os.path.exists(go) else []), *words]


def names(build):
    shown = subprocess.run(command(build, "--list"), capture_output=True, text=True, check=True)
    return shown.stdout.split()


def problems_of(name, build, results):
    """Why this benchmark is not well; nothing if it is."""
    done = subprocess.run(command(build, name, "--out", results, *SMALLEST, *SIZES.get(name, [])),
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        return [f"{name}: exit status {done.returncode}: {done.stderr.strip()}"]
    with open(results, encoding="utf-8") as lines:
        figures = [json.loads(line) for line in lines]
    if not figures or not any(f["subject"].startswith("workpool") for f in figures):
        return [f"{name}: no figure of workpool"]
    return [f"{name}: {field} of {figure}" for figure in figures
            for field, kind in FIELDS.items() if not isinstance(figure.get(field), kind)]


def main(build):
    known = names(build)
    problems = []
    for name in known:
        with tempfile.TemporaryDirectory() as folder:
            found = problems_of(name, build, os.path.join(folder, "results.jsonl"))
        print(f"{name}: {'well' if not found else found}", flush=True)
        problems += [name] if found else []
    print(f"{len(known) - len(problems)} passed, {len(problems)} failed")
    return 1 if problems or not known else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
