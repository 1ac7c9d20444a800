# What the stages share; sourced with the repository's root as the current folder.
# shellcheck shell=bash
set -euo pipefail
mkdir -p build/logs

say_counts() { echo "$1 passed, $2 failed"; }

# build PRESET [CMake's build arguments]: configures if need be, builds quietly.
build() {
  local preset=$1
  shift
  cmake --preset "$preset" >build/logs/"$preset"-configure.log 2>&1 ||
    { cat build/logs/"$preset"-configure.log; exit 1; }
  cmake --build --preset "$preset" "$@" -- -k 0
}

# run_ctest PRESET [ctest's arguments]: runs two tests at a time and says the counts.
run_ctest() {
  local preset=$1 status=0 out=build/logs/ctest-$$.out line
  shift
  ctest --test-dir "build/$preset" --output-on-failure -j2 "$@" 2>&1 | tee "$out" || status=$?
  line=$(grep -oE '[0-9]+ tests failed out of [0-9]+' "$out" || true)
  rm -f "$out"
  local bad total
  read -r bad _ _ _ _ total <<<"${line:-0 tests failed out of 0}"
  say_counts $((total - bad)) "$bad"
  [ "$status" -eq 0 ]
}

# check_each FUNCTION NAME...: runs an exported function on each name, two at a time, and says how
# many it succeeded on.
check_each() {
  local function=$1 bad
  shift
  bad=$(printf '%s\n' "$@" | xargs -P2 -I{} bash -c "$function {} >&2 || echo bad" | wc -l)
  say_counts $(($# - bad)) "$bad"
  [ "$bad" -eq 0 ]
}
