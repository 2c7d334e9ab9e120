// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is registered with communicators.

#include "nccl/Registration.h"
#include "nccl/NcclComm.h"

using namespace moert;
using namespace moert::nccl;

Status NcclComm::registerMemory(void *data, size_t bytes, void *&handle) {
  std::lock_guard<std::timed_mutex> lock(live->calls);
  if (live->isEnding())
    return context.getFailure();
  return settle(context.nccl().CommRegister(comm, data, bytes, &handle),
                "ncclCommRegister",
                Deadline::inMicroseconds(context.deadlineUs));
}

void NcclComm::deregisterMemory(void *handle) {
  std::lock_guard<std::timed_mutex> lock(live->calls);
  // An aborted communicator has already forgotten its registrations.
  if (!live->isEnding())
    context.nccl().CommDeregister(comm, handle);
}

Status Registration::connect(NcclComm &comm, void *data, size_t bytes) {
  void *handle = nullptr;
  Status status = comm.registerMemory(data, bytes, handle);
  if (status.ok())
    handles[{&comm, data}] = handle;
  return status;
}

Status Registration::addMemory(void *data, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  memory[data] = bytes;
  Status status;
  for (NcclComm *comm : comms)
    if (status.ok())
      status = connect(*comm, data, bytes);
  return status;
}

void Registration::removeMemory(void *data) {
  std::lock_guard<std::mutex> lock(mutex);
  memory.erase(data);
  std::erase_if(handles, [&](const auto &entry) {
    auto [comm, known] = entry.first;
    if (known == data)
      comm->deregisterMemory(entry.second);
    return known == data;
  });
}

Status Registration::addComm(NcclComm &comm) {
  std::lock_guard<std::mutex> lock(mutex);
  comms.insert(&comm);
  Status status;
  for (auto [data, bytes] : memory)
    if (status.ok())
      status = connect(comm, data, bytes);
  return status;
}

void Registration::removeComm(NcclComm &comm) {
  std::lock_guard<std::mutex> lock(mutex);
  comms.erase(&comm);
  std::erase_if(handles, [&](const auto &entry) {
    bool isOwn = entry.first.first == &comm;
    if (isOwn)
      comm.deregisterMemory(entry.second);
    return isOwn;
  });
}
