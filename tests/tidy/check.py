#!/usr/bin/python3
"""check.py COMPILE_COMMANDS: holds every rule against this tree, says the counts."""

import json
import pathlib
import subprocess
import sys

import rules


def read_tree(root):
    names = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True,
                           text=True).stdout.split("\0")
    files = ((name, root / name) for name in names if name)
    return rules.Tree({name: path.read_text(encoding="utf-8", errors="replace")
                       for name, path in files if path.is_file()})


def compiled_files(root, commands):
    entries = json.loads(pathlib.Path(commands).read_text(encoding="utf-8"))
    paths = (pathlib.Path(entry["directory"], entry["file"]).resolve() for entry in entries)
    return {str(path.relative_to(root)) for path in paths if path.is_relative_to(root)}


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    tree = read_tree(root)
    results = [(rule.__doc__, rule(tree)) for rule in rules.ON_TREE]
    results.append((rules.in_a_target.__doc__,
                    rules.in_a_target(tree, compiled_files(root, sys.argv[1]))))
    for text, broken in results:
        for line in broken:
            print(f"{line}\n    rule: {text}")
    failed = sum(1 for _, broken in results if broken)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
