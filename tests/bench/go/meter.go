package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// meter holds what had been used when it was started.
type meter struct {
	start time.Time
	cpu   float64
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail("getrusage: %v", err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

func startMeter() meter { return meter{time.Now(), cpuSeconds()} }

func (m meter) seconds() float64                 { return time.Since(m.start).Seconds() }
func (m meter) cpuSecondsSince() float64         { return cpuSeconds() - m.cpu }
func (m meter) nanosecondsEach(jobs int) float64 { return m.seconds() * 1e9 / float64(jobs) }

func show(name string, value float64) { fmt.Printf("%s %.17g\n", name, value) }

// showCost shows nanoseconds a job, the threads of this process and its processor time.
func showCost(m meter, jobs int) {
	show("value", m.nanosecondsEach(jobs))
	show("cpu_ns", m.cpuSecondsSince()*1e9/float64(jobs))
	show("threads", float64(statusOf("Threads")-1))
}

// statusOf answers a number of /proc/self/status: Threads, or KiB for VmRSS and VmHWM.
func statusOf(field string) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fail("%v", err)
	}
	for _, line := range strings.Split(string(status), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == field+":" {
			value, err := strconv.Atoi(words[1])
			if err != nil {
				fail("%v", err)
			}
			return value
		}
	}
	fail("no %s in the process's status", field)
	return 0
}
