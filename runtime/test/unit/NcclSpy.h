// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the backend 'nccl' calls.

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

// Tests of the backend 'nccl' on the stand-ins for the driver and NCCL: they
// look at which functions of the two are called, and may answer in their place.

namespace moert::spy {

/// Calls of functions by name, of threads that count. A thread counts while it
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

/// The tables through which the backend calls.
cuda::Driver &driver();
nccl::Library &library();

/// One entry of a table. What a test puts into `answer` is called instead; it
/// may call `original`. `Spy` puts everything back.
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

/// A test with the stand-ins loaded and all entries hooked.
class Spy : public ::testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  /// A configuration of the backend, at an address that is free.
  moert_config getConfig();
  std::string address;
};

} // namespace moert::spy

#endif // MOERT_TEST_UNIT_NCCLSPY_H
