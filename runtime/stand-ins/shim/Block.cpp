// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs blocks of threads of a kernel on the CPU.

#include "shim/Block.h"
#include "shim/Fiber.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

using namespace moert::shim;

constinit thread_local Place moert::shim::place;

static Dim3 getIndex(uint64_t linear, const Dim3 &size) {
  return {static_cast<unsigned>(linear % size.x),
          static_cast<unsigned>(linear / size.x % size.y),
          static_cast<unsigned>(linear / size.x / size.y)};
}

static std::string print(const Dim3 &at) {
  return "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ", " +
         std::to_string(at.z) + ")";
}

namespace {

/// Pseudo-random numbers of a seed (SplitMix64).
struct Random {
  uint64_t state;
  uint64_t operator()(uint64_t bound) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) % bound;
  }
};

class Runner;

/// A fiber that runs threads of the block until one of them waits.
struct Worker {
  explicit Worker(Runner &runner);
  Fiber fiber;
  unsigned thread = 0;
  WarpCall call;
  uint64_t answer = 0;
};

struct Warp {
  /// Number of lanes that have not ended, and number of lanes that wait.
  unsigned alive = 0, waiting = 0;
  std::array<Worker *, kLanes> workers{};
};

/// Runs blocks of one kernel at a time.
class Runner {
public:
  std::string run(const Launch &launch, const std::function<void()> &body);
  void work(Worker &worker);
  void waitAtBarrier();
  uint64_t waitForWarp(const WarpCall &call);
  void giveWay(unsigned nanoseconds);

private:
  bool runBlock(Random random);
  void step(Worker &worker);
  void end(unsigned thread);
  void complete(unsigned warp, unsigned lane);
  [[noreturn]] void fail(const std::string &what);
  std::string describeStuck() const;
  std::string begin() const;

  const Launch *launch = nullptr;
  const std::function<void()> *body = nullptr;
  /// The place of the process's thread. Workers access it by this pointer,
  /// because an idle worker may be resumed on another thread than before.
  Place *here = nullptr;
  unsigned count = 0, next = 0, ended = 0;
  std::vector<unsigned> order;
  std::vector<Warp> warps;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<Worker *> idle, ready, atBarrier;
  Worker *active = nullptr;
  std::string problem;
};

} // namespace

/// The runner of this thread of the process.
static thread_local Runner *current = nullptr;

Worker::Worker(Runner &runner)
    : fiber([this, &runner] { runner.work(*this); }) {}

std::string Runner::begin() const {
  return "kernel " + launch->name + ", block " + print(here->block) + ": ";
}

void Runner::fail(const std::string &what) {
  problem = begin() + what;
  for (;;)
    active->fiber.suspend();
}

void Runner::work(Worker &worker) {
  for (;;) {
    // Threads that never wait share a fiber.
    while (next < count) {
      worker.thread = order[next++];
      here->thread = getIndex(worker.thread, launch->block);
      (*body)();
      end(worker.thread);
    }
    idle.push_back(&worker);
    worker.fiber.suspend();
  }
}

void Runner::step(Worker &worker) {
  active = &worker;
  worker.fiber.resume();
}

void Runner::end(unsigned thread) {
  ++ended;
  Warp &warp = warps[thread / kLanes];
  warp.alive &= ~(1u << (thread % kLanes));
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (warp.waiting >> lane & 1)
      complete(thread / kLanes, lane);
}

void Runner::waitAtBarrier() {
  atBarrier.push_back(active);
  if (atBarrier.size() == count) {
    ready.insert(ready.end(), atBarrier.begin(), atBarrier.end());
    atBarrier.clear();
  }
  active->fiber.suspend();
}

void Runner::giveWay(unsigned nanoseconds) {
  if (ready.empty() && next == count) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(nanoseconds));
    return;
  }
  ready.push_back(active);
  active->fiber.suspend();
}

uint64_t Runner::waitForWarp(const WarpCall &call) {
  Worker &worker = *active;
  unsigned lane = worker.thread % kLanes, number = worker.thread / kLanes;
  if (!(call.mask >> lane & 1))
    fail("expected a mask with the calling lane " + std::to_string(lane));
  Warp &warp = warps[number];
  worker.call = call;
  warp.workers[lane] = &worker;
  warp.waiting |= 1u << lane;
  complete(number, lane);
  worker.fiber.suspend();
  return worker.answer;
}

/// Answers the lanes that `lane` waits for, if all have arrived.
void Runner::complete(unsigned number, unsigned lane) {
  Warp &warp = warps[number];
  const WarpCall call = warp.workers[lane]->call;
  unsigned members = call.mask & warp.alive;
  if ((warp.waiting & members) != members)
    return;
  unsigned votes = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(members >> i & 1))
      continue;
    const WarpCall &other = warp.workers[i]->call;
    if (other.kind != call.kind || other.mask != call.mask)
      fail("lanes " + std::to_string(lane) + " and " + std::to_string(i) +
           " of warp " + std::to_string(number) +
           " call different warp functions, or with different masks");
    votes |= static_cast<unsigned>(other.value != 0) << i;
  }
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!(members >> i & 1))
      continue;
    Worker *worker = warp.workers[i];
    worker->answer = votes;
    if (call.kind == WarpKind::Shuffle) {
      unsigned source = worker->call.source;
      if (!(members >> source & 1))
        fail("lane " + std::to_string(i) + " of warp " +
             std::to_string(number) + " asks for the value of lane " +
             std::to_string(source) + ", which does not take part");
      worker->answer = warp.workers[source]->call.value;
    }
    ready.push_back(worker);
  }
  warp.waiting &= ~members;
}

std::string Runner::describeStuck() const {
  size_t inWarps = 0;
  for (const Warp &warp : warps)
    inWarps += static_cast<size_t>(__builtin_popcount(warp.waiting));
  return begin() + "of " + std::to_string(count) + " threads " +
         std::to_string(atBarrier.size()) + " wait at __syncthreads, " +
         std::to_string(inWarps) + " for lanes of their warp, and " +
         std::to_string(ended) +
         " have ended: expected all threads of a block at a barrier, and all "
         "lanes of a mask";
}

bool Runner::runBlock(Random random) {
  next = ended = 0;
  for (unsigned w = 0; w < warps.size(); ++w) {
    unsigned lanes = std::min(kLanes, count - w * kLanes);
    warps[w].alive = lanes == kLanes ? ~0u : (1u << lanes) - 1;
    warps[w].waiting = 0;
  }
  std::iota(order.begin(), order.end(), 0u);
  if (launch->seed)
    for (unsigned i = count; i > 1; --i)
      std::swap(order[i - 1], order[random(i)]);
  // Fresh shared memory is not zero.
  if (launch->shared)
    std::memset(launch->shared, 0xa5, launch->sharedBytes + kSharedMargin);
  while (ended < count && problem.empty()) {
    if (ready.empty() && next == count) {
      problem = describeStuck();
      break;
    }
    bool starts =
        next < count && (ready.empty() || !launch->seed || random(2) == 0);
    if (starts) {
      if (idle.empty()) {
        workers.push_back(std::make_unique<Worker>(*this));
        idle.push_back(workers.back().get());
      }
      Worker *worker = idle.back();
      idle.pop_back();
      step(*worker);
      continue;
    }
    size_t at = launch->seed ? random(ready.size()) : 0;
    Worker *worker = ready[at];
    if (launch->seed) {
      ready[at] = ready.back();
      ready.pop_back();
    } else {
      ready.erase(ready.begin());
    }
    here->thread = getIndex(worker->thread, launch->block);
    step(*worker);
  }
  const char *margin = launch->shared + launch->sharedBytes;
  if (problem.empty() && launch->shared &&
      std::any_of(margin, margin + kSharedMargin,
                  [](char c) { return c != static_cast<char>(0xa5); }))
    problem = begin() + "expected writes to the " +
              std::to_string(launch->sharedBytes) +
              " bytes of shared memory that the launch asked for, got some "
              "behind them";
  return problem.empty();
}

std::string Runner::run(const Launch &wanted,
                        const std::function<void()> &threads) {
  launch = &wanted;
  body = &threads;
  here = &place;
  Runner *outer = current;
  current = this;
  here->blockSize = wanted.block;
  here->gridSize = wanted.grid;
  count = static_cast<unsigned>(wanted.block.count());
  order.resize(count);
  warps.assign((count + kLanes - 1) / kLanes, {});
  // Depends only on the seed and the name, not on other launches of the
  // process.
  Random random{wanted.seed + std::hash<std::string>()(wanted.name)};
  uint64_t blocks = wanted.grid.count(), stride = 1, offset = 0;
  if (wanted.seed && blocks > 1) {
    // Visits every block once, because the step is coprime to their number.
    do
      stride = 1 + random(blocks - 1);
    while (std::gcd(stride, blocks) != 1);
    offset = random(blocks);
  }
  uint64_t at = offset;
  for (uint64_t b = 0; b < blocks; ++b, at = (at + stride) % blocks) {
    here->block = getIndex(at, wanted.grid);
    if (!runBlock({random(~uint64_t{0})}))
      break;
  }
  current = outer;
  return problem;
}

void moert::shim::waitAtBarrier() { current->waitAtBarrier(); }
uint64_t moert::shim::waitForWarp(const WarpCall &call) {
  return current->waitForWarp(call);
}
void moert::shim::giveWay(unsigned nanoseconds) {
  current->giveWay(nanoseconds);
}
long long moert::shim::readClock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

unsigned moert::shim::getLane() {
  const Dim3 &at = place.thread, &size = place.blockSize;
  return ((at.z * size.y + at.y) * size.x + at.x) % kLanes;
}

std::string moert::shim::run(const Launch &launch,
                             const std::function<void()> &body) {
  // Runners and their stacks are reused for later launches. The runner of a
  // failed kernel is not, because its fibers have not ended.
  static auto *mutex = new std::mutex;
  static auto *spare = new std::vector<std::unique_ptr<Runner>>;
  std::unique_ptr<Runner> runner;
  {
    std::lock_guard<std::mutex> lock(*mutex);
    if (!spare->empty()) {
      runner = std::move(spare->back());
      spare->pop_back();
    }
  }
  if (!runner)
    runner = std::make_unique<Runner>();
  std::string problem = runner->run(launch, body);
  if (problem.empty()) {
    std::lock_guard<std::mutex> lock(*mutex);
    spare->push_back(std::move(runner));
  }
  return problem;
}
