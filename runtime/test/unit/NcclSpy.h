// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observes the calls of the backend 'nccl'.

#ifndef MOERT_TEST_UNIT_NCCLSPY_H
#define MOERT_TEST_UNIT_NCCLSPY_H

#include "moert.h"
#include "nccl/NcclLibrary.h"
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <string>

// For tests of the backend 'nccl' on the emulated driver and NCCL. They check
// which functions of the two are called, and may replace them.

namespace moert::spy {

/// Calls of functions by name, on threads that count. A thread counts while it
/// has a `Counting`.
class Calls {
public:
  static Calls &get();
  void note(const char *name);
  std::map<std::string, int> take();

private:
  std::mutex mutex;
  std::map<std::string, int> counts;
};

/// Counts calls of this thread.
class Counting {
public:
  Counting();
  ~Counting();
};

/// The function tables that the backend uses.
cuda::Driver &driver();
nccl::Library &library();

/// An entry of a table. If a test sets `answer`, that is called instead; it may
/// call `original`. `Spy` restores all entries.
template <auto Member> struct Hook;
template <typename Table, typename Result, typename... Args,
          Result (*Table::*Member)(Args...)>
struct Hook<Member> {
  static inline const char *name = nullptr;
  static inline Result (*original)(Args...) = nullptr;
  static inline std::function<Result(Args...)> answer;

  static void install(Table &table, const char *called) {
    name = called;
    answer = nullptr;
    if (!original)
      original = table.*Member;
    if (original)
      table.*Member = [](Args... args) -> Result {
        Calls::get().note(name);
        return answer ? answer(args...) : original(args...);
      };
  }
};

/// A test with the emulation loaded and all entries hooked.
class Spy : public ::testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  /// Returns a configuration of the backend with a free address.
  moert_config getConfig();
  std::string address;
};

} // namespace moert::spy

#endif // MOERT_TEST_UNIT_NCCLSPY_H
