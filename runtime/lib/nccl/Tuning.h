// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NCCL is asked for.

#ifndef MOERT_NCCL_TUNING_H
#define MOERT_NCCL_TUNING_H

#include "nccl/NcclLibrary.h"
#include <mutex>

namespace moert::nccl {

/// How communicators are made, and whether buffers are registered with them:
/// what the job's configuration says, and what programs were compiled for where
/// it says nothing.
class Tuning {
public:
  /// UNAVAILABLE for what this NCCL is too old for.
  Status start(const moert_config &config, const Library &library);
  /// Takes what a program says. UNAVAILABLE as above; INVALID_ARGUMENT when it
  /// cannot be along with what is asked for already.
  Status add(const moert_program &program, const Library &library);

  Config getConfig() const;
  bool registersBuffers() const;

private:
  /// As moert_config has them.
  struct Wishes {
    int32_t minCtas = 0, maxCtas = 0, cgaClusterSize = 0, registerBuffers = 0;
  };
  template <typename T> static Wishes takeWishes(const T &from);
  /// Checks wishes, and makes them what there is.
  Status take(const Wishes &asked, const Library &library);

  mutable std::mutex mutex;
  /// What the job asks for, and what it does along with programs.
  Wishes own, all;
  /// The program that was the first to ask for more.
  std::string program;
  Config config;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_TUNING_H
