// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment variables of launchers.

#ifndef MOERT_CORE_ENVIRONMENT_H
#define MOERT_CORE_ENVIRONMENT_H

#include "core/Status.h"
#include <cstddef>

namespace moert {

/// Returns true if the caller's configuration is large enough for a local rank.
inline bool hasLocalRank(const moert_config &config) {
  return config.struct_size >=
         offsetof(moert_config, local_rank) + sizeof(config.local_rank);
}

/// Overwrites members with the values of the launchers' variables
/// (runtime/README.md).
Status readEnvironment(moert_config &config);

} // namespace moert

#endif // MOERT_CORE_ENVIRONMENT_H
