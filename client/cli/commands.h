// The commands, each of which adds itself to the command line.
#pragma once

#include "options.h"

namespace workpool::cli {

void AddPost(const Frame& frame);
void AddRun(const Frame& frame);
void AddGet(const Frame& frame);
void AddWait(const Frame& frame);
void AddCancel(const Frame& frame);
void AddList(const Frame& frame);
void AddPoolCommands(const Frame& frame);
void AddServerCommands(const Frame& frame);
void AddTop(const Frame& frame);
void AddBench(const Frame& frame);
void AddTune(const Frame& frame);

}  // namespace workpool::cli
