// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is registered with communicators.

#ifndef MOERT_NCCL_REGISTRATION_H
#define MOERT_NCCL_REGISTRATION_H

#include "core/Status.h"
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace moert::nccl {

class NcclComm;

/// Registers all memory with all communicators, independently of the order of
/// additions and removals.
class Registration {
public:
  Status addMemory(void *data, size_t bytes);
  /// Must be called before the memory is freed.
  void removeMemory(void *data);
  Status addComm(NcclComm &comm);
  /// Must be called before the communicator ends.
  void removeComm(NcclComm &comm);

private:
  Status connect(NcclComm &comm, void *data, size_t bytes);

  std::mutex mutex;
  std::map<void *, size_t> memory;
  std::set<NcclComm *> comms;
  std::map<std::pair<NcclComm *, void *>, void *> handles;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_REGISTRATION_H
