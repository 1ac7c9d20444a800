package main

import "sync"

// workersOnce is system D, (5): n workers on one channel of capacity 10 n.
func workersOnce(given arguments) {
	jobs := given.number("jobs")
	b := newBody(given["body"], jobs, given.number("steps"))
	m := startMeter()
	switch given["subject"] {
	case "go-channel-workers":
		channelWorkers(given.number("n"), jobs, b.do)
	case "go-body-alone":
		for job := 0; job < jobs; job++ {
			b.do(job)
		}
	default:
		fail("no such subject: %s", given["subject"])
	}
	showCost(m, jobs)
	b.check(jobs)
}

func channelWorkers(n, jobs int, do func(int)) { channelWorkersOf(n, 10*n, jobs, do) }

func channelWorkersOf(n, capacity, jobs int, do func(int)) {
	queue := make(chan int, capacity)
	var running sync.WaitGroup
	running.Add(n)
	for i := 0; i < n; i++ {
		go func() {
			defer running.Done()
			for job := range queue {
				do(job)
			}
		}()
	}
	for job := 0; job < jobs; job++ {
		queue <- job
	}
	close(queue)
	running.Wait()
}
