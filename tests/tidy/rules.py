"""The tree's own rules. Each takes a Tree and answers the places that break it, one line each.

Nothing here knows the current folder: a Tree is a mapping from path to text, so that the test can
make small ones.
"""

import re

FLOORS = {"base": 0, "pool": 1, "jobs": 2, "stores": 3, "handlers": 3, "runtime": 3, "metrics": 3,
          "rpc": 3, "http": 3, "app": 4}

# Which of someone else's headers may be seen where: everywhere else they are refused.
LIBRARIES = [
    (r"grpc(pp)?/|google/protobuf/|workpool/v1/", ("server/rpc/", "client/"), "gRPC and protobuf"),
    (r"asio", ("server/runtime/",), "Asio"),
    (r"toml", ("server/app/",), "TOML"),
    (r"spdlog/", ("server/app/",), "spdlog"),
    (r"prometheus/", ("server/metrics/",), "prometheus-cpp"),
    (r"CLI/", ("server/app/", "client/cli/"), "CLI11"),
]
# The embedded pool needs the standard library and base alone.
STD_ONLY = ("server/pool/", "server/base/")

# The client library's users see no gRPC: its public headers do not.
PUBLIC_CLIENT = re.compile(r"client/cpp/include/.*\.h$")

CLASS = re.compile(r"^(?:class|struct|enum class)(?: [A-Z]+\(.*?\)| [A-Z_]+)? (\w+)\b(?!::)[^;()]*\{",
                   re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
POSIX = re.compile(r"^(sys|linux|netinet|arpa)/|^(unistd|fcntl|signal|pthread|poll|spawn|sched)\.h$")
MARKERS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|^(<{7}|>{7}) ", re.MULTILINE)
SKIPS = re.compile(r"GTEST_SKIP\(\)\s*;|\bDISABLED_|@unittest\.skip\b|\.skipTest\(\)")
SLEEPS = re.compile(r"sleep_for|sleep_until|usleep\(|nanosleep|time\.sleep")
TIMELESS_TESTS = ("tests/unit/", "tests/sim/", "tests/conformance/")
MAX_LINES = {"tests/": 500, "": 400}  # by the first prefix that fits


class Tree(dict):
    """Path to text, of every file that git knows."""

    def cpp(self, *folders):
        return {p: t for p, t in self.items()
                if p.startswith(folders) and p.endswith((".h", ".cc"))}


def includes(text):
    """(line, is_system, name) of every include."""
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(2)) + 1, match[1] == "<", match[2]


def matches(pattern, tree, hint):
    return [f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {hint}: {match[0].strip()}"
            for path, text in tree.items() for match in pattern.finditer(text)]


def floors(tree):
    """A file of server/ includes its own folder and lower floors."""
    broken = []
    for path, text in tree.cpp("server/").items():
        own = path.split("/")[1]
        for line, _, name in includes(text):
            other = name.split("/")[0]
            if "/" not in name or other == own or other not in FLOORS:
                continue
            if own not in FLOORS or FLOORS[other] >= FLOORS[own]:
                broken.append(f"{path}:{line}: {own} must not include {name}")
    return broken


def libraries(tree):
    """Each foreign library is seen by its adapter alone."""
    broken = []
    for path, text in tree.cpp("server/", "client/").items():
        for line, _, name in includes(text):
            for pattern, allowed, what in LIBRARIES:
                if re.match(pattern, name) and not path.startswith(allowed):
                    broken.append(f"{path}:{line}: {what} ({name}) belongs to {', '.join(allowed)}")
    return broken


def standard_only(tree):
    """pool and base include nothing foreign."""
    broken = []
    for path, text in tree.cpp(*STD_ONLY).items():
        for line, system, name in includes(text):
            foreign = "/" in name or name.endswith(".h")
            if system and foreign and not POSIX.search(name):
                broken.append(f"{path}:{line}: {name} is not of the standard library")
    return broken


def public_client(tree):
    """The client library's public headers show no gRPC."""
    broken = []
    for path, text in tree.items():
        if PUBLIC_CLIENT.match(path):
            broken += [f"{path}:{line}: a public header must not include {name}"
                       for line, _, name in includes(text) if re.match(LIBRARIES[0][0], name)]
    return broken


def one_definition(tree):
    """No two classes of server/ have one name, or the linker silently takes one for the other."""
    seen, broken = {}, []
    for path, text in tree.cpp("server/").items():
        anonymous = re.sub(r"^namespace \{$.*?^\}  // namespace$", "", text,
                           flags=re.MULTILINE | re.DOTALL)
        scope = re.search(r"^namespace (workpool[\w:]*) \{$", text, re.MULTILINE)
        for match in CLASS.finditer(anonymous):
            name = f"{scope[1] if scope else ''}::{match[1]}"
            if name in seen:
                broken.append(f"{path}: {name} is also in {seen[name]}")
            seen[name] = path
    return broken


def in_a_target(tree, compiled):
    """Every .cc is compiled, every .h is included; `compiled` holds the paths CMake compiles."""
    wanted = tree.cpp("server/", "client/", "tests/unit/", "tests/conformance/", "tests/sim/", "tests/fuzz/",
                      "tests/fakes/")
    included = {name.split("/")[-1] for text in tree.values() for _, _, name in includes(text)}
    return [f"{path}: in no target" for path in wanted
            if (path.endswith(".cc") and path not in compiled)
            or (path.endswith(".h") and path.split("/")[-1] not in included)]


def pragma_once(tree):
    """A header has one guard, #pragma once."""
    return [f"{path}: no #pragma once" for path, text in tree.cpp("").items()
            if path.endswith(".h") and "\n#pragma once\n" not in f"\n{text}"]


def leftovers(tree):
    """Nothing is left for later, no conflict is left behind."""
    files = {p: t for p, t in tree.items() if not p.startswith("tests/tidy/") and p != "CHANGELOG.md"}
    return matches(MARKERS, files, "left behind")


def skipped_tests(tree):
    """No test is switched off; one that its machine cannot run says why."""
    files = {p: t for p, t in tree.items()
             if p.startswith(("tests/", "client/")) and not p.startswith("tests/tidy/")}
    return matches(SKIPS, files, "a test that does not run")


def waits_for_a_time(tree):
    """Unit tests wait for conditions; a helper in a header may sleep between two looks at one."""
    files = {p: t for p, t in tree.items() if p.startswith(TIMELESS_TESTS) and p.endswith(".cc")}
    return matches(SLEEPS, files, "waits for a time")


def long_files(tree):
    """A file has one subject."""
    broken = []
    for path, text in tree.items():
        most = next(n for prefix, n in MAX_LINES.items() if path.startswith(prefix))
        if path.endswith((".h", ".cc", ".py", ".sh")) and text.count("\n") > most:
            broken.append(f"{path}: {text.count(chr(10))} lines, over {most}")
    return broken


ON_TREE = [floors, libraries, standard_only, public_client, one_definition, pragma_once, leftovers, skipped_tests,
           waits_for_a_time, long_files]
