// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conformance suite for all backends.

#include "Activity.h"
#include "Faults.h"
#include "Processes.h"
#include "Rank.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <latch>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace conformance;

static const char kUsage[] =
    "usage: moert-conformance [--backend=host|mpi|nccl] [--ranks=N]\n"
    "                         [--processes=N] [--only=PART] [--fault=NAME]\n"
    "                         [--rounds=N] [--deadline-ms=N] [--probe] "
    "[--digest]\n"
    "Checks a backend against reference computations. With --ranks, and "
    "always\n"
    "with 'host', N ranks (default: 8) are threads of this process. Otherwise\n"
    "this process is one rank, numbered by the launcher's environment "
    "variables;\n"
    "'nccl' ranks connect to MOERT_ADDRESS.\n"
    "  --processes  with 'host': make N processes, one a rank, which meet by "
    "an\n"
    "            all-gather of their own\n"
    "  --only    collectives, ragged, streams, copies, kernels, gates,\n"
    "            gradients, uneven, dropless, quantize, mixes or exchanges\n"
    "  --fault   inject a fault: missing, mismatch, kind, order, ragged,\n"
    "            abort, kernel, choice, slot, count, row, absent, leaves,\n"
    "            stopped, ended, killed, unseen, impatient, alone or apart\n"
    "  --rounds  join and leave N jobs and check for leaks\n"
    "  --digest  print a hash of all results, to compare runs bit for bit\n"
    "  --probe   only print whether the backend is available\n"
    "Exit code: 0 passed, 1 failed, 2 wrong use, 77 backend not available.\n";

namespace {

struct Options {
  std::string backend = "host", only, fault;
  /// Number of threads, one per rank, or 0 if this process is one rank.
  int ranks = 0;
  /// Number of processes to fork, each with one rank; 0 for none.
  int processes = 0;
  long rounds = 0;
  int64_t deadlineMs = 60000;
  bool probe = false, digest = false;
};

struct Results {
  std::mutex mutex;
  size_t numCases = 0;
  /// Independent of the order in which ranks end.
  uint64_t digest = 0;
  std::vector<std::string> failures;
};

} // namespace

static void run(const Options &options, Rank &rank) {
  const std::pair<const char *, void (*)(Rank &)> parts[] = {
      {"collectives", testCollectives}, {"ragged", testRagged},
      {"streams", testStreams},         {"copies", testCopies},
      {"kernels", testKernels},         {"gates", testGates},
      {"gradients", testGradients},     {"uneven", testUneven},
      {"dropless", testDropless},       {"mixes", testMixes},
      {"quantize", testQuantize},       {"exchanges", testExchanges}};
  try {
    if (Fault fault = findFault(options.fault))
      return fault(rank);
    // Only rank 0 reports the progress.
    std::optional<Activity> activity;
    if (rank.number() == 0)
      activity.emplace("part", options.only.empty() ? std::ssize(parts) : 1);
    for (auto &[name, test] : parts)
      if (options.only.empty() || options.only == name) {
        if (activity)
          activity->next(name);
        test(rank);
      }
  } catch (const Stop &) {
    // The failure has been recorded. The other ranks must not wait for this
    // one.
    moert_abort(rank.context, "this rank cannot go on");
  }
}

static void runRank(const Options &options, const moert_config &config,
                    Results &results) {
  moert_context *context = nullptr;
  moert_status status = moert_init(&config, &context);
  if (status != MOERT_OK) {
    std::lock_guard<std::mutex> lock(results.mutex);
    results.failures.push_back(std::string("moert_init: ") +
                               moert_status_name(status) + ": " +
                               moert_last_error(nullptr));
    return;
  }
  Rank rank(context, options.backend);
  run(options, rank);
  bool mayFail = !options.fault.empty() || !rank.failures.empty();
  if (moert_finalize(context, 10000000) != MOERT_OK && !mayFail)
    rank.fail(std::string("moert_finalize: ") + moert_last_error(nullptr));
  std::lock_guard<std::mutex> lock(results.mutex);
  results.numCases += rank.numCases;
  results.digest ^= mix({static_cast<uint64_t>(config.rank), rank.digest});
  results.failures.insert(results.failures.end(), rank.failures.begin(),
                          rank.failures.end());
}

/// Runs a small job: join, exchange, leave.
static void runRound(const Options &options, const moert_config &config,
                     Results &results) {
  moert_context *context = nullptr;
  if (moert_init(&config, &context) != MOERT_OK) {
    std::lock_guard<std::mutex> lock(results.mutex);
    results.failures.push_back(moert_last_error(nullptr));
    return;
  }
  Rank rank(context, options.backend);
  try {
    Stream stream(rank, "round");
    Comm comm(rank, stream, makePartitions(rank.worldSize())[0], 1);
    Array a(rank, stream, comm.size() * 64), b(rank, stream, comm.size() * 64);
    REQUIRE(rank, moert_all_to_all(comm, a.data(), b.data(), 64, MOERT_I8));
    stream.synchronize();
    ++rank.numCases;
    // The context must destroy remaining objects.
    moert_stream *left;
    REQUIRE(rank, moert_stream_create(context, "left", 0, &left));
    moert_event *event;
    REQUIRE(rank, moert_event_create(context, &event));
    REQUIRE(rank, moert_event_record(event, left));
    // It must also destroy the objects that the job keeps.
    moert_stream *kept;
    moert_comm *whole;
    REQUIRE(rank, moert_stream_get(context, "kept", 0, &kept));
    for (int call = 0; call < 2; ++call)
      REQUIRE(rank, moert_comm_get(kept, comm.ranks.data(),
                                   static_cast<int32_t>(comm.ranks.size()),
                                   MOERT_DEADLINE_DEFAULT, &whole));
    REQUIRE(rank, moert_all_to_all(whole, a.data(), b.data(), 64, MOERT_I8));
    REQUIRE(rank, moert_stream_synchronize(kept, MOERT_DEADLINE_DEFAULT));
  } catch (const Stop &) {
    moert_abort(context, "this rank cannot go on");
  }
  if (moert_finalize(context, MOERT_DEADLINE_DEFAULT) != MOERT_OK)
    rank.fail(moert_last_error(nullptr));
  std::lock_guard<std::mutex> lock(results.mutex);
  results.numCases += rank.numCases;
  results.failures.insert(results.failures.end(), rank.failures.begin(),
                          rank.failures.end());
}

/// Threads, open files and resident kilobytes of this process.
struct Usage {
  long threads = 0, files = 0, kilobytes = 0;
};

static Usage getUsage() {
  Usage usage;
  auto count = [](const char *path) {
    long entries = 0;
    if (DIR *folder = opendir(path)) {
      while (readdir(folder))
        ++entries;
      closedir(folder);
    }
    return entries;
  };
  usage.threads = count("/proc/self/task");
  usage.files = count("/proc/self/fd");
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:")
      status >> usage.kilobytes;
  return usage;
}

static void
onAllRanks(const Options &options, moert_config config, Results &results,
           void (*body)(const Options &, const moert_config &, Results &)) {
  if (options.ranks == 0)
    return body(options, config, results);
  // Starts all threads or none, because ranks would wait for missing ones.
  std::latch ready(1);
  bool complete = false;
  std::vector<std::thread> threads;
  try {
    for (int32_t rank = 0; rank < options.ranks; ++rank) {
      config.rank = rank;
      config.world_size = options.ranks;
      threads.emplace_back([&, config] {
        ready.wait();
        if (complete)
          body(options, config, results);
      });
    }
    complete = true;
  } catch (const std::system_error &error) {
    std::fprintf(stderr,
                 "moert-conformance: expected %d threads, one for each rank, "
                 "got %zu: %s\n",
                 options.ranks, threads.size(), error.code().message().c_str());
  }
  ready.count_down();
  for (std::thread &thread : threads)
    thread.join();
  if (!complete)
    std::exit(2);
}

static void runRounds(const Options &options, const moert_config &config,
                      Results &results) {
  // The first rounds fill permanent caches.
  long warm = std::min(options.rounds, 100L);
  Usage before;
  Activity activity("round", options.rounds);
  for (long round = 0; round < options.rounds; ++round) {
    activity.next();
    if (round == warm)
      before = getUsage();
    onAllRanks(options, config, results, runRound);
    if (!results.failures.empty())
      return;
  }
  Usage after = getUsage();
  if (options.rounds <= warm)
    return;
  if (after.threads > before.threads || after.files > before.files ||
      after.kilobytes > before.kilobytes + 8192)
    results.failures.push_back(
        "leak: threads " + std::to_string(before.threads) + " -> " +
        std::to_string(after.threads) + ", files " +
        std::to_string(before.files) + " -> " + std::to_string(after.files) +
        ", kB " + std::to_string(before.kilobytes) + " -> " +
        std::to_string(after.kilobytes));
}

/// Parses the command line. Returns an error message; empty on success.
static std::string parse(int argc, char **argv, Options &options) {
  std::string problem;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    auto value = [&](const char *name) -> const char * {
      size_t length = std::strlen(name);
      return argument.compare(0, length, name) == 0 &&
                     argument.size() > length && argument[length] == '='
                 ? argv[i] + length + 1
                 : nullptr;
    };
    auto number = [&](const char *text, long least, long most) {
      char *end = nullptr;
      long parsed = std::strtol(text, &end, 10);
      if ((!*text || *end || parsed < least || parsed > most) &&
          problem.empty())
        problem = argument + ": expected an integer in [" +
                  std::to_string(least) + ", " + std::to_string(most) + "]";
      return parsed;
    };
    if (const char *text = value("--backend"))
      options.backend = text;
    else if (const char *text = value("--only"))
      options.only = text;
    else if (const char *text = value("--fault"))
      options.fault = text;
    else if (const char *text = value("--ranks"))
      options.ranks = static_cast<int>(number(text, 1, 1024));
    else if (const char *text = value("--processes"))
      options.processes = static_cast<int>(number(text, 1, 64));
    else if (const char *text = value("--rounds"))
      options.rounds = number(text, 1, 1000000);
    else if (const char *text = value("--deadline-ms"))
      options.deadlineMs = number(text, 1, 3600000);
    else if (argument == "--probe")
      options.probe = true;
    else if (argument == "--digest")
      options.digest = true;
    else
      return argument + ": expected an option";
  }
  if (!problem.empty())
    return problem;
  static const char *parts[] = {
      "",         "collectives", "ragged",    "streams", "copies",
      "kernels",  "gates",       "gradients", "uneven",  "dropless",
      "quantize", "mixes",       "exchanges"};
  bool knownPart =
      std::any_of(std::begin(parts), std::end(parts),
                  [&](const char *p) { return options.only == p; });
  if (options.processes && (options.ranks || options.backend != "host"))
    return "--processes: expected the backend 'host' without --ranks";
  if (options.ranks == 0 && options.processes == 0 && options.backend == "host")
    options.ranks = 8;
  if (!knownPart)
    return "--only=" + options.only + ": expected one of the parts below";
  if (!options.fault.empty() && !findFault(options.fault))
    return "--fault=" + options.fault + ": expected one of those below";
  if ((options.fault == "killed" || options.fault == "ended" ||
       options.fault == "stopped" || options.fault == "unseen") &&
      options.ranks > 0)
    return "--fault=" + options.fault +
           ": expected this process to be one rank, without --ranks and not on "
           "'host'";
  return "";
}

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0)
    return std::fputs(kUsage, stdout) < 0 || std::fflush(stdout) != 0;
  Options options;
  if (std::string problem = parse(argc, argv, options); !problem.empty()) {
    std::fprintf(stderr, "moert-conformance: %s\n%s", problem.c_str(), kUsage);
    return 2;
  }
  char info[1024];
  moert_status available =
      moert_backend_info(options.backend.c_str(), info, sizeof(info));
  if (available == MOERT_INVALID_ARGUMENT) {
    std::fprintf(stderr, "%s\n%s", info, kUsage);
    return 2;
  }
  if (available != MOERT_OK) {
    std::printf("skipped: %s: %s\n", options.backend.c_str(), info);
    return 77;
  }
  if (options.probe) {
    if (std::printf("%s\n", info) < 0 || std::fflush(stdout) != 0) {
      std::perror("moert-conformance: cannot write what is there");
      return 2;
    }
    return 0;
  }
  moert_config config;
  moert_config_default(&config);
  config.backend = options.backend.c_str();
  config.deadline_us = options.deadlineMs * 1000;
  if (options.processes)
    startProcesses(options.processes, config);
  else if (options.backend != "host" &&
           moert_config_from_environment(&config) != MOERT_OK) {
    std::fprintf(stderr, "%s\n", moert_last_error(nullptr));
    return 2;
  }
  if (config.rank > 0)
    Progress::keepQuiet();
  Results results;
  {
    Activity activity("moert-conformance on " + options.backend);
    if (options.rounds)
      runRounds(options, config, results);
    else
      onAllRanks(options, config, results, runRank);
  }

  // One write per process, so that the lines of ranks do not mix.
  std::string text;
  size_t shown = 0;
  for (const std::string &failure : results.failures)
    if (++shown <= 20)
      text += "failed: " + failure + "\n";
  bool isJob = options.ranks > 0;
  if (isJob || config.rank == 0 || !results.failures.empty())
    text += options.backend + ": " +
            (isJob ? std::to_string(options.ranks) + " ranks"
                   : "rank " + std::to_string(config.rank) + " of " +
                         std::to_string(config.world_size)) +
            ", " + std::to_string(results.numCases) + " cases, " +
            std::to_string(results.failures.size()) + " failures\n";
  if (options.digest)
    text += "digest " + std::to_string(results.digest) + "\n";
  fflush(stdout);
  if (write(STDOUT_FILENO, text.data(), text.size()) < 0)
    return 1;
  return results.failures.empty() ? 0 : 1;
}
