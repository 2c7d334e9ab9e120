// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What values of tasks take up.

#include "moe/Analysis/ArgumentBytes.h"
#include "moe/Analysis/Timing.h"

using namespace mlir;
using namespace moe;

SmallVector<BytesFrom>
moe::getBytesOverTime(const TimedSchedule &timed,
                      const schedule::Timeline &timeline) {
  llvm::DenseMap<Operation *, unsigned> ids;
  for (auto [i, task] : llvm::enumerate(timed.tasks))
    ids[task] = i;
  // (time, bytes)
  std::vector<std::pair<double, int64_t>> changes;
  for (auto [i, op] : llvm::enumerate(timed.tasks)) {
    TaskOp task = op; // accessors of ops are not const
    for (Value value : task.getValues()) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      FailureOr<int64_t> bytes = type ? getTensorBytes(type) : 0;
      if (failed(bytes) || *bytes == 0)
        continue;
      double end = timeline.endUs[i];
      for (Operation *user : value.getUsers()) {
        auto reader = dyn_cast<TaskOp>(user);
        if (!reader)
          reader = user->getParentOfType<TaskOp>();
        auto it = reader ? ids.find(reader) : ids.end();
        // The yield of the schedule hands it out.
        end = std::max(end, it == ids.end() ? timeline.makespanUs
                                            : timeline.endUs[it->second]);
      }
      changes.emplace_back(timeline.startUs[i], *bytes);
      changes.emplace_back(end, -*bytes);
    }
  }
  llvm::sort(changes);
  SmallVector<BytesFrom> uses;
  int64_t live = 0;
  for (auto [us, bytes] : changes) {
    live += bytes;
    // What ends at an instant is gone before what starts at it.
    if (uses.empty() || uses.back().us != us)
      uses.push_back({us, live});
    uses.back().bytes = live;
  }
  // What is handed on at an instant changes nothing.
  uses.erase(
      std::unique(uses.begin(), uses.end(),
                  [](BytesFrom a, BytesFrom b) { return a.bytes == b.bytes; }),
      uses.end());
  return uses;
}

int64_t moe::getPeakBytes(const TimedSchedule &timed,
                          const schedule::Timeline &timeline) {
  int64_t peak = 0;
  for (BytesFrom use : getBytesOverTime(timed, timeline))
    peak = std::max(peak, use.bytes);
  return peak;
}

int64_t moe::getArgumentBytes(FunctionOpInterface function) {
  int64_t sum = 0;
  for (Type type : function.getArgumentTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      if (FailureOr<int64_t> bytes = getTensorBytes(tensor); succeeded(bytes))
        sum += *bytes;
  return sum;
}
