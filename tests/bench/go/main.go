// The Go subjects of the benchmarks: `PROGRAM once BENCH subject=NAME name=value...` runs one of them
// once and prints what it measured, a line `name value` each, as the C++ program does.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// arguments are name=value words.
type arguments map[string]string

func (a arguments) number(name string) int {
	value, err := strconv.Atoi(a[name])
	if err != nil {
		fail("%s=%q is no number", name, a[name])
	}
	return value
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "go subject: "+format+"\n", values...)
	os.Exit(1)
}

func main() {
	benches := map[string]func(arguments){
		"pool-workers":  workersOnce,
		"pool-limits":   limitsOnce,
		"pool-sleepers": sleepersOnce,
		"pool-handoff":  handoffOnce,
		"pool-post":     postOnce,
		"pool-deep":     deepOnce,
	}
	if len(os.Args) < 3 || os.Args[1] != "once" {
		fail("usage: once BENCH name=value...")
	}
	bench, known := benches[os.Args[2]]
	if !known {
		fail("no such benchmark: %s", os.Args[2])
	}
	given := arguments{}
	for _, word := range os.Args[3:] {
		name, value, found := strings.Cut(word, "=")
		if !found {
			fail("not name=value: %s", word)
		}
		given[name] = value
	}
	bench(given)
}
