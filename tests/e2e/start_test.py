"""Starting, refusing to start, reloading, listening."""

import json
import os
import signal
import socket
import subprocess
import unittest

import grpc

import harness
from harness import wait_for
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

POOL = "[pools.default]\nworkers = 2\ncapacity = 5\n"
TRUE = '[handlers.true]\npool = "default"\nexec = ["true"]\n'


def post(daemon, handler="noop", **fields):
    return daemon.work.PostWork(workpool_pb2.PostWorkRequest(
        work=job_pb2.Work(handler=handler, **fields), wait=True)).job


def begin_requests(clients):
    try:
        return all(client.send(b"GET /metrics") for client in clients)
    except BlockingIOError:  # not connected yet
        return False


class StartTest(harness.TestCase):
    def refuses_to_start(self, status, words, config=POOL, **options):
        daemon = self.start(config, wait_ready=False, **options)
        self.assertEqual(daemon.wait(), status, daemon.output())
        for word in words:
            self.assertIn(word, daemon.output())
        self.assertEqual(daemon.stdout.lines(), [])
        return daemon.log()

    def test_a_taken_port_is_one_line_of_cause(self):  # case 55
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            for key in ("listen", "http"):
                self.refuses_to_start(1, [address, "in use"], server=f'{key} = "{address}"')

    def test_a_bad_config_is_exit_2_with_place_and_rule(self):  # cases 22 and 55
        cases = {
            "[pools.default]\nworker = 2\n": ["workpool.toml:5:1", "worker", "workers"],
            "[pools.default]\nworkers = -1\n": ["workpool.toml:5:", "workers"],
            "[pools.default]\nworkers = 0\n": ["workpool.toml:5:", "workers"],
            "[pools.default]\ncapacity = \"many\"\n": ["workpool.toml:5:", "capacity"],
            "[pools.default]\ncapacity = -5\n": ["workpool.toml:5:", "capacity"],
            "[pools.default]\nmax_wait = \"-3s\"\n": ["workpool.toml:5:", "max_wait"],
            "[pools.default]\n[handlers.x]\npool = \"nowhere\"\nexec = [\"true\"]\n":
                ["workpool.toml:6:", "nowhere"],
            "[pools.default]\n[handlers.x]\npool = \"default\"\n": ["workpool.toml:5:", "exec"],
            "[pools.default]\n[handlers.x]\npool = \"default\"\nexec = [\"true\"]\n"
            "max_attempts = 0\n": ["workpool.toml:8:", "max_attempts"],
            "[store]\nkind = \"disk\"\n": ["workpool.toml:5:", "kind"],
            "[pools.default\n": ["workpool.toml:4:"],
        }
        for config, words in cases.items():
            with self.subTest(config=config):
                self.refuses_to_start(2, words, config)

    def test_a_program_that_is_not_there_is_a_warning(self):
        daemon = self.start(POOL + '[handlers.up]\npool = "default"\nexec = ["no-such-program"]\n')
        warning = ('handlers.up: its jobs will fail: cannot start "no-such-program": No such file '
                   'or directory (looked up in PATH /usr/local/sbin:')

        def warnings():
            records = [json.loads(line) for line in daemon.log()]
            return [r for r in records if r["level"] == "warn" and r["message"].startswith(warning)]
        wait_for(lambda: len(warnings()) == 1, what="the warning")
        self.assertEqual(post(daemon, "echo", payload=b"hi").result, b"hi")
        daemon.admin.ReloadConfig(admin_pb2.ReloadConfigRequest())
        wait_for(lambda: len(warnings()) == 2, what="the reload's warning")
        done = subprocess.run([harness.WORKPOOLD, "--check-config", "--config",
                               str(daemon.config_path)], text=True, capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, f"{daemon.config_path}: ok\n"))
        self.assertTrue(done.stderr.startswith(f"{daemon.config_path}: warning: {warning}"),
                        done.stderr)

    def test_a_missing_config_file_is_exit_2(self):
        done = subprocess.run([harness.WORKPOOLD, "--config", "/no/such/workpool.toml"], text=True,
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/no/such/workpool.toml", done.stderr)

    def test_it_listens_elsewhere_only_when_told(self):
        for key in ("listen", "http"):
            self.refuses_to_start(2, ["insecure", key], server=f'{key} = "0.0.0.0:0"')
        daemon = self.start(POOL, server='listen = "0.0.0.0:0"\nhttp = "0.0.0.0:0"\n'
                                         'insecure = true')
        self.assertEqual(daemon.http("/readyz")[0], 200)

    def test_a_unix_socket(self):
        folder = self.start(POOL).folder
        path = folder / "grpc.sock"
        with socket.socket(socket.AF_UNIX) as stale:  # nobody answers on it any more
            stale.bind(str(path))
        daemon = self.start(POOL, server=f'listen = "unix:{path}"')
        self.assertEqual(post(daemon, "echo", payload=b"hi").result, b"hi")
        self.refuses_to_start(1, [str(path)], server=f'listen = "unix:{path}"')
        self.assertEqual(post(daemon, "echo", payload=b"still").result, b"still")

    def test_health_and_reflection(self):
        daemon = self.start(POOL)

        def health(service):
            call = daemon.channel().unary_unary("/grpc.health.v1.Health/Check")
            name = service.encode()
            return call(b"\x0a" + bytes([len(name)]) + name if name else b"")
        for service in ("", "workpool.v1.WorkPool", "pool/default"):
            self.assertEqual(health(service), b"\x08\x01")  # SERVING
        with self.assertRaises(grpc.RpcError) as caught:
            health("pool/none")
        self.assertEqual(caught.exception.code(), grpc.StatusCode.NOT_FOUND)
        reflect = daemon.channel().stream_stream(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
        answer = next(reflect(iter([b"\x3a\x00"])))  # list_services = ""
        for service in (b"workpool.v1.WorkPool", b"workpool.v1.Admin", b"grpc.health.v1.Health"):
            self.assertIn(service, answer)

    def test_server_info(self):
        daemon = self.start(POOL)
        info = daemon.admin.GetServerInfo(admin_pb2.GetServerInfoRequest())
        self.assertEqual(info.store, "memory")
        self.assertEqual(info.config_file, str(daemon.config_path))
        self.assertEqual(info.max_payload_bytes, 3 << 20)
        self.assertEqual(info.pid, daemon.process.pid)


class ReloadTest(harness.TestCase):
    def test_sighup_applies_pools_and_handlers_and_leaves_jobs(self):  # case 52
        daemon = self.start(POOL)
        running = daemon.work.PostWork(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler="sleep", payload=b"1h"))).id
        daemon.write_config(POOL.replace("workers = 2", "workers = 3") +
                            '[pools.new]\n[handlers.up]\npool = "new"\nexec = ["cat"]\n')
        daemon.send(signal.SIGHUP)
        wait_for(lambda: daemon.metrics().sum("workpool_config_reloads_total", result="ok") == 1,
                 what="the reload")
        pools = {p.name: p for p in daemon.admin.ListPools(admin_pb2.ListPoolsRequest()).pools}
        self.assertEqual(pools["default"].workers, 3)
        self.assertIn("new", pools)
        self.assertEqual(post(daemon, "up", payload=b"x").result, b"x")
        job = daemon.work.GetJob(workpool_pb2.GetJobRequest(id=running)).job
        self.assertEqual(job.state, job_pb2.JOB_STATE_ACTIVE)
        self.assertEqual(daemon.metrics().value("workpool_queued", pool="new"), 0)

    def test_a_bad_file_changes_nothing(self):  # case 52
        daemon = self.start(POOL)
        daemon.write_config("[pools.default]\nworkers = 7\ncapactiy = 1\n")
        error = self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD",
                             daemon.admin.ReloadConfig, admin_pb2.ReloadConfigRequest())
        self.assertIn("workpool.toml:6:1", error.details())
        self.assertIn("capactiy", error.details())
        daemon.send(signal.SIGHUP)
        wait_for(lambda: daemon.metrics().sum("workpool_config_reloads_total",
                                              result="error") == 2, what="both are counted")
        pool = daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool="default")).pool
        self.assertEqual((pool.workers, pool.capacity), (2, 5))
        self.assertTrue(any("capactiy" in line for line in daemon.log()))

    def test_reload_says_what_needs_a_restart(self):
        daemon = self.start(POOL)
        daemon.write_config(POOL, 'grace = "7s"\nmax_message = "8MiB"')
        answer = daemon.admin.ReloadConfig(admin_pb2.ReloadConfigRequest())
        self.assertTrue(any("max_message" in line for line in answer.needs_restart), answer)

    def test_a_removed_pool_refuses_posts_and_goes_when_empty(self):
        daemon = self.start(POOL + "[pools.old]\nworkers = 1\n")
        running = daemon.work.PostWork(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler="sleep", pool="old", payload=b"1h"))).id
        daemon.write_config(POOL)
        daemon.admin.ReloadConfig(admin_pb2.ReloadConfigRequest())
        with self.assertRaises(grpc.RpcError):
            post(daemon, pool="old")
        daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(ids=[running]))
        wait_for(lambda: [p.name for p in daemon.admin.ListPools(
            admin_pb2.ListPoolsRequest()).pools] == ["default"], what="it has gone")


class DescriptorTest(harness.TestCase):
    def test_more_clients_than_descriptors(self):  # case 50
        wrapper = ["prlimit", "--nofile=64:64"]
        daemon = self.start(POOL, wrapper=wrapper)
        self.assertEqual(post(daemon, "echo", payload=b"before").result, b"before")
        host, port = daemon.grpc_address.rsplit(":", 1)
        clients = []
        for _ in range(200):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex((host, int(port)))
            clients.append(client)
        descriptors = f"/proc/{daemon.process.pid}/fd"
        wait_for(lambda: len(os.listdir(descriptors)) >= 40, what="many are connected")
        self.assertEqual(post(daemon, "echo", payload=b"during").result, b"during")
        self.assertLess(len(daemon.log()), 30, daemon.output())
        for client in clients:
            client.close()

        def fresh():
            call = daemon.channel().unary_unary("/grpc.health.v1.Health/Check")
            try:
                return call(b"", timeout=5, wait_for_ready=True) == b"\x08\x01"
            except grpc.RpcError:
                return False
        wait_for(fresh, 60, "new connections are served when the others have left")
        self.assertLess(len(daemon.log()), 30, daemon.output())

    def test_more_http_clients_than_descriptors(self):  # case 50, the other port
        daemon = self.start(POOL + TRUE, wrapper=["prlimit", "--nofile=64:64"])
        self.assertEqual(post(daemon, "echo", payload=b"before").result, b"before")
        host, port = daemon.http_address.rsplit(":", 1)
        clients = []
        for _ in range(200):
            client = socket.socket()
            self.addCleanup(client.close)
            client.setblocking(False)
            client.connect_ex((host, int(port)))
            clients.append(client)
        # The first ones hold on to what they got: they never send the rest of their request.
        wait_for(lambda: begin_requests(clients[:20]), what="requests have begun")
        for _ in range(50):
            self.assertEqual(post(daemon, "echo", payload=b"during").result, b"during")
        self.assertEqual(post(daemon, "true").state, job_pb2.JOB_STATE_SUCCEEDED)
        self.assertLess(len(daemon.log()), 30, daemon.output())
        for client in clients:
            client.close()

        def served():
            try:
                return daemon.http("/readyz")[0] == 200
            except OSError:
                return False
        wait_for(served, 60, "scrapes are served when the others have left")
        self.assertLess(len(daemon.log()), 30, daemon.output())


if __name__ == "__main__":
    unittest.main()
