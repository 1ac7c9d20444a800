package main

import (
	"sync"
	"sync/atomic"
)

// handoffOnce: n workers on a channel that holds nothing.
func handoffOnce(given arguments) {
	jobs, steps := given.number("jobs"), given.number("steps")
	var done int64
	m := startMeter()
	channelWorkersOf(given.number("n"), 0, jobs, func(int) {
		runChain(steps)
		atomic.AddInt64(&done, 1)
	})
	show("value", m.nanosecondsEach(jobs))
	show("cpu_ns", m.cpuSecondsSince()*1e9/float64(jobs))
	if done != int64(jobs) {
		fail("jobs were lost")
	}
}

// postOnce: empty jobs into a channel of closures that always has room.
func postOnce(given arguments) {
	posters := given.number("posters")
	share := given.number("jobs") / posters
	queue := make(chan func(), share*posters)
	var done int64
	var running, posting sync.WaitGroup
	m := startMeter()
	for i := given.number("n"); i > 0; i-- {
		running.Add(1)
		go func() {
			defer running.Done()
			for work := range queue {
				work()
			}
		}()
	}
	posted := startMeter()
	for i := 0; i < posters; i++ {
		posting.Add(1)
		go func() {
			defer posting.Done()
			for job := 0; job < share; job++ {
				queue <- func() { atomic.AddInt64(&done, 1) }
			}
		}()
	}
	posting.Wait()
	show("value", posted.nanosecondsEach(share))
	close(queue)
	running.Wait()
	show("until_run_ns", m.nanosecondsEach(share*posters))
	if done != int64(share*posters) {
		fail("jobs were lost")
	}
}

// deepOnce: a deep call on one goroutine that stays, or on a new one for each.
func deepOnce(given arguments) {
	jobs, depth := given.number("jobs"), given.number("depth")
	finished := make(chan int)
	queue := make(chan int)
	go func() {
		for range queue {
			finished <- descend(depth)
		}
	}()
	m := startMeter()
	for job := 0; job < jobs; job++ {
		if given["subject"] == "go-channel-workers" {
			queue <- job
		} else {
			go func() { finished <- descend(depth) }()
		}
		<-finished
	}
	show("value", m.nanosecondsEach(jobs))
	close(queue)
}

// descend touches about a kibibyte of stack a level.
//
//go:noinline
func descend(depth int) int {
	var frame [1024]byte
	frame[depth%len(frame)] = byte(depth)
	if depth == 0 {
		return int(frame[0])
	}
	below := descend(depth - 1)
	return below + int(frame[depth%len(frame)])
}
