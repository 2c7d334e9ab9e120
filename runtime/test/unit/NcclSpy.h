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
#include <memory>
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

/// The function that a test calls in place of an entry, or none. Tests set it
/// while threads of the backend call it.
template <typename Function> class Answer {
public:
  Answer() = default;
  Answer &operator=(std::function<Function> function) {
    auto made = function ? std::make_shared<const std::function<Function>>(
                               std::move(function))
                         : nullptr;
    std::lock_guard<std::mutex> lock(mutex);
    own.swap(made);
    return *this;
  }
  /// Returns the function, which remains valid if another one replaces it; null
  /// if there is none.
  std::shared_ptr<const std::function<Function>> get() const {
    std::lock_guard<std::mutex> lock(mutex);
    return own;
  }

private:
  mutable std::mutex mutex;
  std::shared_ptr<const std::function<Function>> own;
};

/// An entry of a table. If a test sets `answer`, that is called instead; it may
/// call `original`. `Spy` restores all entries. A context that could not be
/// destroyed, because its work did not end, calls entries until the end of the
/// process.
template <auto Member> struct Hook;
template <typename Table, typename Result, typename... Args,
          Result (*Table::*Member)(Args...)>
struct Hook<Member> {
  static inline const char *name = nullptr;
  static inline Result (*original)(Args...) = nullptr;
  static inline Answer<Result(Args...)> answer;

  static void install(Table &table, const char *called) {
    name = called;
    answer = nullptr;
    if (!original)
      original = table.*Member;
    if (original)
      table.*Member = [](Args... args) -> Result {
        Calls::get().note(name);
        auto own = answer.get();
        return own ? (*own)(args...) : original(args...);
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
