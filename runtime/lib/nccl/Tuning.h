// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requested settings of NCCL.

#ifndef MOERT_NCCL_TUNING_H
#define MOERT_NCCL_TUNING_H

#include "nccl/NcclLibrary.h"
#include <mutex>

namespace moert::nccl {

/// The settings of communicators, and whether buffers are registered with them:
/// from the job's configuration or, where it leaves them open, from programs.
class Tuning {
public:
  /// UNAVAILABLE for settings that this NCCL is too old for.
  Status start(const moert_config &config, const Library &library);
  /// Applies the settings of a program. UNAVAILABLE like `start`;
  /// INVALID_ARGUMENT if they conflict with earlier ones.
  Status add(const moert_program &program, const Library &library);

  Config getConfig() const;
  bool registersBuffers() const;

private:
  /// Settings of moert_config.
  struct Wishes {
    int32_t minCtas = 0, maxCtas = 0, cgaClusterSize = 0, registerBuffers = 0;
  };
  template <typename T> static Wishes takeWishes(const T &from);
  /// Checks settings and applies them.
  Status take(const Wishes &asked, const Library &library);

  mutable std::mutex mutex;
  /// The settings of the job without and with programs.
  Wishes own, all;
  /// The first program that added settings.
  std::string program;
  Config config;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_TUNING_H
