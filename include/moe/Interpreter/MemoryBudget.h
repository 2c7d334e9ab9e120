// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory limit of the interpreter.

#ifndef MOE_INTERPRETER_MEMORYBUDGET_H
#define MOE_INTERPRETER_MEMORYBUDGET_H

#include <algorithm>
#include <cstdint>

namespace moe {

/// Counts the bytes of tensors, terms and tables against a limit. Callers
/// charge the budget before they allocate.
class MemoryBudget {
public:
  explicit MemoryBudget(uint64_t limit) : limit(limit) {}

  bool fits(uint64_t bytes) const { return bytes <= limit - live; }
  /// Takes `bytes` from the budget. Returns false and takes nothing if they do
  /// not fit.
  bool charge(uint64_t bytes) {
    if (!fits(bytes))
      return false;
    live += bytes;
    return true;
  }
  void release(uint64_t bytes) { live -= std::min(bytes, live); }

  uint64_t getLimit() const { return limit; }
  uint64_t getLive() const { return live; }

private:
  uint64_t limit;
  uint64_t live = 0;
};

} // namespace moe

#endif // MOE_INTERPRETER_MEMORYBUDGET_H
