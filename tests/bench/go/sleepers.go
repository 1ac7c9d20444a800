package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// sleepersOnce is system E: jobs that each sleep 10 ms. go-goroutines has no bound: a goroutine a job.
func sleepersOnce(given arguments) {
	n, jobs := given.number("n"), given.number("jobs")
	var done int64
	nap := func(int) {
		time.Sleep(10 * time.Millisecond)
		atomic.AddInt64(&done, 1)
	}
	idle := statusOf("VmRSS")
	m := startMeter()
	switch given["subject"] {
	case "go-channel-workers":
		channelWorkersOf(n, 1000, jobs, nap)
	case "go-semaphore":
		limited(make(plain, n), false, false, jobs, nap)
	case "go-goroutines":
		goroutines(jobs, nap)
	default:
		fail("no such subject: %s", given["subject"])
	}
	show("value", m.seconds())
	show("cpu_s", m.cpuSecondsSince())
	show("peak_mib", float64(statusOf("VmHWM")-idle)/1024)
	if done != int64(jobs) {
		fail("jobs were lost")
	}
}

func goroutines(jobs int, do func(int)) {
	var running sync.WaitGroup
	running.Add(jobs)
	for job := 0; job < jobs; job++ {
		go func(job int) {
			defer running.Done()
			do(job)
		}(job)
	}
	running.Wait()
}
