// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the progress of the suite.

#ifndef MOERT_TEST_CONFORMANCE_ACTIVITY_H
#define MOERT_TEST_CONFORMANCE_ACTIVITY_H

#ifdef MOERT_HAS_PROGRESS
#include "moe/Support/Progress.h"

namespace conformance {
using moe::support::Activity;
using moe::support::Progress;
} // namespace conformance
#else
#include <cstdint>
#include <string>

namespace conformance {

/// A build without the compiler's sources reports no progress.
struct Activity {
  explicit Activity(const std::string &, int64_t = 0) {}
  void next(const std::string & = "") {}
};
struct Progress {
  static void keepQuiet() {}
};

} // namespace conformance
#endif

#endif // MOERT_TEST_CONFORMANCE_ACTIVITY_H
