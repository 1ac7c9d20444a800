// A header of the embedding program that happens to be named as one of ours: were it taken for that
// one, own_daemon.cc would not compile.
#pragma once
