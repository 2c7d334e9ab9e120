// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the time to simulate an exchange.
//
// Prints a table in Markdown: median CPU microseconds per exchange of
// packets.py, including the construction of the network.

#include "moe/Fabric/NetworkExchange.h"
#include "moe/Traffic/Generate.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace moe;

// Must equal the constants of packets.py.
static constexpr int64_t kServers = 16;
static constexpr double kTokenBytes = 8192, kGbps = 100;

static void fail(const std::string &what) {
  std::fprintf(stderr, "fabric: error: %s\n", what.c_str());
  std::exit(1);
}

/// Draws the messages between servers, with one expert per server.
static std::vector<fabric::RankMessage> draw(traffic::Pattern pattern,
                                             int64_t tokens) {
  traffic::GenerateOptions options;
  options.pattern = pattern;
  options.numRanks = options.numExperts = kServers;
  options.tokens = tokens;
  options.topK = 2;
  auto trace = traffic::generate(options);
  if (!trace)
    fail(trace.getError());
  const schedule::ExpertCounts &counts = trace->steps[0].layers[0].counts;
  std::vector<fabric::RankMessage> messages;
  for (int64_t i = 0; i < kServers; ++i)
    for (int64_t j = 0; j < kServers; ++j)
      if (double sent = double(counts.at(i, j)))
        messages.push_back({i, j, sent * kTokenBytes});
  return messages;
}

/// Returns the CPU time of this thread in us.
static double getCpuUs() {
  timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now))
    fail("expected a clock of threads");
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

int main() {
  fabric::FabricOptions options;
  options.serverRanks = 1;
  options.network.servers = kServers;
  options.network.nics = 1;
  options.network.nicRate = kGbps * 125;
  options.network.switchPorts = 4;
  options.network.tiers = 3;
  std::printf("| tokens a server | traffic | flows | times with events | rates "
              "found | makespan, us | us a matrix |\n"
              "|---|---|---|---|---|---|---|\n");
  for (int64_t tokens : {512, 1024, 1536})
    for (auto pattern :
         {traffic::Pattern::Even, traffic::Pattern::Zipf, traffic::Pattern::Hot,
          traffic::Pattern::Communities}) {
      std::vector<fabric::RankMessage> messages = draw(pattern, tokens);
      std::vector<double> us(301);
      fabric::FabricExchange exchange;
      for (double &own : us) {
        double before = getCpuUs();
        auto done = fabric::runFabricExchange(options, messages);
        own = getCpuUs() - before;
        if (!done)
          fail(done.getError());
        exchange = std::move(*done);
      }
      std::nth_element(us.begin(), us.begin() + ptrdiff_t(us.size() / 2),
                       us.end());
      std::printf("| %lld | %s | %lld | %lld | %lld | %.9f | %.0f |\n",
                  (long long)tokens, getName(pattern).data(),
                  (long long)exchange.numFlows,
                  (long long)exchange.times.events,
                  (long long)exchange.times.ratesFound,
                  exchange.times.makespan, us[us.size() / 2]);
    }
  return 0;
}
