package main

import "sync/atomic"

// body is the work of system D's benchmark, as tests/bench/pool/body.h has it.
type body struct {
	depths  []uint8  // of fib
	lengths []uint16 // of equal
	steps   int      // of chain
	done    int64
}

// stepsFiveCalls is how many steps of a chain take about as long as five calls of fibonacci.
const stepsFiveCalls = 7

func newBody(kind string, jobs, steps int) *body {
	state := uint64(1)
	next := func() uint8 {
		state = state*6364136223846793005 + 1442695040888963407
		return uint8((state>>33)%10 + 2)
	}
	b := &body{}
	switch kind {
	case "fib":
		b.depths = make([]uint8, jobs)
		for i := range b.depths {
			b.depths[i] = next()
		}
	case "equal":
		b.lengths = make([]uint16, jobs)
		for i := range b.lengths {
			b.lengths[i] = uint16(stepsFiveCalls * calls(int(next())) / 5)
		}
	case "chain":
		b.steps = steps
	default:
		fail("no such body: %s", kind)
	}
	return b
}

func (b *body) do(job int) {
	atomic.AddInt64(&b.done, 1)
	switch {
	case b.depths != nil:
		keepInt(fibonacci(int(b.depths[job])))
	case b.lengths != nil:
		runChain(int(b.lengths[job]))
	default:
		runChain(b.steps)
	}
}

func (b *body) check(jobs int) {
	if b.done != int64(jobs) {
		fail("jobs were lost: %d of %d ran", b.done, jobs)
	}
}

func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

func calls(n int) int {
	if n < 2 {
		return 1
	}
	return 1 + calls(n-1) + calls(n-2)
}

func runChain(steps int) {
	value := uint64(1)
	for i := 0; i < steps; i++ {
		value = value*6364136223846793005 + 1442695040888963407
	}
	keepUint(value)
}

// These keep a result from the optimiser.
//
//go:noinline
func keepInt(int) {}

//go:noinline
func keepUint(uint64) {}
