#include "app/daemon.h"

int main(int argc, char** argv) { return workpool::RunDaemon(argc, argv, {}); }
