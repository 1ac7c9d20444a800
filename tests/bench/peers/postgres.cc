// PostgreSQL as a queue: rows inserted into an unlogged table, a hundred a statement, pipelined. It
// keeps nothing through a crash, as a memory store does not.
#include <libpq-fe.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "makers.h"

namespace workpool::bench {
namespace {

constexpr const char* kPrograms = "/usr/lib/postgresql/15/bin/";

class Connection {
 public:
  explicit Connection(int port)
      : connection_(PQconnectdb(
            ("host=127.0.0.1 user=bench dbname=postgres port=" + std::to_string(port)).c_str())) {
    if (PQstatus(connection_) != CONNECTION_OK) throw std::runtime_error("postgres: no connection");
  }
  ~Connection() { PQfinish(connection_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  PGconn* get() const { return connection_; }
  void Execute(const char* statement) { Rows(PQexec(connection_, statement)); }
  // Checks a result, frees it and answers how many rows it has.
  static int Rows(PGresult* result) {
    const auto status = PQresultStatus(result);
    const int rows = PQntuples(result);
    PQclear(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK && status != PGRES_PIPELINE_SYNC) {
      throw std::runtime_error("postgres refused");
    }
    return rows;
  }

 private:
  PGconn* connection_;
};

class Producer final : public PeerProducer {
 public:
  explicit Producer(int port) : connection_(port) {
    Connection::Rows(PQprepare(connection_.get(), "post",
                               "INSERT INTO jobs (payload) SELECT unnest($1::bytea[]) RETURNING id",
                               0, nullptr));
    PQenterPipelineMode(connection_.get());
  }

  void Send(int jobs) override {
    std::string array = "{";
    for (int i = 0; i < jobs; ++i) array.append(kPeerPayloadBytes, 'x').push_back(',');
    array.back() = '}';
    const char* parameter = array.c_str();
    PQsendQueryPrepared(connection_.get(), "post", 1, &parameter, nullptr, nullptr, 0);
    PQpipelineSync(connection_.get());  // each statement is a transaction of its own
  }

  int Wait() override {
    PQflush(connection_.get());
    const int rows = Connection::Rows(PQgetResult(connection_.get()));
    PQgetResult(connection_.get());                    // the end of the statement's results
    Connection::Rows(PQgetResult(connection_.get()));  // the end of its transaction
    return rows;
  }

 private:
  Connection connection_;
};

// A transaction takes jobs out by deleting them; its commit is the acknowledgement.
class Consumer final : public PeerConsumer {
 public:
  explicit Consumer(int port) : connection_(port) {
    Connection::Rows(
        PQprepare(connection_.get(), "take",
                  "DELETE FROM jobs WHERE id = ANY (ARRAY (SELECT id FROM jobs ORDER BY id "
                  "LIMIT $1::int FOR UPDATE SKIP LOCKED)) RETURNING payload",
                  0, nullptr));
  }

  int Work(int most) override {
    const auto limit = std::to_string(most);
    const char* parameter = limit.c_str();
    connection_.Execute("BEGIN");
    const int rows = Connection::Rows(
        PQexecPrepared(connection_.get(), "take", 1, &parameter, nullptr, nullptr, 0));
    connection_.Execute("COMMIT");
    return rows;
  }

 private:
  Connection connection_;
};

class Postgres final : public Peer {
 public:
  std::string name() const override { return "postgres"; }
  std::string package() const override { return "postgresql-15"; }
  std::string program() const override { return std::string(kPrograms) + "postgres"; }
  int batch() const override { return 100; }

  PeerProcess Start(const std::filesystem::path& folder) override {
    namespace fs = std::filesystem;
    fs::permissions(folder, fs::perms::all);  // it refuses to run as root: another user needs it
    const std::string data = folder / "data";
    RunToEnd(
        {{std::string(kPrograms) + "initdb", "-D", data, "-A", "trust", "-U", "bench", "--no-sync"},
         {},
         "postgres"},
        folder / "initdb");
    PeerProcess process({{program(), "-D", data, "-p", std::to_string(port_), "-h", "127.0.0.1",
                          "-k", "", "-c", "shared_buffers=512MB", "-c", "max_wal_size=4GB", "-c",
                          "fsync=off", "-c", "synchronous_commit=off"},
                         {},
                         "postgres",
                         SIGINT},
                        folder / "log");
    process.AwaitPort(port_, 30);
    AwaitReady();
    Connection(port_).Execute(
        "CREATE UNLOGGED TABLE jobs (id bigserial PRIMARY KEY, payload bytea NOT NULL)");
    return process;
  }

  std::unique_ptr<PeerProducer> NewProducer() override { return std::make_unique<Producer>(port_); }
  std::unique_ptr<PeerConsumer> NewConsumer() override { return std::make_unique<Consumer>(port_); }

 private:
  // It takes connections a little before it serves them.
  void AwaitReady() const {
    const auto address = "host=127.0.0.1 user=bench dbname=postgres port=" + std::to_string(port_);
    for (int look = 0; PQping(address.c_str()) != PQPING_OK; ++look) {
      if (look == 500) throw std::runtime_error("postgres did not start");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  const int port_ = FreePort();
};

}  // namespace

std::unique_ptr<Peer> MakePostgres() { return std::make_unique<Postgres>(); }

}  // namespace workpool::bench
