// Subjects that take turns, each run in a process of its own, so that a change of the machine's
// speed meets all of them.
#pragma once

#include <string>
#include <vector>

#include "figure.h"
#include "once.h"
#include "options.h"

namespace workpool::bench {

struct Subject {
  std::string name;
  std::vector<std::string> command;  // prints values, see once.h
  Parameters parameters = {};        // its own, beside those of the contest
};

// A subject that this program runs itself: BENCH subject=NAME and `arguments`.
Subject OwnSubject(const Options& options, const std::string& bench, const std::string& name,
                   const std::string& arguments);
// The same of the Go program. Nothing is added to `subjects` where there is no Go.
void AddGoSubject(std::vector<Subject>& subjects, const Options& options, const std::string& bench,
                  const std::string& name, const std::string& arguments);

struct Contest {
  std::string bench;
  Parameters parameters;
  std::string unit;
  std::string rival;  // whom the first subject's ratio is to; the others' are to the first
};

// Figures in the order of `subjects`, those that the options leave out are not run.
Figures TakeTurns(const Options& options, const Contest& contest,
                  const std::vector<Subject>& subjects);

}  // namespace workpool::bench
