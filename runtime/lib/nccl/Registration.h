// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that communicators know.

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

/// Which memory is registered with which communicator: all there is with each
/// there is, in whatever order they come and go.
class Registration {
public:
  Status addMemory(void *data, size_t bytes);
  /// Before the memory is given back.
  void removeMemory(void *data);
  Status addComm(NcclComm &comm);
  /// Before the communicator ends.
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
