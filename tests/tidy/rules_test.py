#!/usr/bin/python3
"""Each rule is kept by a good tree and seen to fail on one that breaks it."""

import unittest

import rules

GOOD = {
    "server/base/error.h": '#pragma once\n#include <string>\n',
    "server/pool/pool.h": '#pragma once\n#include <sys/types.h>\n#include "base/error.h"\n',
    "server/rpc/service.cc": '#include <grpcpp/grpcpp.h>\n#include "pool/pool.h"\n',
    "server/app/main.cc": '#include <toml++/toml.h>\n#include "rpc/service.h"\n',
    "client/cpp/include/workpool/client.h": '#pragma once\n#include <string>\n',
    "tests/unit/pool/pool_test.cc": 'if (!ipv6) GTEST_SKIP() << "no IPv6";\n',
}


class RulesTest(unittest.TestCase):
    def broken_by(self, rule, path, text):
        self.assertEqual(rule(rules.Tree(GOOD)), [], "a good tree")
        broken = rule(rules.Tree({**GOOD, path: text}))
        self.assertEqual(len(broken), 1, broken)
        self.assertIn(path, broken[0])

    def test_floors(self):
        for path, text in [("server/pool/a.cc", '#include "jobs/job.h"\n'),
                           ("server/rpc/a.cc", '#include "metrics/metrics.h"\n'),
                           ("server/jobs/a.h", '#include "app/config.h"\n')]:
            self.broken_by(rules.floors, path, text)

    def test_libraries(self):
        for path, text in [("server/jobs/a.cc", '#include <grpcpp/grpcpp.h>\n'),
                           ("server/http/a.cc", '#include "workpool/v1/job.pb.h"\n'),
                           ("server/app/a.cc", '#include <asio.hpp>\n'),
                           ("server/rpc/a.cc", '#include <spdlog/spdlog.h>\n'),
                           ("client/cli/a.cc", '#include <toml++/toml.h>\n')]:
            self.broken_by(rules.libraries, path, text)

    def test_standard_only(self):
        self.broken_by(rules.standard_only, "server/pool/a.h", "#include <fmt/core.h>\n")
        self.broken_by(rules.standard_only, "server/base/a.h", "#include <absl/time/time.h>\n")

    def test_public_client(self):
        self.broken_by(rules.public_client, "client/cpp/include/workpool/client.h", "#include <grpcpp/channel.h>\n")

    def test_one_definition(self):
        tree = {"server/http/a.h": "#pragma once\nnamespace workpool {\nclass Acceptor final {\n};\n",
                "server/http/b.cc": "namespace workpool {\nnamespace {\nstruct Own {\n};\n}  // namespace\n"}
        for path, text in [("server/rpc/a.h", tree["server/http/a.h"]),
                           ("server/rpc/b.cc", "namespace workpool {\nstruct Acceptor : Base {\n};\n")]:
            broken = rules.one_definition(rules.Tree({**tree, path: text}))
            self.assertEqual(len(broken), 1, broken)
        fine = {**tree, "server/rpc/b.cc": tree["server/http/b.cc"],
                "server/rpc/c.h": "namespace workpool::rpc {\nclass Acceptor {\n};\n",
                "server/rpc/d.h": "namespace workpool {\nclass Acceptor;\n"}
        self.assertEqual(rules.one_definition(rules.Tree(fine)), [])

    def test_pragma_once(self):
        self.broken_by(rules.pragma_once, "server/pool/a.h", "class A;\n")

    def test_leftovers(self):
        self.broken_by(rules.leftovers, "docs/a.md", "\nTODO write this\n")
        self.broken_by(rules.leftovers, "server/pool/a.cc", "a\n<<<<<<< HEAD\n")

    def test_skipped_tests(self):
        self.broken_by(rules.skipped_tests, "tests/unit/a.cc", "GTEST_SKIP();\n")

    def test_waits_for_a_time(self):
        self.broken_by(rules.waits_for_a_time, "tests/unit/a.cc", "std::this_thread::sleep_for(1s);\n")

    def test_long_files(self):
        self.broken_by(rules.long_files, "server/pool/a.cc", "a\n" * 401)
        self.broken_by(rules.long_files, "tests/unit/a.cc", "a\n" * 501)

    def test_in_a_target(self):
        tree = rules.Tree({"server/pool/a.cc": '#include "pool/a.h"\n', "server/pool/a.h": "",
                           "server/pool/b.cc": "", "server/pool/b.h": ""})
        self.assertEqual(rules.in_a_target(tree, {"server/pool/a.cc"}),
                         ["server/pool/b.cc: in no target", "server/pool/b.h: in no target"])


if __name__ == "__main__":
    unittest.main()
