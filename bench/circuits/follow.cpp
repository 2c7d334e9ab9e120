// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures circuits that follow demand, emulated on packets.
//
// usage: follow SWITCH SERVERS DEGREE MBYTES STEPS
//
// Ranks are threads in the network namespaces of their servers (fabric.sh up),
// with TCP connections to all other ranks. A step is the four exchanges of a
// layer: a demand, its transpose, and both again. Steps over EPS alone
// alternate with steps over the circuits that moert_ocs decides. The latter
// start with all ports dark, so that each step pays for its change. Predictions
// use the NIC rate and the change time measured at the start. Every received
// byte is checked.

#include "moert_ocs.h"
#include <algorithm>
#include <arpa/inet.h>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

using Clock = std::chrono::steady_clock;
using Matrix = std::vector<double>;

[[noreturn]] static void die(const std::string &what) {
  std::fprintf(stderr, "follow: %s\n", what.c_str());
  std::exit(1);
}

static void check(moert_status status, moert_context *context,
                  const char *what) {
  if (status != MOERT_OK)
    die(std::string(what) + ": " + moert_last_error(context));
}

static double getUs(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start)
      .count();
}

//===----------------------------------------------------------------------===//
// Packets
//===----------------------------------------------------------------------===//

/// Bytes per send, and the period of a rank's data.
constexpr size_t kPiece = 1 << 16;

/// Returns two periods of the data from `from` to `to`, so that a piece may
/// start anywhere in the first.
static std::vector<unsigned char> makePattern(int from, int to) {
  std::vector<unsigned char> bytes(2 * kPiece);
  for (size_t k = 0; k < bytes.size(); ++k) {
    size_t at = k % kPiece;
    bytes[k] = static_cast<unsigned char>(size_t(from) * 37 + size_t(to) * 11 +
                                          at * 7 + (at >> 8));
  }
  return bytes;
}

/// The connections of a rank.
class Links {
public:
  Links(int rank, int numRanks, std::barrier<> &together)
      : rank(rank), sockets(static_cast<size_t>(numRanks), -1) {
    std::string name = "/run/netns/moe-srv" + std::to_string(rank);
    int space = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) != 0)
      die("cannot enter " + name + ": " + std::strerror(errno));
    close(space);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place = getPlace(rank);
    int one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (bind(listener, reinterpret_cast<sockaddr *>(&place), sizeof(place)) ||
        listen(listener, numRanks))
      die(std::string("cannot listen: ") + std::strerror(errno));
    together.arrive_and_wait();
    for (int peer = 0; peer < rank; ++peer) {
      int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      place = getPlace(peer);
      auto own = static_cast<char>(rank);
      if (connect(fd, reinterpret_cast<sockaddr *>(&place), sizeof(place)) ||
          write(fd, &own, 1) != 1)
        die(std::string("cannot connect: ") + std::strerror(errno));
      sockets[static_cast<size_t>(peer)] = fd;
    }
    for (int peer = rank + 1; peer < numRanks; ++peer) {
      int fd = accept(listener, nullptr, nullptr);
      char whose = 0;
      if (fd < 0 || read(fd, &whose, 1) != 1)
        die("a peer went away");
      sockets[static_cast<size_t>(whose)] = fd;
    }
    close(listener);
    for (int peer = 0; peer < numRanks; ++peer) {
      toPeers.push_back(makePattern(rank, peer));
      fromPeers.push_back(makePattern(peer, rank));
    }
    for (int fd : sockets)
      if (fd >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        fcntl(fd, F_SETFL, O_NONBLOCK);
      }
  }
  ~Links() {
    for (int fd : sockets)
      if (fd >= 0)
        close(fd);
  }
  Links(const Links &) = delete;
  Links &operator=(const Links &) = delete;
  /// Sends and receives a demand of [i * n + j] bytes from i to j.
  void exchange(const Matrix &demand) {
    size_t n = sockets.size(), me = static_cast<size_t>(rank), open = 0;
    std::vector<size_t> out(n), in(n), sent(n), got(n);
    for (size_t peer = 0; peer < n; ++peer)
      if (peer != me) {
        out[peer] = static_cast<size_t>(demand[me * n + peer]);
        in[peer] = static_cast<size_t>(demand[peer * n + me]);
        open += (out[peer] > 0) + (in[peer] > 0);
      }
    std::vector<unsigned char> buffer(kPiece);
    while (open > 0) {
      std::vector<pollfd> entries;
      for (size_t peer = 0; peer < n; ++peer) {
        short events = 0;
        if (sent[peer] < out[peer])
          events |= POLLOUT;
        if (got[peer] < in[peer])
          events |= POLLIN;
        entries.push_back({events ? sockets[peer] : -1, events, 0});
      }
      if (poll(entries.data(), entries.size(), 30000) <= 0)
        die("no byte in 30 s");
      for (size_t peer = 0; peer < n; ++peer) {
        if (entries[peer].revents & POLLOUT) {
          size_t size = std::min(buffer.size(), out[peer] - sent[peer]);
          ssize_t done =
              send(sockets[peer], &toPeers[peer][sent[peer] % kPiece], size,
                   MSG_NOSIGNAL);
          if (done < 0 && errno != EAGAIN)
            die(std::string("cannot send: ") + std::strerror(errno));
          sent[peer] += static_cast<size_t>(std::max<ssize_t>(done, 0));
          open -= done > 0 && sent[peer] == out[peer];
        }
        if (entries[peer].revents & (POLLIN | POLLHUP)) {
          size_t size = std::min(buffer.size(), in[peer] - got[peer]);
          ssize_t done = recv(sockets[peer], buffer.data(), size, 0);
          if (done == 0 || (done < 0 && errno != EAGAIN))
            die("a peer went away");
          if (done > 0 &&
              std::memcmp(buffer.data(), &fromPeers[peer][got[peer] % kPiece],
                          size_t(done)) != 0)
            die("wrong data from rank " + std::to_string(peer));
          got[peer] += static_cast<size_t>(std::max<ssize_t>(done, 0));
          open -= done > 0 && got[peer] == in[peer];
        }
      }
    }
  }

private:
  static sockaddr_in getPlace(int of) {
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_port = htons(5555);
    std::string text = "10.214.0." + std::to_string(of + 1);
    inet_pton(AF_INET, text.c_str(), &place.sin_addr);
    return place;
  }

  int rank;
  std::vector<int> sockets;
  std::vector<std::vector<unsigned char>> toPeers, fromPeers;
};

//===----------------------------------------------------------------------===//
// Demands
//===----------------------------------------------------------------------===//

/// Returns the bytes that servers send each other if tokens select the experts
/// of servers with these weights. Every server sends equally much, including
/// its own part.
static Matrix route(int n, double bytes,
                    const std::function<double(int, int)> &weight) {
  Matrix demand;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += weight(i, j);
    for (int j = 0; j < n; ++j)
      demand.push_back(i == j ? 0 : std::floor(bytes * weight(i, j) / sum));
  }
  return demand;
}

static Matrix transpose(const Matrix &demand, int n) {
  Matrix turned(demand.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      turned[size_t(j * n + i)] = demand[size_t(i * n + j)];
  return turned;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {

struct Setup {
  std::string address;
  int n, degree, steps;
  double bytes;
};

struct Measured {
  double epsBytesPerUs = 0, changeUs = 0;
};
/// The collective work of all ranks; rank 0 measures time and controls the
/// switch.
class Rank {
public:
  Rank(int rank, const Setup &setup, moert_context *context, moert_ocs *device,
       std::barrier<> &together)
      : rank(rank), setup(setup), context(context), device(device),
        together(together), links(rank, setup.n, together) {}

  /// Turns all ports dark; the time does not count.
  void darken() {
    if (rank == 0)
      configure({});
    together.arrive_and_wait();
  }

  double configure(const std::vector<moert_ocs_circuit> &circuits) {
    auto start = Clock::now();
    moert_ocs_change *change = nullptr;
    check(moert_ocs_configure(device, circuits.data(), int(circuits.size()),
                              &change),
          nullptr, "configure");
    check(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT), nullptr, "await");
    check(moert_ocs_change_destroy(change), nullptr, "destroy");
    return getUs(start);
  }

  double exchangeLayer(const Matrix &demand) {
    Matrix turned = transpose(demand, setup.n);
    auto start = Clock::now();
    for (int k = 0; k < 4; ++k) {
      links.exchange(k % 2 ? turned : demand);
      together.arrive_and_wait();
    }
    return getUs(start);
  }

  /// Measures a NIC's rate and the time of a change.
  void measure(Measured &measured) {
    Matrix pair(size_t(setup.n * setup.n));
    pair[1] = setup.bytes;
    darken();
    std::vector<double> us;
    for (int k = 0; k < 3; ++k) {
      auto start = Clock::now();
      links.exchange(pair);
      together.arrive_and_wait();
      us.push_back(getUs(start));
    }
    std::sort(us.begin(), us.end());
    if (rank == 0) {
      measured.epsBytesPerUs = setup.bytes / us[1];
      std::vector<double> changes;
      for (int k = 0; k < 3; ++k) {
        configure({});
        changes.push_back(configure({{1, 1 + setup.degree}}));
      }
      std::sort(changes.begin(), changes.end());
      measured.changeUs = changes[1];
    }
    together.arrive_and_wait();
  }

  /// Sets circuits for a demand that `exchanges` exchanges will use; returns
  /// the time in us.
  double follow(moert_ocs_region *region, const Matrix &demand,
                double exchanges, moert_ocs_decision &decision) {
    darken();
    auto start = Clock::now();
    std::vector<int32_t> circuits(demand.size());
    const double *row = demand.data() + rank * setup.n;
    check(moert_ocs_decide(region, row, exchanges, 0, &decision), context,
          "decide");
    check(moert_ocs_settle(region, circuits.data(), &decision), context,
          "settle");
    if (decision.action == MOERT_OCS_FALL_BACK)
      die(std::string("fell back: ") + decision.why);
    return getUs(start);
  }

private:
  int rank;
  const Setup &setup;
  moert_context *context;
  moert_ocs *device;
  std::barrier<> &together;
  Links links;
};

double getMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

} // namespace

static void runRank(int rank, const Setup &setup, moert_ocs *device,
                    std::barrier<> &together, Measured &measured) {
  moert_config config;
  check(moert_config_default(&config), nullptr, "config");
  config.rank = rank;
  config.world_size = setup.n;
  config.address = "follow";
  moert_context *context = nullptr;
  check(moert_init(&config, &context), nullptr, "init");
  if (rank == 0)
    check(moert_ocs_attach(context, "region", device), context, "attach");
  {
    Rank self(rank, setup, context, device, together);
    self.measure(measured);

    moert_ocs_region_config region;
    check(moert_ocs_region_config_default(&region), context, "region");
    std::vector<int32_t> ports;
    for (int k = 0; k < setup.n * setup.degree; ++k)
      ports.push_back(1 + k);
    region.name = "region";
    region.num_servers = setup.n;
    region.server = rank;
    region.ports = ports.data();
    region.optical_degree = setup.degree;
    region.eps_nics = 1;
    region.exclusive = 1;
    region.nic_bytes_per_us = measured.epsBytesPerUs;
    region.reconfiguration_base_us = measured.changeUs;
    moert_ocs_region *made = nullptr;
    check(moert_ocs_region_create(context, &region, &made), context, "region");
    if (rank == 0)
      std::printf("measured before: a NIC %.1f Mbit/s, a change %.1f ms\n"
                  "%-12s %8s %9s %8s %8s %9s %8s %8s %6s\n",
                  measured.epsBytesPerUs * 8, measured.changeUs / 1e3,
                  "routing", "eps ms", "predicted", "static", "circuits",
                  "predicted", "speed-up", "expected", "saved");
    struct Routing {
      const char *name;
      std::function<double(int, int)> weight;
    } routings[] = {
        {"hot expert", [](int, int j) { return j == 0 ? 6.0 : 1.0; }},
        {"zipf", [](int, int j) { return 1.0 / (j + 1); }},
        {"communities", [](int i, int j) { return (i ^ j) < 2 ? 6.0 : 0.5; }}};
    Matrix mean(size_t(setup.n * setup.n));
    for (const Routing &routing : routings) {
      Matrix demand = route(setup.n, setup.bytes, routing.weight);
      std::transform(mean.begin(), mean.end(), demand.begin(), mean.begin(),
                     std::plus<>());
    }
    for (const Routing &routing : routings) {
      Matrix demand = route(setup.n, setup.bytes, routing.weight);
      std::vector<double> eps, fixed, own;
      moert_ocs_decision decision = {};
      for (int step = 0; step < setup.steps; ++step) {
        self.darken();
        eps.push_back(self.exchangeLayer(demand));
        // These circuits count as having been up for long.
        self.follow(made, mean, 1e9, decision);
        fixed.push_back(self.exchangeLayer(demand));
        double change = self.follow(made, demand, 4, decision);
        own.push_back(change + self.exchangeLayer(demand));
      }
      if (rank != 0)
        continue;
      double epsUs = getMedian(eps), ownUs = getMedian(own);
      double epsExpected = 4 * decision.kept_us;
      double ownExpected = 4 * decision.time_us + decision.change_us;
      std::printf("%-12s %8.1f %9.1f %8.1f %8.1f %9.1f %8.2f %8.2f",
                  routing.name, epsUs / 1e3, epsExpected / 1e3,
                  getMedian(fixed) / 1e3, ownUs / 1e3, ownExpected / 1e3,
                  epsUs / ownUs, epsExpected / ownExpected);
      if (decision.action == MOERT_OCS_CHANGE)
        std::printf(" %6.2f\n", (epsUs - ownUs) / (epsExpected - ownExpected));
      else
        std::printf("   kept\n");
      std::fflush(stdout);
    }
    check(moert_ocs_region_destroy(made), context, "destroy");
  }
  check(moert_finalize(context, MOERT_DEADLINE_DEFAULT), nullptr, "finalize");
}

int main(int argc, char **argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: follow SWITCH SERVERS DEGREE MBYTES STEPS\n");
    return 2;
  }
  Setup setup{argv[1], std::atoi(argv[2]), std::atoi(argv[3]),
              std::atoi(argv[5]), std::atof(argv[4]) * 1e6};
  if (setup.n < 2 || setup.n > 8 || setup.degree < 1 || setup.degree > 6 ||
      setup.steps < 1 || !(setup.bytes >= 1e5 && setup.bytes <= 1e9)) {
    std::fprintf(stderr, "follow: expected 2 to 8 servers, 1 to 6 NICs, 0.1 to "
                         "1000 MB and at least 1 step\n");
    return 2;
  }
  moert_ocs_config config;
  check(moert_ocs_config_default(&config), nullptr, "config");
  config.address = setup.address.c_str();
  config.user = "admin";
  config.password = "root";
  config.all_ports = 1;
  moert_ocs *device = nullptr;
  check(moert_ocs_open(&config, &device), nullptr, "switch");
  std::barrier<> together(setup.n);
  Measured measured;
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < setup.n; ++rank)
    ranks.emplace_back(
        [&, rank] { runRank(rank, setup, device, together, measured); });
  for (std::thread &thread : ranks)
    thread.join();
  check(moert_ocs_close(device), nullptr, "close");
  std::puts("all data right");
  return 0;
}
