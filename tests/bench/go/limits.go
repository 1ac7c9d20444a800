package main

import (
	"container/list"
	"sync"
)

// limitsOnce is system D, (1) to (4): a goroutine a job, at most n places taken at a time. "inside":
// the goroutine takes its places; "before": the poster takes them, then starts it.
func limitsOnce(given arguments) {
	n, jobs := given.number("n"), given.number("jobs")
	b := newBody(given["body"], jobs, 0)
	var places semaphore = make(plain, n)
	if given.number("weighted") != 0 {
		places = &weighted{free: n}
	}
	m := startMeter()
	limited(places, given.number("weighted") != 0, given["take"] == "inside", jobs, b.do)
	showCost(m, jobs)
	b.check(jobs)
}

type semaphore interface {
	take(places int)
	give(places int)
}

func limited(places semaphore, heavy, inside bool, jobs int, do func(int)) {
	var running sync.WaitGroup
	running.Add(jobs)
	for job := 0; job < jobs; job++ {
		weight := 1
		if heavy {
			weight += job % 2
		}
		if !inside {
			places.take(weight)
		}
		go func(job int) {
			defer running.Done()
			if inside {
				places.take(weight)
			}
			do(job)
			places.give(weight)
		}(job)
	}
	running.Wait()
}

// plain takes one place at a time, whatever is asked for.
type plain chan struct{}

func (p plain) take(int) { p <- struct{}{} }
func (p plain) give(int) { <-p }

// weighted serves those who wait in their order, so that no light one overtakes a heavy one.
type weighted struct {
	mutex   sync.Mutex
	free    int
	waiting list.List
}

type waiter struct {
	places int
	ready  chan struct{}
}

func (w *weighted) take(places int) {
	w.mutex.Lock()
	if w.waiting.Len() == 0 && w.free >= places {
		w.free -= places
		w.mutex.Unlock()
		return
	}
	mine := waiter{places, make(chan struct{})}
	w.waiting.PushBack(mine)
	w.mutex.Unlock()
	<-mine.ready
}

func (w *weighted) give(places int) {
	w.mutex.Lock()
	w.free += places
	for front := w.waiting.Front(); front != nil; front = w.waiting.Front() {
		first := front.Value.(waiter)
		if first.places > w.free {
			break
		}
		w.free -= first.places
		w.waiting.Remove(front)
		close(first.ready)
	}
	w.mutex.Unlock()
}
